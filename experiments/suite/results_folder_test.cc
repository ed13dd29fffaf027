#include "experiments/suite/results_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "absl/status/statusor.h"
#include "experiments/suite/testing/sample_plan.h"
#include "reports/results/record.h"

namespace rubric {
namespace {

std::string Folder(const std::string& name) {
  const std::string folder = std::string(getenv("TEST_TMPDIR")) + "/" + name;
  std::filesystem::remove_all(folder);
  return folder;
}

RunPlan SampleRun() { return ToRunPlan(SamplePlan(), {{"rounds", "5"}}); }

TEST(ResultsFolderTest, MakesWhatARunNeeds) {
  const std::string folder = Folder("a/b");
  const absl::StatusOr<ResultsFolder> results =
      ResultsFolder::OpenFresh(folder, SampleRun(), {"log", "massif"});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ(results->folder(), folder);
  EXPECT_TRUE(results->earlier().empty());
  for (const char* name : {"run.json", "results.jsonl", "scratch", "massif"}) {
    EXPECT_TRUE(std::filesystem::exists(folder + "/" + name)) << name;
  }
  EXPECT_FALSE(std::filesystem::exists(folder + "/callgrind"));
}

TEST(ResultsFolderTest, GivesBackWhatWasRecorded) {
  const std::string folder = Folder("c");
  const Step step = {0, std::string(kTimePass), 0, 0, 0};
  {
    absl::StatusOr<ResultsFolder> results = ResultsFolder::OpenFresh(folder, SampleRun(), {});
    ASSERT_TRUE(results.ok()) << results.status();
    ASSERT_TRUE(results->writer().Append(SampleRecord(SamplePlan(), step)).ok());
    // In use: neither way in.
    EXPECT_FALSE(ResultsFolder::OpenStored(folder, SampleRun(), {}).ok());
    EXPECT_FALSE(ResultsFolder::OpenFresh(folder, SampleRun(), {}).ok());
  }
  const absl::StatusOr<ResultsFolder> again = ResultsFolder::OpenStored(folder, SampleRun(), {});
  ASSERT_TRUE(again.ok()) << again.status();
  ASSERT_EQ(again->earlier().size(), 1u);
  EXPECT_EQ(again->earlier()[0].record, SampleRecord(SamplePlan(), step));
}

TEST(ResultsFolderTest, TakesAFolderInWhichNothingHappened) {
  // What a kill before the plan was written leaves behind.
  const std::string folder = Folder("d");
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/results.jsonl") << "";
  EXPECT_TRUE(ResultsFolder::OpenFresh(folder, SampleRun(), {}).ok());
  EXPECT_FALSE(ResultsFolder::OpenFresh(folder, SampleRun(), {}).ok());
}

TEST(ResultsFolderTest, RefusesAnotherPlan) {
  const std::string folder = Folder("e");
  ASSERT_TRUE(ResultsFolder::OpenFresh(folder, SampleRun(), {}).ok());
  Plan other = SamplePlan();
  other.seed = 9;
  const absl::Status status = ResultsFolder::OpenStored(folder, ToRunPlan(other, {}), {}).status();
  EXPECT_NE(std::string(status.message()).find("seed: then 1, now 9"), std::string::npos);
  EXPECT_FALSE(ResultsFolder::OpenStored(Folder("none"), SampleRun(), {}).ok());
}

TEST(ResultsFolderTest, NamesFoldersByTimeAndMatrix) {
  const std::string parent = Folder("f");
  const std::string first = DefaultResultsFolder(parent, "swaps");
  EXPECT_TRUE(first.starts_with(parent + "/2")) << first;
  EXPECT_TRUE(first.ends_with("-swaps")) << first;
  std::filesystem::create_directories(first);
  EXPECT_NE(DefaultResultsFolder(parent, "swaps"), first);
}

}  // namespace
}  // namespace rubric
