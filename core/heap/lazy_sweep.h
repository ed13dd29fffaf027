// LazySweep: the sweep that all collectors share: a page at a time, when a slot is needed.
//
// USE        Start(live) after a mark phase; then TakeFreePage() whenever the allocator has used its
//            page up, and Finish() before the next mark phase. The client frees what a dead slot
//            owns: client.FinalizeSlot(slot), which must not look at other slots.
// COST       An untouched page: one look at a flag. Another: one at each word of its mark bits; and, where the marked slots and the free
//            ones are not all there are, at each slot that is not marked.
// INVARIANTS (1) Pages [0, swept) and those added since Start are swept. (2) A slot that is not
//            marked on an unswept page is garbage that still looks alive: IsGarbage.
// SOURCE     Lazy sweep is Narihiro Nakamura's, Ruby 1.9.3.
// TESTED BY  mark_sweep_test.cc, collector_conformance.h.
#ifndef RUBRIC_CORE_HEAP_LAZY_SWEEP_H_
#define RUBRIC_CORE_HEAP_LAZY_SWEEP_H_

#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/heap/gc_clock.h"
#include "core/heap/heap.h"
#include "core/heap/page.h"
#include "core/memory/allocate.h"

namespace rubric {

template <typename Client>
class LazySweep {
 public:
  LazySweep(Heap& heap, Client& client) : heap_(heap), client_(client) {}

  // Everything that is not marked now is garbage. REQUIRES: the sweep before has ended, and the
  // allocator has given its page back.
  void Start() {
    for (HeapPage* page : heap_.pages()) page->swept = page->untouched;
    at_ = 0;
    end_ = heap_.pages().size();
    next_free_page_ = 0;
  }

  // Whether what the sweep frees counts against the malloc increase: so from Ruby 2.1 on, where
  // malloc tells the size of what is freed; not in 1.9.3, which did not ask.
  void set_counts_frees(bool counts) { counts_frees_ = counts; }

  // Sweeps what is left to sweep.
  void Finish() {
    if (at_ == end_) return;
    const GcClock clock(heap_.mutable_stats().sweep_seconds);
    while (at_ < end_) SweepNextPage();
  }

  // True iff `slot` was found dead by the last mark phase and is not swept yet.
  bool IsGarbage(const RBasic* slot) const {
    return at_ < end_ && !PageOf(slot)->swept && !IsMarked(slot);
  }

  // A swept page with free slots becomes the allocator's; sweeps as far as needed. False if there is
  // none.
  bool TakeFreePage() {
    if (TakeReadyPage()) return true;
    if (at_ == end_) return false;
    const GcClock clock(heap_.mutable_stats().sweep_seconds);
    while (at_ < end_) {
      SweepNextPage();
      if (TakeReadyPage()) return true;
    }
    return false;
  }

 private:
  bool TakeReadyPage() {
    for (; next_free_page_ < PagesReady(); ++next_free_page_) {
      HeapPage* page = heap_.pages()[next_free_page_];
      if (page->free_count == 0) continue;
      heap_.TakeFreeList(page);
      ++next_free_page_;
      return true;
    }
    return false;
  }

  void SweepNextPage() {
    HeapPage* page = heap_.pages()[at_];
    if (page->swept) {
      ++at_;
      return;
    }
    const std::size_t increase = MallocIncrease();
    // No free slot is marked: where marked and free ones make up the page, none has died, and the
    // free ones' memory need not be looked at.
    if (MarkedSlots(*page) + page->free_count < kSlotsPerPage) {
      for (std::size_t word = 0; word < kMarkWords; ++word) {
        for (std::uint64_t rest = ~page->mark_bits[word] & SlotBits(word); rest != 0;
             rest &= rest - 1) {
          Slot* slot = &page->slots[word * 64 + static_cast<std::size_t>(std::countr_zero(rest))];
          if (slot->type() == Type::kNone) continue;
          client_.FinalizeSlot(slot);
          heap_.Release(page, slot);
        }
      }
    }
    page->swept = true;
    ++at_;
    if (!counts_frees_) SetMallocIncrease(increase);
  }

  static std::size_t MarkedSlots(const HeapPage& page) {
    std::size_t marked = 0;
    for (const std::uint64_t word : page.mark_bits) {
      marked += static_cast<std::size_t>(std::popcount(word));
    }
    return marked;
  }

  // Pages [0, PagesReady()) are swept; pages added since the sweep began lie beyond its end.
  std::size_t PagesReady() const { return at_ < end_ ? at_ : heap_.pages().size(); }

  Heap& heap_;
  Client& client_;
  bool counts_frees_ = true;
  std::size_t at_ = 0;  // pages [at_, end_) are unswept
  std::size_t end_ = 0;
  std::size_t next_free_page_ = 0;  // pages before it have no free slot, or were taken
};

}  // namespace rubric

#endif  // RUBRIC_CORE_HEAP_LAZY_SWEEP_H_
