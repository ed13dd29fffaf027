#include "experiments/suite/estimate.h"

#include <gtest/gtest.h>

#include <string>

#include "experiments/suite/testing/sample_plan.h"
#include "reports/results/record.h"

namespace rubric {
namespace {

Step Timed(int cell) { return {0, std::string(kTimePass), 0, cell, 0}; }
Step Logged(int cell) { return {0, std::string(kLogPass), 0, cell, 0}; }

TEST(EstimateTest, StartsFromTheGuesses) {
  const Estimate estimate(SamplePlan());
  EXPECT_DOUBLE_EQ(estimate.SecondsOf(Timed(0)), 2.0);
  EXPECT_DOUBLE_EQ(estimate.SecondsOf(Timed(1)), 1.0);
  EXPECT_DOUBLE_EQ(estimate.SecondsOf(Logged(0)), 2.0 * PassFactor(kLogPass));
}

TEST(EstimateTest, AveragesWhatACellTook) {
  Estimate estimate(SamplePlan());
  estimate.Observe(Timed(0), 3.0);
  estimate.Observe(Timed(0), 5.0);
  EXPECT_DOUBLE_EQ(estimate.SecondsOf(Timed(0)), 4.0);
}

TEST(EstimateTest, CorrectsGuessesOfThePassByWhatWasSeenInIt) {
  Estimate estimate(SamplePlan());
  estimate.Observe(Timed(0), 4.0);  // twice the guess
  EXPECT_DOUBLE_EQ(estimate.SecondsOf(Timed(1)), 2.0);
  EXPECT_DOUBLE_EQ(estimate.SecondsOf(Logged(1)), 1.0 * PassFactor(kLogPass));
}

TEST(EstimateTest, ValgrindTakesLonger) {
  EXPECT_GT(PassFactor(kMassifPass), 10);
  EXPECT_GT(PassFactor(kInstructionsPass), 10);
  EXPECT_EQ(PassFactor(kTimePass), 1);
}

TEST(DurationTest, ReadsWell) {
  EXPECT_EQ(DurationText(0), "0 s");
  EXPECT_EQ(DurationText(-3), "0 s");
  EXPECT_EQ(DurationText(59.4), "59 s");
  EXPECT_EQ(DurationText(59.6), "1 min 00 s");
  EXPECT_EQ(DurationText(125), "2 min 05 s");
  EXPECT_EQ(DurationText(4200), "1 h 10 min");
}

}  // namespace
}  // namespace rubric
