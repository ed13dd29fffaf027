#include "backends/interning/khash/khash_interning.h"

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

INSTANTIATE_TYPED_TEST_SUITE_P(Khash, InterningConformance, InterningSubjects<KhashInterning>);

std::size_t BytesOf(std::size_t buckets) { return 40 + buckets * 16 + buckets / 4; }

TEST(KhashInterningTest, DoublesAt77PercentByOneReallocAndNewFlags) {
  NamedRecords<FstringRecord> names(/*plain=*/5'000);
  KhashInterning::Table<FstringRecord> table(0);
  EXPECT_EQ(table.memory_use().total(), 40u);
  const auto insert = [&](std::size_t i) {
    table.FindOrInsert(names.key(i), [&] { return names.record(i); });
  };
  for (std::size_t i = 0; i < 788; ++i) insert(i);
  EXPECT_EQ(table.memory_use().total(), BytesOf(1'024));
  const AllocatorCounters before = TakeSnapshot()[Subsystem::kInterning];
  insert(788);
  EXPECT_EQ(table.memory_use().total(), BytesOf(2'048));
  const AllocatorCounters after = TakeSnapshot()[Subsystem::kInterning];
  EXPECT_EQ(after.malloc_calls - before.malloc_calls, 2u);
  EXPECT_EQ(after.free_calls - before.free_calls, 2u);
}

TEST(KhashInterningTest, CleansDeletedBucketsInPlace) {
  NamedRecords<FstringRecord> names(/*plain=*/5'000);
  KhashInterning::Table<FstringRecord> table(0);
  // 300 live ones of 1,024 buckets, whoever they are: never a reason to double.
  for (std::size_t i = 0; i < 5'000; ++i) {
    table.FindOrInsert(names.key(i), [&] { return names.record(i); });
    if (i >= 300) table.Delete(names.key(i - 300));
  }
  EXPECT_EQ(table.size(), 300u);
  EXPECT_LE(table.memory_use().total(), BytesOf(1'024));
  table.CheckInvariants();
}

TEST(KhashInterningTest, ATableForAThousandTakesAThousand) {
  if constexpr (kHostile) GTEST_SKIP() << "the hostile build starts smaller";
  const KhashInterning::Table<FstringRecord> table(1'000);
  EXPECT_EQ(table.memory_use().total(), BytesOf(2'048));
  const KhashInterning::Table<FstringRecord> smaller(788);
  EXPECT_EQ(smaller.memory_use().total(), BytesOf(1'024));
  EXPECT_EQ(KhashInterning::Table<SymbolRecord>(788).memory_use().total(), 40u + 1'024 * 24 + 256);
}

}  // namespace
}  // namespace rubric
