#include "experiments/suite/exactness.h"

#include <gtest/gtest.h>

#include <string>

#include "experiments/suite/testing/sample_plan.h"
#include "reports/results/record.h"

namespace rubric {
namespace {

Record RecordOf(int order, const std::string& pass = std::string(kTimePass)) {
  const Plan plan = SamplePlan();
  Record record = SampleRecord(plan, {order, pass, 0, 0, 0});
  record.run.order = order;
  record.run.pass = pass;
  record.build.binary_sha256 = "a";
  return record;
}

TEST(ExactFiguresTest, AcceptsEqualFiguresAndAnyNoise) {
  ExactFigures figures;
  EXPECT_EQ(figures.Check(RecordOf(0)), "");
  Record noisy = RecordOf(1);
  noisy.metrics[2].second.value = 99;  // wall_s
  EXPECT_EQ(figures.Check(noisy), "");
}

TEST(ExactFiguresTest, NamesWhatDiffers) {
  ExactFigures figures;
  EXPECT_EQ(figures.Check(RecordOf(3)), "");
  Record other = RecordOf(8);
  other.metrics[0].second.value = 101;
  EXPECT_EQ(figures.Check(other),
            "exact figures differ between processes: malloc_calls 101 against 100 in process 3");
  // The first stays the reference.
  EXPECT_EQ(figures.Check(RecordOf(9)), "");
}

TEST(ExactFiguresTest, ComparesSubsystems) {
  ExactFigures figures;
  figures.Check(RecordOf(0));
  Record other = RecordOf(1);
  other.subsystems[0].second.peak_bytes = 1;
  EXPECT_EQ(
      figures.Check(other),
      "exact figures differ between processes: interning.peak_bytes 1 against 4800 in process 0");
}

TEST(ExactFiguresTest, CountsDifferencesBeyondTheFirstFour) {
  ExactFigures figures;
  figures.Check(RecordOf(0));
  Record other = RecordOf(1);
  other.subsystems[0].second = {1, 2, 3, 4, 5, 6};
  const std::string text = figures.Check(other);
  EXPECT_TRUE(text.ends_with(", and 2 more")) << text;
}

TEST(ExactFiguresTest, ComparesPassesWithEachOther) {
  ExactFigures figures;
  figures.Check(RecordOf(0));
  Record logged = RecordOf(1, std::string(kLogPass));
  EXPECT_EQ(figures.Check(logged), "");
  logged.metrics[0].second.value = 7;
  EXPECT_NE(figures.Check(logged), "");
}

TEST(ExactFiguresTest, KeepsCellsAndProgramsApart) {
  ExactFigures figures;
  figures.Check(RecordOf(0));
  Record other = RecordOf(1);
  other.metrics[0].second.value = 7;
  other.build.binary_sha256 = "b";
  EXPECT_EQ(figures.Check(other), "");
  other.build.binary_sha256 = "a";
  other.params[0].second = std::int64_t{11};
  EXPECT_EQ(figures.Check(other), "");
}

}  // namespace
}  // namespace rubric
