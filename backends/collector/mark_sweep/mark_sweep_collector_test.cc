#include "backends/collector/mark_sweep/mark_sweep_collector.h"

#include "core/collector/collector_conformance.h"
#include "core/collector/node_world.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(MarkSweep, CollectorConformance, MarkSweepCollector);

// What makes GC time grow with a prelude: garbage costs nothing to mark, everything else does.
TEST(MarkSweepCollectorTest, ACollectionMarksAllThatLives) {
  NodeWorld<MarkSweepCollector> world;
  Value& list = world.scope().Push(Value::Nil());
  for (std::uint64_t live = 1; live <= 2000; ++live) {
    list = Value(world.New(list));
    if (live % 500 != 0) continue;
    const std::uint64_t marked = world.stats().marked_slots;
    world.CollectNow();
    EXPECT_EQ(world.stats().marked_slots - marked, live);
  }
}

TEST(MarkSweepCollectorTest, NoSlotIsEverOldOrGuarded) {
  NodeWorld<MarkSweepCollector> world;
  Node* node = world.scope().Keep(world.New());
  world.CollectUntilOld();
  world.SetLeft(node, Value(world.New()));
  EXPECT_FALSE(node->Has(RBasic::kOld | RBasic::kGuarded | RBasic::kAgeMask));
  EXPECT_TRUE(world.heap().remembered().empty());
}

}  // namespace
}  // namespace rubric
