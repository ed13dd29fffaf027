// Arrays: making, reading and freeing RArrays.
//
// USE        Free functions over a Heap. A null `klass` makes a hidden array, which no program
//            sees. What makes a slot may collect: keep your slots with a HandleScope across such
//            calls. Writing is in array_mutation.h, sharing in array_sharing.h.
// LAYOUT     core/object/layout.h. An array is in one of four states:
//              embedded     up to 3 elements in the slot, nothing malloc'd
//              own buffer   noembed: a malloc'd block of capa x 8 bytes (Subsystem::kArrays)
//              shared       noembed, shared: points into the buffer of its shared root, maybe its
//                           middle
//              shared root  noembed, shared root: owns a buffer that shared arrays point into; its
//                           length is that of the whole buffer, and the word that is the capa
//                           elsewhere counts its occupants
// COST       Making one: a slot, and beyond 3 elements one malloc of exactly 8 bytes an element.
//            Reading is O(1). ArrayMemsize of n elements in a buffer of their size: 8 n bytes; of a
//            shared array: 0.
// INVARIANTS (1) An embedded array has at most 3 elements, an own buffer a capa above 3.
//            (2) A buffer belongs to exactly one slot: one that is noembed and not shared.
//            (3) A shared array lies within its root's buffer.
//            (4) A shared root is frozen and not shared itself; every element of its buffer is a
//                Value.
//            (5) A frozen array's elements never change. Checked by CheckArray.
// VALIDITY   data() and elements() hold until the next write to the array, or to one that shares
//            with it.
// SOURCE     CRuby's array.c of 2.5 and 2.6, without the transient heap of 2.6: its embedding, its
//            sizes and its sharing, modelled from what they do.
// TESTED BY  array_test.cc, array_sharing_test.cc, array_model_test.cc.
#ifndef RUBRIC_CORE_OBJECT_ARRAY_H_
#define RUBRIC_CORE_OBJECT_ARRAY_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "core/heap/heap.h"
#include "core/object/layout.h"
#include "core/value/slot.h"
#include "core/value/value.h"

namespace rubric {

// An empty array with room for `capa` elements: embedded up to 3, else a buffer of exactly `capa`.
// May collect.
RArray* NewArray(Heap& heap, RClass* klass, std::size_t capa = 0);

// An array of these elements, with room for no more. May collect; `elements` must be kept by the
// caller, and so must the array that they lie in.
RArray* NewArrayFrom(Heap& heap, RClass* klass, std::span<const Value> elements);

// An array with the elements of `source`, in a buffer of its own (embedded up to 3). May collect.
RArray* CopyArray(Heap& heap, const RArray* source, RClass* klass);

// A hidden, frozen array: the form in which an instruction sequence holds an array literal. May
// collect.
RArray* NewArrayLiteral(Heap& heap, std::span<const Value> elements);

// As Array#at: a negative index counts from the end; nil outside.
inline Value At(const RArray* array, std::ptrdiff_t index) {
  const auto length = static_cast<std::ptrdiff_t>(array->length());
  if (index < 0) index += length;
  return index < 0 || index >= length ? Value::Nil() : array->data()[index];
}

// True iff equal(element, value) for an element; without `equal`, iff `value` itself is one.
template <typename Equal = std::equal_to<Value>>
bool Includes(const RArray* array, Value value, Equal equal = {}) {
  const std::span<const Value> elements = array->elements();
  return std::any_of(elements.begin(), elements.end(), [&](Value v) { return equal(v, value); });
}

inline void Freeze(RArray* array) { array->Set(RBasic::kFrozen); }

// True iff the array owns a malloc'd buffer.
inline bool OwnsBuffer(const RArray* array) {
  return array->Has(RBasic::kNoembed) && !array->Has(RBasic::kShared);
}

// Elements that fit where the array's content is now: 3 embedded, its length where it is shared or
// a shared root.
inline std::size_t ArrayCapa(const RArray* array) {
  if (!array->Has(RBasic::kNoembed)) return RArray::kEmbedMax;
  return array->Has(RBasic::kShared | RBasic::kSharedRoot) ? array->heap.length : array->heap.capa;
}

// Bytes outside the slot: capa x 8 of a buffer that the array owns, else 0.
inline std::size_t ArrayMemsize(const RArray* array) {
  return OwnsBuffer(array) ? ArrayCapa(array) * sizeof(Value) : 0;
}

// Calls visit(Value) for what the array refers to: its elements, or its shared root, whose elements
// include them. Its class is not among them.
template <typename Visit>
void VisitArrayReferences(const RArray* array, Visit visit) {
  if (array->Has(RBasic::kShared)) {
    visit(Value(array->heap.shared));
    return;
  }
  for (Value v : array->elements()) visit(v);
}

// For the sweep: frees a buffer that the array owns. Looks at no other slot.
void FreeArrayBuffer(RArray* array);

// Structural check of the array and of its root; aborts when an invariant is broken.
void CheckArray(const RArray* array);

}  // namespace rubric

#endif  // RUBRIC_CORE_OBJECT_ARRAY_H_
