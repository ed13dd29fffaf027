#include "core/heap/heap.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <vector>

#include "core/base/build_mode.h"
#include "core/heap/page.h"
#include "core/heap/root_stack.h"
#include "core/memory/allocate.h"
#include "core/memory/counters.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

constexpr auto kObjectFlags = static_cast<std::uint64_t>(Type::kObject);

// Takes the pages in order and then adds one; frees nothing.
class AddingSource final : public SlotSource {
 public:
  explicit AddingSource(Heap& heap) : heap_(heap) { heap_.set_slot_source(this); }

  void Refill() override {
    ++refills;
    if (heap_.HasFreeSlot()) return;
    for (HeapPage* page : heap_.pages()) {
      if (page->free_count > 0) return heap_.TakeFreeList(page);
    }
    heap_.TakeFreeList(heap_.AddPage());
  }

  int refills = 0;

 private:
  Heap& heap_;
};

TEST(HeapTest, StartsWithTheSlotsThatRubyStartsWith) {
  const MemorySnapshot before = TakeSnapshot();
  Heap heap;
  EXPECT_EQ(heap.stats().heap_pages, Heap::kInitialPages);
  EXPECT_EQ(heap.stats().live_slots(), 0u);
  if constexpr (!kHostile) {
    EXPECT_GE(heap.pages().size() * kSlotsPerPage, 9'792u);
  }
  const AllocatorCounters pages = (TakeSnapshot() - before)[Subsystem::kHeapPages];
  EXPECT_EQ(pages.malloc_calls, 2 * Heap::kInitialPages) << "a body and a descriptor each";
  EXPECT_EQ(pages.bytes_requested, Heap::kInitialPages * (kPageBodyBytes + sizeof(HeapPage)));
  heap.CheckInvariants();
}

TEST(HeapTest, PagesHaveTheSizesOfRubys) {
  if constexpr (kHostile) GTEST_SKIP() << "the hostile build's pages are tiny on purpose";
  EXPECT_EQ(kSlotsPerPage, 408u);
  EXPECT_EQ(kPageBodyBytes, 16'344u);
  EXPECT_EQ(sizeof(PageBody), 8u + 408 * 40);
  EXPECT_EQ(sizeof(HeapPage), 80u);
}

TEST(HeapTest, PageAndIndexFollowFromASlotsAddress) {
  Heap heap(3);
  for (HeapPage* page : heap.pages()) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(BodyOf(page->slots)) % kPageAlign, 0u);
    for (std::size_t i = 0; i < kSlotsPerPage; ++i) {
      ASSERT_EQ(PageOf(&page->slots[i]), page);
      ASSERT_EQ(IndexIn(page, &page->slots[i]), i);
    }
  }
}

TEST(HeapTest, MarkBitsAreOneASlot) {
  Heap heap(1);
  HeapPage* page = heap.pages()[0];
  for (std::size_t i = 0; i < kSlotsPerPage; i += 2) EXPECT_TRUE(SetMark(&page->slots[i]));
  for (std::size_t i = 0; i < kSlotsPerPage; ++i) {
    EXPECT_EQ(IsMarked(&page->slots[i]), i % 2 == 0) << i;
    EXPECT_EQ(SetMark(&page->slots[i]), i % 2 == 1) << i;
  }
}

TEST(HeapTest, HandsSlotsOutInAddressOrderZeroed) {
  Heap heap(2);
  AddingSource source(heap);
  auto* klass = reinterpret_cast<RClass*>(std::uintptr_t{0x1000});
  for (HeapPage* page : std::vector(heap.pages().begin(), heap.pages().end())) {
    for (std::size_t i = 0; i < kSlotsPerPage; ++i) {
      Slot* slot = heap.Allocate(kObjectFlags | RBasic::kFrozen, klass);
      ASSERT_EQ(slot, &page->slots[i]);
      ASSERT_EQ(slot->flags, kObjectFlags | RBasic::kFrozen);
      ASSERT_EQ(slot->klass, klass);
      for (std::uint64_t& word : slot->words) {
        ASSERT_EQ(word, 0u);
        word = ~std::uint64_t{0};  // must be gone when the slot is used again
      }
    }
  }
  EXPECT_EQ(source.refills, 2) << "once a page";
  for (HeapPage* page : heap.pages()) heap.Release(page, &page->slots[1]);
  for (int i = 0; i < 2; ++i) {
    const Slot* slot = heap.Allocate(kObjectFlags, nullptr);
    EXPECT_TRUE(slot->words[0] == 0 && slot->words[1] == 0 && slot->words[2] == 0);
  }
  heap.CheckInvariants();
  EXPECT_EQ(heap.stats().heap_pages, 2u);
  heap.Allocate(kObjectFlags, nullptr);
  EXPECT_EQ(heap.stats().heap_pages, 3u);
}

TEST(HeapTest, AnEnsuredAllocationIsQuietHoweverMuchWasMallocedSince) {
  Heap heap(1);
  AddingSource source(heap);
  ResetMallocIncrease();
  heap.set_malloc_limit(1000);
  for (std::size_t i = 0; i < 3 * kSlotsPerPage; ++i) {
    heap.EnsureFreeSlot();
    const int refills = source.refills;
    void* block = Allocate(Subsystem::kData, 2000);
    heap.AllocateEnsured(kObjectFlags, nullptr);
    ASSERT_EQ(source.refills, refills) << i;
    Free(Subsystem::kData, block);
  }
}

