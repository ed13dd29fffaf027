// GenerationalCollector: slots that survived three collections are old, and minor collections take
// them for live.
//
// USE        As core/collector/collector.h says. Stores into slots call Heap::WriteBarrier; a slot
//            whose owner does not is flagged kUnprotected when it is made.
// LAYOUT     In a slot's flags (core/value/slot.h): old, guarded, unprotected, and an age up to 3.
//            Beside each page, 7 words of old bits (one bit a slot, Subsystem::kCollector), with
//            which a minor collection begins its mark bits. The remembered set is Heap's list.
// COST       Minor: one look at a flag of each page, and 56 bytes of old bits to copy for those that
//            have young slots or were allocated from; then O(young slots that live, slots that the
//            remembered ones refer to, young roots). Major: as mark and sweep, and the
//            slots which become old are scanned twice. Sweep: core/heap/lazy_sweep.h; full old pages
//            cost a few instructions. WriteBarrier: Heap's. Memory: 56 bytes a page, 8 a remembered
//            slot.
// INVARIANTS Beside the axis's own, between collections:
//            (1) The old bit of a live slot is set iff its flag kOld is.
//            (2) An old slot refers to old slots only, unless it is remembered, or unprotected. Made
//                true by marking: what an old slot refers to becomes old, whatever its age.
//            (3) Old and protected: guarded iff not remembered.
//            (4) An unprotected slot to which an old one refers is kOld and stays remembered: each
//                minor collection scans it, until a major one finds anew which there are. It makes
//                nothing old by referring to it.
//            Checked by CheckInvariants() and, after the mark phase of each minor collection, by the
//            verifier (set_verify): an old slot with a young child, or a slot that a full trace
//            reaches and the minor collection is about to free, aborts and names both types.
// POLICY     Minor: malloc limit, no free slot. The next is major where one of these was seen:
//              old slots exceed twice those after the last major collection; remembered unprotected
//              ones likewise; malloc'd bytes grew, net, since the last major one by 16 MiB (by 1.2
//              times more each time, up to 128 MiB; where something else made it major, less again);
//              a minor collection left too few slots free. Where that was within 3 collections of a
//              major one the heap grows instead, since nothing had time to grow old. A minor
//              collection that leaves no free slot at all is followed by a major one at once.
//            gc_stress: every eighth collection is major.
// SOURCE     RGenGC: Koichi Sasada, Ruby 2.1; ages of three collections, and the promotion of all
//            that an old slot refers to, as 2.2 has them. Not modelled: incremental marking (2.2),
//            and malloc counted for the old in every free: LiveMallocBytes is asked when a
//            collection begins.
// TESTED BY  generational_collector_test.cc with collector_conformance.h,
//            generational_collector_fuzz.cc, vm_test.cc of every variant that has it.
#ifndef RUBRIC_BACKENDS_COLLECTOR_GENERATIONAL_GENERATIONAL_COLLECTOR_H_
#define RUBRIC_BACKENDS_COLLECTOR_GENERATIONAL_GENERATIONAL_COLLECTOR_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "backends/collector/generational/generations.h"
#include "core/base/build_mode.h"
#include "core/base/check.h"
#include "core/collector/collector.h"
#include "core/heap/collector_policy.h"
#include "core/heap/gc_clock.h"
#include "core/heap/gc_stats.h"
#include "core/heap/heap.h"
#include "core/heap/heap_trace.h"
#include "core/heap/lazy_sweep.h"
#include "core/heap/marker.h"
#include "core/heap/page.h"
#include "core/value/slot.h"
#include "core/value/value.h"

namespace rubric {

template <typename Client>
class Generational final : public SlotSource {
 public:
  Generational(Heap& heap, Client& client, const CollectorPolicy& policy = {})
      : heap_(heap),
        client_(client),
        policy_(policy),
        malloc_limit_(heap, policy),
        generations_(heap, policy),
        sweep_(heap, client) {
    heap_.set_slot_source(this);
    heap_.set_stress(kGcStressByDefault);
  }

  void Collect() { CollectAs(Kind::kMajor); }
  void CollectMinor() { CollectAs(Kind::kMinor); }
  void FinishSweep() { sweep_.Finish(); }

  void Refill() override {
    const bool malloc_exceeded = malloc_limit_.exceeded();
    if (malloc_exceeded) ++heap_.mutable_stats().malloc_triggered;
    if (malloc_exceeded || heap_.stress()) CollectForAllocation(malloc_exceeded);
    if (heap_.HasFreeSlot() || sweep_.TakeFreePage()) return;
    for (bool was_major = false; allocatable_pages_ == 0 && !was_major;) {
      was_major = CollectForAllocation(false);
      if (sweep_.TakeFreePage()) return;
      generations_.set_major_is_due();
    }
    if (allocatable_pages_ > 0) --allocatable_pages_;
    heap_.TakeFreeList(heap_.AddPage());
  }

  bool IsGarbage(const RBasic* slot) const { return sweep_.IsGarbage(slot); }

  void Resurrect(RBasic* slot) {
    RUBRIC_DCHECK(IsGarbage(slot));
    generations_.CoverAllPages();
    marker_.MarkSlot(slot);
    Drain();
    marker_.Reset();
  }

  void set_verify(bool verify) { verify_ = verify; }

  void set_malloc_limit(std::size_t bytes) {
    malloc_limit_.Fix(bytes);
    sweep_.set_counts_frees(false);
  }

  void CheckInvariants() const { generations_.CheckInvariants(); }

