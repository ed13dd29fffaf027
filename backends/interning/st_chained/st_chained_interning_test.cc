#include "backends/interning/st_chained/st_chained_interning.h"

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

INSTANTIATE_TYPED_TEST_SUITE_P(StChained, InterningConformance,
                               InterningSubjects<StChainedInterning>);

TEST(StChainedInterningTest, HasTheBytesAndCallsOfRubysFstringTable) {
  if constexpr (kHostile) GTEST_SKIP() << "the hostile build starts smaller";
  NamedRecords<FstringRecord> names(/*plain=*/5'000);
  const AllocatorCounters before = TakeSnapshot()[Subsystem::kInterning];
  StChainedInterning::Table<FstringRecord> table(1'000);
  EXPECT_EQ(table.memory_use().total(), 48u + 8 * 1'024);
  // As many as `ruby -e exit` of 2.4.0dev has: still 1,024 bins.
  for (std::size_t i = 0; i < 3'789; ++i) {
    table.FindOrInsert(names.key(i), [&] { return names.record(i); });
  }
  EXPECT_EQ(table.memory_use().total(), 48u + 8 * 1'024 + 48 * 3'789);
  const AllocatorCounters after = TakeSnapshot()[Subsystem::kInterning];
  EXPECT_EQ(after.malloc_calls - before.malloc_calls, 2u + 3'789);
  table.Delete(names.key(0));
  EXPECT_EQ(table.memory_use().total(), 48u + 8 * 1'024 + 48 * 3'788);
}

}  // namespace
}  // namespace rubric
