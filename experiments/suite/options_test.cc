#include "experiments/suite/options.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "reports/results/command_line.h"

namespace rubric {
namespace {

// Sets every flag of the plan back to its default, then those of [words].
void Give(std::vector<const char*> words) {
  std::vector<const char*> argv = {
      "suite",        "--suite=",         "--experiments=", "--variants=",  "--workload=",
      "--param=",     "--rounds=0",       "--seed=",        "--hash_seed=", "--nomassif",
      "--timeout=60", "--noinstructions", "--cpu=",         "--baseline=",  "--noforce",
      "--out=",       "--resume="};
  argv.insert(argv.end(), words.begin(), words.end());
  const auto line = ParseCommandLine(static_cast<int>(argv.size()), argv.data());
  ASSERT_TRUE(line.ok()) << line.status();
}

TEST(OptionsTest, HasDefaults) {
  Give({});
  const absl::StatusOr<Options> options = ReadOptions();
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->suite, "quick");
  EXPECT_EQ(options->rounds, 0);
  EXPECT_EQ(options->seed, std::nullopt);
  EXPECT_EQ(options->hash_seed, std::nullopt);
  EXPECT_EQ(options->cpu, std::nullopt);
  EXPECT_EQ(options->timeout_s, 60);
}

TEST(OptionsTest, AWorkloadIsAllThatIsRun) {
  Give({"--workload=app.workload.gz"});
  EXPECT_EQ(ReadOptions()->workload, "app.workload.gz");
  Give({"--workload=app.workload.gz", "--experiments=require"});
  EXPECT_FALSE(ReadOptions().ok());
}

TEST(OptionsTest, ReadsNumbers) {
  Give({"--rounds=7", "--seed=9223372036854775807", "--cpu=-1", "--timeout=0.5", "--hash_seed=0"});
  const absl::StatusOr<Options> options = ReadOptions();
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->rounds, 7);
  EXPECT_EQ(options->seed, 9223372036854775807u);
  EXPECT_EQ(options->cpu, -1);
  EXPECT_EQ(options->timeout_s, 0.5);
  EXPECT_EQ(options->hash_seed, 0u);
}

TEST(OptionsTest, RefusesNonsense) {
  for (const char* word : {"--rounds=-1", "--rounds=10001", "--seed=x", "--seed=-1", "--seed=1.5",
                           "--hash_seed=9223372036854775808", "--cpu=-2", "--cpu=one",
                           "--timeout=0", "--timeout=-1", "--timeout=nan", "--timeout=inf"}) {
    Give({word});
    EXPECT_FALSE(ReadOptions().ok()) << word;
  }
  Give({"--out=/a", "--resume=/b"});
  EXPECT_FALSE(ReadOptions().ok());
}

TEST(OptionsTest, TakesAStoredRunsOptions) {
  Give({"--rounds=7", "--massif", "--param=a.b=c", "--seed=5"});
  const OrderedMap<std::string> stored = PlanOptions();
  Give({});
  ASSERT_TRUE(TakeStoredOptions(stored).ok());
  const absl::StatusOr<Options> options = ReadOptions();
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->rounds, 7);
  EXPECT_TRUE(options->massif);
  EXPECT_EQ(options->param, "a.b=c");
  EXPECT_EQ(options->seed, 5u);
  EXPECT_EQ(PlanOptions(), stored);
}

TEST(OptionsTest, RefusesToChangeAStoredOption) {
  Give({"--rounds=7"});
  const OrderedMap<std::string> stored = PlanOptions();
  Give({"--rounds=8"});
  EXPECT_EQ(
      TakeStoredOptions(stored).message(),
      "--rounds=8: the run was started with --rounds=7; leave the flag out to continue it, or "
      "start a new run");
  Give({"--rounds=7"});
  EXPECT_TRUE(TakeStoredOptions(stored).ok());
  Give({"--suite=standard"});
  EXPECT_FALSE(TakeStoredOptions(stored).ok());
  Give({});
  EXPECT_FALSE(TakeStoredOptions({{"rounds", "many"}}).ok());
}

TEST(OptionsTest, RefusesAListGivenTwice) {
  const auto check = [](std::vector<const char*> words) {
    return CheckFlagWords(static_cast<int>(words.size()), words.data());
  };
  EXPECT_TRUE(check({"suite", "--param=a", "--rounds=1", "--rounds=2"}).ok());
  EXPECT_EQ(check({"suite", "--param=a", "-param", "b"}).message(),
            "--param is given 2 times; give it once, with a list");
  EXPECT_FALSE(check({"suite", "--variants=a", "--variants=b"}).ok());
  EXPECT_TRUE(check({"suite", "--variants=a", "--", "--variants=b"}).ok());
}

TEST(OptionsTest, RefusesNothingInPlaceOfSomething) {
  const auto check = [](std::vector<const char*> words) {
    return CheckFlagWords(static_cast<int>(words.size()), words.data());
  };
  for (const char* word : {"--resume=", "-resume=", "--manifest=", "--experiments=", "--variants=",
                           "--param=", "--fail_on="}) {
    EXPECT_FALSE(check({"suite", word}).ok()) << word;
  }
  EXPECT_EQ(check({"suite", "--resume", ""}).message(),
            "--resume is given nothing; name what it stands for, or leave the flag out");
  EXPECT_TRUE(check({"suite", "--out=", "--seed=", "--resume=x", "--", "--param="}).ok());
  Give({"--timeout=nan"});
  EXPECT_NE(std::string(ReadOptions().status().message()).find("found nan"), std::string::npos);
}

}  // namespace
}  // namespace rubric
