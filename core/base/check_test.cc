#include "core/base/check.h"

#include "gtest/gtest.h"

namespace rubric {
namespace {

TEST(CheckDeathTest, NamesFileLineInvariantAndReason) {
  EXPECT_DEATH(RUBRIC_CHECK(1 + 1 == 3), "check_test.cc:[0-9]+: broken invariant: 1 \\+ 1 == 3");
  EXPECT_DEATH(RUBRIC_CHECK(false, "slot is free"), "broken invariant: false \\(slot is free\\)");
}

TEST(CheckTest, EvaluatesItsConditionOnce) {
  int evaluations = 0;
  RUBRIC_CHECK(++evaluations > 0);
  EXPECT_EQ(evaluations, 1);
}

TEST(CheckTest, DcheckRunsInCheckingBuildsOnly) {
  int evaluations = 0;
  RUBRIC_DCHECK(++evaluations > 0);
  EXPECT_EQ(evaluations, kDchecks ? 1 : 0);
}

}  // namespace
}  // namespace rubric
