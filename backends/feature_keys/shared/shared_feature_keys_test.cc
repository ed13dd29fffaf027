#include "backends/feature_keys/shared/shared_feature_keys.h"

#include <string>
#include <vector>

#include "core/feature_keys/feature_keys_conformance.h"
#include "core/feature_keys/feature_world.h"
#include "core/memory/counters.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(Shared, FeatureKeysConformance, SharedFeatureKeys);

TEST(SharedFeatureKeys, MallocOnceForAPathOfSevenSlashes) {
  FeatureWorld<SharedFeatureKeys> world;
  world.Provide("/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/first.rb");
  world.Provide("/a_first_long_path/without/extension");
  world.Provide("/second.rb");  // the list of stems has grown to 2
  world.Provide("/third.rb");   // and to 4
  const FeaturePosition position =
      world.Push("/home/user/src/ruby/benchmark/required/feature01.rb");
  const MemorySnapshot before = TakeSnapshot();
  world.keys().Add(world.features(), position);
  const MemorySnapshot cost = TakeSnapshot() - before;
  EXPECT_EQ(cost[Subsystem::kFeatures].malloc_calls, 0u);
  EXPECT_EQ(cost[Subsystem::kStrings].malloc_calls, 1u);
}

TEST(SharedFeatureKeys, KeepsTheStemsOfFeaturesWithExtension) {
  FeatureWorld<SharedFeatureKeys> world;
  world.Provide("/lib/set.rb");
  world.Provide("/bin/plain");
  world.Provide("enumerator.so");
  std::vector<std::string> stems;
  world.keys().VisitReferences([&](Value v) {
    const RString* stem = As<RString>(v);
    EXPECT_TRUE(stem->frozen() && stem->Has(RBasic::kHidden));
    stems.emplace_back(stem->bytes());
  });
  EXPECT_EQ(stems, (std::vector<std::string>{"/lib/set", "enumerator"}));
  world.Clear();
  world.keys().VisitReferences([&](Value) { ADD_FAILURE() << "a stem was left"; });
}

}  // namespace
}  // namespace rubric
