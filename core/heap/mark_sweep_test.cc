#include "core/heap/mark_sweep.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/build_mode.h"
#include "core/heap/heap.h"
#include "core/heap/marker.h"
#include "core/heap/root_stack.h"
#include "core/memory/allocate.h"
#include "core/memory/counters.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

// A slot of two references and a number that tells it from every other slot there ever was.
struct Node : RBasic {
  Value left;
  Value right;
  std::uint64_t number;
};
static_assert(sizeof(Node) == kSlotBytes);

struct NodeClient {
  void MarkRoots(Marker& marker) {
    for (Value v : extra_roots) marker.Mark(v);
  }
  void MarkChildren(Marker& marker, RBasic* slot) {
    marker.Mark(static_cast<Node*>(slot)->left);
    marker.Mark(static_cast<Node*>(slot)->right);
  }
  void FinalizeSlot(RBasic* slot) { finalized.push_back(static_cast<Node*>(slot)->number); }

  std::vector<Value> extra_roots;
  std::vector<std::uint64_t> finalized;
};

class MarkSweepTest : public ::testing::Test {
 protected:
  MarkSweepTest() { heap_.set_stress(false); }  // each test says when it wants collections

  Node* NewNode(Value left = Value::Nil(), Value right = Value::Nil()) {
    HandleScope scope(heap_.roots());
    scope.Push(left);
    scope.Push(right);
    auto* node = static_cast<Node*>(
        static_cast<RBasic*>(heap_.Allocate(static_cast<std::uint64_t>(Type::kObject), nullptr)));
    node->left = left;
    node->right = right;
    node->number = ++nodes_made_;
    return node;
  }
  std::size_t CountSlots() const {
    std::size_t count = 0;
    heap_.ForEachSlot([&](RBasic*) { ++count; });
    return count;
  }

  Heap heap_;
  NodeClient client_;
  MarkSweep<NodeClient> collector_{heap_, client_};
  HandleScope scope_{heap_.roots()};
  std::uint64_t nodes_made_ = 0;
};

TEST_F(MarkSweepTest, FreesWhatNoRootReachesAndNothingElse) {
  Node* leaf = NewNode();
  Node* kept = scope_.Keep(NewNode(Value(leaf), Value::Fixnum(1)));
  Node* cycle = NewNode();
  cycle->left = Value(cycle);
  Node* by_client = NewNode();
  client_.extra_roots = {Value(by_client), Value::Nil(), Value::True()};
  collector_.Collect();
  collector_.FinishSweep();
  EXPECT_EQ(client_.finalized, std::vector<std::uint64_t>{3}) << "the cycle alone";
  EXPECT_EQ(kept->left, Value(leaf));
  EXPECT_EQ(heap_.stats().live_slots(), 3u);
  EXPECT_EQ(heap_.stats().marked_slots, 3u);
  EXPECT_EQ(heap_.stats().count, 1u);
  heap_.CheckInvariants();
}

TEST_F(MarkSweepTest, SweepsLazilyAPageAtATime) {
  const std::size_t pages = 4;
  while (heap_.stats().heap_pages < pages) heap_.AddPage();
  for (std::size_t i = 0; i < pages * kSlotsPerPage; ++i) NewNode();
  client_.finalized.clear();
  const std::uint64_t collections = heap_.stats().count;
  collector_.Collect();
  EXPECT_TRUE(client_.finalized.empty()) << "Collect only marks";
  for (std::size_t page = 1; page <= pages; ++page) {
    Node* node = scope_.Keep(NewNode());
    EXPECT_EQ(client_.finalized.size(), page * kSlotsPerPage) << "one page more";
    EXPECT_FALSE(collector_.IsGarbage(node)) << "what is allocated during the sweep lives";
    for (std::size_t i = 1; i < kSlotsPerPage; ++i) scope_.Keep(NewNode());
  }
  collector_.FinishSweep();
  EXPECT_EQ(CountSlots(), pages * kSlotsPerPage);
  EXPECT_EQ(heap_.stats().count, collections + 1);
  heap_.CheckInvariants();
}

