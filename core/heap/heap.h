// Heap: pages of 40-byte slots, and the allocation path.
//
// USE        Allocate(flags, klass) gives a slot whose other 24 bytes are zero. What is to happen
//            when there is no free slot, or enough was malloc'd, is the collector's business: it is
//            the SlotSource.
// COST       Allocate: pops a free list, about 10 instructions; the slow path is taken once a page
//            of 408 slots. Memory: 16,344 + 80 bytes a page of 408 slots. WriteBarrier: a load, a
//            test and a branch; where the parent is old, the same for the child; and once for an old
//            slot between two collections a push.
// INVARIANTS (1) Every slot is on exactly one free list, or is in use (type not kNone).
//            (2) The list that Allocate pops belongs to a swept page. Checked by CheckInvariants();
//                kept true while a lazy sweep is under way.
//            (3) Between collections, an old slot that is guarded refers to old slots alone.
// VALIDITY   Slots never move. A slot is valid until a sweep finds it unmarked.
// SOURCE     CRuby's gc.c of the 2.x series: newobj_of, heap_page; start heap of 10,000 slots; the
//            write barrier of 2.1's RGenGC (rb_gc_writebarrier).
// TESTED BY  heap_test.cc, mark_sweep_test.cc.
#ifndef RUBRIC_CORE_HEAP_HEAP_H_
#define RUBRIC_CORE_HEAP_HEAP_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "core/heap/gc_stats.h"
#include "core/heap/page.h"
#include "core/heap/root_stack.h"
#include "core/memory/allocate.h"
#include "core/memory/counting_allocator.h"

namespace rubric {

// Who finds free slots when the free list is empty. Virtual, since it is called once a page.
class SlotSource {
 public:
  // Must leave heap.HasFreeSlot() true; may collect.
  virtual void Refill() = 0;

 protected:
  ~SlotSource() = default;
};

class Heap {
 public:
  // Start heap: 10,000 slots.
  static constexpr std::size_t kInitialPages = kHostile ? 1 : 24;

  explicit Heap(std::size_t initial_pages = kInitialPages);
  ~Heap();
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  // REQUIRES: before the first allocation.
  void set_slot_source(SlotSource* source) { source_ = source; }

  // A slot with these flags and class, zeroed beyond. May collect: keep what must live.
  Slot* Allocate(std::uint64_t flags, RClass* klass) {
    EnsureFreeSlot();
    return AllocateEnsured(flags, klass);
  }

  // The same, but never collects, however much was malloc'd since the slot was ensured.
  // REQUIRES: EnsureFreeSlot() was called after the last allocation.
  Slot* AllocateEnsured(std::uint64_t flags, RClass* klass) {
    FreeSlot* taken = free_list_;
    free_list_ = taken->next;
    ++stats_.total_allocated_slots;
    Slot* slot = reinterpret_cast<Slot*>(taken);
    slot->flags = flags;
    slot->klass = klass;
    slot->words[0] = slot->words[1] = slot->words[2] = 0;
    if (stress_) [[unlikely]]
      ReturnFreeList();  // so that the next allocation takes the slow path
    return slot;
  }

  // Makes AllocateEnsured possible. May collect. For code that must allocate while a table is
  // being changed.
  void EnsureFreeSlot() {
    if (free_list_ == nullptr || MallocIncrease() >= malloc_limit_) [[unlikely]] {
      source_->Refill();
    }
  }

  // To be called after every store of a reference into a slot: `parent` now refers to `child`. One
  // test of the parent's flags unless that is old and not yet remembered, which it never is under
  // mark and sweep.
  void WriteBarrier(RBasic* parent, Value child) {
    if (parent->Has(RBasic::kGuarded) && IsYoung(child)) [[unlikely]]
      Remember(parent);
  }
  // The same for many references at once: one test in all.
  void WriteBarrier(RBasic* parent, std::span<const Value> children) {
    if (parent->Has(RBasic::kGuarded)) [[unlikely]]
      RememberIfAnyIsYoung(parent, children);
  }

  // Collect before every allocation. Slow: for tests and --config=gc_stress.
  void set_stress(bool stress);
  bool stress() const { return stress_; }

  RootStack& roots() { return roots_; }
  const GcStats& stats() const { return stats_; }

  // Calls visit(slot) for every slot in use, page by page. Allocation during it is not allowed.
  template <typename Visit>
  void ForEachSlot(Visit visit) const {
    for (const HeapPage* page : pages_) {
      for (std::size_t i = 0; i < kSlotsPerPage; ++i) {
        if (page->slots[i].type() != Type::kNone) visit(static_cast<RBasic*>(&page->slots[i]));
      }
    }
  }

  void CheckInvariants() const;

  // --- For collectors ---

  using Pages = CountedVector<HeapPage*, Subsystem::kCollector>;
  const Pages& pages() const { return pages_; }
  GcStats& mutable_stats() { return stats_; }
  bool HasFreeSlot() const { return free_list_ != nullptr; }

  // A fresh page, swept, all of its slots on its free list.
  HeapPage* AddPage();

  // Makes `page`'s free list the one that Allocate pops. REQUIRES: page->free_count > 0,
  // !HasFreeSlot().
  void TakeFreeList(HeapPage* page);

  // Gives what Allocate has not used back to its page.
  void ReturnFreeList();

  // Puts a dead slot on its page's free list (junk-filled in the hostile build).
  void Release(HeapPage* page, Slot* slot);

  // Old slots into which a young one was stored, each once and no longer guarded; and old
  // unprotected ones. A collector that makes slots old empties it.
  using Remembered = CountedVector<RBasic*, Subsystem::kCollector>;
  Remembered& remembered() { return remembered_; }
  const Remembered& remembered() const { return remembered_; }

  // Bytes of MallocIncrease() at which Allocate calls the source.
  void set_malloc_limit(std::size_t bytes) { malloc_limit_ = bytes; }

 private:
  static bool IsYoung(Value child) {
    return child.IsPointer() && !child.AsSlot()->Has(RBasic::kOld);
  }
  void Remember(RBasic* parent);
  void RememberIfAnyIsYoung(RBasic* parent, std::span<const Value> children);

  FreeSlot* free_list_ = nullptr;
  std::size_t malloc_limit_ = std::numeric_limits<std::size_t>::max();
  bool stress_ = false;
  HeapPage* current_page_ = nullptr;  // whose list free_list_ is
  SlotSource* source_ = nullptr;
  GcStats stats_;
  RootStack roots_;
  Pages pages_;
  Remembered remembered_;
};

}  // namespace rubric

#endif  // RUBRIC_CORE_HEAP_HEAP_H_
