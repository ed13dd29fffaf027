#include "core/object/ivar_index.h"

#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "core/base/build_mode.h"
#include "core/memory/counters.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

std::int64_t ClassBytesAsked() {
  return static_cast<std::int64_t>(TakeSnapshot()[Subsystem::kClasses].bytes_requested);
}

TEST(IvarIndexTest, CostsNothingWhileEmpty) {
  const MemorySnapshot before = TakeSnapshot();
  IvarIndex names;
  EXPECT_EQ(names.Find(Id{7}), std::nullopt);
  EXPECT_EQ(names.size(), 0u);
  EXPECT_EQ(names.memory_use(), MemoryUse{});
  names.ForEach([](Id, std::uint32_t) { FAIL() << "there is nothing to visit"; });
  names.CheckInvariants();
  EXPECT_EQ((TakeSnapshot() - before).total.malloc_calls, 0u);
}

TEST(IvarIndexTest, NumbersNamesInTheOrderInWhichTheyCome) {
  IvarIndex names;
  for (std::uint32_t i = 0; i < 100; ++i) {
    const Id name{1'000'003 * (i + 1)};
    const IvarIndex::Addition first = names.FindOrAdd(name);
    EXPECT_EQ(first.index, i);
    EXPECT_TRUE(first.added);
    const IvarIndex::Addition second = names.FindOrAdd(name);
    EXPECT_EQ(second.index, i);
    EXPECT_FALSE(second.added);
    EXPECT_EQ(names.Find(name), i);
    names.CheckInvariants();
  }
  EXPECT_EQ(names.size(), 100u);
  std::uint32_t next = 0;
  names.ForEach([&](Id name, std::uint32_t index) {
    EXPECT_EQ(index, next++);
    EXPECT_EQ(name, Id{1'000'003 * (index + 1)});
  });
  EXPECT_EQ(next, 100u);
}

TEST(IvarIndexTest, HoldsTheBytesOfAChainedTable) {
  if constexpr (kHostile) GTEST_SKIP() << "tables have other sizes";
  const std::int64_t before = TakeSnapshot()[Subsystem::kClasses].live_bytes;
  {
    IvarIndex names;
    const std::int64_t asked = ClassBytesAsked();
    names.FindOrAdd(Id{1});
    EXPECT_EQ(ClassBytesAsked() - asked, 192);
    for (std::uint64_t i = 2; i <= 6; ++i) names.FindOrAdd(Id{i});
    EXPECT_EQ(names.memory_use().total(), 192u);
    names.FindOrAdd(Id{7});
    EXPECT_EQ(names.memory_use().total(), 512u);
  }
  EXPECT_EQ(TakeSnapshot()[Subsystem::kClasses].live_bytes, before);
}

// Calibration, section 4: slots as ivars are added to the first object of a class.
TEST(IvarIndexTest, GrowsByAQuarterForNewNames) {
  IvarIndex names;
  const std::vector<std::size_t> expected = {1,  2,  3,  5,  6,  7,  8,  10, 11,
                                             12, 13, 15, 16, 17, 18, 20, 21};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(names.GrownSlots(names.FindOrAdd(Id{i + 1})), expected[i]) << "name " << i + 1;
  }
}

TEST(IvarIndexTest, GrowsNoFurtherThanTheKnownNamesForOldOnes) {
  IvarIndex names;
  for (std::uint64_t i = 1; i <= 16; ++i) names.FindOrAdd(Id{i});
  EXPECT_EQ(names.GrownSlots(names.FindOrAdd(Id{4})), 5u);
  EXPECT_EQ(names.GrownSlots(names.FindOrAdd(Id{14})), 16u) << "17 otherwise";
  EXPECT_EQ(names.GrownSlots(names.FindOrAdd(Id{16})), 16u);
  EXPECT_EQ(names.GrownSlots(names.FindOrAdd(Id{17})), 21u);
}

TEST(IvarIndexTest, AgreesWithAModelOnRandomNames) {
  constexpr unsigned kSeed = 20260131;
  SCOPED_TRACE(kSeed);
  std::mt19937_64 rng(kSeed);
  IvarIndex names;
  std::map<std::uint64_t, std::uint32_t> model;
  for (int step = 0; step < 100'000; ++step) {
    // Dense IDs, as symbols have, and wild ones.
    const Id name{rng() % 2 == 0 ? rng() % 5'000 : rng() % 5'000 << 40};
    const auto found = model.find(name.number);
    const std::optional<std::uint32_t> expected =
        found == model.end() ? std::nullopt : std::optional(found->second);
    ASSERT_EQ(names.Find(name), expected) << "step " << step;
    if (rng() % 2 == 0) continue;
    const auto [entry, added] =
        model.try_emplace(name.number, static_cast<std::uint32_t>(model.size()));
    const IvarIndex::Addition addition = names.FindOrAdd(name);
    ASSERT_EQ(addition.index, entry->second) << "step " << step;
    ASSERT_EQ(addition.added, added) << "step " << step;
  }
  names.CheckInvariants();
  EXPECT_EQ(names.size(), model.size());
}

}  // namespace
}  // namespace rubric
