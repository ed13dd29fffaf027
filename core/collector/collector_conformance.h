// The conformance suite of the collector axis: every backend passes it, and so does the model.
//
// USE        INSTANTIATE_TYPED_TEST_SUITE_P(MarkSweep, CollectorConformance, MarkSweepCollector);
//            Tests are named by the invariant of collector.h that they hold the backend to.
#ifndef RUBRIC_CORE_COLLECTOR_COLLECTOR_CONFORMANCE_H_
#define RUBRIC_CORE_COLLECTOR_COLLECTOR_CONFORMANCE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "core/base/build_mode.h"
#include "core/collector/collector.h"
#include "core/collector/node_world.h"
#include "core/collector/random_graph.h"
#include "core/memory/allocate.h"
#include "core/memory/counters.h"
#include "gtest/gtest.h"

namespace rubric {

class RandomSource {
 public:
  explicit RandomSource(std::uint64_t seed) : rng_(seed) {}
  std::size_t Below(std::size_t n) { return rng_() % n; }

 private:
  std::mt19937_64 rng_;
};

template <typename Backend>
class CollectorConformance : public ::testing::Test {
 protected:
  static_assert(CollectorBackend<Backend>);
  static constexpr bool kGenerational = Backend::kTraits.generational;
  using World = NodeWorld<Backend>;

  static std::int64_t CollectorBytes() { return TakeSnapshot()[Subsystem::kCollector].live_bytes; }

  // `length` nodes, each the left of the next; gives the last.
  static Node* List(World& world, std::size_t length) {
    HandleScope scope(world.heap().roots());
    Value& list = scope.Push(Value::Nil());
    for (std::size_t i = 0; i < length; ++i) list = Value(world.New(list));
    return static_cast<Node*>(list.AsSlot());
  }
  static std::size_t LengthOf(const Node* list) {
    std::size_t length = 1;
    for (; list->left.IsPointer(); list = static_cast<const Node*>(list->left.AsSlot())) ++length;
    return length;
  }

