// MarkSweep: the stop-the-world mark phase and lazy sweep of Ruby 1.9.3 to 2.0.
//
// USE        Made over a heap and a client, which knows the roots and the types:
//              client.MarkRoots(marker)           marks every root
//              client.MarkChildren(marker, slot)  marks what a slot refers to
//              client.FinalizeSlot(slot)          frees what a dead slot owns; must not look at
//                                                 other slots
//            Collect() is GC.start. Refill() is what Heap calls when an allocation finds no free
//            slot. As an axis's backend it is MarkSweepCollector; core's own tests use it as it is.
// COST       Mark: O(live slots). Sweep: a page at a time, when a slot is needed: O(slots of the
//            page).
// INVARIANTS (1) After marking, a slot is marked iff it is reachable from the roots (verified by a
//                second trace).
//            (2) While pages remain unswept, an unmarked slot on one of them is garbage: IsGarbage.
//                It may be brought back by Resurrect, with all that it refers to, until its page is
//                swept.
//            (3) No collection starts before the sweep of the one before has ended.
// SOURCE     CRuby's gc.c of 2.1 to 2.6 for when it collects (collector_policy.h), without their
//            generations; lazy sweep is Narihiro Nakamura's.
// TESTED BY  mark_sweep_test.cc; every VM test under --config=gc_stress.
#ifndef RUBRIC_CORE_HEAP_MARK_SWEEP_H_
#define RUBRIC_CORE_HEAP_MARK_SWEEP_H_

#include <cstddef>

#include "core/base/build_mode.h"
#include "core/base/check.h"
#include "core/heap/collector_policy.h"
#include "core/heap/gc_clock.h"
#include "core/heap/gc_stats.h"
#include "core/heap/heap.h"
#include "core/heap/heap_trace.h"
#include "core/heap/lazy_sweep.h"
#include "core/heap/marker.h"
#include "core/value/slot.h"

namespace rubric {

template <typename Client>
class MarkSweep final : public SlotSource {
 public:
  MarkSweep(Heap& heap, Client& client, const CollectorPolicy& policy = {})
      : heap_(heap),
        client_(client),
        policy_(policy),
        malloc_limit_(heap, policy),
        sweep_(heap, client) {
    heap_.set_slot_source(this);
    heap_.set_stress(kGcStressByDefault);
  }

  // A full collection: marks, and leaves the sweep to be done lazily.
  void Collect() {
    sweep_.Finish();
    heap_.ReturnFreeList();
    Mark();
    if (verify_) VerifyFullMarks(heap_, client_, marker_);
    sweep_.Start();
  }

  // There are no generations: the same.
  void CollectMinor() { Collect(); }

  // Sweeps what is left to sweep.
  void FinishSweep() { sweep_.Finish(); }

  void Refill() override {
    const bool malloc_exceeded = malloc_limit_.exceeded();
    if (malloc_exceeded) ++heap_.mutable_stats().malloc_triggered;
    if (malloc_exceeded || heap_.stress()) CollectForAllocation(malloc_exceeded);
    if (heap_.HasFreeSlot() || sweep_.TakeFreePage()) return;
    if (allocatable_pages_ == 0) {
      CollectForAllocation(false);
      if (sweep_.TakeFreePage()) return;
    }
    if (allocatable_pages_ > 0) --allocatable_pages_;
    heap_.TakeFreeList(heap_.AddPage());
  }

  // True iff `slot` was found dead by the last collection and is not swept yet.
  bool IsGarbage(const RBasic* slot) const { return sweep_.IsGarbage(slot); }

  // Lets a slot that IsGarbage live, with all that it refers to. REQUIRES: IsGarbage(slot), and
  // nothing that it refers to was swept already: so it is for slots that refer to no other garbage.
  void Resurrect(RBasic* slot) {
    RUBRIC_DCHECK(IsGarbage(slot));
    marker_.MarkSlot(slot);
    marker_.Drain([this](RBasic* grey) { client_.MarkChildren(marker_, grey); });
    marker_.Reset();
  }

  // Trace again after each mark phase (always on in checking builds).
  void set_verify(bool verify) { verify_ = verify; }

  void set_malloc_limit(std::size_t bytes) {
    malloc_limit_.Fix(bytes);
    sweep_.set_counts_frees(false);
  }

  void CheckInvariants() const {
    RUBRIC_CHECK(heap_.remembered().empty(), "there are no old slots to remember");
  }

 private:
  void CollectForAllocation(bool malloc_exceeded) {
    malloc_limit_.Adapt(malloc_exceeded);
    Collect();
    malloc_limit_.Restart();
  }

  void Mark() {
    GcStats& stats = heap_.mutable_stats();
    const GcClock clock(stats.mark_seconds);
    ClearMarks(heap_);
    TraceAll(heap_, client_, marker_);
    allocatable_pages_ = PagesToAdd(policy_, heap_.pages().size(), marker_.marked());
    stats.marked_slots += marker_.marked();
    ++stats.count;
    ++stats.major_count;
    marker_.Reset();
  }

  Heap& heap_;
  Client& client_;
  const CollectorPolicy policy_;
  Marker marker_;
  MallocLimit malloc_limit_;
  LazySweep<Client> sweep_;
  bool verify_ = kDchecks;
  std::size_t allocatable_pages_ = 0;  // that may be added before the next collection
};

}  // namespace rubric

#endif  // RUBRIC_CORE_HEAP_MARK_SWEEP_H_
