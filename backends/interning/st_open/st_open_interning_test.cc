#include "backends/interning/st_open/st_open_interning.h"

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

INSTANTIATE_TYPED_TEST_SUITE_P(StOpen, InterningConformance, InterningSubjects<StOpenInterning>);

TEST(StOpenInterningTest, HasTheBytesAndCallsOfRubysFstringTable) {
  if constexpr (kHostile) GTEST_SKIP() << "the hostile build starts smaller";
  NamedRecords<FstringRecord> names(/*plain=*/5'000);
  const AllocatorCounters before = TakeSnapshot()[Subsystem::kInterning];
  StOpenInterning::Table<FstringRecord> table(1'000);
  EXPECT_EQ(table.memory_use().total(), 28'736u);
  // As many as `ruby -e exit` of 2.4.0dev has: 4,096 entries.
  for (std::size_t i = 0; i < 3'797; ++i) {
    table.FindOrInsert(names.key(i), [&] { return names.record(i); });
  }
  EXPECT_EQ(table.memory_use().total(), 114'752u);
  const AllocatorCounters after = TakeSnapshot()[Subsystem::kInterning];
  EXPECT_EQ(after.malloc_calls - before.malloc_calls, 3u + 2 * 3);  // made, and doubled twice
}

}  // namespace
}  // namespace rubric
