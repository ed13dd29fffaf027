#include "experiments/claim/claim_text.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace rubric {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Judged Example() {
  Judged judged;
  judged.statement.says = "It is <faster>.";
  judged.statement.metric = "cpu_s";
  judged.statement.after = {{"ivars", "index"}};
  judged.statement.compare = Comparing::kRatio;
  judged.statement.published = BeforeAfter{3, 2, "s", "on macOS"};
  judged.statement.calibrated = CalibrationKey{"c", "e", "wall"};
  judged.statement.why = "The parent was another program.";
  judged.cell = "require --features=7";
  judged.cruby = BeforeAfter{0.9, 0.8, "s", ""};
  judged.ours = BeforeAfter{0.4, 0.36, "s", ""};
  judged.ratio = RatioEstimate{0.9, Interval{0.88, 0.93}};
  judged.verdict = Verdict::kSameSize;
  judged.published_verdict = Verdict::kSameDirection;
  return judged;
}

Claim ExampleClaim() {
  Claim claim;
  claim.id = "14460";
  claim.title = "Keys";
  return claim;
}

TEST(ClaimText, AllThreeFormsShowAllThreeFigures) {
  const std::vector<Judged> judged = {Example()};
  const std::string terminal = ClaimTerminal(ExampleClaim(), judged);
  const std::string markdown = ClaimMarkdown(ExampleClaim(), judged);
  for (const std::string& text : {terminal, markdown}) {
    EXPECT_THAT(text, HasSubstr("published"));
    EXPECT_THAT(text, HasSubstr("900 ms"));
    EXPECT_THAT(text, HasSubstr("360 ms"));
    EXPECT_THAT(text, HasSubstr("0.880"));
    EXPECT_THAT(text, HasSubstr("same direction and size"));
  }
  EXPECT_THAT(markdown, HasSubstr("\\<faster\\>"));
  const auto json = nlohmann::json::parse(ClaimJson(ExampleClaim(), judged));
  const auto& statement = json.at("statements").at(0);
  EXPECT_EQ(statement.at("published").at("before"), 3);
  EXPECT_EQ(statement.at("cruby").at("after"), 0.8);
  EXPECT_EQ(statement.at("rubric").at("ratio"), 0.9);
  EXPECT_EQ(statement.at("rubric").at("interval").at(1), 0.93);
  EXPECT_EQ(statement.at("verdict"), "same direction and size");
  EXPECT_EQ(statement.at("published_verdict"), "same direction");
}

TEST(ClaimText, TellsWhyWhereTheVerdictIsNotFull) {
  Judged judged = Example();
  EXPECT_THAT(ClaimTerminal(ExampleClaim(), {judged}), Not(HasSubstr("another program")));
  judged.published_verdict = Verdict::kNotReproduced;
  EXPECT_THAT(ClaimTerminal(ExampleClaim(), {judged}), HasSubstr("another program"));
  judged.verdict = Verdict::kNotReproduced;
  EXPECT_THAT(ClaimMarkdown(ExampleClaim(), {judged}), HasSubstr("another program"));
  judged.verdict = Verdict::kNotMeasured;
  judged.reason = "it failed\x1b[31m";
  EXPECT_THAT(ClaimTerminal(ExampleClaim(), {judged}), HasSubstr("not measured: it failed?[31m"));
}

TEST(ClaimText, CountsVerdicts) {
  Judged other = Example();
  other.verdict = Verdict::kNotReproduced;
  EXPECT_EQ(CountVerdicts({Example(), Example(), other}),
            "3 statements: 2 same direction and size, 1 not reproduced");
  EXPECT_EQ(CountVerdicts({other}), "1 statement: 1 not reproduced");
}

}  // namespace
}  // namespace rubric
