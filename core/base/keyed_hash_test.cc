#include "core/base/keyed_hash.h"

#include <bit>
#include <random>
#include <set>
#include <string>

#include "gtest/gtest.h"

namespace rubric {
namespace {

TEST(KeyedHashTest, DependsOnEveryByteLengthAndSeed) {
  const std::string base(40, 'a');
  for (std::size_t length = 0; length <= base.size(); ++length) {
    const std::string_view prefix(base.data(), length);
    const std::uint64_t hash = KeyedHash(prefix, 1);
    EXPECT_EQ(hash, KeyedHash(std::string(prefix), 1));
    EXPECT_NE(hash, KeyedHash(prefix, 2));
    for (std::size_t i = 0; i < length; ++i) {
      std::string other(prefix);
      other[i] ^= 1;
      EXPECT_NE(hash, KeyedHash(other, 1)) << length << " " << i;
    }
    EXPECT_NE(hash, KeyedHash(std::string(prefix) + '\0', 1));
  }
}

TEST(KeyedHashTest, SpreadsConsecutiveNamesOverLowAndHighBits) {
  std::set<std::uint64_t> low, high;
  for (int i = 0; i < 4096; ++i) {
    const std::uint64_t hash = KeyedHash("key" + std::to_string(i), kDefaultHashSeed);
    low.insert(hash & 0xffff);
    high.insert(hash >> 48);
  }
  // 4,096 balls in 65,536 bins leave about 3,970 bins used; 3,850 is some ten deviations below.
  EXPECT_GT(low.size(), 3850u);
  EXPECT_GT(high.size(), 3850u);
}

TEST(KeyedHashTest, AFlippedInputBitFlipsHalfTheOutput) {
  std::mt19937_64 rng(20180214);
  double flipped = 0;
  const int rounds = 4000;
  for (int i = 0; i < rounds; ++i) {
    std::string bytes(1 + rng() % 32, '\0');
    for (char& c : bytes) c = static_cast<char>(rng());
    const std::uint64_t before = KeyedHash(bytes, 7);
    bytes[rng() % bytes.size()] ^= static_cast<char>(1 << rng() % 8);
    flipped += std::popcount(before ^ KeyedHash(bytes, 7));
  }
  EXPECT_NEAR(flipped / rounds, 32.0, 1.0);
}

}  // namespace
}  // namespace rubric
