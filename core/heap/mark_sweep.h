// MarkSweep: the stop-the-world mark phase and lazy sweep of Ruby 1.9.3 to 2.0.
//
// USE        Made over a heap and a client, which knows the roots and the types:
//              client.MarkRoots(marker)           marks every root
//              client.MarkChildren(marker, slot)  marks what a slot refers to
//              client.FinalizeSlot(slot)          frees what a dead slot owns; must not look at
//              other slots
//            Collect() is GC.start. Refill() is what Heap calls when an allocation finds no free
//            slot.
// COST       Mark: O(live slots). Sweep: a page at a time, when a slot is needed: O(slots of the
//            page).
// INVARIANTS (1) After marking, a slot is marked iff it is reachable from the roots (VerifyMarks
//                re-traces).
//            (2) While pages remain unswept, an unmarked slot on one of them is garbage: IsGarbage.
//                It may be brought back by Resurrect, with all that it refers to, until its page is
//                swept.
//            (3) No collection starts before the sweep of the one before has ended.
// POLICY     Heap: when a collection leaves fewer than max(4,096, 20 % of all) slots free, the heap
//            may grow to 1.8 times its pages. Malloc: a collection when 16 MiB were allocated since
//            the last; the limit grows by 1.4 to at most 32 MiB when it was reached, else shrinks
//            by 2 % to 16 MiB. Pages are never given back: a testbed wants the high-water mark to
//            be seen.
// SOURCE     CRuby's gc.c of 2.1 to 2.6 with their documented GC variables
//            (RUBY_GC_HEAP_FREE_SLOTS, RUBY_GC_HEAP_GROWTH_FACTOR, RUBY_GC_MALLOC_LIMIT and _MAX,
//            _GROWTH_FACTOR); lazy sweep is Narihiro Nakamura's. One difference: malloc never
//            collects by itself; the next allocation of a slot does, so that no table is in the
//            middle of a change.
// TESTED BY  mark_sweep_test.cc; every VM test under --config=gc_stress.
#ifndef RUBRIC_CORE_HEAP_MARK_SWEEP_H_
#define RUBRIC_CORE_HEAP_MARK_SWEEP_H_

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <vector>

#include "core/base/check.h"
#include "core/heap/heap.h"
#include "core/heap/marker.h"
#include "core/heap/page.h"
#include "core/memory/allocate.h"

namespace rubric {

struct CollectorPolicy {
  std::size_t min_free_slots = kHostile ? 4 : 4096;
  double min_free_ratio = 0.20;
  double heap_growth_factor = 1.8;
  std::size_t malloc_limit = kHostile ? 4096 : 16 * 1024 * 1024;      // bytes
  std::size_t malloc_limit_max = kHostile ? 8192 : 32 * 1024 * 1024;  // bytes
  double malloc_limit_growth_factor = 1.4;
};

template <typename Client>
class MarkSweep final : public SlotSource {
 public:
  MarkSweep(Heap& heap, Client& client, const CollectorPolicy& policy = {})
      : heap_(heap), client_(client), policy_(policy), malloc_limit_(policy.malloc_limit) {
    heap_.set_slot_source(this);
    heap_.set_malloc_limit(malloc_limit_);
    heap_.set_stress(kGcStressByDefault);
    verify_ = kDchecks;
  }

  // A full collection: marks, and leaves the sweep to be done lazily.
  void Collect() {
    FinishSweep();
    heap_.ReturnFreeList();
    Mark();
    if (verify_) VerifyMarks();
    StartSweep();
  }

  // Sweeps what is left to sweep.
  void FinishSweep() {
    while (sweep_at_ < sweep_end_) SweepNextPage();
  }

  void Refill() override {
    const bool malloc_exceeded = MallocIncrease() >= malloc_limit_;
    if (malloc_exceeded) ++heap_.mutable_stats().malloc_triggered;
    if (malloc_exceeded || heap_.stress()) {
      AdaptMallocLimit(malloc_exceeded);
      Collect();
      ResetMallocIncrease();
      heap_.set_malloc_limit(malloc_limit_);
    }
    if (heap_.HasFreeSlot() || TakeFreePage()) return;
    if (allocatable_pages_ == 0) {
      AdaptMallocLimit(false);
      Collect();
      ResetMallocIncrease();
      heap_.set_malloc_limit(malloc_limit_);
      if (TakeFreePage()) return;
    }
    if (allocatable_pages_ > 0) --allocatable_pages_;
    heap_.TakeFreeList(heap_.AddPage());
  }

  // True iff `slot` was found dead by the last collection and is not swept yet.
  bool IsGarbage(const RBasic* slot) const {
    return sweep_at_ < sweep_end_ && !PageOf(slot)->swept && !IsMarked(slot);
  }

  // Lets a slot that IsGarbage live, with all that it refers to. REQUIRES: IsGarbage(slot), and
  // nothing that it refers to was swept already: so it is for slots that refer to no other garbage.
  void Resurrect(RBasic* slot) {
    RUBRIC_DCHECK(IsGarbage(slot));
    marker_.MarkSlot(slot);
    Drain();
    marker_.Reset();
  }

