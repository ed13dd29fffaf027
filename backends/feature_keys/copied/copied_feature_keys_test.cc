#include "backends/feature_keys/copied/copied_feature_keys.h"

#include <string>

#include "core/feature_keys/feature_keys_conformance.h"
#include "core/feature_keys/feature_world.h"
#include "core/memory/counters.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(Copied, FeatureKeysConformance, CopiedFeatureKeys);

TEST(CopiedFeatureKeys, MallocsTwentyTwoTimesForAPathOfSevenSlashes) {
  FeatureWorld<CopiedFeatureKeys> world;
  // Grown before, so that the table grows no more: 64 entries hold 32 keys and 16 more.
  world.Provide("/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/first.rb");
  const FeaturePosition position =
      world.Push("/home/user/src/ruby/benchmark/required/feature01.rb");
  const MemorySnapshot before = TakeSnapshot();
  world.keys().Add(world.features(), position);
  const MemorySnapshot cost = TakeSnapshot() - before;
  EXPECT_EQ(cost[Subsystem::kFeatures].malloc_calls, 16u);
  EXPECT_EQ(cost[Subsystem::kStrings].malloc_calls, 6u);
}

// The keys outlive what they were copied from.
TEST(CopiedFeatureKeys, NeedNoReferences) {
  FeatureWorld<CopiedFeatureKeys> world;
  world.Provide("/usr/lib/ruby/a_rather_long_name_of_a_feature.rb");
  int references = 0;
  world.keys().VisitReferences([&](Value) { ++references; });
  EXPECT_EQ(references, 0);
  world.CollectNow();
  EXPECT_EQ(world.Positions("a_rather_long_name_of_a_feature").size(), 1u);
}

}  // namespace
}  // namespace rubric
