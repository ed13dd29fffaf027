// Generations: who is old, who is remembered, and when the next collection must be a major one.
//
// USE        The part of GenerationalCollector that knows no client; its header has the rules. A
//            collection calls Begin…, Survived for each slot that it marks, and End….
// LAYOUT     7 words of old bits a page, by HeapPage::index, Subsystem::kCollector.
// COST       BeginMinor O(pages + remembered), BeginMajor the same, Survived O(1).
// TESTED BY  generational_collector_test.cc.
#ifndef RUBRIC_BACKENDS_COLLECTOR_GENERATIONAL_GENERATIONS_H_
#define RUBRIC_BACKENDS_COLLECTOR_GENERATIONAL_GENERATIONS_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/heap/collector_policy.h"
#include "core/heap/heap.h"
#include "core/heap/page.h"
#include "core/memory/counting_allocator.h"
#include "core/value/slot.h"

namespace rubric {

class Generations {
 public:
  static constexpr std::uint64_t kOldAge = 3;         // collections survived
  static constexpr std::uint64_t kStressedMajor = 8;  // under gc_stress, each eighth is major

  Generations(Heap& heap, const CollectorPolicy& policy) : heap_(heap), policy_(policy) {}

  // Whether what this slot refers to becomes old: it is, and its stores are guarded.
  static bool MakesOld(const RBasic* slot) {
    return (slot->flags & (RBasic::kOld | RBasic::kUnprotected)) == RBasic::kOld;
  }

  // Sets the mark bits of all old slots, and no others. Gives their number.
  std::size_t BeginMinor();

  // Forgets which slots are old, as Survived will tell, and which are remembered.
  void BeginMajor();

  // scan(slot) for each remembered slot; those that are protected are guarded again. REQUIRES:
  // between BeginMinor and the first Survived.
  template <typename Scan>
  void ForEachRemembered(Scan scan) {
    Heap::Remembered& remembered = heap_.remembered();
    std::size_t kept = 0;
    for (RBasic* slot : remembered) {
      if (slot->Has(RBasic::kUnprotected)) {
        remembered[kept++] = slot;
      } else {
        slot->Set(RBasic::kGuarded);
      }
      scan(slot);
    }
    heap_.mutable_stats().remembered_slots += remembered.size();
    remembered.resize(kept);
  }

  // `slot` was marked, and is about to be scanned: it is a collection older. A slot that became old
  // through its parent is seen a second time.
  void Survived(RBasic* slot) {
    if (!slot->Has(RBasic::kOld)) {
      if (slot->Has(RBasic::kUnprotected)) return;
      const std::uint64_t age = ((slot->flags & RBasic::kAgeMask) >> RBasic::kAgeShift) + 1;
      slot->flags = (slot->flags & ~RBasic::kAgeMask) | age << RBasic::kAgeShift;
      if (age < kOldAge) return;
      slot->Set(RBasic::kOld);
    }
    RegisterOld(slot);
  }

  // Pages that may be added from now on; `live` is the number of slots that are marked. Those that
  // may be added already count as free.
  std::size_t EndMinor(std::size_t live, std::size_t allocatable_pages);
  std::size_t EndMajor(std::size_t live);

  // Whether the next collection that an allocation causes must be major.
  bool NextIsMajor() const;
  void set_major_is_due() { major_is_due_ = true; }

  // Before Survived is called outside a collection: pages may have been added since.
  void CoverAllPages() { old_bits_.resize(heap_.pages().size()); }

  void CheckInvariants() const;

 private:
  using OldBits = std::array<std::uint64_t, kMarkWords>;

  bool HasOldBit(const RBasic* slot) const {
    const HeapPage* page = PageOf(slot);
    if (page->index >= old_bits_.size()) return false;
    const std::size_t i = IndexIn(page, slot);
    return (old_bits_[page->index][i / 64] >> (i % 64) & 1) != 0;
  }

  void RegisterOld(RBasic* slot) {
    const HeapPage* page = PageOf(slot);
    const std::size_t i = IndexIn(page, slot);
    std::uint64_t& word = old_bits_[page->index][i / 64];
    const std::uint64_t bit = std::uint64_t{1} << (i % 64);
    if ((word & bit) != 0) return;
    word |= bit;
    ++heap_.mutable_stats().old_slots;
    if (slot->Has(RBasic::kUnprotected)) {
      ++unprotected_;
      heap_.remembered().push_back(slot);
    } else {
      slot->Set(RBasic::kGuarded);
    }
  }

  std::uint64_t ProtectedOld() const { return heap_.stats().old_slots - unprotected_; }

  Heap& heap_;
  const CollectorPolicy policy_;
  CountedVector<OldBits, Subsystem::kCollector> old_bits_;  // by HeapPage::index
  std::uint64_t unprotected_ = 0;                           // that are old
  bool major_is_due_ = false;
  std::uint64_t last_major_ = 0;  // stats().count of the last major collection

  // Limits, and what they are counted from.
  std::uint64_t old_limit_ = 0;          // slots
  std::uint64_t unprotected_limit_ = 0;  // slots
  std::size_t old_malloc_limit_ = policy_.old_malloc_limit;
  std::size_t malloc_at_major_ = 0;  // bytes
  bool due_for_malloc_ = false;
};

// Aborts: `parent` is old and not remembered, or was not scanned for another reason, and `child` is
// young.
[[noreturn]] void MissingBarrier(const RBasic* parent, const RBasic* child);

// Aborts: nothing on the heap refers to `slot`, but a root.
[[noreturn]] void FailOnLostRoot(const RBasic* slot);

}  // namespace rubric

#endif  // RUBRIC_BACKENDS_COLLECTOR_GENERATIONAL_GENERATIONS_H_
