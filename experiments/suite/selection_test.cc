#include "experiments/suite/selection.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "experiments/suite/testing/sample_plan.h"
#include "reports/results/record.h"

namespace rubric {
namespace {

std::vector<ManifestEntry> Full() {
  std::vector<ManifestEntry> all;
  for (const char* interning : {"st_chained", "khash", "swiss"}) {
    for (const char* ivars : {"hash", "index"}) {
      std::string name;
      if (interning != std::string("st_chained")) name += std::string("interning=") + interning;
      if (ivars != std::string("hash"))
        name += std::string(name.empty() ? "" : ",") + "ivars=index";
      all.push_back(
          {name.empty() ? "baseline" : name, {{"interning", interning}, {"ivars", ivars}}, "/lab"});
    }
  }
  return all;
}

std::vector<std::string> Chosen(const std::string& filters,
                                const std::string& baseline = "baseline") {
  const absl::StatusOr<std::vector<ManifestEntry>> entries =
      SelectVariants(Full(), filters, baseline);
  if (!entries.ok()) return {"error: " + std::string(entries.status().message())};
  std::vector<std::string> names;
  for (const ManifestEntry& entry : *entries) names.push_back(entry.name);
  return names;
}

using Names = std::vector<std::string>;

TEST(SelectVariantsTest, TakesAllWithoutFilters) {
  EXPECT_EQ(Chosen("").size(), 6u);
  EXPECT_EQ(Chosen("").front(), "baseline");
}

TEST(SelectVariantsTest, ChoosesByBackend) {
  EXPECT_EQ(Chosen("interning=khash"),
            (Names{"baseline", "interning=khash", "interning=khash,ivars=index"}));
  EXPECT_EQ(Chosen("ivars=hash"), (Names{"baseline", "interning=khash", "interning=swiss"}));
}

TEST(SelectVariantsTest, WantsAllConditionsOnDifferentAxesAndAnyOnOne) {
  EXPECT_EQ(Chosen("interning=khash,ivars=index"),
            (Names{"baseline", "interning=khash,ivars=index"}));
  EXPECT_EQ(Chosen("interning=khash,interning=swiss,ivars=hash"),
            (Names{"baseline", "interning=khash", "interning=swiss"}));
}

TEST(SelectVariantsTest, TakesAlternativesAndNames) {
  EXPECT_EQ(Chosen("interning=khash,ivars=hash; interning=swiss,ivars=index"),
            (Names{"baseline", "interning=khash", "interning=swiss,ivars=index"}));
  EXPECT_EQ(Chosen("baseline"), (Names{"baseline"}));
  EXPECT_EQ(Chosen("baseline,interning=swiss,ivars=hash"), (Names{"baseline", "interning=swiss"}));
}

TEST(SelectVariantsTest, PutsTheBaselineFirst) {
  EXPECT_EQ(Chosen("ivars=index", "interning=swiss"),
            (Names{"interning=swiss", "ivars=index", "interning=khash,ivars=index",
                   "interning=swiss,ivars=index"}));
}

TEST(SelectVariantsTest, NamesTheNearestRightName) {
  EXPECT_EQ(Chosen("intering=khash").front(),
            "error: no axis 'intering'. Did you mean interning? There are: interning, ivars");
  EXPECT_EQ(
      Chosen("interning=kash").front(),
      "error: no variant of this matrix with interning 'kash'. Did you mean khash? There are: "
      "st_chained, khash, swiss");
  EXPECT_EQ(Chosen("basline").front().substr(0, 55),
            "error: no variant 'basline'. Did you mean baseline? The");
  EXPECT_EQ(Chosen("", "basline").front().substr(0, 63),
            "error: no variant for --baseline, 'basline'. Did you mean basel");
}

TEST(SelectVariantsTest, SaysThatACombinationIsNotInTheMatrix) {
  std::vector<ManifestEntry> swaps = Full();
  std::erase_if(
      swaps, [](const ManifestEntry& entry) { return entry.name.find(',') != std::string::npos; });
  const absl::Status status =
      SelectVariants(swaps, "interning=khash,ivars=index", "baseline").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(std::string(status.message()).find("--matrix=full"), std::string::npos);
}

TEST(ParamOverridesTest, ReadsAList) {
  const auto overrides = ParseParamOverrides("require.features=5, intern.op=miss");
  ASSERT_TRUE(overrides.ok());
  ASSERT_EQ(overrides->size(), 2u);
  EXPECT_EQ((*overrides)[0].experiment, "require");
  EXPECT_EQ((*overrides)[0].param, "features");
  EXPECT_EQ((*overrides)[0].text, "5");
  EXPECT_EQ((*overrides)[1].param, "op");
  EXPECT_TRUE(ParseParamOverrides("")->empty());
  EXPECT_EQ((*ParseParamOverrides("require.feature_list=a.b/c=d"))[0].text, "a.b/c=d");
  for (const char* text : {"features=5", "require.features", "require", ".x=1", "require.=1"}) {
    EXPECT_FALSE(ParseParamOverrides(text).ok()) << text;
  }
}

const Suite kSuite = {"s",
                      "",
                      5,
                      false,
                      {{"require", {}, 1},
                       {"require", {{"features", "5"}}, 1},
                       {"require", {{"feature_list", "boot"}}, 1}}};

absl::StatusOr<std::string> Resolve(const std::string& file) {
  if (file == "missing") return absl::InvalidArgumentError("missing: cannot be read");
  return "/found/" + file;
}

Names Labels(const std::string& experiments, const std::string& param = "") {
  const absl::StatusOr<std::vector<CellSpec>> cells =
      SelectCells(SampleCatalog(), kSuite, experiments, *ParseParamOverrides(param), Resolve);
  if (!cells.ok()) return {"error: " + std::string(cells.status().message())};
  Names labels;
  for (const CellSpec& cell : *cells) labels.push_back(cell.label);
  return labels;
}

TEST(SelectCellsTest, TakesTheSuiteAsItIs) {
  EXPECT_EQ(Labels(""),
            (Names{"require", "require --features=5", "require --feature_list=/found/boot"}));
  EXPECT_EQ(Labels("require"), Labels(""));
}

TEST(SelectCellsTest, RunsAnExperimentThatTheSuiteLacksAtItsDefaults) {
  EXPECT_EQ(Labels("intern"), (Names{"intern"}));
  EXPECT_EQ(Labels("intern", "intern.op=miss"), (Names{"intern --op=miss"}));
}

TEST(SelectCellsTest, OverridesParametersAndMergesCellsThatBecomeEqual) {
  EXPECT_EQ(Labels("", "require.features=7"),
            (Names{"require --features=7", "require --feature_list=/found/boot"}));
}

TEST(SelectCellsTest, RenamesNoCellWhoseInputIsAFile) {
  // Where a file is the input of all, or no longer of any, the others are for them too.
  EXPECT_EQ(Labels("", "require.features=7,require.feature_list=other"),
            (Names{"require --features=7 --feature_list=/found/other"}));
  EXPECT_EQ(Labels("", "require.features=7,require.feature_list="),
            (Names{"require --features=7"}));
  EXPECT_EQ(Labels("", "require.featurs=7").front().substr(0, 6), "error:");
}

TEST(SelectionTest, ListsThatNameNothingAreErrors) {
  for (const char* text : {",", " ", " , ,"}) {
    EXPECT_EQ(Labels(text).front(), "error: --experiments: expected at least one name, found '" +
                                        std::string(text) + "'; leave it out for all");
    EXPECT_FALSE(ParseParamOverrides(text).ok());
  }
  for (const char* text : {";", ",", " ; ,"}) {
    EXPECT_EQ(Chosen(text).front(), "error: --variants: expected at least one name, found '" +
                                        std::string(text) + "'; leave it out for all");
  }
  EXPECT_EQ(ParseParamOverrides("a.b=1,c.d=2,a.b=3").status().message(),
            "--param: a.b is given twice, as '1' and '3'; give it once");
}

TEST(SelectCellsTest, NamesWhatIsWrong) {
  EXPECT_EQ(Labels("intren").front(),
            "error: no experiment 'intren'. Did you mean intern? There are: require, intern");
  EXPECT_EQ(Labels("", "require.featurs=1").front().substr(0, 79),
            "error: experiment 'require' has no parameter 'featurs'. Did you mean features? ");
  EXPECT_EQ(Labels("", "intern.op=miss").front(),
            "error: --param=intern.op=…: this run has no cell of 'intern'");
  EXPECT_EQ(Labels("", "require.feature_list=missing").front(), "error: missing: cannot be read");
  EXPECT_EQ(Labels("", "require.features=9999").front(),
            "error: require --features: expected a whole number from 0 to 1000, found '9999'.");
}

TEST(SuitesTest, AreFoundByName) {
  EXPECT_EQ((*FindSuite("quick"))->rounds, 7);
  EXPECT_EQ(FindSuite("quik").status().message(),
            "no suite 'quik'. Did you mean quick? There are: quick, standard");
}

}  // namespace
}  // namespace rubric
