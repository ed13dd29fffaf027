#include "experiments/suite/probe.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "experiments/suite/interrupt.h"
#include "experiments/suite/testing/fake_variants.h"
#include "experiments/suite/testing/sample_plan.h"

namespace rubric {
namespace {

using Problems = std::vector<std::string>;

TEST(CheckComparableTest, AcceptsABaselineItsControlAndOthers) {
  EXPECT_EQ(CheckComparable(SamplePlan().variants), Problems{});
}

TEST(CheckComparableTest, NamesEveryProblem) {
  std::vector<VariantSpec> variants = SamplePlan().variants;
  variants[2].sha256 = variants[0].sha256;
  ASSERT_EQ(CheckComparable(variants).size(), 1u);
  EXPECT_TRUE(CheckComparable(variants)[0].starts_with(
      "'baseline' and 'interning=khash' are the same program, byte for byte (SHA-256 "
      "aaaaaaaaaaaaaaaa…)"));

  variants = SamplePlan().variants;
  variants[2].build.mode = "fastbuild";
  EXPECT_EQ(CheckComparable(variants),
            (Problems{"'interning=khash' is a fastbuild build; figures are only worth taking from "
                      "-c opt",
                      "mixed build modes: 'baseline' has opt, 'interning=khash' has fastbuild"}));

  variants = SamplePlan().variants;
  variants[2].build.sanitizer = "ubsan";
  variants[2].build.allocator = "jemalloc";
  EXPECT_EQ(CheckComparable(variants).size(), 2u);
}

TEST(CheckComparableTest, PassesOverWhatIsNotKnown) {
  std::vector<VariantSpec> variants = SamplePlan().variants;
  variants[0].build = {};
  variants[1].build = {};
  EXPECT_EQ(CheckComparable(variants), Problems{});
}

class ProbeTest : public testing::Test {
 protected:
  ProbeTest() : variants_(TestFolder("probe")) {
    Interrupt::Install();
    variants_.AddUsual();
  }
  absl::StatusOr<Probed> Probe() {
    variants_.Write();
    return ProbeProgram(variants_.program(1), "/");
  }
  FakeVariants variants_;
};

TEST_F(ProbeTest, LearnsWhatAProgramIs) {
  const absl::StatusOr<Probed> probed = Probe();
  ASSERT_TRUE(probed.ok()) << probed.status();
  EXPECT_EQ(probed->catalog.variant_name, "interning=khash");
  ASSERT_GE(probed->catalog.experiments.size(), 4u);  // and what else the suites run
  EXPECT_EQ(probed->catalog.experiments[0].name, "require");
  EXPECT_EQ(probed->build.mode, "opt");
  EXPECT_EQ(probed->machine.cpu, "a fake cpu");
}

TEST_F(ProbeTest, SaysHowAProgramFailsToAnswer) {
  variants_.trailer(1)["behaviour"]["list"] = "crash";
  EXPECT_EQ(Probe().status().message(),
            variants_.program(1) +
                ": `lab list --json` killed by SIGSEGV (Segmentation fault); standard error ends: "
                "first line / about to crash");
  variants_.trailer(1)["behaviour"]["list"] = "garbage";
  EXPECT_TRUE(std::string(Probe().status().message())
                  .starts_with(variants_.program(1) + ": `lab list --json` printed no list: "));
  EXPECT_FALSE(ProbeProgram("/nonexistent", "/").ok());
}

}  // namespace
}  // namespace rubric
