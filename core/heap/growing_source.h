// GrowingSource: a slot source that never collects, for tests that keep their objects in no root.
//
// USE        Heap heap; GrowingSource source(heap); the heap grows by a page where it has no free slot.
#ifndef RUBRIC_CORE_HEAP_GROWING_SOURCE_H_
#define RUBRIC_CORE_HEAP_GROWING_SOURCE_H_

#include "core/heap/heap.h"

namespace rubric {

class GrowingSource final : public SlotSource {
 public:
  explicit GrowingSource(Heap& heap) : heap_(heap) { heap.set_slot_source(this); }
  void Refill() override {
    if (heap_.HasFreeSlot()) return;
    const bool room = !heap_.pages().empty() && heap_.pages().back()->free_count > 0;
    heap_.TakeFreeList(room ? heap_.pages().back() : heap_.AddPage());
  }

 private:
  Heap& heap_;
};

}  // namespace rubric

#endif  // RUBRIC_CORE_HEAP_GROWING_SOURCE_H_
