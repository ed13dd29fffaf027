#include "core/object/array_sharing.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/heap/root_stack.h"
#include "core/memory/allocate.h"
#include "core/object/array.h"
#include "core/object/array_buffer.h"

namespace rubric {
namespace array_internal {
namespace {

// `array` becomes the owner of a buffer whose elements it referred to through its root alone.
void Adopt(Heap& heap, RArray* array, Value* buffer, std::size_t length, std::size_t capa) {
  array->Clear(RBasic::kShared);
  array->heap.buffer = buffer;
  array->heap.length = length;
  array->heap.capa = capa;
  heap.WriteBarrier(array, array->elements());
}

void EmbedShared(Heap& heap, RArray* array) {
  RArray* root = array->heap.shared;
  const Value* from = array->heap.buffer;
  const std::size_t length = array->heap.length;
  MakeEmpty(array);
  CopyElements(heap, array, array->embed, from, length);
  array->set_embed_length(length);
  LeaveRoot(root);
}

void TakeRootsBuffer(Heap& heap, RArray* array) {
  RArray* root = array->heap.shared;
  Value* buffer = root->heap.buffer;
  const std::size_t capa = root->heap.length;
  MakeEmpty(root);
  const std::size_t length = array->heap.length;
  std::copy_n(array->heap.buffer, length, buffer);  // downwards, so the overlap is harmless
  Adopt(heap, array, buffer, length, capa);
}

void CopyFromRoot(Heap& heap, RArray* array) {
  RArray* root = array->heap.shared;
  const std::size_t length = array->heap.length;
  auto* buffer = static_cast<Value*>(Allocate(Subsystem::kArrays, length * sizeof(Value)));
  std::copy_n(array->heap.buffer, length, buffer);
  Adopt(heap, array, buffer, length, length);
  LeaveRoot(root);
}

}  // namespace

void Occupy(Heap& heap, RArray* array, RArray* root, Value* from, std::size_t length) {
  RUBRIC_DCHECK(!array->Has(RBasic::kNoembed) && root->Has(RBasic::kSharedRoot));
  array->set_embed_length(0);
  array->Set(RBasic::kNoembed | RBasic::kShared);
  array->heap.buffer = from;
  array->heap.length = length;
  array->heap.shared = root;
  ++root->heap.capa;
  heap.WriteBarrier(array, Value(root));
}

void LeaveRoot(RArray* root) {
  RUBRIC_DCHECK(root->Has(RBasic::kSharedRoot) && root->heap.capa > 0);
  if (--root->heap.capa > 0) return;
  Free(Subsystem::kArrays, root->heap.buffer);
  MakeEmpty(root);
}

void DropContent(RArray* array) {
  if (array->Has(RBasic::kShared)) {
    LeaveRoot(array->heap.shared);
  } else {
    FreeArrayBuffer(array);
  }
  MakeEmpty(array);
}

RArray* MakeShared(Heap& heap, RArray* array) {
  if (array->Has(RBasic::kShared)) return array->heap.shared;
  if (array->Has(RBasic::kSharedRoot)) return array;
  RUBRIC_CHECK(array->Has(RBasic::kNoembed), "embedded elements cannot be shared");
  const std::size_t length = array->heap.length;

  if (array->frozen()) {
    RUBRIC_CHECK(length > RArray::kEmbedMax);
    if (array->heap.capa > length) SetCapa(array, length);
    array->Set(RBasic::kSharedRoot);
    array->heap.capa = 1;
    return array;
  }

  RArray* root = NewArray(heap, nullptr);
  Value* buffer = array->heap.buffer;
  const std::size_t capa = array->heap.capa;
  std::fill(buffer + length, buffer + capa, Value::Nil());
  root->Set(RBasic::kNoembed | RBasic::kSharedRoot | RBasic::kFrozen);
  root->heap.buffer = buffer;
  root->heap.length = capa;
  root->heap.capa = 0;
  heap.WriteBarrier(root, root->elements());
  MakeEmpty(array);
  Occupy(heap, array, root, buffer, length);
  return root;
}

}  // namespace array_internal

namespace {

// `length` elements of `source` from `begin` on, of class `klass`. REQUIRES: they are there.
RArray* ShareOrEmbed(Heap& heap, RArray* source, RClass* klass, std::size_t begin,
                     std::size_t length) {
  if (length <= RArray::kEmbedMax) {
    RArray* result = NewArray(heap, klass);
    array_internal::CopyElements(heap, result, result->embed, source->data() + begin, length);
    result->set_embed_length(length);
    return result;
  }
  HandleScope scope(heap.roots());
  RArray* result = scope.Keep(NewArray(heap, klass));
  RArray* root = array_internal::MakeShared(heap, source);
  array_internal::Occupy(heap, result, root, source->heap.buffer + begin, length);
  return result;
}

}  // namespace

RArray* SharedCopy(Heap& heap, RArray* source, RClass* klass) {
  return ShareOrEmbed(heap, source, klass, 0, source->length());
}

std::optional<RArray*> Slice(Heap& heap, RArray* source, std::ptrdiff_t begin, std::size_t length) {
  const auto there = static_cast<std::ptrdiff_t>(source->length());
  if (begin < 0) begin += there;
  if (begin < 0 || begin > there) return std::nullopt;
  length = std::min(length, static_cast<std::size_t>(there - begin));
  return ShareOrEmbed(heap, source, source->klass, static_cast<std::size_t>(begin), length);
}

void Unshare(Heap& heap, RArray* array) {
  if (!array->Has(RBasic::kShared)) return;
  if (array->heap.length <= RArray::kEmbedMax) {
    array_internal::EmbedShared(heap, array);
  } else if (array_internal::IsSoleOccupant(array) &&
             array->heap.length > array->heap.shared->heap.length / 2) {
    array_internal::TakeRootsBuffer(heap, array);
  } else {
    array_internal::CopyFromRoot(heap, array);
  }
}

bool SharesWith(const RArray* a, const RArray* b) {
  return a->Has(RBasic::kShared) && b->Has(RBasic::kShared) && a->heap.shared == b->heap.shared &&
         a->heap.length == b->heap.length;
}

std::size_t Occupants(const RArray* root) {
  RUBRIC_CHECK(root->Has(RBasic::kSharedRoot));
  return root->heap.capa;
}

}  // namespace rubric
