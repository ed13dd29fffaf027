// SharedResurrect: evaluations of an array literal share its elements until they are written to.
//
// LAYOUT     A result of up to 3 elements is embedded; a longer one points into the buffer of the
//            literal, which the first evaluation makes a shared root: a flag and a count in its
//            slot, no memory.
// COST       A slot, whatever the length. The first write to a result: one malloc of 8 n bytes and
//            a copy of as many (core/object/array_sharing.h). Kept and never written to: 40 bytes
//            each.
// SOURCE     rb_ary_resurrect of CRuby 2.6 on, Ruby #15349.
// TESTED BY  shared_resurrect_test.cc with resurrect_conformance.h, shared_resurrect_fuzz.cc.
#ifndef RUBRIC_BACKENDS_RESURRECT_SHARED_SHARED_RESURRECT_H_
#define RUBRIC_BACKENDS_RESURRECT_SHARED_SHARED_RESURRECT_H_

#include <string_view>

#include "core/heap/heap.h"
#include "core/object/array_sharing.h"
#include "core/object/layout.h"
#include "core/resurrect/resurrect.h"

namespace rubric {

struct SharedResurrect {
  static constexpr std::string_view kName = "shared";
  static constexpr ResurrectTraits kTraits = {.shares_literal = true};

  static RArray* Resurrect(Heap& heap, RArray* literal, RClass* array_class) {
    return SharedCopy(heap, literal, array_class);
  }
};
static_assert(ResurrectBackend<SharedResurrect>);

}  // namespace rubric

#endif  // RUBRIC_BACKENDS_RESURRECT_SHARED_SHARED_RESURRECT_H_
