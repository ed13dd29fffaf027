#include "backends/collector/generational/generational_collector.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/build_mode.h"
#include "core/collector/collector_conformance.h"
#include "core/collector/node_world.h"
#include "core/memory/allocate.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(Generational, CollectorConformance, GenerationalCollector);

using World = NodeWorld<GenerationalCollector>;

std::uint64_t AgeOf(const RBasic* slot) {
  return (slot->flags & RBasic::kAgeMask) >> RBasic::kAgeShift;
}

// A node that is old, in a world that has nothing else.
Node* OldNode(World& world) {
  Node* node = world.scope().Keep(world.New());
  world.CollectUntilOld();
  EXPECT_TRUE(node->Has(RBasic::kOld));
  return node;
}

TEST(GenerationalCollectorTest, ThreeCollectionsMakeASlotOld) {
  World world;
  Node* node = world.scope().Keep(world.New());
  for (std::uint64_t age = 0; age < 3; ++age) {
    EXPECT_EQ(AgeOf(node), age);
    EXPECT_FALSE(node->Has(RBasic::kOld | RBasic::kGuarded));
    EXPECT_EQ(world.stats().old_slots, 0u);
    world.CollectMinorNow();
  }
  EXPECT_TRUE(node->Has(RBasic::kOld) && node->Has(RBasic::kGuarded));
  EXPECT_EQ(world.stats().old_slots, 1u);
  world.CollectNow();
  EXPECT_TRUE(node->Has(RBasic::kOld)) << "and a major collection leaves it so";
  EXPECT_EQ(world.stats().old_slots, 1u);
}

TEST(GenerationalCollectorTest, WhatAnOldSlotRefersToBecomesOldAtOnce) {
  World world;
  Node* old = OldNode(world);
  Node* grandchild = world.New();
  Node* child = world.New(Value(grandchild));
  world.scope().Keep(child);  // marked from a root as well, in whatever order
  world.SetLeft(old, Value(child));
  world.CollectMinorNow();
  EXPECT_TRUE(child->Has(RBasic::kOld) && grandchild->Has(RBasic::kOld));
  EXPECT_EQ(world.stats().old_slots, 3u);
  world.CheckInvariants();
}

TEST(GenerationalCollectorTest, AnOldSlotIsRememberedOnceUntilItIsScanned) {
  World world;
  Node* old = OldNode(world);
  world.SetLeft(old, Value::Fixnum(1));
  world.SetLeft(old, Value(old));
  EXPECT_TRUE(world.heap().remembered().empty()) << "it refers to nothing young";
  for (int i = 0; i < 3; ++i) world.SetLeft(old, Value(world.New()));
  EXPECT_EQ(world.heap().remembered().size(), 1u);
  EXPECT_FALSE(old->Has(RBasic::kGuarded));
  world.CheckInvariants();
  world.CollectMinorNow();
  EXPECT_TRUE(world.heap().remembered().empty());
  EXPECT_TRUE(old->Has(RBasic::kGuarded));
  EXPECT_EQ(world.stats().remembered_slots, 1u);
}

TEST(GenerationalCollectorTest, GarbageThatIsOldWaitsForAMajorCollection) {
  World world;
  Node* old = OldNode(world);
  world.SetLeft(old, Value(world.New()));
  world.CollectMinorNow();
  world.SetLeft(old, Value::Nil());
  world.CollectMinorNow();
  EXPECT_EQ(world.stats().live_slots(), 2u);
  world.CollectNow();
  EXPECT_EQ(world.stats().live_slots(), 1u);
  EXPECT_EQ(world.stats().old_slots, 1u);
}

TEST(GenerationalCollectorTest, UnprotectedSlotsAreRememberedWhileAnOldOneRefersToThem) {
  World world;
  Node* old = OldNode(world);
  Node* unprotected = world.New(Value::Nil(), Value::Nil(), RBasic::kUnprotected);
  world.SetLeft(old, Value(unprotected));
  world.CollectMinorNow();
  EXPECT_TRUE(unprotected->Has(RBasic::kOld)) << "so that minor collections take it for live";
  EXPECT_EQ(world.heap().remembered().size(), 1u);
  unprotected->left = Value(world.New());
  for (int i = 0; i < 5; ++i) world.CollectMinorNow();
  EXPECT_EQ(world.heap().remembered().size(), 1u);
  EXPECT_EQ(world.stats().live_slots(), 3u);
  world.SetLeft(old, Value::Nil());
  world.scope().Keep(unprotected);
  world.CollectNow();
  EXPECT_TRUE(world.heap().remembered().empty()) << "no old slot refers to it any more";
  EXPECT_FALSE(unprotected->Has(RBasic::kOld));
  world.CheckInvariants();
}

