#include "reports/results/command_line.h"

#include <cstdlib>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/reflection.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"

ABSL_FLAG(std::string, baseline, "first", "the variant to compare with");
ABSL_FLAG(int, processes, 5, "processes a cell");
ABSL_FLAG(bool, force, false, "go on all the same");

namespace rubric {
namespace {

absl::StatusOr<CommandLine> Parse(std::vector<const char*> words) {
  words.insert(words.begin(), "program");
  return ParseCommandLine(static_cast<int>(words.size()), words.data());
}

class CommandLineTest : public testing::Test {
  absl::FlagSaver saver_;
};

TEST_F(CommandLineTest, SetsFlagsInEveryForm) {
  const auto line = Parse({"a", "--baseline=x=y", "--processes", "7", "-force", "b", "--", "--c"});
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_EQ(line->arguments, (std::vector<std::string>{"a", "b", "--c"}));
  EXPECT_EQ(absl::GetFlag(FLAGS_baseline), "x=y");
  EXPECT_EQ(absl::GetFlag(FLAGS_processes), 7);
  EXPECT_TRUE(absl::GetFlag(FLAGS_force));
  ASSERT_TRUE(Parse({"--noforce", "--baseline="}).ok());
  EXPECT_FALSE(absl::GetFlag(FLAGS_force));
  EXPECT_EQ(absl::GetFlag(FLAGS_baseline), "");
}

TEST_F(CommandLineTest, NamesTheNearestFlag) {
  EXPECT_EQ(Parse({"--basline=x"}).status().message(),
            "there is no flag --basline. Did you mean baseline? Flags: --baseline --force "
            "--processes --help");
  EXPECT_EQ(Parse({"--nobaseline"}).status().message(),
            "there is no flag --nobaseline. Did you mean baseline? Flags: --baseline --force "
            "--processes --help");
  // absl has a flag of this name; it is none of ours.
  EXPECT_FALSE(Parse({"--flagfile=/etc/passwd"}).ok());
}

TEST_F(CommandLineTest, SaysWhatIsWrongWithAValue) {
  EXPECT_EQ(Parse({"--processes=many"}).status().message(),
            "--processes cannot be 'many': expected a whole number");
  EXPECT_EQ(Parse({"--processes"}).status().message(), "--processes needs a value: --processes=…");
  EXPECT_FALSE(Parse({"--force=maybe"}).ok());
}

TEST_F(CommandLineTest, HelpIsNoMistake) {
  const char* words[] = {"program", "--help"};
  testing::internal::CaptureStdout();
  const int status = RunMain(2, words, "Does things.\n", [](const auto&) { return 77; });
  const std::string out = testing::internal::GetCapturedStdout();
  EXPECT_EQ(status, kExitFine);
  EXPECT_EQ(out.find("Does things.\n"), 0u);
  EXPECT_NE(out.find("--processes\n      processes a cell (default: 5)"), std::string::npos);
  EXPECT_EQ(out.find("flagfile"), std::string::npos);
}

TEST_F(CommandLineTest, AMistakeIsExitTwoAndTheProgramDoesNotRun) {
  const char* words[] = {"program", "--oops"};
  testing::internal::CaptureStderr();
  const int status = RunMain(2, words, "", [](const auto&) { return 77; });
  EXPECT_EQ(testing::internal::GetCapturedStderr().find("error: there is no flag --oops."), 0u);
  EXPECT_EQ(status, kExitUsage);
  EXPECT_EQ(RunMain(1, words, "", [](const auto&) { return 77; }), 77);
}

TEST(UserPathTest, IsRelativeToWhereTheUserIs) {
  unsetenv("BUILD_WORKING_DIRECTORY");
  EXPECT_EQ(UserPath("results/a"), "results/a");
  setenv("BUILD_WORKING_DIRECTORY", "/home/me", 1);
  EXPECT_EQ(UserPath("results/a"), "/home/me/results/a");
  EXPECT_EQ(UserPath("/tmp/a"), "/tmp/a");
  EXPECT_EQ(UserPath(""), "");
  unsetenv("BUILD_WORKING_DIRECTORY");
}

}  // namespace
}  // namespace rubric
