// InterningArchetype: what the interning axis's concept declares, and nothing else.
//
// USE        A VM that compiles over it asks no more of a backend than interning.h says. It holds
//            nothing: it is compiled, never run.
// SOURCE     The archetypes of Boost's concept checks.
// TESTED BY  interning_test.cc, with its incomplete siblings; core/vm's axes_archetype_test.cc.
#ifndef RUBRIC_CORE_INTERNING_INTERNING_ARCHETYPE_H_
#define RUBRIC_CORE_INTERNING_INTERNING_ARCHETYPE_H_

#include <cstddef>
#include <optional>
#include <string_view>

#include "core/base/memory_use.h"
#include "core/interning/interning.h"

namespace rubric {

template <typename Record>
class ArchetypeTable {
 public:
  explicit ArchetypeTable(std::size_t) {}
  ArchetypeTable(const ArchetypeTable&) = delete;
  Found<Record> Find(const InternKey&) const { return std::nullopt; }
  template <typename Make>
  Insertion<Record> FindOrInsert(const InternKey&, Make make) {
    return {make(), true};
  }
  std::optional<Record> Delete(const InternKey&) { return std::nullopt; }
  template <typename Visit>
  void ForEach(Visit) const {}
  template <typename Dead>
  void EraseIf(Dead) {}
  void Clear() {}
  void Reserve(std::size_t) {}
  std::size_t size() const { return 0; }
  MemoryUse memory_use() const { return {}; }
  void CheckInvariants() const {}
};

struct InterningArchetype {
  static constexpr std::string_view kName = "archetype";
  static constexpr InterningTraits kTraits = {};
  template <InternRecord Record>
  using Table = ArchetypeTable<Record>;
};
static_assert(InterningBackend<InterningArchetype>);

}  // namespace rubric

#endif  // RUBRIC_CORE_INTERNING_INTERNING_ARCHETYPE_H_
