// HeapPage: 408 slots, their mark bits and their free list.
//
// LAYOUT     The body is 16,344 bytes aligned to 16 KiB, Subsystem::kHeapPages: the address of the
//            descriptor (8), then 408 slots of 40 bytes, then 16 unused bytes. The 40 bytes that
//            are left to 16 KiB are for malloc's own header. The descriptor is a block of its own,
//            so that marking touches no page body but those of live slots. Per page: 7 words of
//            mark bits, one bit a slot.
// COST       PageOf and the bit operations are O(1): a mask, a load, a multiplication.
// INVARIANTS (1) A slot of a swept page is on its page's free list iff its type is kNone.
//            (2) free_count is the length of the free list.
// SOURCE     Sizes of CRuby 2.x (GC::INTERNAL_CONSTANTS); bitmap marking is Narihiro Nakamura's,
//            Ruby 2.0.
// TESTED BY  heap_test.cc.
#ifndef RUBRIC_CORE_HEAP_PAGE_H_
#define RUBRIC_CORE_HEAP_PAGE_H_

#include <cstddef>
#include <cstdint>

#include "core/base/build_mode.h"
#include "core/value/slot.h"

namespace rubric {

// A slot as the heap sees it: enough room for every type.
struct Slot : RBasic {
  std::uint64_t words[3];
};
static_assert(sizeof(Slot) == kSlotBytes);

// A free slot: its flags are 0, its class field links the free list.
struct FreeSlot {
  std::uint64_t flags;
  FreeSlot* next;
};

inline constexpr std::size_t kPageAlign = 16 * 1024;            // bytes
inline constexpr std::size_t kPageBodyBytes = kPageAlign - 40;  // as asked of malloc
inline constexpr std::size_t kSlotsPerPage = kHostile ? 8 : 408;
inline constexpr std::size_t kMarkWords = (kSlotsPerPage + 63) / 64;

struct HeapPage {
  Slot* slots;          // kSlotsPerPage of them
  FreeSlot* free_list;  // null while the allocator has taken it
  std::uint16_t free_count;
  bool swept : 1;      // false between marking and this page's sweep
  bool allocated : 1;  // its free list was taken since the collector cleared this
  // The collector's: nothing on the page can have died, so that it is not swept. Taking its free
  // list ends that.
  bool untouched : 1;
  std::uint32_t index;  // in Heap::pages(): where a collector's side tables have this page
  std::uint64_t mark_bits[kMarkWords];
};
static_assert(kHostile || sizeof(HeapPage) == 80);

struct PageBody {
  HeapPage* page;
  Slot slots[kSlotsPerPage];
};
static_assert(sizeof(PageBody) <= kPageBodyBytes);
static_assert(kHostile || sizeof(PageBody) + kSlotBytes > kPageBodyBytes);

inline PageBody* BodyOf(const RBasic* slot) {
  return reinterpret_cast<PageBody*>(reinterpret_cast<std::uintptr_t>(slot) & ~(kPageAlign - 1));
}

inline HeapPage* PageOf(const RBasic* slot) { return BodyOf(slot)->page; }

inline std::size_t IndexIn(const HeapPage* page, const RBasic* slot) {
  return static_cast<std::size_t>(static_cast<const Slot*>(slot) - page->slots);
}

// The bits of word `word` of a bitmap that stand for slots.
inline constexpr std::uint64_t SlotBits(std::size_t word) {
  const std::size_t rest = kSlotsPerPage - word * 64;
  return rest >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << rest) - 1;
}

inline bool IsMarked(const RBasic* slot) {
  const HeapPage* page = PageOf(slot);
  const std::size_t i = IndexIn(page, slot);
  return (page->mark_bits[i / 64] >> (i % 64) & 1) != 0;
}

inline void ClearMark(const RBasic* slot) {
  HeapPage* page = PageOf(slot);
  const std::size_t i = IndexIn(page, slot);
  page->mark_bits[i / 64] &= ~(std::uint64_t{1} << (i % 64));
}

// Sets the mark bit; true iff it was not set.
inline bool SetMark(const RBasic* slot) {
  HeapPage* page = PageOf(slot);
  const std::size_t i = IndexIn(page, slot);
  const std::uint64_t bit = std::uint64_t{1} << (i % 64);
  if ((page->mark_bits[i / 64] & bit) != 0) return false;
  page->mark_bits[i / 64] |= bit;
  return true;
}

}  // namespace rubric

#endif  // RUBRIC_CORE_HEAP_PAGE_H_