 private:
  enum class Kind { kMinor, kMajor };

  // True iff it was a major one.
  bool CollectForAllocation(bool malloc_exceeded) {
    const Kind kind = generations_.NextIsMajor() ? Kind::kMajor : Kind::kMinor;
    malloc_limit_.Adapt(malloc_exceeded);
    CollectAs(kind);
    malloc_limit_.Restart();
    return kind == Kind::kMajor;
  }

  void CollectAs(Kind kind) {
    sweep_.Finish();
    heap_.ReturnFreeList();
    if (kind == Kind::kMajor) {
      MarkMajor();
    } else {
      MarkMinor();
    }
    if (verify_) Verify(kind);
    sweep_.Start();
  }

  void MarkMajor() {
    GcStats& stats = heap_.mutable_stats();
    const GcClock clock(stats.mark_seconds);
    ++stats.count;
    ++stats.major_count;
    ClearMarks(heap_);
    generations_.BeginMajor();
    heap_.roots().ForEach([this](Value v) { marker_.Mark(v); });
    client_.MarkRoots(marker_);
    Drain();
    stats.marked_slots += marker_.marked();
    allocatable_pages_ = generations_.EndMajor(marker_.marked());
    marker_.Reset();
  }

  void MarkMinor() {
    GcStats& stats = heap_.mutable_stats();
    const GcClock clock(stats.mark_seconds);
    ++stats.count;
    ++stats.minor_count;
    const std::size_t old = generations_.BeginMinor();
    generations_.ForEachRemembered([this](RBasic* slot) { Scan(slot); });
    heap_.roots().ForEach([this](Value v) { marker_.Mark(v); });
    if constexpr (requires { client_.MarkYoungRoots(marker_); }) {
      client_.MarkYoungRoots(marker_);
    } else {
      client_.MarkRoots(marker_);
    }
    Drain();
    stats.marked_slots += marker_.marked();
    allocatable_pages_ = generations_.EndMinor(old + marker_.marked(), allocatable_pages_);
    marker_.Reset();
  }

  // Marks what a slot of its age refers to.
  void Scan(RBasic* slot) {
    marker_.set_parent_is_old(Generations::MakesOld(slot));
    client_.MarkChildren(marker_, slot);
    marker_.set_parent_is_old(false);
  }

  void Drain() {
    marker_.Drain([this](RBasic* slot) {
      generations_.Survived(slot);
      Scan(slot);
    });
  }

  // See the file's comment. Leaves all mark bits as they were.
  void Verify(Kind kind) {
    if (kind == Kind::kMajor) VerifyFullMarks(heap_, client_, marker_);
    const MarkBits marks = MarkBitsOf(heap_);
    ClearMarks(heap_);
    heap_.ForEachSlot([&](RBasic* slot) {
      if (!IsIn(marks, slot) || !Generations::MakesOld(slot) || !slot->Has(RBasic::kGuarded))
        return;
      ForEachChild(slot, [&](RBasic* child) {
        if (!child->Has(RBasic::kOld)) MissingBarrier(slot, child);
      });
    });
    TraceAll(heap_, client_, marker_);
    marker_.Reset();
    CheckNoFreeSlotIsMarked(heap_);
    const MarkBits reachable = MarkBitsOf(heap_);
    RestoreMarkBits(heap_, marks);
    if (kind == Kind::kMajor) return;
    heap_.ForEachSlot([&](RBasic* slot) {
      if (IsIn(reachable, slot) && !IsIn(marks, slot)) LostSlot(slot, reachable, marks);
    });
  }

  static bool IsIn(const MarkBits& marks, const RBasic* slot) {
    const HeapPage* page = PageOf(slot);
    const std::size_t i = IndexIn(page, slot);
    return (marks[page->index * kMarkWords + i / 64] >> (i % 64) & 1) != 0;
  }

  // REQUIRES: no mark bit is set. Leaves none set.
  template <typename Visit>
  void ForEachChild(RBasic* slot, Visit visit) {
    client_.MarkChildren(marker_, slot);
    marker_.Drain([&](RBasic* child) {
      ClearMark(child);
      visit(child);
    });
    marker_.Reset();
  }

  // Aborts over a slot that is reachable, but not marked by a minor collection.
  [[noreturn]] void LostSlot(RBasic* lost, const MarkBits& reachable, const MarkBits& marks) {
    ClearMarks(heap_);
    heap_.ForEachSlot([&](RBasic* slot) {
      if (!IsIn(reachable, slot) || !IsIn(marks, slot)) return;
      ForEachChild(slot, [&](RBasic* child) {
        if (!IsIn(marks, child)) MissingBarrier(slot, child);
      });
    });
    FailOnLostRoot(lost);
  }

  Heap& heap_;
  Client& client_;
  const CollectorPolicy policy_;
  Marker marker_;
  MallocLimit malloc_limit_;
  Generations generations_;
  LazySweep<Client> sweep_;
  bool verify_ = kDchecks;
  std::size_t allocatable_pages_ = 0;  // that may be added before the next collection
};

struct GenerationalCollector {
  static constexpr std::string_view kName = "generational";
  static constexpr CollectorTraits kTraits = {.generational = true};
  template <typename Client>
  using For = Generational<Client>;
};
static_assert(CollectorBackend<GenerationalCollector>);

}  // namespace rubric

#endif  // RUBRIC_BACKENDS_COLLECTOR_GENERATIONAL_GENERATIONAL_COLLECTOR_H_
