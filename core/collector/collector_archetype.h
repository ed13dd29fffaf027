// CollectorArchetype: declares what the concept asks for and nothing else.
//
// USE        What is generic over the axis must compile with it; it never runs. The negative one
//            shows that the concept refuses what lacks a member.
#ifndef RUBRIC_CORE_COLLECTOR_COLLECTOR_ARCHETYPE_H_
#define RUBRIC_CORE_COLLECTOR_COLLECTOR_ARCHETYPE_H_

#include <cstddef>
#include <string_view>

#include "core/collector/collector.h"
#include "core/heap/heap.h"
#include "core/value/slot.h"

namespace rubric {

template <typename Client>
struct ArchetypeCollector final : SlotSource {
  ArchetypeCollector(Heap&, Client&) {}
  ArchetypeCollector(const ArchetypeCollector&) = delete;
  void Refill() override {}
  void Collect() {}
  void CollectMinor() {}
  void FinishSweep() {}
  bool IsGarbage(const RBasic*) const { return false; }
  void Resurrect(RBasic*) {}
  void set_verify(bool) {}
  void set_malloc_limit(std::size_t) {}
  void CheckInvariants() const {}
};

struct CollectorArchetype {
  static constexpr std::string_view kName = "archetype";
  static constexpr CollectorTraits kTraits = {};
  template <typename Client>
  using For = ArchetypeCollector<Client>;
};
static_assert(CollectorBackend<CollectorArchetype>);

struct CollectorWithoutTraits {
  static constexpr std::string_view kName = "without_traits";
  template <typename Client>
  using For = ArchetypeCollector<Client>;
};
static_assert(!CollectorBackend<CollectorWithoutTraits>);

}  // namespace rubric

#endif  // RUBRIC_CORE_COLLECTOR_COLLECTOR_ARCHETYPE_H_
