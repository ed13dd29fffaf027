#include "core/heap/mark_sweep.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <unordered_map>
#include <unordered_set>
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
  explicit MarkSweepTest(std::size_t pages = Heap::kInitialPages) : heap_(pages) {
    heap_.set_stress(false);  // each test says when it wants collections
  }

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

// Marked by recursion, a million nodes in a row would need at least 16 MB of machine stack; there
// are 8.
TEST_F(MarkSweepTest, DeepGraphsNeedNoMachineStack) {
  constexpr std::uint64_t kNodes = 1'000'000;
  Value& list = scope_.Push(Value::Nil());
  Value& rows = scope_.Push(Value::Nil());
  for (std::uint64_t i = 0; i < kNodes; ++i) list = Value(NewNode(list));
  for (std::uint64_t i = 0; i < 1000; ++i) rows = Value(NewNode(Value::True(), rows));
  collector_.Collect();
  collector_.FinishSweep();
  EXPECT_EQ(heap_.stats().live_slots(), kNodes + 1000);
  list = rows = Value::Nil();
  collector_.Collect();
  collector_.FinishSweep();
  EXPECT_EQ(heap_.stats().live_slots(), 0u);
  EXPECT_EQ(client_.finalized.size(), kNodes + 1000);
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

// Random graphs that change, against the reachability of a model: never is something finalized that
// was reachable when the collection began, and after a full sweep nothing else is left.
class RandomGraphTest : public MarkSweepTest {
 protected:
  RandomGraphTest() : MarkSweepTest(1) {}

  struct ModelNode {
    Node* slot;
    std::uint64_t left = 0;  // numbers; 0 is none
    std::uint64_t right = 0;
  };

  static constexpr std::size_t kRoots = 16;

  void Run(int steps, bool stress) {
    for (std::size_t i = 0; i < kRoots; ++i) {
      handles_.push_back(&scope_.Push(Value::Nil()));
      roots_.push_back(0);
    }
    heap_.set_stress(stress);
    for (int step = 0; step < steps; ++step) {
      Step();
      // What was finalized by now was dead; the model forgets it.
      for (const std::uint64_t number : client_.finalized) {
        ASSERT_EQ(model_.erase(number), 1u) << "finalized twice, at step " << step;
        ASSERT_FALSE(IsRoot(number)) << "a live slot was finalized, at step " << step;
      }
      client_.finalized.clear();
      if (step % 5000 == 4999) {
        ASSERT_NO_FATAL_FAILURE(CollectAndCompare());
      }
    }
  }

  void CollectAndCompare() {
    collector_.Collect();
    collector_.FinishSweep();
    for (const std::uint64_t number : client_.finalized) model_.erase(number);
    client_.finalized.clear();
    const std::unordered_set<std::uint64_t> reachable = Reachable();
    std::unordered_set<std::uint64_t> live;
    heap_.ForEachSlot([&](RBasic* slot) { live.insert(static_cast<Node*>(slot)->number); });
    ASSERT_EQ(live, reachable);
    ASSERT_EQ(model_.size(), reachable.size());
    for (const auto& [number, node] : model_) {
      const auto slot_of = [this](std::uint64_t n) {
        return n == 0 ? Value::Nil() : Value(model_.at(n).slot);
      };
      ASSERT_EQ(node.slot->number, number);
      ASSERT_EQ(node.slot->left, slot_of(node.left));
      ASSERT_EQ(node.slot->right, slot_of(node.right));
    }
    heap_.CheckInvariants();
  }

  std::unordered_set<std::uint64_t> Reachable() const {
    std::unordered_set<std::uint64_t> reached;
    std::vector<std::uint64_t> open(roots_.begin(), roots_.end());
    while (!open.empty()) {
      const std::uint64_t number = open.back();
      open.pop_back();
      if (number == 0 || !reached.insert(number).second) continue;
      const ModelNode& node = model_.at(number);
      open.push_back(node.left);
      open.push_back(node.right);
    }
    return reached;
  }

 private:
  std::size_t Random(std::size_t below) { return rng_() % below; }

  bool IsRoot(std::uint64_t number) const {
    return std::find(roots_.begin(), roots_.end(), number) != roots_.end();
  }

  // A node some steps away from a root; 0 where the walk ends.
  std::uint64_t Walk() {
    std::uint64_t at = roots_[Random(kRoots)];
    for (std::size_t steps = Random(12); steps > 0 && at != 0; --steps) {
      const ModelNode& node = model_.at(at);
      const std::uint64_t next = Random(2) == 0 ? node.left : node.right;
      if (next == 0) break;
      at = next;
    }
    return at;
  }
  Value SlotOf(std::uint64_t number) const {
    return number == 0 ? Value::Nil() : Value(model_.at(number).slot);
  }

  void Step() {
    const std::size_t root = Random(kRoots);
    switch (Random(10)) {
      case 0:
      case 1:
      case 2:
      case 3:
      case 4: {  // a node over what is there becomes a root
        const std::uint64_t left = Walk(), right = Walk();
        Node* node = NewNode(SlotOf(left), SlotOf(right));
        model_[node->number] = {node, left, right};
        roots_[root] = node->number;
        *handles_[root] = Value(node);
        return;
      }
      case 5:
      case 6:
      case 7: {  // an edge changes
        const std::uint64_t from = Walk();
        const std::uint64_t to = Walk();
        if (from == 0) return;
        ModelNode& node = model_.at(from);
        if (Random(2) == 0) {
          node.left = to;
          node.slot->left = SlotOf(to);
        } else {
          node.right = to;
          node.slot->right = SlotOf(to);
        }
        heap_.WriteBarrier(node.slot, SlotOf(to));
        return;
      }
      case 8: {  // a root moves
        roots_[root] = Walk();
        *handles_[root] = SlotOf(roots_[root]);
        return;
      }
      default:
        if (Random(40) == 0) collector_.Collect();  // its sweep goes on while we allocate
        return;
    }
  }

  std::mt19937_64 rng_{4962};
  std::unordered_map<std::uint64_t, ModelNode> model_;  // what was not finalized, by number
  std::vector<std::uint64_t> roots_;
  std::vector<Value*> handles_;
};

TEST_F(RandomGraphTest, AgreesWithReachability) {
  ASSERT_NO_FATAL_FAILURE(Run(kDchecks ? 50'000 : 500'000, false));
}

TEST_F(RandomGraphTest, AgreesWithReachabilityUnderStress) {
  ASSERT_NO_FATAL_FAILURE(Run(20'000, true));
}

TEST_F(RandomGraphTest, AgreesWithReachabilityWhileVerified) {
  collector_.set_verify(true);
  ASSERT_NO_FATAL_FAILURE(Run(50'000, false));
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
