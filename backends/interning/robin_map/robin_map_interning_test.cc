#include "backends/interning/robin_map/robin_map_interning.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/build_mode.h"
#include "core/interning/interning.h"
#include "core/interning/interning_conformance.h"
#include "core/interning/test_names.h"
#include "core/memory/counters.h"
#include "core/memory/subsystem.h"

namespace rubric {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(RobinMap, InterningConformance,
                               InterningSubjects<RobinMapInterning>);

TEST(RobinMapInterningTest, DoublesAtHalf) {
  NamedRecords<FstringRecord> names(/*plain=*/5'000);
  RobinMapInterning::Table<FstringRecord> table(0);
  EXPECT_EQ(table.memory_use().total(), 0u);
  for (std::size_t i = 0; i < 512; ++i) {
    table.FindOrInsert(names.key(i), [&] { return names.record(i); });
  }
  EXPECT_EQ(table.memory_use().total(), 1'024u * 24);
  table.FindOrInsert(names.key(512), [&] { return names.record(512); });
  EXPECT_EQ(table.memory_use().total(), 2'048u * 24);
}

TEST(RobinMapInterningTest, ATableForAThousandTakesAThousand) {
  if constexpr (kHostile) GTEST_SKIP() << "the hostile build starts smaller";
  EXPECT_EQ(RobinMapInterning::Table<FstringRecord>(1'000).memory_use().total(), 2'048u * 24);
  EXPECT_EQ(RobinMapInterning::Table<SymbolRecord>(1'000).memory_use().total(), 2'048u * 32);
}

// A run of buckets that goes over the end of the array: an erase near the end shifts those at its
// start back to the end, where a sweep comes by once more.
TEST(RobinMapInterningTest, ASweepOverTheEndOfTheArrayAsksOnce) {
  constexpr std::uint64_t kLastBucket = 63;  // of the 64 that 32 records need
  TestStrings strings;
  std::vector<TestName> names;
  for (int i = 0; i < 32; ++i) {
    names.push_back({"n" + std::to_string(i), Encoding::kUtf8, kLastBucket - (i % 3)});
  }
  for (int kept_of_four = 0; kept_of_four <= 4; ++kept_of_four) {
    RobinMapInterning::Table<SymbolRecord> table(32);
    for (std::size_t i = 0; i < names.size(); ++i) {
      table.FindOrInsert(names[i].key(),
                         [&] { return RecordFor<SymbolRecord>(strings.New(names[i].bytes), i); });
    }
    std::vector<int> asked(names.size());
    table.EraseIf([&](const SymbolRecord& record) {
      const std::uint64_t number = record.symbol.AsStaticSymbol().number;
      ++asked[number];
      return static_cast<int>(number % 4) >= kept_of_four;
    });
    EXPECT_EQ(asked, std::vector<int>(names.size(), 1));
    EXPECT_EQ(table.size(), 8u * kept_of_four);
    table.CheckInvariants();
  }
}

}  // namespace
}  // namespace rubric
