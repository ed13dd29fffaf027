#include "experiments/suite/command.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "experiments/suite/testing/sample_plan.h"
#include "reports/results/record.h"

namespace rubric {
namespace {

using Words = std::vector<std::string>;

const Place kPlace = {"/results", "/runfiles/rubric", "/usr/bin/valgrind", {7, 7, 8}};

Step StepOf(std::string_view pass) { return {12, std::string(pass), 0, 1, 2}; }

TEST(CommandTest, TimesTheBareProgram) {
  const ProcessSpec spec = SpecFor(SamplePlan(), StepOf(kTimePass), kPlace);
  EXPECT_EQ(spec.program, "/bin/khash");
  EXPECT_EQ(spec.program_fd, 8);
  EXPECT_EQ(spec.arguments, (Words{"lab", "run", "require", "--features=5", "--json"}));
  EXPECT_EQ(spec.working_directory, "/runfiles/rubric");
  EXPECT_EQ(spec.cpu, 1);
  EXPECT_EQ(spec.timeout_s, 60);
  EXPECT_EQ(ToolFile(SamplePlan(), StepOf(kTimePass), kPlace), "");
}

TEST(CommandTest, IsTheSameForEveryVariantButForTheProgram) {
  const Plan plan = SamplePlan();
  Step step = StepOf(kTimePass);
  const ProcessSpec one = SpecFor(plan, step, kPlace);
  step.variant = 0;
  const ProcessSpec other = SpecFor(plan, step, kPlace);
  EXPECT_EQ(one.arguments, other.arguments);
  EXPECT_EQ(one.environment, other.environment);
  EXPECT_EQ(one.working_directory, other.working_directory);
  EXPECT_NE(one.program, other.program);
}

TEST(CommandTest, LogsMassifsAndCountsInstructions) {
  const Plan plan = SamplePlan();
  EXPECT_EQ(SpecFor(plan, StepOf(kLogPass), kPlace).arguments,
            (Words{"lab", "run", "require", "--features=5", "--json",
                   "--malloc_log=/results/scratch/malloc.log"}));

  const ProcessSpec massif = SpecFor(plan, StepOf(kMassifPass), kPlace);
  EXPECT_EQ(massif.program, "/usr/bin/valgrind");
  EXPECT_EQ(massif.program_fd, -1);
  EXPECT_GT(massif.timeout_s, 600);
  EXPECT_EQ(massif.arguments,
            (Words{"valgrind", "--command-line-only=yes", "--quiet", "--tool=massif",
                   "--peak-inaccuracy=0.0",
                   "--massif-out-file=/results/massif/massif.out.00012.require-features=5."
                   "interning=khash",
                   "/bin/khash", "run", "require", "--features=5", "--json"}));

  const Words callgrind = SpecFor(plan, StepOf(kInstructionsPass), kPlace).arguments;
  EXPECT_EQ(callgrind[3], "--tool=callgrind");
  EXPECT_EQ(callgrind[4], "--collect-atstart=no");
  EXPECT_EQ(callgrind[5],
            "--callgrind-out-file=/results/callgrind/callgrind.out.00012.require-features=5."
            "interning=khash");
}

TEST(CommandTest, FileNamesHoldNothingThatAShellWouldSee) {
  Plan plan = SamplePlan();
  plan.cells[1].label = "require --feature_list='/a b/../c' $(x)";
  const std::string file = ToolFile(plan, StepOf(kMassifPass), kPlace);
  EXPECT_EQ(file,
            "/results/massif/massif.out.00012.require-feature_list=-a-b-..-c-x-."
            "interning=khash");
}

TEST(CommandTest, PassesTheHashSeedOn) {
  Plan plan = SamplePlan();
  plan.hash_seed = 18446744073709551615u;
  EXPECT_EQ(SpecFor(plan, StepOf(kTimePass), kPlace).arguments.back(),
            "--hash_seed=18446744073709551615");
}

TEST(CommandTest, ShowsAShellLine) {
  Plan plan = SamplePlan();
  EXPECT_EQ(ShellLine(SpecFor(plan, StepOf(kTimePass), kPlace)),
            "cd /runfiles/rubric && env -i LC_ALL=C PATH=/usr/bin:/bin TZ=UTC taskset -c 1 "
            "setarch -R /bin/khash run require --features=5 --json");
  plan.cpu.reset();
  ProcessSpec spec = SpecFor(plan, StepOf(kTimePass), kPlace);
  spec.arguments[3] = "--feature_list=a b";
  EXPECT_EQ(ShellLine(spec),
            "cd /runfiles/rubric && env -i LC_ALL=C PATH=/usr/bin:/bin TZ=UTC setarch -R "
            "/bin/khash run require '--feature_list=a b' --json");
}

}  // namespace
}  // namespace rubric
