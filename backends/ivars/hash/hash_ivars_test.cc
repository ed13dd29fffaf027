#include "backends/ivars/hash/hash_ivars.h"

#include "core/base/build_mode.h"
#include "core/ivars/ivars_conformance.h"
#include "core/ivars/test_objects.h"
#include "core/memory/counters.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(Hash, IvarsConformance, HashIvars);

TEST(HashIvarsTest, LastRemoveGivesTheTableBack) {
  TestObjects objects(1);
  HashIvars storage;
  RBasic* kept = objects.New(0);
  storage.Set(kept, Name(0), Value::True());
  const std::size_t before = storage.memory_use().total();
  RBasic* object = objects.New(0);
  for (std::size_t n = 0; n < 9; ++n) storage.Set(object, Name(n), Value::True());
  for (std::size_t n = 0; n < 9; ++n) {
    EXPECT_TRUE(object->Has(RBasic::kExivar));
    storage.Remove(object, Name(n));
  }
  EXPECT_FALSE(object->Has(RBasic::kExivar));
  EXPECT_EQ(storage.object_count(), 1u);
  if constexpr (!kHostile) {  // there, the global table has left its packed form
    EXPECT_EQ(storage.memory_use().total(), before);
  }
}

TEST(HashIvarsTest, ClassesAreLeftAlone) {
  TestObjects objects(1);
  HashIvars storage;
  storage.Set(objects.New(0), Name(0), Value::True());
  EXPECT_EQ(objects.extension(0).ivar_index.size(), 0u);
}

TEST(HashIvarsTest, ACopyIsAsLargeAsItsIvarsNeed) {
  if constexpr (kHostile) GTEST_SKIP() << "tables have other sizes";
  TestObjects objects(1);
  HashIvars storage;
  RBasic* from = objects.New(0);
  for (std::size_t n = 0; n < 7; ++n) storage.Set(from, Name(n), Value::True());
  storage.Remove(from, Name(3));
  RBasic* to = objects.New(0);
  storage.Copy(from, to);
  EXPECT_EQ(storage.Memsize(from), 464u) << "bins, once made, stay";
  EXPECT_EQ(storage.Memsize(to), 192u) << "packed again";
}

}  // namespace
}  // namespace rubric
