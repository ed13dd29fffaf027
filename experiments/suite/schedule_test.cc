#include "experiments/suite/schedule.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "reports/results/record.h"

namespace rubric {
namespace {

std::vector<std::tuple<std::string, int, int, int>> Flat(const std::vector<Step>& steps) {
  std::vector<std::tuple<std::string, int, int, int>> flat;
  for (const Step& step : steps) flat.emplace_back(step.pass, step.round, step.cell, step.variant);
  return flat;
}

TEST(ScheduleTest, RunsEachCellAndVariantOnceARound) {
  const std::vector<Step> steps = MakeSchedule(4, 3, 5, {"log", "massif"}, 42);
  ASSERT_EQ(steps.size(), 4u * 3 * (5 + 2));
  std::set<std::tuple<std::string, int, int, int>> distinct;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(steps[i].order, static_cast<int>(i));
    EXPECT_GE(steps[i].cell, 0);
    EXPECT_LT(steps[i].cell, 4);
    EXPECT_GE(steps[i].variant, 0);
    EXPECT_LT(steps[i].variant, 3);
  }
  for (const auto& step : Flat(steps)) EXPECT_TRUE(distinct.insert(step).second);
}

TEST(ScheduleTest, FinishesARoundBeforeTheNextAndTimesFirst) {
  const std::vector<Step> steps = MakeSchedule(4, 3, 5, {"log", "massif"}, 42);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::size_t round = i / 12;
    EXPECT_EQ(steps[i].pass, round < 5 ? std::string(kTimePass) : round == 5 ? "log" : "massif");
    EXPECT_EQ(steps[i].round, round < 5 ? static_cast<int>(round) : 0);
  }
}

TEST(ScheduleTest, KeepsTheVariantsOfACellTogether) {
  const std::vector<Step> steps = MakeSchedule(6, 4, 3, {}, 9);
  for (std::size_t i = 0; i < steps.size(); ++i) EXPECT_EQ(steps[i].cell, steps[i / 4 * 4].cell);
}

TEST(ScheduleTest, DependsOnTheSeedAlone) {
  EXPECT_EQ(Flat(MakeSchedule(5, 10, 5, {"log"}, 1)), Flat(MakeSchedule(5, 10, 5, {"log"}, 1)));
  EXPECT_NE(Flat(MakeSchedule(5, 10, 5, {"log"}, 1)), Flat(MakeSchedule(5, 10, 5, {"log"}, 2)));
  // Pinned: a change here makes every stored run impossible to resume.
  std::string variants;
  for (const Step& step : MakeSchedule(1, 10, 1, {}, 1)) variants += std::to_string(step.variant);
  EXPECT_EQ(variants, "9504768213");
}

TEST(ScheduleTest, MoreRoundsChangeNothingInTheEarlierOnes) {
  const auto few = Flat(MakeSchedule(5, 10, 2, {}, 3));
  const auto many = Flat(MakeSchedule(5, 10, 7, {}, 3));
  EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
}

TEST(ScheduleTest, GivesEachVariantEachPositionAlikeOften) {
  // 2,000 rounds of 5 variants: each variant comes first, second… 400 times, give or take 5
  // standard deviations (18 each).
  std::map<std::pair<int, int>, int> counts;
  const std::vector<Step> steps = MakeSchedule(1, 5, 2000, {}, 20260131);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    ++counts[{steps[i].variant, static_cast<int>(i % 5)}];
  }
  ASSERT_EQ(counts.size(), 25u);
  for (const auto& [key, count] : counts) {
    EXPECT_NEAR(count, 400, 90) << "variant " << key.first << " at position " << key.second;
  }
}

TEST(ScheduleTest, IsEmptyWhereThereIsNothingToRun) {
  EXPECT_TRUE(MakeSchedule(0, 3, 5, {"log"}, 1).empty());
  EXPECT_TRUE(MakeSchedule(3, 0, 5, {"log"}, 1).empty());
  EXPECT_TRUE(MakeSchedule(3, 3, 0, {}, 1).empty());
}

}  // namespace
}  // namespace rubric
