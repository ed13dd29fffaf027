// The representation of an array's content, shared by the .cc files of arrays.
//
// USE        Internal to core/object. These change where an array's elements are, never what they
//            are.
// COST       SetCapa: one realloc, or one malloc or free where embedded. Growth by one element at a
//            time makes capas of 3, 20, 37, 56, 85, 128, 193, 290: amortized O(1).
// SOURCE     CRuby's growth policy (ary_double_capa): half of the capa, at least 16, plus what is
//            needed.
// TESTED BY  array_test.cc.
#ifndef RUBRIC_CORE_OBJECT_ARRAY_BUFFER_H_
#define RUBRIC_CORE_OBJECT_ARRAY_BUFFER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "core/base/check.h"
#include "core/heap/heap.h"
#include "core/object/array.h"
#include "core/object/layout.h"

namespace rubric::array_internal {

// The least that a buffer grows by; also the length from which Shift shares.
inline constexpr std::size_t kDefaultCapa = 16;  // elements

inline constexpr std::size_t kMaxLength =
    std::numeric_limits<std::ptrdiff_t>::max() / sizeof(Value);  // elements

inline Value* MutableData(RArray* array) {
  return array->Has(RBasic::kNoembed) ? array->heap.buffer : array->embed;
}

inline void SetLength(RArray* array, std::size_t length) {
  if (array->Has(RBasic::kNoembed)) {
    array->heap.length = length;
  } else {
    array->set_embed_length(length);
  }
}

// Makes an array, whose content is no longer its own concern, an embedded empty one.
inline void MakeEmpty(RArray* array) {
  array->Clear(RBasic::kNoembed | RBasic::kShared | RBasic::kSharedRoot);
  array->set_embed_length(0);
}

// Copies `count` elements to `to`, which lies in `owner` or in its buffer. The ranges may overlap.
inline void CopyElements(Heap& heap, RArray* owner, Value* to, const Value* from,
                         std::size_t count) {
  if (to < from) {
    std::copy(from, from + count, to);
  } else if (to > from) {
    std::copy_backward(from, from + count, to + count);
  }
  heap.WriteBarrier(owner, std::span<const Value>(to, count));
}

// Moves the elements of an array that is not shared into a buffer of `capa` elements, or into the
// slot where that is at most 3. REQUIRES: length <= capa.
void SetCapa(RArray* array, std::size_t capa);

// Makes the capa of an array that is not shared `needed` plus half of what it is, or plus 16.
inline void Grow(RArray* array, std::size_t needed) {
  RUBRIC_CHECK(needed <= kMaxLength / 2, "an array is too long");
  SetCapa(array, std::max(ArrayCapa(array) / 2, kDefaultCapa) + needed);
}

}  // namespace rubric::array_internal

#endif  // RUBRIC_CORE_OBJECT_ARRAY_BUFFER_H_