TEST_F(MarkSweepTest, ACollectionFinishesTheSweepBeforeIt) {
  Node* first = NewNode();
  collector_.Collect();
  EXPECT_TRUE(collector_.IsGarbage(first));
  scope_.Keep(NewNode());
  NewNode();
  collector_.Collect();
  EXPECT_EQ(client_.finalized, std::vector<std::uint64_t>{1});
  collector_.FinishSweep();
  EXPECT_EQ(client_.finalized, (std::vector<std::uint64_t>{1, 3}));
}

TEST_F(MarkSweepTest, ResurrectedSlotsLiveUntilTheNextCollection) {
  Node* live = scope_.Keep(NewNode());
  Node* child = NewNode(Value(live));
  Node* parent = NewNode(Value(child), Value(live));
  Node* other = NewNode();  // the fourth
  collector_.Collect();
  for (Node* node : {child, parent, other}) EXPECT_TRUE(collector_.IsGarbage(node));
  EXPECT_FALSE(collector_.IsGarbage(live));
  collector_.Resurrect(parent);
  EXPECT_FALSE(collector_.IsGarbage(parent));
  EXPECT_FALSE(collector_.IsGarbage(child)) << "with all that it refers to";
  collector_.FinishSweep();
  EXPECT_EQ(client_.finalized, std::vector<std::uint64_t>{4});
  EXPECT_FALSE(collector_.IsGarbage(parent)) << "nothing is garbage once all is swept";
  EXPECT_EQ(heap_.stats().live_slots(), 3u);
  collector_.Collect();
  collector_.FinishSweep();
  EXPECT_EQ(heap_.stats().live_slots(), 1u);
  heap_.CheckInvariants();
}

TEST_F(MarkSweepTest, GrowsBy80PercentWhereACollectionFreesTooLittle) {
  std::vector<std::uint64_t> pages_at_collection;
  Value& list = scope_.Push(Value::Nil());
  while (pages_at_collection.size() < 4) {
    const std::uint64_t collections = heap_.stats().count;
    const std::uint64_t pages = heap_.stats().heap_pages;
    list = Value(NewNode(list));
    if (heap_.stats().count > collections) pages_at_collection.push_back(pages);
  }
  std::uint64_t expected = Heap::kInitialPages;
  for (std::size_t i = 0; i < pages_at_collection.size(); ++i) {
    EXPECT_EQ(pages_at_collection[i], expected);
    expected = static_cast<std::uint64_t>(std::ceil(static_cast<double>(expected) * 1.8));
  }
  if constexpr (!kHostile) {
    EXPECT_EQ(pages_at_collection[1], 44u) << "24 pages, then 1.8 times as many";
  }
}

TEST_F(MarkSweepTest, DoesNotGrowWhereGarbageIsEnough) {
  const std::size_t slots = heap_.pages().size() * kSlotsPerPage;
  for (std::size_t i = 0; i < 20 * slots; ++i) NewNode();
  EXPECT_EQ(heap_.stats().heap_pages, Heap::kInitialPages);
  EXPECT_EQ(heap_.stats().count, 19u);
}

