// ResurrectArchetype: declares what the concept asks for and nothing else.
//
// USE        What is generic over the axis must compile with it; it is never linked. The negative
//            one shows that the concept refuses what lacks a member.
#ifndef RUBRIC_CORE_RESURRECT_RESURRECT_ARCHETYPE_H_
#define RUBRIC_CORE_RESURRECT_RESURRECT_ARCHETYPE_H_

#include <string_view>

#include "core/heap/heap.h"
#include "core/object/layout.h"
#include "core/resurrect/resurrect.h"

namespace rubric {

struct ResurrectArchetype {
  static constexpr std::string_view kName = "archetype";
  static constexpr ResurrectTraits kTraits = {};
  static RArray* Resurrect(Heap&, RArray* literal, RClass*) { return literal; }
};
static_assert(ResurrectBackend<ResurrectArchetype>);

struct ResurrectWithoutTraits {
  static constexpr std::string_view kName = "without_traits";
  static RArray* Resurrect(Heap& heap, RArray* literal, RClass* array_class);
};
static_assert(!ResurrectBackend<ResurrectWithoutTraits>);

}  // namespace rubric

#endif  // RUBRIC_CORE_RESURRECT_RESURRECT_ARCHETYPE_H_
