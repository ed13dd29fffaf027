#include "experiments/claim/judge.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/stats/ratio.h"

namespace rubric {
namespace {

using ::testing::HasSubstr;

BeforeAfter Pair(double before, double after) { return {before, after, "calls", ""}; }

Verdict Exact(Comparing compare, const BeforeAfter& reference, const BeforeAfter& ours) {
  return VerdictOf(compare, reference, ours, true, std::nullopt);
}

TEST(Judge, DifferencesAgreeInSizeWithinFivePercent) {
  const auto verdict = [](double ours) {
    return Exact(Comparing::kDifference, Pair(1000, 0), Pair(5000, 5000 + ours));
  };
  EXPECT_EQ(verdict(-1000), Verdict::kSameSize);
  EXPECT_EQ(verdict(-1050), Verdict::kSameSize);
  EXPECT_EQ(verdict(-950), Verdict::kSameSize);
  EXPECT_EQ(verdict(-1051), Verdict::kSameDirection);
  EXPECT_EQ(verdict(-949), Verdict::kSameDirection);
  EXPECT_EQ(verdict(0), Verdict::kNotReproduced);
  EXPECT_EQ(verdict(1000), Verdict::kNotReproduced);
}

TEST(Judge, RatiosAgreeInSizeWithinAFactor) {
  const auto verdict = [](double ours) {
    return Exact(Comparing::kRatio, Pair(100, 80), Pair(100, ours));
  };
  EXPECT_EQ(verdict(80), Verdict::kSameSize);
  EXPECT_EQ(verdict(83.9), Verdict::kSameSize);
  EXPECT_EQ(verdict(84.1), Verdict::kSameDirection);
  EXPECT_EQ(verdict(20), Verdict::kSameDirection);
  EXPECT_EQ(verdict(100), Verdict::kNotReproduced);
  EXPECT_EQ(verdict(120), Verdict::kNotReproduced);
}

TEST(Judge, NoChangeOnBothSidesAgrees) {
  EXPECT_EQ(Exact(Comparing::kRatio, Pair(8312, 8307), Pair(33, 33)), Verdict::kSameSize);
  EXPECT_EQ(Exact(Comparing::kDifference, Pair(100, 100), Pair(7, 7)), Verdict::kSameSize);
  EXPECT_EQ(Exact(Comparing::kDifference, Pair(100, 100), Pair(7, 9)), Verdict::kNotReproduced);
}

TEST(Judge, ANoisyRatioWithinItsIntervalIsNoChange) {
  const RatioEstimate undecided{0.9, Interval{0.8, 1.01}};
  const RatioEstimate decided{0.9, Interval{0.85, 0.95}};
  const BeforeAfter ours = Pair(100, 90);
  EXPECT_EQ(VerdictOf(Comparing::kRatio, Pair(100, 60), ours, false, undecided),
            Verdict::kNotReproduced);
  EXPECT_EQ(VerdictOf(Comparing::kRatio, Pair(100, 60), ours, false, decided),
            Verdict::kSameDirection);
  // 3 % of CRuby's own is within what one binary against itself varied by.
  EXPECT_EQ(VerdictOf(Comparing::kRatio, Pair(100, 103), Pair(100, 98), false,
                      RatioEstimate{0.98, Interval{0.97, 0.99}}),
            Verdict::kSameSize);
}

// A comparison of one row on two variants.
Comparison Measured(const Cell& before, const Cell& after) {
  Comparison comparison;
  comparison.variants = {{"baseline", {}, {}, false}, {"ivars=index", {}, {}, false}};
  comparison.rows = {{"require", "require", {}, {before, after}}};
  return comparison;
}

Cell Figures(double calls, double count, std::vector<double> seconds) {
  Cell cell;
  cell.state = CellState::kOk;
  cell.exact = {{"malloc_calls", {calls, "calls", 1}}, {"gc_count", {count, "collections", 1}}};
  cell.noisy = {{"gc_s", {"s", seconds, Summarize(seconds)}}};
  cell.subsystems = {{"features", SubsystemUse{.malloc_calls = 5}}};
  return cell;
}

std::vector<Judged> JudgeMetric(const std::string& metric, const Comparison& comparison) {
  Claim claim;
  Statement statement;
  statement.cell = "a";
  statement.metric = metric;
  statement.after = {{"ivars", "index"}};
  statement.published = Pair(100, 50);
  statement.compare = Comparing::kRatio;
  claim.statements = {statement};
  const auto judged = Judge(claim, {{"a", "require"}}, Calibration({}), comparison);
  EXPECT_TRUE(judged.ok()) << judged.status();
  return *judged;
}

TEST(Judge, TakesFiguresByNameByQuotientAndBySubsystem) {
  const Comparison comparison =
      Measured(Figures(100, 4, {8, 8, 8, 8, 8}), Figures(50, 2, {2, 2, 2, 2, 2}));
  EXPECT_EQ(JudgeMetric("malloc_calls", comparison)[0].verdict, Verdict::kSameSize);
  const Judged quotient = JudgeMetric("gc_s/gc_count", comparison)[0];
  EXPECT_EQ(quotient.ours->before, 2);
  EXPECT_EQ(quotient.ours->after, 1);
  EXPECT_FALSE(quotient.exact);
  EXPECT_EQ(JudgeMetric("features:malloc_calls", comparison)[0].ours->after, 5);
}

TEST(Judge, SaysWhyAStatementWasNotMeasured) {
  Cell failed;
  failed.state = CellState::kFailed;
  failed.reason = "SIGSEGV";
  const Judged broken = JudgeMetric("malloc_calls", Measured(Figures(1, 1, {1}), failed))[0];
  EXPECT_EQ(broken.verdict, Verdict::kNotMeasured);
  EXPECT_THAT(broken.reason, HasSubstr("require on ivars=index: failed, SIGSEGV"));
  const Judged absent =
      JudgeMetric("instructions", Measured(Figures(1, 1, {1}), Figures(1, 1, {1})))[0];
  EXPECT_THAT(absent.reason, HasSubstr("have no instructions"));
  EXPECT_THAT(JudgeMetric("malloc_calls", Comparison{})[0].reason, HasSubstr("no record"));
}

TEST(Judge, PrefersCrubysOwnFigureAndTellsThePublishedOne) {
  Claim claim;
  Statement statement;
  statement.cell = "a";
  statement.metric = "malloc_calls";
  statement.after = {{"ivars", "index"}};
  statement.published = Pair(100, 150);
  statement.calibrated = CalibrationKey{"c", "e", "m"};
  statement.compare = Comparing::kRatio;
  claim.statements = {statement};
  const Calibration calibration({{"c", "e", "m", "calls", 10, 5, ""}});
  const Comparison comparison = Measured(Figures(100, 1, {1}), Figures(50, 1, {1}));
  const auto judged = Judge(claim, {{"a", "require"}}, calibration, comparison);
  ASSERT_TRUE(judged.ok()) << judged.status();
  EXPECT_EQ((*judged)[0].verdict, Verdict::kSameSize);
  EXPECT_EQ((*judged)[0].published_verdict, Verdict::kNotReproduced);
  EXPECT_FALSE((*judged)[0].agrees());
  // A row that is not there is an error of the claim, not of the measurement.
  claim.statements[0].calibrated->metric = "other";
  EXPECT_FALSE(Judge(claim, {{"a", "require"}}, calibration, comparison).ok());
}

}  // namespace
}  // namespace rubric
