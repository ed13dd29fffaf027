// Writing to arrays: the mutators of Ruby's Array, each of which honours sharing.
//
// USE        REQUIRES, of every one: the array is not frozen (checked), and the caller keeps it
//            alive. What is given to be stored need not be kept. Indexes that Ruby lets count from
//            the end may be negative; what Ruby's methods return as nil is nil here.
// COST       Push, Pop: amortized O(1). Shift: O(1) from 16 elements on, where it makes the array
//            shared and only moves its begin; below, O(n). Unshift: O(n), but amortized O(1) beyond
//            64 elements, where the array is moved towards the end of a shared buffer. Store: O(1).
//            Insert, DeleteAt: O(n). Replace: O(1) beyond 3 elements, by sharing. SortBang: O(n log
//            n) comparisons. The first write to a shared array also costs an Unshare
//            (array_sharing.h), but for Pop and Shift; and for Push where the array is the only
//            occupant and the root's buffer has room. Growth: array_buffer.h.
// VALIDITY   Shift, Unshift and Replace may collect; the others never do.
// SOURCE     CRuby's array.c of 2.5 and 2.6, modelled from what it does, hence its thresholds (16,
//            64, 1/64, 1/16).
// TESTED BY  array_test.cc, array_sharing_test.cc, array_model_test.cc.
#ifndef RUBRIC_CORE_OBJECT_ARRAY_MUTATION_H_
#define RUBRIC_CORE_OBJECT_ARRAY_MUTATION_H_

#include <algorithm>
#include <cstddef>
#include <span>

#include "core/base/check.h"
#include "core/heap/heap.h"
#include "core/object/array_buffer.h"
#include "core/object/array_sharing.h"
#include "core/object/layout.h"
#include "core/value/value.h"

namespace rubric {

// array[index] = value; what lies between the old end and `index` becomes nil.
// REQUIRES: index >= -length.
void Store(Heap& heap, RArray* array, std::ptrdiff_t index, Value value);

void Push(Heap& heap, RArray* array, Value value);

// The last element, which is taken away; nil iff there is none. A buffer of which less than a third
// is used shrinks to twice what is.
Value Pop(Heap& heap, RArray* array);

// The first element, which is taken away; nil iff there is none. May collect: keep the result of
// the one before.
Value Shift(Heap& heap, RArray* array);

void Unshift(Heap& heap, RArray* array, Value value);

// Inserts before the element at `index`, or, where that is negative, after it; beyond the end fills
// with nil. REQUIRES: index >= -length - 1.
void Insert(Heap& heap, RArray* array, std::ptrdiff_t index, Value value);

// The element at `index`, which is taken away; nil iff there is none.
Value DeleteAt(Heap& heap, RArray* array, std::ptrdiff_t index);

// Appends the elements of `other`, which may be the array itself.
void Concat(Heap& heap, RArray* array, const RArray* other);

// Replaces [begin, begin + removed) by `values`; fills with nil where `begin` lies beyond the end.
// REQUIRES: `values` lie outside the array.
void Splice(Heap& heap, RArray* array, std::size_t begin, std::size_t removed,
            std::span<const Value> values);

// Leaves nothing; a buffer of more than 32 elements shrinks to 32.
void Clear(Heap& heap, RArray* array);

// Gives the array the elements of `source`, by sharing where there are more than 3.
void Replace(Heap& heap, RArray* array, RArray* source);

// Sorts in place. REQUIRES: `less` is a strict weak order that neither makes slots nor looks at the
// array.
template <typename Less>
void SortBang(Heap& heap, RArray* array, Less less) {
  RUBRIC_CHECK(!array->frozen(), "a frozen array is never changed");
  Unshare(heap, array);
  Value* data = array_internal::MutableData(array);
  std::sort(data, data + array->length(), less);
}

}  // namespace rubric

#endif  // RUBRIC_CORE_OBJECT_ARRAY_MUTATION_H_
