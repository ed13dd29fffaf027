#include "core/object/array.h"

#include "core/base/check.h"
#include "core/memory/allocate.h"
#include "core/object/array_buffer.h"

namespace rubric {
namespace {

using array_internal::CopyElements;
using array_internal::kMaxLength;
using array_internal::MutableData;
using array_internal::SetLength;

Value* NewBuffer(std::size_t capa) {
  return static_cast<Value*>(Allocate(Subsystem::kArrays, capa * sizeof(Value)));
}

}  // namespace

namespace array_internal {

void SetCapa(RArray* array, std::size_t capa) {
  RUBRIC_DCHECK(!array->Has(RBasic::kShared | RBasic::kSharedRoot) && array->length() <= capa);
  if (capa > RArray::kEmbedMax) {
    if (array->Has(RBasic::kNoembed)) {
      array->heap.buffer = static_cast<Value*>(
          Reallocate(Subsystem::kArrays, array->heap.buffer, capa * sizeof(Value)));
    } else {
      const std::size_t length = array->embed_length();
      Value* buffer = NewBuffer(capa);
      std::copy_n(array->embed, length, buffer);
      array->set_embed_length(0);
      array->Set(RBasic::kNoembed);
      array->heap.length = length;
      array->heap.buffer = buffer;
    }
    array->heap.capa = capa;
  } else if (array->Has(RBasic::kNoembed)) {
    Value* buffer = array->heap.buffer;
    const std::size_t length = array->heap.length;
    MakeEmpty(array);
    std::copy_n(buffer, length, array->embed);
    array->set_embed_length(length);
    Free(Subsystem::kArrays, buffer);
  }
}

}  // namespace array_internal

RArray* NewArray(Heap& heap, RClass* klass, std::size_t capa) {
  RUBRIC_CHECK(capa <= kMaxLength, "an array is too long");
  const std::uint64_t flags = static_cast<std::uint64_t>(RArray::kType) |
                              (klass == nullptr ? RBasic::kHidden : std::uint64_t{0});
  auto* array = static_cast<RArray*>(static_cast<RBasic*>(heap.Allocate(flags, klass)));
  if (capa > RArray::kEmbedMax) {
    array->heap.buffer = NewBuffer(capa);
    array->heap.capa = capa;
    array->heap.length = 0;
    array->Set(RBasic::kNoembed);
  }
  return array;
}

RArray* NewArrayFrom(Heap& heap, RClass* klass, std::span<const Value> elements) {
  RArray* array = NewArray(heap, klass, elements.size());
  CopyElements(heap, array, MutableData(array), elements.data(), elements.size());
  SetLength(array, elements.size());
  return array;
}

RArray* CopyArray(Heap& heap, const RArray* source, RClass* klass) {
  RArray* array = NewArray(heap, klass, source->length());
  // Read after the allocation: only then is it where it stays.
  const std::span<const Value> elements = source->elements();
  CopyElements(heap, array, MutableData(array), elements.data(), elements.size());
  SetLength(array, elements.size());
  return array;
}

RArray* NewArrayLiteral(Heap& heap, std::span<const Value> elements) {
  RArray* literal = NewArrayFrom(heap, nullptr, elements);
  Freeze(literal);
  return literal;
}

void FreeArrayBuffer(RArray* array) {
  if (OwnsBuffer(array)) Free(Subsystem::kArrays, array->heap.buffer);
}

void CheckArray(const RArray* array) {
  RUBRIC_CHECK(array->type() == Type::kArray);
  RUBRIC_CHECK(array->Has(RBasic::kHidden) == (array->klass == nullptr));
  if (!array->Has(RBasic::kNoembed)) {
    RUBRIC_CHECK(array->embed_length() <= RArray::kEmbedMax);
    RUBRIC_CHECK(!array->Has(RBasic::kShared | RBasic::kSharedRoot));
    return;
  }
  RUBRIC_CHECK(array->embed_length() == 0);
  if (array->Has(RBasic::kShared)) {
    const RArray* root = array->heap.shared;
    RUBRIC_CHECK(root->type() == Type::kArray && root->Has(RBasic::kSharedRoot),
                 "a shared array's root is no root");
    CheckArray(root);
    const std::ptrdiff_t from = array->heap.buffer - root->heap.buffer;
    RUBRIC_CHECK(from >= 0 && static_cast<std::size_t>(from) + array->heap.length <= root->length(),
                 "a shared array leaves its root's buffer");
    return;
  }
  if (array->Has(RBasic::kSharedRoot)) {
    RUBRIC_CHECK(array->frozen() && array->heap.capa > 0, "a shared root has no occupant");
    return;
  }
  RUBRIC_CHECK(array->heap.capa > RArray::kEmbedMax && array->heap.length <= array->heap.capa);
}

}  // namespace rubric
