#include <cmath>
#include <random>
#include <vector>

#include "gtest/gtest.h"
#include "reports/stats/ratio.h"
#include "reports/stats/summary.h"

namespace rubric {
namespace {

TEST(SummaryTest, OfOneValueIsThatValue) {
  const Summary summary = Summarize({7});
  EXPECT_EQ(summary.count, 1u);
  EXPECT_EQ(summary.min, 7);
  EXPECT_EQ(summary.q1, 7);
  EXPECT_EQ(summary.median, 7);
  EXPECT_EQ(summary.q3, 7);
  EXPECT_EQ(summary.max, 7);
  EXPECT_EQ(summary.relative_spread(), 0);
}

TEST(SummaryTest, AgreesWithTypeSevenQuantiles) {
  // In R: quantile(c(1, 2, 4, 8, 16, 32), type = 7) gives 1, 2.5, 6, 14, 32.
  const Summary summary = Summarize({32, 1, 16, 2, 8, 4});
  EXPECT_DOUBLE_EQ(summary.q1, 2.5);
  EXPECT_DOUBLE_EQ(summary.median, 6);
  EXPECT_DOUBLE_EQ(summary.q3, 14);
  EXPECT_DOUBLE_EQ(summary.relative_spread(), 11.5 / 2 / 6);
}

TEST(SummaryTest, OneWildValueDoesNotMoveTheMedian) {
  EXPECT_DOUBLE_EQ(Summarize({1, 1.1, 0.9, 1, 1000}).median, 1);
}

TEST(GeometricMeanTest, OfReciprocalsIsOne) {
  EXPECT_DOUBLE_EQ(GeometricMean({0.5, 2}), 1);
  EXPECT_DOUBLE_EQ(GeometricMean({2, 8}), 4);
}

// The critical values of the two-sided Mann-Whitney test at 5 %, as printed in textbooks (0, 1, 2,
// 5, 8, 13, 17, 23 for n = m = 4 to 10, …), plus one: U at most that value rejects.
TEST(PairwiseIntervalRankTest, AgreesWithTheTablesOfMannAndWhitney) {
  EXPECT_EQ(PairwiseIntervalRank(3, 3, 0.95), 0u);
  EXPECT_EQ(PairwiseIntervalRank(4, 4, 0.95), 1u);
  EXPECT_EQ(PairwiseIntervalRank(5, 5, 0.95), 3u);
  EXPECT_EQ(PairwiseIntervalRank(6, 6, 0.95), 6u);
  EXPECT_EQ(PairwiseIntervalRank(7, 7, 0.95), 9u);
  EXPECT_EQ(PairwiseIntervalRank(8, 8, 0.95), 14u);
  EXPECT_EQ(PairwiseIntervalRank(10, 10, 0.95), 24u);
  EXPECT_EQ(PairwiseIntervalRank(20, 20, 0.95), 128u);
  EXPECT_EQ(PairwiseIntervalRank(3, 5, 0.95), 1u);
  EXPECT_EQ(PairwiseIntervalRank(5, 10, 0.95), 9u);
  EXPECT_EQ(PairwiseIntervalRank(0, 10, 0.95), 0u);
  EXPECT_EQ(PairwiseIntervalRank(5, 5, 0.99), 1u);
}

TEST(PairwiseIntervalRankTest, IsSymmetricAndContinuousWhereTheMethodChanges) {
  for (std::size_t n = 1; n <= 12; ++n) {
    for (std::size_t m = 1; m <= 12; ++m) {
      EXPECT_EQ(PairwiseIntervalRank(n, m, 0.95), PairwiseIntervalRank(m, n, 0.95));
    }
  }
  const double exact = static_cast<double>(PairwiseIntervalRank(40, 40, 0.95));
  const double normal = static_cast<double>(PairwiseIntervalRank(41, 41, 0.95));
  EXPECT_NEAR(normal / exact, 41.0 * 41 / 40 / 40, 0.02);
}

TEST(EstimateRatioTest, OfAFactorIsThatFactor) {
  const std::vector<double> baseline = {1.00, 1.01, 1.02, 0.99, 0.98};
  std::vector<double> twice;
  for (const double value : baseline) twice.push_back(2 * value);
  const auto estimate = EstimateRatio(baseline, twice);
  ASSERT_TRUE(estimate.has_value());
  EXPECT_NEAR(estimate->ratio, 2, 1e-12);
  ASSERT_TRUE(estimate->interval.has_value());
  EXPECT_TRUE(estimate->interval->excludes_one());
  EXPECT_LE(estimate->interval->low, 2);
  EXPECT_GE(estimate->interval->high, 2);
}

TEST(EstimateRatioTest, OfEqualSamplesIsOneAndSaysNothing) {
  const std::vector<double> sample = {1.0, 1.1, 0.9, 1.05, 0.95};
  const auto estimate = EstimateRatio(sample, sample);
  ASSERT_TRUE(estimate.has_value());
  EXPECT_DOUBLE_EQ(estimate->ratio, 1);
  EXPECT_FALSE(estimate->interval->excludes_one());
}

TEST(EstimateRatioTest, HasNoIntervalFromThreeProcesses) {
  const auto estimate = EstimateRatio({1, 1, 1}, {3, 3, 3});
  ASSERT_TRUE(estimate.has_value());
  EXPECT_DOUBLE_EQ(estimate->ratio, 3);
  EXPECT_FALSE(estimate->interval.has_value());
}

TEST(EstimateRatioTest, NeedsFiguresAboveZero) {
  EXPECT_FALSE(EstimateRatio({}, {1}).has_value());
  EXPECT_FALSE(EstimateRatio({1}, {}).has_value());
  EXPECT_FALSE(EstimateRatio({1, 0}, {1, 1}).has_value());
  EXPECT_FALSE(EstimateRatio({1, 1}, {1, -1}).has_value());
}

TEST(EstimateDifferenceTest, IsThereWhereARatioIsNot) {
  const std::vector<double> none(5, 0);
  const std::vector<double> some = {0.5, 0.4, 0.6, 0.5, 0.45};
  const auto more = EstimateDifference(none, some);
  ASSERT_TRUE(more.has_value());
  EXPECT_DOUBLE_EQ(more->difference, 0.5);
  EXPECT_GT(more->interval->low, 0);
  const auto less = EstimateDifference(some, none);
  EXPECT_DOUBLE_EQ(less->difference, -more->difference);
  EXPECT_DOUBLE_EQ(less->interval->high, -more->interval->low);
  // One process of five does not make a difference; nor do three processes.
  const auto chance = EstimateDifference(none, {0, 0, 0.5, 0, 0});
  EXPECT_LE(chance->interval->low, 0);
  EXPECT_FALSE(EstimateDifference({0, 0, 0}, {1, 1, 1})->interval.has_value());
  EXPECT_FALSE(EstimateDifference({}, {1}).has_value());
}

TEST(EstimateRatioTest, TurnedAroundIsTheReciprocal) {
  std::mt19937_64 random(20260131);
  std::lognormal_distribution<double> draw(0, 0.3);
  for (int repeat = 0; repeat < 200; ++repeat) {
    std::vector<double> a(4 + repeat % 9);
    std::vector<double> b(4 + repeat % 7);
    for (double& value : a) value = draw(random);
    for (double& value : b) value = draw(random);
    const auto there = EstimateRatio(a, b);
    const auto back = EstimateRatio(b, a);
    ASSERT_NEAR(there->ratio * back->ratio, 1, 1e-9);
    ASSERT_NEAR(there->interval->low * back->interval->high, 1, 1e-9);
    ASSERT_LE(there->interval->low, there->ratio);
    ASSERT_GE(there->interval->high, there->ratio);
  }
}

// The promise of the header, on a skewed distribution with a heavy tail, as times have one.
TEST(EstimateRatioTest, CoversTheTruthAsOftenAsItSays) {
  std::mt19937_64 random(11170);
  std::lognormal_distribution<double> draw(0, 0.5);
  constexpr int kExperiments = 4000;
  constexpr double kTruth = 1.07;
  for (const std::size_t processes : {5, 10}) {
    int covered = 0;
    for (int experiment = 0; experiment < kExperiments; ++experiment) {
      std::vector<double> baseline(processes);
      std::vector<double> variant(processes);
      for (double& value : baseline) value = draw(random);
      for (double& value : variant) value = kTruth * draw(random);
      const auto estimate = EstimateRatio(baseline, variant);
      covered += estimate->interval->low <= kTruth && kTruth <= estimate->interval->high;
    }
    // The seed is fixed, so this either always holds or never; four standard errors are 1.4 points.
    EXPECT_GE(covered, kExperiments * 0.936) << processes << " processes";
    EXPECT_LE(covered, kExperiments * 0.99) << processes << " processes";
  }
}

}  // namespace
}  // namespace rubric
