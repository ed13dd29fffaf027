#include "core/table/id_table.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/memory_use.h"
#include "core/memory/counters.h"
#include "core/memory/subsystem.h"
#include "core/value/value.h"

namespace rubric {
namespace {

using Table = IdTable<Value, Subsystem::kClasses>;

static_assert(sizeof(Table) == sizeof(void*));

TEST(IdTableTest, HoldsNoMemoryWhileEmpty) {
  const AllocatorCounters before = TakeSnapshot()[Subsystem::kClasses];
  Table table;
  EXPECT_EQ(table.Find(Id{1}), nullptr);
  EXPECT_EQ(table.Remove(Id{1}), std::nullopt);
  table.ForEach([](Id, Value) { FAIL(); });
  table.CheckInvariants();
  EXPECT_EQ(table.memory_use(), MemoryUse{});
  EXPECT_EQ(TakeSnapshot()[Subsystem::kClasses], before);
}

TEST(IdTableTest, SetFindsRemoves) {
  Table table;
  for (std::uint64_t n = 1; n <= 50; ++n) {
    EXPECT_TRUE(table.Set(Id{n}, Value::Fixnum(static_cast<std::int64_t>(n))));
  }
  EXPECT_FALSE(table.Set(Id{7}, Value::True()));
  EXPECT_EQ(table.size(), 50u);
  EXPECT_EQ(*table.Find(Id{7}), Value::True());
  EXPECT_EQ(table.Remove(Id{7}), Value::True());
  EXPECT_EQ(table.Find(Id{7}), nullptr);
  EXPECT_EQ(table.Remove(Id{7}), std::nullopt);
  *table.Find(Id{8}) = Value::Nil();
  EXPECT_TRUE(table.Find(Id{8})->IsNil());
  table.CheckInvariants();
}

TEST(IdTableTest, KeepsTheOrderOfFirstSetting) {
  Table table;
  for (const std::uint64_t n : {9, 3, 7, 3, 1, 9}) table.Set(Id{n}, Value::Nil());
  std::vector<std::uint64_t> names;
  table.ForEach([&](Id name, Value) { names.push_back(name.number); });
  EXPECT_EQ(names, (std::vector<std::uint64_t>{9, 3, 7, 1}));
}

TEST(IdTableTest, ClearGivesTheMemoryBack) {
  const std::int64_t live_before = TakeSnapshot()[Subsystem::kClasses].live_bytes;
  Table table;
  for (std::uint64_t n = 1; n <= 20; ++n) table.Set(Id{n}, Value::Nil());
  EXPECT_GT(table.memory_use().total(), 0u);
  table.Clear();
  EXPECT_TRUE(table.empty());
  EXPECT_EQ(TakeSnapshot()[Subsystem::kClasses].live_bytes, live_before);
  table.Set(Id{2}, Value::Nil());
  EXPECT_EQ(table.size(), 1u);
}

}  // namespace
}  // namespace rubric
