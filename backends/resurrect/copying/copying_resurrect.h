// CopyingResurrect: every evaluation of an array literal copies its elements.
//
// LAYOUT     A result of up to 3 elements is embedded; a longer one has a buffer of its own, of
//            exactly its length.
// COST       A slot; beyond 3 elements one malloc of 8 n bytes and a copy of as many, at once. Kept
//            results: 40 + 8 n bytes each, and 8 of malloc's own.
// SOURCE     rb_ary_resurrect of CRuby up to 2.5.
// TESTED BY  copying_resurrect_test.cc with resurrect_conformance.h, copying_resurrect_fuzz.cc.
#ifndef RUBRIC_BACKENDS_RESURRECT_COPYING_COPYING_RESURRECT_H_
#define RUBRIC_BACKENDS_RESURRECT_COPYING_COPYING_RESURRECT_H_

#include <string_view>

#include "core/heap/heap.h"
#include "core/object/array.h"
#include "core/object/layout.h"
#include "core/resurrect/resurrect.h"

namespace rubric {

struct CopyingResurrect {
  static constexpr std::string_view kName = "copying";
  static constexpr ResurrectTraits kTraits = {};

  static RArray* Resurrect(Heap& heap, RArray* literal, RClass* array_class) {
    return CopyArray(heap, literal, array_class);
  }
};
static_assert(ResurrectBackend<CopyingResurrect>);

}  // namespace rubric

#endif  // RUBRIC_BACKENDS_RESURRECT_COPYING_COPYING_RESURRECT_H_