  // Re-trace after each mark phase (always on in checking builds).
  void set_verify(bool verify) { verify_ = verify; }

 private:
  using Clock = std::chrono::steady_clock;
  static double SecondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

  void Drain() {
    marker_.Drain([this](RBasic* slot) { client_.MarkChildren(marker_, slot); });
  }

  void Mark() {
    const Clock::time_point start = Clock::now();
    ClearMarks();
    Trace();
    GcStats& stats = heap_.mutable_stats();
    live_after_mark_ = marker_.marked();
    stats.marked_slots += marker_.marked();
    ++stats.count;
    marker_.Reset();
    stats.mark_seconds += SecondsSince(start);
  }

  void Trace() {
    heap_.roots().ForEach([this](Value v) { marker_.Mark(v); });
    client_.MarkRoots(marker_);
    Drain();
  }

  void ClearMarks() {
    for (HeapPage* page : heap_.pages()) {
      std::memset(page->mark_bits, 0, sizeof(page->mark_bits));
    }
  }

  // Invariant (1): a second trace from clean bits must mark the same slots, and no free one.
  void VerifyMarks() {
    std::vector<std::uint64_t> first;
    for (const HeapPage* page : heap_.pages()) {
      first.insert(first.end(), page->mark_bits, page->mark_bits + kMarkWords);
    }
    ClearMarks();
    Trace();
    marker_.Reset();
    std::size_t at = 0;
    for (const HeapPage* page : heap_.pages()) {
      RUBRIC_CHECK(std::equal(page->mark_bits, page->mark_bits + kMarkWords, &first[at]),
                   "two traces of one heap differ");
      at += kMarkWords;
      for (std::size_t i = 0; i < kSlotsPerPage; ++i) {
        RUBRIC_CHECK(page->slots[i].type() != Type::kNone || !IsMarked(&page->slots[i]),
                     "a free slot is marked");
      }
    }
  }

  void StartSweep() {
    for (HeapPage* page : heap_.pages()) page->swept = false;
    sweep_at_ = 0;
    sweep_end_ = heap_.pages().size();
    next_free_page_ = 0;
    // Grow when what is left free would be used up too soon.
    const std::size_t total = heap_.pages().size() * kSlotsPerPage;
    const std::size_t free = total - live_after_mark_;
    const auto wanted =
        std::max(policy_.min_free_slots,
                 static_cast<std::size_t>(static_cast<double>(total) * policy_.min_free_ratio));
    if (free < wanted) {
      const double pages = static_cast<double>(heap_.pages().size());
      allocatable_pages_ =
          static_cast<std::size_t>(std::ceil(pages * policy_.heap_growth_factor - pages));
    } else {
      allocatable_pages_ = 0;
    }
  }

  void SweepNextPage() {
    const Clock::time_point start = Clock::now();
    HeapPage* page = heap_.pages()[sweep_at_];
    for (std::size_t i = 0; i < kSlotsPerPage; ++i) {
      Slot* slot = &page->slots[i];
      if (slot->type() == Type::kNone || IsMarked(slot)) continue;
      client_.FinalizeSlot(slot);
      heap_.Release(page, slot);
    }
    page->swept = true;
    ++sweep_at_;
    heap_.mutable_stats().sweep_seconds += SecondsSince(start);
  }

  // A swept page with free slots becomes the allocator's; sweeps as far as needed.
  bool TakeFreePage() {
    while (true) {
      for (; next_free_page_ < PagesReady(); ++next_free_page_) {
        HeapPage* page = heap_.pages()[next_free_page_];
        if (page->free_count == 0) continue;
        heap_.TakeFreeList(page);
        ++next_free_page_;
        return true;
      }
      if (sweep_at_ >= sweep_end_) return false;
      SweepNextPage();
    }
  }

  // Pages [0, PagesReady()) are swept; pages added since the sweep began lie beyond its end.
  std::size_t PagesReady() const {
    return sweep_at_ < sweep_end_ ? sweep_at_ : heap_.pages().size();
  }

  void AdaptMallocLimit(bool exceeded) {
    const auto scaled = [this](double factor) {
      return static_cast<std::size_t>(static_cast<double>(malloc_limit_) * factor);
    };
    malloc_limit_ =
        exceeded ? std::min(scaled(policy_.malloc_limit_growth_factor), policy_.malloc_limit_max)
                 : std::max(scaled(0.98), policy_.malloc_limit);
  }

  Heap& heap_;
  Client& client_;
  CollectorPolicy policy_;
  Marker marker_;
  bool verify_ = false;
  std::size_t malloc_limit_;         // bytes
  std::size_t live_after_mark_ = 0;  // slots
  std::size_t allocatable_pages_ =
      0;                      // pages the heap may still grow by before the next collection
  std::size_t sweep_at_ = 0;  // pages [sweep_at_, sweep_end_) are unswept
  std::size_t sweep_end_ = 0;
  std::size_t next_free_page_ = 0;  // pages before it have no free slot, or were taken
};

}  // namespace rubric

#endif  // RUBRIC_CORE_HEAP_MARK_SWEEP_H_
