#include "experiments/suite/plan.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "experiments/suite/cell.h"
#include "experiments/suite/testing/sample_plan.h"
#include "reports/results/run_plan.h"

namespace rubric {
namespace {

TEST(CellTest, IsCalledByWhatDiffersFromTheDefaults) {
  const Catalog catalog = SampleCatalog();
  const CellSpec plain = MakeCell(catalog, "intern", {}, 1).value();
  EXPECT_EQ(plain.label, "intern");
  EXPECT_EQ(plain.arguments, (std::vector<std::string>{"run", "intern"}));
  // A default that is written out is still a default.
  const CellSpec cell = MakeCell(catalog, "intern", {{"keep", "false"}, {"op", "hit"}}, 1).value();
  EXPECT_EQ(cell.label, "intern --keep=false");
  EXPECT_EQ(cell.arguments, (std::vector<std::string>{"run", "intern", "--keep=false"}));
  EXPECT_EQ(cell.params, (Params{{"op", std::string("hit")}, {"keep", false}, {"load", 0.5}}));
}

TEST(PlanTest, SchedulesEveryVariantOfEveryCell) {
  EXPECT_EQ(ScheduleOf(SamplePlan()).size(), 2u * 3 * (5 + 1));
}

TEST(PlanTest, SurvivesItsFile) {
  const RunPlan run = ToRunPlan(SamplePlan(), {{"rounds", "5"}, {"param", "a.b=\"c\""}});
  const absl::StatusOr<RunPlan> stored = ParseRunPlan(ToJson(run));
  ASSERT_TRUE(stored.ok()) << stored.status();
  EXPECT_TRUE(CheckSamePlan(*stored, run).ok()) << CheckSamePlan(*stored, run);
  EXPECT_EQ(OptionsOf(*stored).value(),
            (OrderedMap<std::string>{{"rounds", "5"}, {"param", "a.b=\"c\""}}));
  ASSERT_EQ(stored->variants.size(), 3u);
  EXPECT_EQ(stored->variants[1].name, "baseline (A/A)");
}

TEST(PlanTest, OptionsAreNotThePlan) {
  // What an option was written as does not matter where the plan is the same.
  EXPECT_TRUE(CheckSamePlan(ToRunPlan(SamplePlan(), {{"rounds", "5"}}),
                            ToRunPlan(SamplePlan(), {{"rounds", "0"}}))
                  .ok());
}

std::string DifferenceAfter(const std::function<void(Plan&)>& change) {
  Plan plan = SamplePlan();
  change(plan);
  const absl::Status status = CheckSamePlan(ToRunPlan(SamplePlan(), {}), ToRunPlan(plan, {}));
  return status.ok() ? "" : std::string(status.message());
}

TEST(PlanTest, TellsAnotherPlanByWhatDiffers) {
  EXPECT_EQ(DifferenceAfter([](Plan&) {}), "");
  EXPECT_EQ(DifferenceAfter([](Plan& plan) { plan.seed = 2; }), "seed: then 1, now 2");
  EXPECT_EQ(DifferenceAfter([](Plan& plan) { plan.rounds = 6; }), "rounds: then 5, now 6");
  EXPECT_EQ(DifferenceAfter([](Plan& plan) { plan.cpu.reset(); }), "cpu: then 1, now null");
  EXPECT_EQ(DifferenceAfter([](Plan& plan) { plan.hash_seed = 4; }), "hash_seed: then null, now 4");
  EXPECT_EQ(DifferenceAfter([](Plan& plan) { plan.matrix = "full"; }),
            "matrix: then swaps, now full");
  EXPECT_EQ(DifferenceAfter([](Plan& plan) { plan.other_passes.push_back("massif"); }),
            "other_passes: then [\"log\"], now [\"log\",\"massif\"]");
  EXPECT_EQ(DifferenceAfter([](Plan& plan) { plan.cells.pop_back(); }),
            "cells: then require; require --features=5, now require");
  EXPECT_EQ(DifferenceAfter([](Plan& plan) { plan.files.emplace_back("f", "hash"); }),
            "file_sha256 of f: then absent, now \"hash\"");
  EXPECT_NE(DifferenceAfter([](Plan& plan) { plan.variants.pop_back(); }).find("variants: then"),
            std::string::npos);
  EXPECT_NE(DifferenceAfter([](Plan& plan) { plan.variants[2].axes[1].second = "index"; }), "");
  EXPECT_NE(DifferenceAfter([](Plan& plan) { plan.cells[0].params[0].second = std::int64_t{11}; }),
            "");
  const std::string binary =
      DifferenceAfter([](Plan& plan) { plan.variants[2].sha256 = std::string(64, 'c'); });
  EXPECT_EQ(binary.substr(0, 43), "binary_sha256 of interning=khash: then \"bbb");
}

TEST(PlanTest, ReportsEveryDifference) {
  const std::string text = DifferenceAfter([](Plan& plan) {
    plan.seed = 2;
    plan.rounds = 6;
  });
  EXPECT_EQ(text, "seed: then 1, now 2\n  rounds: then 5, now 6");
}

TEST(PlanTest, AnotherMachineIsAnotherRun) {
  RunPlan then = ToRunPlan(SamplePlan(), {});
  RunPlan now = then;
  now.machine.cpu = "another";
  EXPECT_FALSE(CheckSamePlan(then, now).ok());
}

TEST(PlanTest, AFileThatIsNoSuiteRunHasNoOptions) { EXPECT_FALSE(OptionsOf(RunPlan{}).ok()); }

}  // namespace
}  // namespace rubric
