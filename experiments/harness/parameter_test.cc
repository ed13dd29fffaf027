#include "experiments/harness/parameter.h"

#include <cstdlib>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

using ::testing::HasSubstr;

std::vector<Parameter> Declared() {
  return {Parameter::Int("features", 10000, 1, 1'000'000, "features", "how many"),
          Parameter::Bool("keep", true, "keep them"),
          Parameter::Choice("op", {"hit", "miss"}, "what to do"),
          Parameter::Path("feature_list", "a file")};
}

absl::StatusOr<ParameterValues> Parse(std::vector<std::string> words,
                                      std::vector<std::string>* rest = nullptr) {
  return ParseParameters("require", Declared(), words, rest);
}

std::string Error(std::vector<std::string> words) {
  const auto parsed = Parse(std::move(words));
  EXPECT_EQ(parsed.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(parsed.status().message());
}

TEST(ParameterTest, DefaultsInDeclaredOrder) {
  const auto values = Parse({});
  ASSERT_TRUE(values.ok());
  EXPECT_EQ(values->Int("features"), 10000);
  EXPECT_TRUE(values->Bool("keep"));
  EXPECT_EQ(values->Text("op"), "hit");
  EXPECT_EQ(values->Text("feature_list"), "");
  ASSERT_EQ(values->all().size(), 4u);
  EXPECT_EQ(values->all()[2].first, "op");
}

TEST(ParameterTest, TakesEveryForm) {
  const auto values = Parse({"--features=7", "--nokeep", "--op=miss", "--feature_list=/x=y"});
  ASSERT_TRUE(values.ok()) << values.status();
  EXPECT_EQ(values->Int("features"), 7);
  EXPECT_FALSE(values->Bool("keep"));
  EXPECT_EQ(values->Text("op"), "miss");
  EXPECT_EQ(values->Text("feature_list"), "/x=y");
  EXPECT_FALSE(Parse({"--keep=false"})->Bool("keep"));
  EXPECT_TRUE(Parse({"--keep"})->Bool("keep"));
}

TEST(ParameterTest, RelativePathsAreTheUsers) {
  setenv("BUILD_WORKING_DIRECTORY", "/home/user", 1);
  EXPECT_EQ(Parse({"--feature_list=my.features"})->Text("feature_list"), "/home/user/my.features");
  unsetenv("BUILD_WORKING_DIRECTORY");
  EXPECT_EQ(Parse({"--feature_list=my.features"})->Text("feature_list"), "my.features");
}

TEST(ParameterTest, ErrorsSayWhatWasExpected) {
  EXPECT_THAT(Error({"--feautres=7"}), HasSubstr("did you mean --features?"));
  EXPECT_THAT(Error({"--zzz=7"}),
              HasSubstr("no such flag; it takes --features, --keep, --op, --feature_list"));
  EXPECT_THAT(Error({"--op=insert"}), HasSubstr("expected one of hit, miss"));
  EXPECT_THAT(Error({"--features"}), HasSubstr("expected a value"));
  EXPECT_THAT(Error({"--features=1", "--features=2"}), HasSubstr("given twice"));
  EXPECT_THAT(Error({"--keep=maybe"}), HasSubstr("true or false"));
  EXPECT_THAT(Error({"--feature_list="}), HasSubstr("a file name"));
  EXPECT_THAT(Error({"features=1"}), HasSubstr("takes flags only"));
  for (const char* bad :
       {"", "x", "1x", " 1", "+1", "0", "1000001", "99999999999999999999", "1.5", "-1", "0x10"}) {
    EXPECT_THAT(Error({std::string("--features=") + bad}),
                HasSubstr("expected an integer from 1 to 1000000 (features)"));
  }
}

TEST(ParameterTest, LeavesUnknownWordsToWhoWantsThem) {
  std::vector<std::string> rest;
  const auto values = Parse({"--json", "--features=3", "--hash_seed=1"}, &rest);
  ASSERT_TRUE(values.ok());
  EXPECT_EQ(values->Int("features"), 3);
  EXPECT_EQ(rest, (std::vector<std::string>{"--json", "--hash_seed=1"}));
}

}  // namespace
}  // namespace rubric
