#include "backends/ivars/index/index_ivars.h"

#include "core/ivars/ivars_conformance.h"
#include "core/ivars/test_objects.h"
#include "core/memory/counters.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(Index, IvarsConformance, IndexIvars);

TEST(IndexIvarsTest, AnObjectPaysForTheNamesOfItsClass) {
  TestObjects objects(2);
  IndexIvars storage;
  RBasic* first = objects.New(0);
  for (std::size_t n = 0; n < 100; ++n) storage.Set(first, Name(n), Value::True());
  RBasic* later = objects.New(0);
  storage.Set(later, Name(99), Value::True());
  EXPECT_EQ(storage.Count(later), 1u);
  EXPECT_EQ(storage.Memsize(later), 8u + 8 * 100) << "cut to the 100 names there are";
  RBasic* of_another_class = objects.New(1);
  storage.Set(of_another_class, Name(99), Value::True());
  EXPECT_EQ(storage.Memsize(of_another_class), 16u);
}

TEST(IndexIvarsTest, RemovingKeepsTheBlockAndTheFlag) {
  TestObjects objects(1);
  IndexIvars storage;
  RBasic* object = objects.New(0);
  storage.Set(object, Name(0), Value::True());
  const MemorySnapshot before = TakeSnapshot();
  EXPECT_EQ(storage.Remove(object, Name(0)), Value::True());
  EXPECT_TRUE(object->Has(RBasic::kExivar));
  EXPECT_EQ(storage.object_count(), 1u);
  storage.Set(object, Name(0), Value::True());
  EXPECT_EQ((TakeSnapshot() - before).total.malloc_calls, 0u);
}

TEST(IndexIvarsTest, ACopyHasTheSlotsOfItsOriginal) {
  TestObjects objects(2);
  IndexIvars storage;
  RBasic* from = objects.New(0);
  for (std::size_t n = 0; n < 4; ++n) storage.Set(from, Name(n), Value::True());
  RBasic* to = objects.New(0);
  RBasic* elsewhere = objects.New(1);
  storage.Copy(from, to);
  storage.Copy(from, elsewhere);
  EXPECT_EQ(storage.Memsize(to), storage.Memsize(from));
  EXPECT_EQ(objects.extension(1).ivar_index.size(), 4u) << "another class learns the names";
}

TEST(IndexIvarsTest, AskingTeachesTheClassNoNames) {
  TestObjects objects(1);
  IndexIvars storage;
  RBasic* object = objects.New(0);
  storage.Set(object, Name(0), Value::True());
  storage.Get(object, Name(1));
  storage.Remove(object, Name(2));
  EXPECT_EQ(objects.extension(0).ivar_index.size(), 1u);
}

}  // namespace
}  // namespace rubric