TEST(HeapTest, AsksItsSourceWhenEnoughWasMalloced) {
  Heap heap(1);
  AddingSource source(heap);
  ResetMallocIncrease();
  heap.set_malloc_limit(1000);
  heap.Allocate(kObjectFlags, nullptr);
  const int refills = source.refills;
  void* half = Allocate(Subsystem::kData, 600);
  heap.Allocate(kObjectFlags, nullptr);
  EXPECT_EQ(source.refills, refills);
  void* other_half = Allocate(Subsystem::kData, 600);
  heap.Allocate(kObjectFlags, nullptr);
  EXPECT_EQ(source.refills, refills + 1);
  Free(Subsystem::kData, half);
  heap.Allocate(kObjectFlags, nullptr);
  EXPECT_EQ(source.refills, refills + 1) << "what is freed counts no more";
  Free(Subsystem::kData, other_half);
}

TEST(HeapTest, PagesAreNotCountedTowardsTheMallocLimit) {
  ResetMallocIncrease();
  Heap heap(10);
  EXPECT_EQ(MallocIncrease(), 0u);
}

TEST(HeapTest, StressAsksItsSourceBeforeEveryAllocation) {
  Heap heap(2);
  AddingSource source(heap);
  heap.Allocate(kObjectFlags, nullptr);
  heap.set_stress(true);
  heap.CheckInvariants();
  for (int i = 1; i <= 20; ++i) {
    const int refills = source.refills;
    heap.Allocate(kObjectFlags, nullptr);
    ASSERT_EQ(source.refills, refills + 1);
    heap.CheckInvariants();
  }
  heap.set_stress(false);
  const int refills = source.refills;
  heap.Allocate(kObjectFlags, nullptr);
  heap.Allocate(kObjectFlags, nullptr);
  EXPECT_EQ(source.refills, refills + 1);
}

TEST(HeapTest, ForEachSlotVisitsWhatIsInUse) {
  Heap heap(2);
  AddingSource source(heap);
  std::set<const RBasic*> expected;
  std::vector<Slot*> slots;
  for (std::size_t i = 0; i < kSlotsPerPage + 5; ++i) {
    slots.push_back(heap.Allocate(kObjectFlags, nullptr));
    expected.insert(slots.back());
  }
  for (std::size_t i = 0; i < slots.size(); i += 3) {
    heap.Release(PageOf(slots[i]), slots[i]);
    expected.erase(slots[i]);
  }
  std::set<const RBasic*> visited;
  heap.ForEachSlot([&](RBasic* slot) { EXPECT_TRUE(visited.insert(slot).second); });
  EXPECT_EQ(visited, expected);
  EXPECT_EQ(heap.stats().live_slots(), expected.size());
}

// The allocator has taken a page's list while slots of that page are released.
TEST(HeapTest, ReturningAFreeListJoinsItWithWhatWasReleasedMeanwhile) {
  Heap heap(1);
  AddingSource source(heap);
  Slot* first = heap.Allocate(kObjectFlags, nullptr);
  heap.Allocate(kObjectFlags, nullptr);
  HeapPage* page = heap.pages()[0];
  EXPECT_EQ(page->free_count, 0u);
  heap.Release(page, first);
  EXPECT_EQ(page->free_count, 1u);
  heap.CheckInvariants();
  heap.ReturnFreeList();
  EXPECT_EQ(page->free_count, kSlotsPerPage - 1);
  EXPECT_FALSE(heap.HasFreeSlot());
  heap.CheckInvariants();
  heap.ReturnFreeList();  // nothing to return
  heap.CheckInvariants();
}

TEST(HeapTest, GivesAllMemoryBack) {
  const MemorySnapshot before = TakeSnapshot();
  {
    Heap heap(1);
    AddingSource source(heap);
    for (std::size_t i = 0; i < 10 * kSlotsPerPage; ++i) heap.Allocate(kObjectFlags, nullptr);
    EXPECT_EQ(heap.stats().heap_pages, 10u);
  }
  EXPECT_EQ((TakeSnapshot() - before).total.live_bytes, 0);
}

TEST(HeapDeathTest, CheckInvariantsFindsABrokenFreeList) {
  Heap heap(2);
  HeapPage* page = heap.pages()[0];
  HeapPage* other = heap.pages()[1];
  const auto break_it = [&](auto change) {
    change();
    heap.CheckInvariants();
  };
  EXPECT_DEATH(break_it([&] { page->free_list = page->free_list->next; }), "free_count");
  EXPECT_DEATH(break_it([&] { page->free_list->flags = kObjectFlags; }), "slot in use is on");
  EXPECT_DEATH(break_it([&] { page->free_list->next = page->free_list; }), "cyclic");
  EXPECT_DEATH(break_it([&] { page->free_list->next = other->free_list; }), "leaves its page");
  EXPECT_DEATH(break_it([&] {
                 page->free_list = page->free_list->next;
                 --page->free_count;
               }),
               "on no free list");
  heap.CheckInvariants();  // each died in a process of its own
}

TEST(RootStackTest, ScopesNestAndGiveBackWhatTheyKept) {
  RootStack roots;
  const auto all = [&roots] {
    std::vector<Value> values;
    roots.ForEach([&](Value v) { values.push_back(v); });
    return values;
  };
  HandleScope outer(roots);
  Value& first = outer.Push(Value::Fixnum(1));
  {
    HandleScope inner(roots);
    inner.Push(Value::Fixnum(2));
    first = Value::Fixnum(3);
    EXPECT_EQ(all(), (std::vector{Value::Fixnum(3), Value::Fixnum(2)}));
  }
  EXPECT_EQ(all(), std::vector{Value::Fixnum(3)});
  EXPECT_EQ(roots.size(), 1u);
}

TEST(RootStackDeathTest, OverflowAborts) {
  RootStack roots;
  HandleScope scope(roots);
  for (std::size_t i = 0; i < RootStack::kCapacity; ++i) scope.Push(Value::Nil());
  EXPECT_DEATH(scope.Push(Value::Nil()), "the root stack is full");
}

}  // namespace
}  // namespace rubric