TEST_F(MarkSweepTest, TheMallocLimitTriggersGrowsAndShrinks) {
  Heap heap(kHostile ? 500 : 10);
  CollectorPolicy policy;
  policy.malloc_limit = 10'000;
  policy.malloc_limit_max = 16'000;
  NodeClient client;
  MarkSweep<NodeClient> collector(heap, client, policy);
  heap.set_stress(false);
  ResetMallocIncrease();
  const auto bytes_until_collection = [&] {
    std::size_t bytes = 0;
    const std::uint64_t count = heap.stats().count;
    std::vector<void*> blocks;
    while (heap.stats().count == count) {
      bytes = MallocIncrease();
      blocks.push_back(Allocate(Subsystem::kData, 24));
      heap.Allocate(static_cast<std::uint64_t>(Type::kObject), nullptr);
    }
    ResetMallocIncrease();
    for (void* block : blocks) Free(Subsystem::kData, block);
    ResetMallocIncrease();
    return bytes;
  };
  const auto about = [](std::size_t limit, std::size_t bytes) {
    return bytes < limit && bytes + 64 >= limit;  // the block that reaches it is 24 to 64 bytes
  };
  EXPECT_TRUE(about(10'000, bytes_until_collection()));
  EXPECT_TRUE(about(14'000, bytes_until_collection())) << "1.4 times as much";
  EXPECT_TRUE(about(16'000, bytes_until_collection())) << "but not above the maximum";
  EXPECT_TRUE(about(16'000, bytes_until_collection()));
  EXPECT_EQ(heap.stats().malloc_triggered, 4u);
  // Collections for want of slots let the limit sink, by 2 % each, to where it began.
  const std::uint64_t count = heap.stats().count;
  while (heap.stats().count < count + 3) {
    heap.Allocate(static_cast<std::uint64_t>(Type::kObject), nullptr);
  }
  EXPECT_EQ(heap.stats().malloc_triggered, 4u);
  EXPECT_TRUE(about(15'058, bytes_until_collection()));
}

TEST_F(MarkSweepTest, StressCollectsAtEveryAllocation) {
  heap_.set_stress(true);
  Node* kept = scope_.Keep(NewNode());
  for (std::uint64_t i = 0; i < 50; ++i) {
    const std::uint64_t count = heap_.stats().count;
    NewNode(Value(kept));
    ASSERT_EQ(heap_.stats().count, count + 1);
  }
  heap_.set_stress(false);
  collector_.Collect();
  collector_.FinishSweep();
  EXPECT_EQ(heap_.stats().live_slots(), 1u);
  heap_.CheckInvariants();
}

TEST_F(MarkSweepTest, TheMarkStackIsCountedAndKeptForTheNextCollection) {
  // A full binary tree: marking keeps one sibling grey at each level.
  Value& tree = scope_.Push(Value::Nil());
  for (int depth = 0; depth < 10; ++depth) tree = Value(NewNode(tree, tree));
  collector_.Collect();
  const AllocatorCounters before = TakeSnapshot()[Subsystem::kCollector];
  EXPECT_GT(before.live_bytes, static_cast<std::int64_t>(RootStack::kCapacity * sizeof(Value)));
  collector_.Collect();
  EXPECT_EQ(TakeSnapshot()[Subsystem::kCollector].malloc_calls, before.malloc_calls);
}

// A client that forgets a child in every second trace.
struct ForgetfulClient : NodeClient {
  void MarkChildren(Marker& marker, RBasic* slot) {
    if (++calls % 3 == 0) return;
    NodeClient::MarkChildren(marker, slot);
  }
  int calls = 0;
};

TEST(MarkSweepDeathTest, VerifyFindsAnInconsistentTrace) {
  Heap heap(1);
  ForgetfulClient client;
  MarkSweep<ForgetfulClient> collector(heap, client);
  heap.set_stress(false);
  HandleScope scope(heap.roots());
  const auto make = [&heap](Value left) {
    auto* node = static_cast<Node*>(
        static_cast<RBasic*>(heap.Allocate(static_cast<std::uint64_t>(Type::kObject), nullptr)));
    node->left = left;
    node->right = Value::Nil();
    return node;
  };
  Node* leaf = make(Value::Nil());
  scope.Keep(make(Value(leaf)));
  collector.set_verify(true);
  EXPECT_DEATH(collector.Collect(), "two traces of one heap differ");
}

TEST(MarkSweepDeathTest, VerifyFindsAReferenceToAFreeSlot) {
  Heap heap(1);
  NodeClient client;
  MarkSweep<NodeClient> collector(heap, client);
  heap.set_stress(false);
  HandleScope scope(heap.roots());
  Value& root = scope.Push(Value::Nil());
  RBasic* dangling = heap.Allocate(static_cast<std::uint64_t>(Type::kObject), nullptr);
  collector.Collect();
  collector.FinishSweep();
  root = Value(dangling);
  collector.set_verify(true);
  EXPECT_DEATH(collector.Collect(), "a free slot is");
}

}  // namespace
}  // namespace rubric
