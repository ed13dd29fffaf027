#include "backends/interning/swiss/swiss_interning.h"

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

INSTANTIATE_TYPED_TEST_SUITE_P(Swiss, InterningConformance, InterningSubjects<SwissInterning>);

TEST(SwissInterningTest, DoublesAtSevenEighths) {
  NamedRecords<FstringRecord> names(/*plain=*/5'000);
  SwissInterning::Table<FstringRecord> table(0);
  EXPECT_EQ(table.memory_use().total(), 0u);
  for (std::size_t i = 0; i < 896; ++i) {
    table.FindOrInsert(names.key(i), [&] { return names.record(i); });
  }
  EXPECT_EQ(table.memory_use().total(), 1'023u * 16 + 1'040);
  table.FindOrInsert(names.key(896), [&] { return names.record(896); });
  EXPECT_EQ(table.memory_use().total(), 2'047u * 16 + 2'064);
}

TEST(SwissInterningTest, ATableForAThousandTakesAThousand) {
  if constexpr (kHostile) GTEST_SKIP() << "the hostile build starts smaller";
  EXPECT_EQ(SwissInterning::Table<FstringRecord>(1'000).memory_use().total(), 2'047u * 16 + 2'064);
  EXPECT_EQ(SwissInterning::Table<SymbolRecord>(1'000).memory_use().total(), 2'047u * 24 + 2'064);
}

// The library lets a block's address have a say in where a record lies. What is allocated must not
// differ between processes all the same: blocks at many addresses stand for many processes.
TEST(SwissInterningTest, AllocatesAlikeAtEveryAddress) {
  NamedRecords<FstringRecord> names(/*plain=*/5'000);
  std::vector<std::vector<char>> displaced;
  std::vector<AllocatorCounters> counters;
  for (std::size_t run = 0; run < 40; ++run) {
    displaced.emplace_back(4'096 * (run + 1));
    const MemorySnapshot before = TakeSnapshot();
    SwissInterning::Table<FstringRecord> table(1'000);
    const auto insert_from = [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        table.FindOrInsert(names.key(i), [&] { return names.record(i); });
      }
    };
    // Grow, sweep a third, grow again, sweep most of it.
    insert_from(0, 3'000);
    table.EraseIf([&](const FstringRecord& r) { return names.NumberOf(r) % 3 == 0; });
    insert_from(0, 5'000);
    table.EraseIf([&](const FstringRecord& r) { return names.NumberOf(r) % 8 != 0; });
    insert_from(0, 1'000);
    counters.push_back((TakeSnapshot() - before)[Subsystem::kInterning]);
    counters.back().peak_bytes = 0;  // restarts are the process's, not the table's
  }
  for (const AllocatorCounters& run : counters) {
    EXPECT_EQ(run.malloc_calls, counters[0].malloc_calls);
    EXPECT_EQ(run.bytes_requested, counters[0].bytes_requested);
  }
}

}  // namespace
}  // namespace rubric
