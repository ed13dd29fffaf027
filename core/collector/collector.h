// The collector axis: which slots are garbage, and when that is found out.
//
// USE        A backend is a struct with a name, traits and a class template For<Client>, which the
//            VM makes over its heap and itself. The client knows the roots and the types:
//              client.MarkRoots(marker)           marks every root
//              client.MarkYoungRoots(marker)      marks at least the roots that are not old; a
//                                                 client may leave it out
//              client.MarkChildren(marker, slot)  marks what a slot refers to
//              client.FinalizeSlot(slot)          frees what a dead slot owns; must not look at
//                                                 other slots
//            and a collector has
//              Collect()         a major collection, as GC.start: marks, leaves the sweep for later
//              CollectMinor()    a minor one, as GC.start(full_mark: false), where there are
//                                generations; else as Collect
//              FinishSweep()     sweeps what is left to sweep
//              Refill()          gives the heap a free slot, whatever it takes: it is the heap's
//                                SlotSource
//              IsGarbage(slot)   whether it was found dead and is not swept yet
//              Resurrect(slot)   lets garbage live on, with what it refers to; REQUIRES: IsGarbage,
//                                and it refers to nothing that may be swept already
//              set_verify(on)    checks each mark phase by a trace of the whole heap; on in
//                                checking builds
//              set_malloc_limit(bytes)  where malloc causes collections at all, one each so many
//                                bytes from now on, as Ruby 1.9.3 counted: what a sweep frees is
//                                not taken off
//              CheckInvariants() what ties slots to the collector's own tables
// COST       Each backend's header says what marking and sweeping cost it. GcStats has both times.
// INVARIANTS Every backend keeps these; collector_conformance.h tests them by number.
//            (1) A slot that is reachable from the roots is never garbage, and never freed.
//            (2) After Collect() and FinishSweep(), only reachable slots are left, and those that
//                were resurrected meanwhile.
//            (3) A dead slot is finalized once, before its slot is used again.
//            (4) Slots do not move.
//            (5) No collection starts before the sweep of the one before has ended; none starts but
//                in Collect, CollectMinor and Refill.
//            (6) stats().count is minor_count + major_count; without generations there are no minor
//                ones.
//            (7) Memory of the collector's own is Subsystem::kCollector, and none of it is a leak.
//            (8) Where kTraits.generational, what CollectMinor does is proportional to the young
//                slots and those remembered, not to all that live.
//            (9) Equal programs collect equally: nothing depends on time or addresses.
// SOURCE     The operations are those of gc/gc_impl.h in CRuby 3.4, as far as this VM has them; the
//            question is that of Ruby #4962, whose first remedy was a generational collector.
// TESTED BY  collector_conformance.h over each backend and the model.
#ifndef RUBRIC_CORE_COLLECTOR_COLLECTOR_H_
#define RUBRIC_CORE_COLLECTOR_COLLECTOR_H_

#include <concepts>
#include <cstddef>
#include <string_view>

#include "core/heap/heap.h"
#include "core/heap/marker.h"
#include "core/value/slot.h"

namespace rubric {

struct CollectorTraits {
  bool generational = false;  // has minor collections, and needs write barriers
};

// The least that a collector's client is.
struct CollectorClientArchetype {
  void MarkRoots(Marker&) {}
  void MarkChildren(Marker&, RBasic*) {}
  void FinalizeSlot(RBasic*) {}
};

template <typename C>
concept CollectorBackend = requires {
  { C::kName } -> std::convertible_to<std::string_view>;
  { C::kTraits } -> std::same_as<const CollectorTraits&>;
  typename C::template For<CollectorClientArchetype>;
}
&&std::derived_from<typename C::template For<CollectorClientArchetype>, SlotSource>&&
    std::constructible_from<
        typename C::template For<CollectorClientArchetype>, Heap&,
        CollectorClientArchetype&>&& requires(typename C::template For<CollectorClientArchetype>
                                                  collector,
                                              const typename C::template For<
                                                  CollectorClientArchetype>& const_collector,
                                              RBasic* slot, std::size_t bytes) {
  { collector.Collect() } -> std::same_as<void>;
  { collector.CollectMinor() } -> std::same_as<void>;
  { collector.FinishSweep() } -> std::same_as<void>;
  { const_collector.IsGarbage(slot) } -> std::same_as<bool>;
  { collector.Resurrect(slot) } -> std::same_as<void>;
  { collector.set_verify(true) } -> std::same_as<void>;
  { collector.set_malloc_limit(bytes) } -> std::same_as<void>;
  { const_collector.CheckInvariants() } -> std::same_as<void>;
};

}  // namespace rubric

#endif  // RUBRIC_CORE_COLLECTOR_COLLECTOR_H_
