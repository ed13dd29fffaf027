// IvarsArchetype: the least that satisfies IvarsBackend. It declares and does nothing.
//
// USE        Code that is generic over the axis is instantiated with it, never run: it compiles iff
//            the code asks no more of a backend than the concept says.
// SOURCE     The archetypes of Boost.ConceptCheck.
#ifndef RUBRIC_CORE_IVARS_IVARS_ARCHETYPE_H_
#define RUBRIC_CORE_IVARS_IVARS_ARCHETYPE_H_

#include <cstddef>
#include <optional>
#include <string_view>

#include "core/base/memory_use.h"
#include "core/ivars/ivars.h"
#include "core/value/slot.h"
#include "core/value/value.h"

namespace rubric {

class IvarsArchetype {
 public:
  static constexpr std::string_view kName = "archetype";
  static constexpr IvarsTraits kTraits = {};

  IvarsArchetype() = default;
  IvarsArchetype(const IvarsArchetype&) = delete;
  IvarsArchetype& operator=(const IvarsArchetype&) = delete;

  std::optional<Value> Get(const RBasic*, Id) const { return std::nullopt; }
  void Set(RBasic*, Id, Value) {}
  std::optional<Value> Remove(RBasic*, Id) { return std::nullopt; }
  template <typename Visit>
  void ForEach(const RBasic*, Visit) const {}
  template <typename Visit>
  void VisitReferences(const RBasic*, Visit) const {}
  std::size_t Count(const RBasic*) const { return 0; }
  void Copy(const RBasic*, RBasic*) {}
  void Free(RBasic*) {}
  std::size_t Memsize(const RBasic*) const { return 0; }
  std::size_t object_count() const { return 0; }
  MemoryUse memory_use() const { return {}; }
  void CheckInvariants() const {}
};

}  // namespace rubric

#endif  // RUBRIC_CORE_IVARS_IVARS_ARCHETYPE_H_