TEST(GenerationalCollectorTest, MinorCollectionsDoUntilTheOldAreTwiceAsMany) {
  // Where pages hold 8 slots, too few free ones make more collections major.
  if (kHostile) GTEST_SKIP();
  World world;
  Value& list = world.scope().Push(Value::Nil());
  for (int i = 0; i < 400; ++i) list = Value(world.New(list));
  world.CollectUntilOld();
  const std::uint64_t majors = world.stats().major_count;
  const auto slots_in_heap = [&] { return world.stats().heap_pages * kSlotsPerPage; };
  // Garbage alone: no collection is major.
  for (std::size_t i = 0; i < 10 * slots_in_heap(); ++i) world.New();
  EXPECT_EQ(world.stats().major_count, majors);
  EXPECT_GE(world.stats().minor_count, 9u);
  // 399 more that live: still within the limit. A few more, once they are old, exceed it.
  for (int i = 0; i < 399; ++i) list = Value(world.New(list));
  for (std::size_t i = 0; i < 5 * slots_in_heap(); ++i) world.New();
  EXPECT_EQ(world.stats().major_count, majors);
  for (int i = 0; i < 3; ++i) list = Value(world.New(list));
  for (std::size_t i = 0; i < 8 * slots_in_heap(); ++i) world.New();
  EXPECT_EQ(world.stats().major_count, majors + 1);
}

TEST(GenerationalCollectorTest, AMinorCollectionThatFreesTooLittleIsFollowedByAMajorOne) {
  World world;
  Value& list = world.scope().Push(Value::Nil());
  std::vector<std::uint64_t> pages_at_major;
  while (pages_at_major.size() < 3) {
    const std::uint64_t majors = world.stats().major_count;
    list = Value(world.New(list));
    if (world.stats().major_count > majors) pages_at_major.push_back(world.stats().heap_pages);
  }
  EXPECT_GT(world.stats().minor_count, 0u);
  EXPECT_LT(pages_at_major[0], pages_at_major[2]) << "what lives makes the heap grow";
}

TEST(GenerationalCollectorTest, MallocTriggersMinorCollectionsAndItsNetGrowthMajorOnes) {
  Heap heap(kHostile ? 500 : 10);
  CollectorPolicy policy;
  policy.malloc_limit = policy.malloc_limit_max = 10'000;
  policy.old_malloc_limit = 100'000;
  policy.old_malloc_limit_max = 1'000'000;
  NodeClient client;
  Generational<NodeClient> collector(heap, client, policy);
  heap.set_stress(false);
  collector.Collect();
  ResetMallocIncrease();
  std::vector<void*> blocks;
  // Each block is freed before the next: no growth.
  for (int i = 0; i < 10'000; ++i) {
    heap.Allocate(static_cast<std::uint64_t>(Type::kObject), nullptr);
    Free(Subsystem::kData, Allocate(Subsystem::kData, 1000));
  }
  const std::uint64_t majors = heap.stats().major_count;
  const std::uint64_t triggered = heap.stats().malloc_triggered;
  // Each is kept: 300,000 bytes more.
  for (int i = 0; i < 300; ++i) {
    blocks.push_back(Allocate(Subsystem::kData, 1000));
    heap.Allocate(static_cast<std::uint64_t>(Type::kObject), nullptr);
  }
  EXPECT_NEAR(static_cast<double>(heap.stats().malloc_triggered - triggered), 30, 2);
  EXPECT_NEAR(static_cast<double>(heap.stats().major_count - majors), 2, 0.5)
      << "at 100,000 bytes, and 120,000 later";
  for (void* block : blocks) Free(Subsystem::kData, block);
  ResetMallocIncrease();
}

TEST(GenerationalCollectorDeathTest, VerifyFindsAStoreWithoutBarrier) {
  World world;
  world.collector().set_verify(true);
  Node* old = OldNode(world);
  old->left = Value(world.New());  // no barrier
  EXPECT_DEATH(world.collector().CollectMinor(),
               "overlooks a T_OBJECT that an old T_OBJECT refers to: its store called no "
               "Heap::WriteBarrier");
}

TEST(GenerationalCollectorDeathTest, VerifyFindsOneToASlotThatAlsoLivesOtherwise) {
  World world;
  world.collector().set_verify(true);
  Node* old = OldNode(world);
  old->left = Value(world.scope().Keep(world.New()));
  EXPECT_DEATH(world.collector().CollectMinor(), "called no Heap::WriteBarrier");
}

TEST(GenerationalCollectorDeathTest, WithoutVerifyTheSlotIsFreed) {
  World world;
  world.collector().set_verify(false);
  Node* old = OldNode(world);
  old->left = Value(world.New());
  world.CollectMinorNow();
  EXPECT_EQ(world.stats().live_slots(), 1u) << "so the barrier is what keeps it alive";
}

// A client that forgets its young roots.
struct ForgetfulClient : NodeClient {
  void MarkYoungRoots(Marker&) {}
};

TEST(GenerationalCollectorDeathTest, VerifyFindsAForgottenRoot) {
  Heap heap(1);
  ForgetfulClient client;
  Generational<ForgetfulClient> collector(heap, client);
  heap.set_stress(false);
  collector.set_verify(true);
  auto* node = static_cast<Node*>(
      static_cast<RBasic*>(heap.Allocate(static_cast<std::uint64_t>(Type::kObject), nullptr)));
  node->left = node->right = Value::Nil();
  client.extra_roots = {Value(node)};
  collector.Collect();
  EXPECT_DEATH(collector.CollectMinor(),
               "overlooks a T_OBJECT that a root refers to: MarkYoungRoots does not mark it");
}

}  // namespace
}  // namespace rubric
