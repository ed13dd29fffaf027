#include "backends/resurrect/shared/shared_resurrect.h"

#include <vector>

#include "core/memory/counters.h"
#include "core/object/array.h"
#include "core/object/array_sharing.h"
#include "core/object/array_test_heap.h"
#include "core/resurrect/resurrect_conformance.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(Shared, ResurrectConformance, SharedResurrect);

TEST(SharedResurrectTest, TheLiteralIsTheRootAndCountsItself) {
  ArrayTestHeap test_heap;
  HandleScope scope(test_heap.heap().roots());
  const std::vector<Value> elements(4, Value::True());
  RArray* literal = scope.Keep(NewArrayLiteral(test_heap.heap(), elements));
  EXPECT_FALSE(literal->Has(RBasic::kSharedRoot)) << "not before it is evaluated";
  const std::uint64_t slots = test_heap.heap().stats().total_allocated_slots;
  for (std::size_t evaluation = 1; evaluation <= 3; ++evaluation) {
    RArray* result =
        scope.Keep(SharedResurrect::Resurrect(test_heap.heap(), literal, test_heap.array_class()));
    EXPECT_EQ(result->heap.shared, literal);
    EXPECT_EQ(result->data(), literal->data());
    EXPECT_EQ(Occupants(literal), 1 + evaluation);
    EXPECT_EQ(test_heap.heap().stats().total_allocated_slots - slots, evaluation)
        << "no slot but the results'";
  }
}

}  // namespace
}  // namespace rubric
