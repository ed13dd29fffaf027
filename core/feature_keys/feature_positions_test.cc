#include "core/feature_keys/feature_positions.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/memory/counters.h"

namespace rubric {
namespace {

std::vector<FeaturePosition> Elements(const FeaturePositions& positions) {
  std::vector<FeaturePosition> elements;
  positions.ForEach([&](FeaturePosition position) {
    elements.push_back(position);
    return true;
  });
  return elements;
}

TEST(FeaturePositions, OneIsInTheWord) {
  const std::uint64_t calls = TakeSnapshot().total.malloc_calls;
  for (FeaturePosition position : {FeaturePosition{0}, FeaturePosition{1}, FeaturePosition{~0u}}) {
    const FeaturePositions one = FeaturePositions::One(position);
    EXPECT_EQ(one.size(), 1u);
    EXPECT_EQ(one.last(), position);
    EXPECT_EQ(one.memory_use().total(), 0u);
    EXPECT_EQ(Elements(one), std::vector<FeaturePosition>{position});
  }
  EXPECT_EQ(TakeSnapshot().total.malloc_calls, calls);
}

// 40 bytes for the second, then buffers of 20, 37, 56, 85, 128 positions, as arrays grow in Ruby.
TEST(FeaturePositions, ListsGrowAsArraysDo) {
  const MemorySnapshot before = TakeSnapshot();
  FeaturePositions positions = FeaturePositions::One(0);
  std::vector<std::size_t> sizes;  // lengths at which memory changed
  std::vector<std::size_t> bytes;  // held from there on
  std::vector<FeaturePosition> expected = {0};
  for (FeaturePosition position = 1; position < 129; ++position) {
    const std::size_t held = positions.memory_use().total();
    positions.Append(position * 3);
    expected.push_back(position * 3);
    if (positions.memory_use().total() == held) continue;
    sizes.push_back(positions.size());
    bytes.push_back(positions.memory_use().total());
  }
  EXPECT_EQ(sizes, (std::vector<std::size_t>{2, 4, 21, 38, 57, 86, 129}));
  EXPECT_EQ(bytes, (std::vector<std::size_t>{40, 40 + 160, 40 + 8 * 37, 40 + 8 * 56, 40 + 8 * 85,
                                             40 + 8 * 128, 40 + 8 * 193}));
  EXPECT_EQ(Elements(positions), expected);
  EXPECT_EQ((TakeSnapshot() - before)[Subsystem::kFeatures].malloc_calls, 7u);
  positions.Free();
  EXPECT_EQ((TakeSnapshot() - before).total.live_bytes, 0);
}

TEST(FeaturePositions, TheLastOneIsNotAddedTwice) {
  FeaturePositions positions = FeaturePositions::One(5);
  positions.Append(5);
  EXPECT_EQ(positions.size(), 1u);
  positions.Append(9);
  positions.Append(9);
  EXPECT_EQ(Elements(positions), (std::vector<FeaturePosition>{5, 9}));
  positions.CheckInvariants(10);
  positions.Free();
}

TEST(FeaturePositionsDeathTest, APositionBeyondTheArrayIsFound) {
  EXPECT_DEATH(FeaturePositions::One(3).CheckInvariants(3), "within the array");
}

}  // namespace
}  // namespace rubric
