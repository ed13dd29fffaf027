#include "backends/resurrect/copying/copying_resurrect.h"

#include <vector>

#include "core/memory/counters.h"
#include "core/object/array.h"
#include "core/object/array_test_heap.h"
#include "core/resurrect/resurrect_conformance.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(Copying, ResurrectConformance, CopyingResurrect);

TEST(CopyingResurrectTest, TheLiteralNeverBecomesARoot) {
  ArrayTestHeap test_heap;
  HandleScope scope(test_heap.heap().roots());
  const std::vector<Value> elements(4, Value::True());
  RArray* literal = scope.Keep(NewArrayLiteral(test_heap.heap(), elements));
  RArray* result = CopyingResurrect::Resurrect(test_heap.heap(), literal, test_heap.array_class());
  EXPECT_FALSE(literal->Has(RBasic::kSharedRoot));
  EXPECT_FALSE(result->Has(RBasic::kShared));
  EXPECT_NE(result->data(), literal->data());
}

}  // namespace
}  // namespace rubric
