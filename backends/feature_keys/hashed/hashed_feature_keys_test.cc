#include "backends/feature_keys/hashed/hashed_feature_keys.h"

#include <random>
#include <string>

#include "core/base/keyed_hash.h"
#include "core/feature_keys/feature_keys_conformance.h"
#include "core/feature_keys/feature_test_paths.h"
#include "core/feature_keys/feature_world.h"
#include "core/memory/counters.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(Hashed, FeatureKeysConformance, HashedFeatureKeys);

// Eight sums for all keys: every record holds features that have no key in common.
struct EightHashSums {
  static std::uint64_t Of(std::string_view key, std::uint64_t seed) {
    return KeyedHash(key, seed) % 8;
  }
};
INSTANTIATE_TYPED_TEST_SUITE_P(HashedToEight, FeatureKeysConformance,
                               BasicHashedFeatureKeys<EightHashSums>);

// The length alone: the keys of one feature fall together as well.
struct LengthAsHashSum {
  static std::uint64_t Of(std::string_view key, std::uint64_t) { return key.size() / 4; }
};
INSTANTIATE_TYPED_TEST_SUITE_P(HashedToLength, FeatureKeysConformance,
                               BasicHashedFeatureKeys<LengthAsHashSum>);

// The sums that the table itself has another use for.
struct ExtremeHashSums {
  static std::uint64_t Of(std::string_view key, std::uint64_t seed) {
    const std::uint64_t sum = KeyedHash(key, seed);
    return sum % 4 == 0 ? ~std::uint64_t{0} : sum % 4 == 1 ? std::uint64_t{0} : sum;
  }
};
INSTANTIATE_TYPED_TEST_SUITE_P(HashedToExtremes, FeatureKeysConformance,
                               BasicHashedFeatureKeys<ExtremeHashSums>);

TEST(HashedFeatureKeys, MallocNothingButTheTable) {
  FeatureWorld<HashedFeatureKeys> world;
  world.Provide("/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/first.rb");
  const FeaturePosition position =
      world.Push("/home/user/src/ruby/benchmark/required/feature01.rb");
  const MemorySnapshot before = TakeSnapshot();
  world.keys().Add(world.features(), position);
  EXPECT_EQ((TakeSnapshot() - before).total.malloc_calls, 0u);
}

TEST(HashedFeatureKeys, SumsDoNotCollideInPractice) {
  FeatureWorld<HashedFeatureKeys> world;
  FeatureKeysOracle oracle;
  std::mt19937 rng(20260131);
  for (int i = 0; i < 20'000; ++i) {
    const std::string path = RandomPath(rng) + std::to_string(i);
    oracle.Add(path, world.Provide(path));
  }
  EXPECT_EQ(world.keys().key_count(), oracle.key_count());
}

// 6,000 keys of 6,000 bytes: a check that hashed them all for each would not end.
TEST(HashedFeatureKeys, ADeepPathIsCheckedInOneGo) {
  FeatureWorld<HashedFeatureKeys> world;
  std::string path;
  for (int i = 0; i < 3000; ++i) path += "/d";
  world.Provide(path + ".rb");
  EXPECT_EQ(world.keys().key_count(), 6002u);
  world.keys().CheckInvariants(world.features());
}

// One record for two features, which a lookup separates.
TEST(HashedFeatureKeys, CollidingKeysAreToldApart) {
  FeatureWorld<BasicHashedFeatureKeys<LengthAsHashSum>> world;
  world.Provide("/lib/abc.rb");
  world.Provide("/lib/xyz.rb");
  EXPECT_LT(world.keys().key_count(), 8u);
  EXPECT_EQ(world.Positions("abc"), std::vector<FeaturePosition>{0});
  EXPECT_EQ(world.Positions("xyz"), std::vector<FeaturePosition>{1});
  EXPECT_TRUE(world.Positions("pqr").empty());
}

}  // namespace
}  // namespace rubric