  static void RunGraph(int steps, bool stress, bool verify, int compare_every) {
    RandomGraph<Backend, RandomSource> graph{RandomSource(4962)};
    graph.world().heap().set_stress(stress);
    graph.world().collector().set_verify(verify);
    for (int step = 1; step <= steps; ++step) {
      graph.Step();
      if (step % compare_every == 0) graph.CollectAndCompare();
    }
  }
};

TYPED_TEST_SUITE_P(CollectorConformance);

TYPED_TEST_P(CollectorConformance, Invariant1And2OnlyWhatNoRootReachesIsFreed) {
  typename TestFixture::World world;
  Node* leaf = world.New();
  Node* kept = world.scope().Keep(world.New(Value(leaf), Value::Fixnum(1)));
  Node* cycle = world.New();
  world.SetLeft(cycle, Value(cycle));
  Node* by_client = world.New();
  world.client().extra_roots = {Value(by_client), Value::Nil(), Value::True()};
  world.CollectNow();
  EXPECT_EQ(world.client().finalized, std::vector<std::uint64_t>{3}) << "the cycle alone";
  EXPECT_EQ(kept->left, Value(leaf));
  EXPECT_EQ(world.stats().live_slots(), 3u);
  world.CheckInvariants();
}

TYPED_TEST_P(CollectorConformance, Invariant1AgreesWithReachability) {
  TestFixture::RunGraph(kDchecks ? 40'000 : 400'000, false, kDchecks, 5000);
}

TYPED_TEST_P(CollectorConformance, Invariant1AgreesWithReachabilityUnderStress) {
  TestFixture::RunGraph(10'000, true, kDchecks, 1000);
}

TYPED_TEST_P(CollectorConformance, Invariant1AgreesWithReachabilityWhileVerified) {
  TestFixture::RunGraph(10'000, true, true, 1000);
  TestFixture::RunGraph(40'000, false, true, 5000);
}

TYPED_TEST_P(CollectorConformance, Invariant1YoungSlotsLiveThroughOldOnes) {
  typename TestFixture::World world;
  Node* old = world.scope().Keep(world.New());
  Node* unprotected =
      world.scope().Keep(world.New(Value::Nil(), Value::Nil(), RBasic::kUnprotected));
  world.SetRight(old, Value(unprotected));
  world.CollectUntilOld();
  for (int round = 0; round < 6; ++round) {  // old enough, and older
    world.SetLeft(old, Value(TestFixture::List(world, 10)));
    world.SetLeft(unprotected, Value(TestFixture::List(world, 20)));
    for (int minor = 0; minor <= round; ++minor) world.CollectMinorNow();
    EXPECT_EQ(TestFixture::LengthOf(static_cast<Node*>(old->left.AsSlot())), 10u);
    EXPECT_EQ(TestFixture::LengthOf(static_cast<Node*>(unprotected->left.AsSlot())), 20u);
    world.CheckInvariants();
  }
  world.CollectNow();
  EXPECT_EQ(world.stats().live_slots(), 32u) << "a major collection frees what was old";
}

TYPED_TEST_P(CollectorConformance, Invariant1UnprotectedSlotsLiveThroughOldOnesAlone) {
  typename TestFixture::World world;
  Node* old = world.scope().Keep(world.New());
  world.CollectUntilOld();
  Node* unprotected = world.New(Value::Nil(), Value::Nil(), RBasic::kUnprotected);
  world.SetLeft(old, Value(unprotected));
  for (int round = 1; round <= 5; ++round) {
    world.CollectMinorNow();
    world.SetLeft(unprotected, Value(world.New(unprotected->left)));
    EXPECT_EQ(TestFixture::LengthOf(old), 2u + static_cast<std::size_t>(round));
    world.CheckInvariants();
  }
  world.SetLeft(old, Value::Nil());
  world.CollectNow();
  EXPECT_EQ(world.stats().live_slots(), 1u);
  world.CheckInvariants();
}

TYPED_TEST_P(CollectorConformance, Invariant2ResurrectedSlotsLiveUntilTheNextCollection) {
  typename TestFixture::World world;
  Node* live = world.scope().Keep(world.New());
  Node* child = world.New(Value(live));
  Node* parent = world.New(Value(child), Value(live));
  for (const bool minor : {false, true}) {
    if (minor) parent = world.New(Value(world.New(Value(live))), Value(live));
    if (minor) {
      world.collector().CollectMinor();
    } else {
      world.collector().Collect();
    }
    EXPECT_FALSE(world.collector().IsGarbage(live));
    if (!world.collector().IsGarbage(parent)) continue;  // swept at once: nothing to bring back
    const std::uint64_t freed = world.stats().total_freed_slots;
    world.collector().Resurrect(parent);
    EXPECT_FALSE(world.collector().IsGarbage(parent));
    EXPECT_FALSE(world.collector().IsGarbage(parent->left.AsSlot())) << "with what it refers to";
    world.collector().FinishSweep();
    EXPECT_EQ(world.stats().total_freed_slots, freed);
    world.CheckInvariants();
    world.CollectNow();
    EXPECT_EQ(world.stats().live_slots(), 1u);
  }
}

TYPED_TEST_P(CollectorConformance, Invariant2OldSlotsAreResurrectedToo) {
  typename TestFixture::World world;
  Node* weak = world.NewWeak();
  {
    HandleScope scope(world.heap().roots());
    scope.Keep(weak);
    world.CollectUntilOld();
  }
  world.collector().Collect();
  const std::uint64_t number = 1;
  const auto found = world.FindWeak(number);
  if (!found) return;  // swept at once
  world.scope().Keep(*found);
  world.collector().FinishSweep();
  EXPECT_EQ(world.stats().live_slots(), 1u);
  world.CheckInvariants();
  world.SetLeft(weak, Value(world.New()));  // it is as old as it was: its stores are seen
  world.CollectMinorNow();
  EXPECT_EQ(world.stats().live_slots(), 2u);
  world.CheckInvariants();
}

TYPED_TEST_P(CollectorConformance, Invariant3DeadSlotsAreUsedAgain) {
  typename TestFixture::World world;
  const std::size_t slots = world.heap().pages().size() * kSlotsPerPage;
  for (std::size_t i = 0; i < 20 * slots; ++i) world.New();
  EXPECT_EQ(world.stats().heap_pages, Heap::kInitialPages) << "garbage is enough";
  EXPECT_GE(world.stats().count, 19u);
  world.CollectNow();
  std::vector<std::uint64_t> finalized = world.client().finalized;
  EXPECT_EQ(finalized.size(), 20 * slots);
  std::sort(finalized.begin(), finalized.end());
  EXPECT_EQ(std::unique(finalized.begin(), finalized.end()), finalized.end()) << "each once";
}

TYPED_TEST_P(CollectorConformance, Invariant1DeepGraphsNeedNoMachineStack) {
  // Marked by recursion, a million nodes in a row would need at least 16 MB of machine stack; there
  // are 8.
  constexpr std::size_t kNodes = kDchecks ? 200'000 : 1'000'000;
  typename TestFixture::World world;
  Value& list = world.scope().Push(Value(TestFixture::List(world, kNodes)));
  world.CollectNow();
  EXPECT_EQ(world.stats().live_slots(), kNodes);
  list = Value::Nil();
  world.CollectNow();
  EXPECT_EQ(world.stats().live_slots(), 0u);
}

TYPED_TEST_P(CollectorConformance, Invariant5StressCollectsAtEveryAllocation) {
  typename TestFixture::World world;
  world.heap().set_stress(true);
  Node* kept = world.scope().Keep(world.New());
  for (std::uint64_t i = 0; i < 50; ++i) {
    const std::uint64_t count = world.stats().count;
    world.New(Value(kept));
    ASSERT_EQ(world.stats().count, count + 1);
  }
  EXPECT_GE(world.stats().major_count, 6u) << "major ones too";
  world.heap().set_stress(false);
  world.CollectNow();
  EXPECT_EQ(world.stats().live_slots(), 1u);
  world.CheckInvariants();
}

TYPED_TEST_P(CollectorConformance, Invariant6CollectionsAreCountedByKind) {
  typename TestFixture::World world;
  world.scope().Keep(world.New());
  world.CollectNow();
  world.CollectMinorNow();
  world.CollectMinorNow();
  EXPECT_EQ(world.stats().count, 3u);
  EXPECT_EQ(world.stats().minor_count, TestFixture::kGenerational ? 2u : 0u);
  EXPECT_EQ(world.stats().major_count, TestFixture::kGenerational ? 1u : 3u);
  EXPECT_GE(world.stats().total_seconds(), 0);
}

TYPED_TEST_P(CollectorConformance, Invariant7MemoryIsCountedAndGivenBack) {
  const std::int64_t before = TestFixture::CollectorBytes();
  {
    typename TestFixture::World world;
    Value& root = world.scope().Push(Value::Nil());
    for (int i = 0; i < 3; ++i) {
      root = Value(TestFixture::List(world, 20'000));
      world.CollectUntilOld();
    }
    EXPECT_GT(TestFixture::CollectorBytes(), before);
  }
  EXPECT_EQ(TestFixture::CollectorBytes(), before);
}

TYPED_TEST_P(CollectorConformance, Invariant8AMinorCollectionLooksAtYoungSlotsAlone) {
  typename TestFixture::World world;
  Node* old = world.scope().Keep(TestFixture::List(world, 5000));
  world.CollectUntilOld();
  world.SetRight(old, Value(TestFixture::List(world, 10)));
  world.scope().Keep(TestFixture::List(world, 7));
  const std::uint64_t marked = world.stats().marked_slots;
  world.CollectMinorNow();
  EXPECT_EQ(world.stats().marked_slots - marked, TestFixture::kGenerational ? 17u : 5017u);
  EXPECT_EQ(world.stats().live_slots(), 5017u);
}

TYPED_TEST_P(CollectorConformance, Invariant9EqualProgramsCollectEqually) {
  std::vector<std::uint64_t> runs[2];
  for (auto& run : runs) {
    RandomGraph<TypeParam, RandomSource> graph{RandomSource(2013)};
    for (int step = 1; step <= 20'000; ++step) {
      graph.Step();
      if (step % 1000 != 0) continue;
      const GcStats& stats = graph.world().stats();
      run.insert(run.end(), {stats.count, stats.minor_count, stats.marked_slots, stats.old_slots,
                             stats.remembered_slots, stats.live_slots(), stats.heap_pages});
    }
  }
  EXPECT_EQ(runs[0], runs[1]);
}

REGISTER_TYPED_TEST_SUITE_P(
    CollectorConformance, Invariant1And2OnlyWhatNoRootReachesIsFreed,
    Invariant1AgreesWithReachability, Invariant1AgreesWithReachabilityUnderStress,
    Invariant1AgreesWithReachabilityWhileVerified, Invariant1YoungSlotsLiveThroughOldOnes,
    Invariant1UnprotectedSlotsLiveThroughOldOnesAlone,
    Invariant2ResurrectedSlotsLiveUntilTheNextCollection, Invariant2OldSlotsAreResurrectedToo,
    Invariant3DeadSlotsAreUsedAgain, Invariant1DeepGraphsNeedNoMachineStack,
    Invariant5StressCollectsAtEveryAllocation, Invariant6CollectionsAreCountedByKind,
    Invariant7MemoryIsCountedAndGivenBack, Invariant8AMinorCollectionLooksAtYoungSlotsAlone,
    Invariant9EqualProgramsCollectEqually);

}  // namespace rubric

#endif  // RUBRIC_CORE_COLLECTOR_COLLECTOR_CONFORMANCE_H_
