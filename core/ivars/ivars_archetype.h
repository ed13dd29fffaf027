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

  std::optional<Value> Get(const RBasic* object, Id name) const;
  void Set(RBasic* object, Id name, Value value);
  std::optional<Value> Remove(RBasic* object, Id name);
  template <typename Visit>
  void ForEach(const RBasic* object, Visit visit) const;
  template <typename Visit>
  void VisitReferences(const RBasic* object, Visit visit) const;
  std::size_t Count(const RBasic* object) const;
  void Copy(const RBasic* from, RBasic* to);
  void Free(RBasic* object);
  std::size_t Memsize(const RBasic* object) const;
  std::size_t object_count() const;
  MemoryUse memory_use() const;
  void CheckInvariants() const;
};

}  // namespace rubric

#endif  // RUBRIC_CORE_IVARS_IVARS_ARCHETYPE_H_
