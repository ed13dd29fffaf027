// ModelResurrect: the obvious backend, which the conformance suite checks itself with.
//
// USE        Stores the elements one by one into an array made for them. Not selectable in a build.
// COST       As the axis says where the literal is not shared, but slow.
// TESTED BY  resurrect_model_test.cc.
#ifndef RUBRIC_CORE_RESURRECT_RESURRECT_MODEL_H_
#define RUBRIC_CORE_RESURRECT_RESURRECT_MODEL_H_

#include <cstddef>
#include <string_view>

#include "core/heap/heap.h"
#include "core/object/array.h"
#include "core/object/array_mutation.h"
#include "core/object/layout.h"
#include "core/resurrect/resurrect.h"

namespace rubric {

struct ModelResurrect {
  static constexpr std::string_view kName = "model";
  static constexpr ResurrectTraits kTraits = {};

  static RArray* Resurrect(Heap& heap, RArray* literal, RClass* array_class) {
    RArray* result = NewArray(heap, array_class, literal->length());
    for (std::size_t i = 0; i < literal->length(); ++i) {
      Store(heap, result, static_cast<std::ptrdiff_t>(i), literal->data()[i]);
    }
    return result;
  }
};
static_assert(ResurrectBackend<ModelResurrect>);

}  // namespace rubric

#endif  // RUBRIC_CORE_RESURRECT_RESURRECT_MODEL_H_
