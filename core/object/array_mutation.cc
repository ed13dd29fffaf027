#include "core/object/array_mutation.h"

#include "core/heap/root_stack.h"
#include "core/object/array.h"

namespace rubric {
namespace {

using array_internal::CopyElements;
using array_internal::Grow;
using array_internal::IsSoleOccupant;
using array_internal::kDefaultCapa;
using array_internal::kMaxLength;
using array_internal::MutableData;
using array_internal::SetCapa;
using array_internal::SetLength;

void RequireMutable(const RArray* array) {
  RUBRIC_CHECK(!array->frozen(), "a frozen array is never changed");
}

// A queue that is pushed to and shifted from would copy itself at every lap of a buffer that fits
// exactly; so buffers count as full where less than 1/64 is free.
std::size_t RoomyCapa(std::size_t capa) { return capa - capa / 64; }

// Makes place for `more` elements after the last. Gives the slot whose buffer they will lie in: the
// array, or its root where the array is alone in it.
RArray* MakeRoomAtEnd(Heap& heap, RArray* array, std::size_t more) {
  const std::size_t length = array->length();
  RUBRIC_CHECK(more <= kMaxLength - length, "an array is too long");
  const std::size_t needed = length + more;
  if (array->Has(RBasic::kShared) && IsSoleOccupant(array)) {
    RArray* root = array->heap.shared;
    const auto begin = static_cast<std::size_t>(array->heap.buffer - root->heap.buffer);
    if (begin + needed <= root->heap.length) return root;
    Unshare(heap, array);
    if (needed > RoomyCapa(ArrayCapa(array))) Grow(array, needed);
    return array;
  }
  Unshare(heap, array);
  if (needed > ArrayCapa(array)) Grow(array, needed);
  return array;
}

// Moves the elements of a shared array, alone in its root's buffer, so far to the end that 15/16 of
// the free room is before them.
void MoveTowardsEnd(Heap& heap, RArray* array) {
  RArray* root = array->heap.shared;
  const std::size_t room = root->heap.length - array->heap.length;
  Value* to = root->heap.buffer + (room - (room - 1) / 16);
  CopyElements(heap, root, to, array->heap.buffer, array->heap.length);
  array->heap.buffer = to;
}

// Makes place for one element before the first, and counts it in. Gives the slot whose buffer it
// will lie in. May collect.
RArray* MakeRoomAtFront(Heap& heap, RArray* array) {
  const std::size_t needed = array->length() + 1;
  bool in_root = array->Has(RBasic::kShared) && IsSoleOccupant(array) &&
                 array->heap.shared->heap.length > needed;
  if (!in_root) {
    Unshare(heap, array);
    if (needed >= RoomyCapa(ArrayCapa(array))) Grow(array, needed);
    if (needed > 4 * kDefaultCapa) {
      array_internal::MakeShared(heap, array);
      in_root = true;
    }
  }
  if (in_root) {
    if (array->heap.buffer == array->heap.shared->heap.buffer) MoveTowardsEnd(heap, array);
    --array->heap.buffer;
    array->heap.length = needed;
    return array->heap.shared;
  }
  Value* data = MutableData(array);
  std::copy_backward(data, data + needed - 1, data + needed);
  SetLength(array, needed);
  return array;
}

}  // namespace

void Store(Heap& heap, RArray* array, std::ptrdiff_t index, Value value) {
  RequireMutable(array);
  const std::size_t length = array->length();
  if (index < 0) index += static_cast<std::ptrdiff_t>(length);
  RUBRIC_CHECK(index >= 0, "an array is written to before its begin");
  const auto at = static_cast<std::size_t>(index);

  Unshare(heap, array);
  if (at >= ArrayCapa(array)) Grow(array, at);
  Value* data = MutableData(array);
  if (at > length) std::fill(data + length, data + at, Value::Nil());
  data[at] = value;
  heap.WriteBarrier(array, value);
  if (at >= length) SetLength(array, at + 1);
}

void Push(Heap& heap, RArray* array, Value value) {
  RequireMutable(array);
  RArray* owner = MakeRoomAtEnd(heap, array, 1);
  const std::size_t length = array->length();
  MutableData(array)[length] = value;
  heap.WriteBarrier(owner, value);
  SetLength(array, length + 1);
}

Value Pop(Heap&, RArray* array) {
  RequireMutable(array);
  const std::size_t length = array->length();
  if (length == 0) return Value::Nil();
  const Value last = array->data()[length - 1];
  SetLength(array, length - 1);
  if (OwnsBuffer(array) && array->heap.capa > kDefaultCapa && length * 3 < array->heap.capa) {
    SetCapa(array, length * 2);
  }
  return last;
}

Value Shift(Heap& heap, RArray* array) {
  RequireMutable(array);
  const std::size_t length = array->length();
  if (length == 0) return Value::Nil();
  if (!array->Has(RBasic::kShared)) {
    if (length < kDefaultCapa) {
      Value* data = MutableData(array);
      const Value first = data[0];
      std::copy(data + 1, data + length, data);
      SetLength(array, length - 1);
      return first;
    }
    array_internal::MakeShared(heap, array);
  }
  const Value first = array->heap.buffer[0];
  // What was taken from a buffer that nobody else sees shall not be kept alive by it.
  if (IsSoleOccupant(array)) array->heap.buffer[0] = Value::Nil();
  ++array->heap.buffer;
  --array->heap.length;
  return first;
}

void Unshift(Heap& heap, RArray* array, Value value) {
  RequireMutable(array);
  HandleScope scope(heap.roots());
  scope.Push(value);
  RArray* owner = MakeRoomAtFront(heap, array);
  MutableData(array)[0] = value;
  heap.WriteBarrier(owner, value);
}

void Insert(Heap& heap, RArray* array, std::ptrdiff_t index, Value value) {
  if (index < 0) index += static_cast<std::ptrdiff_t>(array->length()) + 1;
  RUBRIC_CHECK(index >= 0, "an array is written to before its begin");
  Splice(heap, array, static_cast<std::size_t>(index), 0, {&value, 1});
}

Value DeleteAt(Heap& heap, RArray* array, std::ptrdiff_t index) {
  RequireMutable(array);
  const std::size_t length = array->length();
  if (index < 0) index += static_cast<std::ptrdiff_t>(length);
  if (index < 0 || static_cast<std::size_t>(index) >= length) return Value::Nil();
  Unshare(heap, array);
  Value* data = MutableData(array);
  const Value deleted = data[index];
  std::copy(data + index + 1, data + length, data + index);
  SetLength(array, length - 1);
  return deleted;
}

void Concat(Heap& heap, RArray* array, const RArray* other) {
  RequireMutable(array);
  const std::size_t length = array->length();
  const std::size_t more = other->length();
  if (more == 0) return;
  RArray* owner = MakeRoomAtEnd(heap, array, more);
  // Read only now: where `other` is the array itself, its elements may have moved.
  CopyElements(heap, owner, MutableData(array) + length, other->data(), more);
  SetLength(array, length + more);
}

void Splice(Heap& heap, RArray* array, std::size_t begin, std::size_t removed,
            std::span<const Value> values) {
  RequireMutable(array);
  const std::size_t length = array->length();
  if (begin >= length) {
    RUBRIC_CHECK(begin <= kMaxLength - values.size(), "an array is too long");
    RArray* owner = MakeRoomAtEnd(heap, array, begin - length + values.size());
    Value* data = MutableData(array);
    std::fill(data + length, data + begin, Value::Nil());
    CopyElements(heap, owner, data + begin, values.data(), values.size());
    SetLength(array, begin + values.size());
    return;
  }
  removed = std::min(removed, length - begin);
  const std::size_t result = length - removed + values.size();
  Unshare(heap, array);
  if (result >= ArrayCapa(array)) Grow(array, result);
  Value* data = MutableData(array);
  CopyElements(heap, array, data + begin + values.size(), data + begin + removed,
               length - begin - removed);
  CopyElements(heap, array, data + begin, values.data(), values.size());
  SetLength(array, result);
}

void Clear(Heap&, RArray* array) {
  RequireMutable(array);
  if (array->Has(RBasic::kShared)) {
    array_internal::DropContent(array);
    return;
  }
  SetLength(array, 0);
  if (ArrayCapa(array) > 2 * kDefaultCapa) SetCapa(array, 2 * kDefaultCapa);
}

void Replace(Heap& heap, RArray* array, RArray* source) {
  RequireMutable(array);
  if (array == source) return;
  const std::size_t length = source->length();
  if (length > RArray::kEmbedMax) {
    RArray* root = array_internal::MakeShared(heap, source);
    array_internal::DropContent(array);
    array_internal::Occupy(heap, array, root, source->heap.buffer, length);
    return;
  }
  array_internal::DropContent(array);
  CopyElements(heap, array, array->embed, source->data(), length);
  array->set_embed_length(length);
}

}  // namespace rubric
