// ModelCollector: the obvious collector: marks everything, sweeps everything, at once.
//
// USE        A backend in full, but kept out of the registry: the suite checks itself with it.
// COST       A collection whenever no slot is free: O(live slots + slots). Twice the pages where more
//            than half of the slots live. malloc never triggers one.
// TESTED BY  collector_test.cc with collector_conformance.h.
#ifndef RUBRIC_CORE_COLLECTOR_MODEL_COLLECTOR_H_
#define RUBRIC_CORE_COLLECTOR_MODEL_COLLECTOR_H_

#include <cstddef>
#include <string_view>

#include "core/base/build_mode.h"
#include "core/base/check.h"
#include "core/collector/collector.h"
#include "core/heap/heap.h"
#include "core/heap/heap_trace.h"
#include "core/heap/marker.h"
#include "core/heap/page.h"
#include "core/value/slot.h"

namespace rubric {

template <typename Client>
class EagerMarkSweep final : public SlotSource {
 public:
  EagerMarkSweep(Heap& heap, Client& client) : heap_(heap), client_(client) {
    heap_.set_slot_source(this);
    heap_.set_stress(kGcStressByDefault);
  }

  void Collect() {
    heap_.ReturnFreeList();
    ClearMarks(heap_);
    TraceAll(heap_, client_, marker_);
    ++heap_.mutable_stats().count;
    ++heap_.mutable_stats().major_count;
    heap_.mutable_stats().marked_slots += marker_.marked();
    marker_.Reset();
    for (HeapPage* page : heap_.pages()) {
      for (std::size_t i = 0; i < kSlotsPerPage; ++i) {
        Slot* slot = &page->slots[i];
        if (slot->type() == Type::kNone || IsMarked(slot)) continue;
        client_.FinalizeSlot(slot);
        heap_.Release(page, slot);
      }
    }
  }
  void CollectMinor() { Collect(); }
  void FinishSweep() {}

  void Refill() override {
    if (!heap_.stress() && TakePage()) return;
    Collect();
    const std::size_t pages = heap_.pages().size();
    if (heap_.stats().live_slots() > pages * kSlotsPerPage / 2) {
      for (std::size_t i = 0; i < pages; ++i) heap_.AddPage();
    }
    RUBRIC_CHECK(TakePage());
  }

  bool IsGarbage(const RBasic*) const { return false; }
  void Resurrect(RBasic*) { RUBRIC_CHECK(false, "nothing is ever garbage that is not swept"); }
  void set_verify(bool) {}
  void set_malloc_limit(std::size_t) {}
  void CheckInvariants() const {}

 private:
  bool TakePage() {
    for (HeapPage* page : heap_.pages()) {
      if (heap_.HasFreeSlot()) break;
      if (page->free_count > 0) heap_.TakeFreeList(page);
    }
    return heap_.HasFreeSlot();
  }

  Heap& heap_;
  Client& client_;
  Marker marker_;
};

struct ModelCollector {
  static constexpr std::string_view kName = "model";
  static constexpr CollectorTraits kTraits = {};
  template <typename Client>
  using For = EagerMarkSweep<Client>;
};
static_assert(CollectorBackend<ModelCollector>);

}  // namespace rubric

#endif  // RUBRIC_CORE_COLLECTOR_MODEL_COLLECTOR_H_
