// Results folders: what the reader makes of them, and what the writer leaves behind.

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "reports/results/reader.h"
#include "reports/results/record.h"
#include "reports/results/record_builder.h"
#include "reports/results/run_plan.h"
#include "reports/results/writer.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;

class FilesTest : public testing::Test {
 protected:
  FilesTest() {
    std::string pattern = testing::TempDir() + "/files_test_XXXXXX";
    folder_ = mkdtemp(pattern.data());
  }
  ~FilesTest() override { fs::remove_all(folder_); }

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }

  std::string Write(const std::string& name, const std::string& content) const {
    fs::create_directories(fs::path(Path(name)).parent_path());
    std::ofstream(Path(name), std::ios::binary) << content;
    return Path(name);
  }

  static std::string Read(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  }

  std::string folder_;
};

std::string Line(const std::string& variant = "baseline", std::int64_t round = 0) {
  return ToJsonLine(MakeRecord("require", variant, round)) + "\n";
}

std::string ErrorOf(const std::vector<std::string>& paths) {
  const absl::StatusOr<Results> results = ReadResults(paths);
  return results.ok() ? "" : std::string(results.status().message());
}

TEST_F(FilesTest, ReadsFoldersAndFilesInTheOrderGiven) {
  Write("b/results.jsonl", Line("interning=khash") + Line("interning=khash", 1));
  Write("a/results.jsonl", Line());
  const std::string file = Write("more.jsonl", "\n" + Line("interning=swiss") + "  \r\n");
  const auto results = ReadResults({Path("b"), Path("a"), file});
  ASSERT_TRUE(results.ok()) << results.status();
  ASSERT_EQ(results->records.size(), 4u);
  EXPECT_EQ(results->records[0].record.variant_name, "interning=khash");
  EXPECT_EQ(results->records[0].file, Path("b") + "/results.jsonl");
  EXPECT_EQ(results->records[1].line, 2);
  EXPECT_EQ(results->records[2].record.variant_name, "baseline");
  EXPECT_EQ(results->records[3].line, 2);
  EXPECT_EQ(results->warnings.size(), 2u);  // neither folder has a run.json
}

TEST_F(FilesTest, ReadsThePlanOfAFolder) {
  Write("a/results.jsonl", Line());
  RunPlan plan;
  plan.matrix = "swaps";
  plan.variants = {{"baseline", {}}};
  Write("a/run.json", ToJson(plan));
  const auto results = ReadResults({Path("a")});
  ASSERT_TRUE(results.ok()) << results.status();
  ASSERT_EQ(results->plans.size(), 1u);
  EXPECT_EQ(results->plans[0], plan);
  EXPECT_TRUE(results->warnings.empty());

  Write("a/run.json", "{");
  EXPECT_EQ(ErrorOf({Path("a")}),
            Path("a/run.json") + ": expected JSON, found something else at byte 2");
}

// What a kill leaves: every length at which the last line can be cut.
TEST_F(FilesTest, LeavesOutALastLineThatIsCutOff) {
  const std::string whole = Line();
  for (std::size_t kept = 1; kept < whole.size(); kept += 7) {
    const std::string file = Write("cut.jsonl", whole + whole.substr(0, kept));
    const auto results = ReadResults({file});
    ASSERT_TRUE(results.ok()) << results.status();
    ASSERT_EQ(results->records.size(), 1u) << kept;
    ASSERT_EQ(results->warnings.size(), 1u) << kept;
    ASSERT_EQ(results->warnings[0].find(file + ":2: the last line is cut off"), 0u);
  }
  // Only the newline is missing: the record is whole.
  const std::string file = Write("cut.jsonl", whole + whole.substr(0, whole.size() - 1));
  const auto results = ReadResults({file});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ(results->records.size(), 2u);
  EXPECT_TRUE(results->warnings.empty());
}

TEST_F(FilesTest, ABadLineElsewhereIsAnErrorWithFileAndLine) {
  const std::string cut = Line().substr(0, 40);
  std::string file = Write("bad.jsonl", Line() + cut + "\n" + Line());
  EXPECT_EQ(ErrorOf({file}), file + ":2: expected JSON, found something else at byte 41");
  file = Write("bad.jsonl", Line() + "{\"schema\":1}\n");
  EXPECT_EQ(ErrorOf({file}), file + ":2: status: expected this field, found none");
  file = Write("bad.jsonl", Line() + std::string("\0\0\0", 3) + "\n");
  EXPECT_EQ(ErrorOf({file}).find(file + ":2: expected JSON"), 0u);
}

TEST_F(FilesTest, EndsAtALineThatNeverEnds) {
  const std::string file = Write("long.jsonl", Line() + std::string(9 << 20, 'x'));
  EXPECT_EQ(ErrorOf({file}).find(file + ":2: expected at most 4194304 bytes of JSON"), 0u);
  const std::string blank =
      Write("blank.jsonl", Line() + std::string(9 << 20, ' ') + "\n" + Line());
  EXPECT_EQ(ErrorOf({blank}).find(blank + ":2: expected at most 4194304 bytes of JSON"), 0u);
}

TEST_F(FilesTest, SaysWhatIsWrongWithAPath) {
  EXPECT_EQ(ErrorOf({}), "expected a results folder or a file of JSON Lines");
  EXPECT_EQ(ErrorOf({Path("gone")}), Path("gone") + ": cannot be read: No such file or directory");
  fs::create_directories(Path("empty"));
  EXPECT_EQ(ErrorOf({Path("empty")}), Path("empty") +
                                          ": expected a results folder, found no results.jsonl in "
                                          "it; `bazel run //experiments:suite` makes one");
  Write("runs/2/results.jsonl", Line());
  Write("runs/1/results.jsonl", Line());
  EXPECT_EQ(ErrorOf({Path("runs")}),
            Path("runs") +
                ": expected a results folder, found no results.jsonl in it; "
                "there are some in " +
                Path("runs/1") + ", " + Path("runs/2"));
  const std::string none = Write("none.jsonl", "\n");
  EXPECT_EQ(ErrorOf({none}), "no records in " + none);
  EXPECT_TRUE(ReadRecordsFile(none).ok());
  ASSERT_EQ(mkfifo(Path("fifo").c_str(), 0600), 0);
  EXPECT_EQ(ErrorOf({Path("fifo")}),
            Path("fifo") + ": expected a results folder or a file of JSON Lines, found neither");
}

TEST_F(FilesTest, SaysThatAFolderMayNotBeRead) {
  Write("a/results.jsonl", Line());
  fs::permissions(Path("a"), fs::perms::none);
  // Root may read everything, so it becomes somebody else for the moment.
  const uid_t self = geteuid();
  if (self == 0 && seteuid(65534) != 0) GTEST_SKIP() << "root cannot become anyone else here";
  const std::string error = ErrorOf({Path("a")});
  ASSERT_EQ(seteuid(self), 0);
  EXPECT_EQ(error, Path("a") + ": cannot be read: Permission denied");
  fs::permissions(Path("a"), fs::perms::owner_all);
}

TEST_F(FilesTest, ReadsAFileGivenTwiceOnce) {
  Write("a/results.jsonl", Line());
  fs::create_directory_symlink(Path("a"), Path("link"));
  const auto results = ReadResults({Path("a/results.jsonl"), Path("link"), Path("a/../a")});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ(results->records.size(), 1u);
  EXPECT_EQ(results->warnings.size(), 2u);
}

TEST_F(FilesTest, WritesWhatTheReaderReads) {
  {
    auto writer = ResultsWriter::Open(Path("results.jsonl"));
    ASSERT_TRUE(writer.ok()) << writer.status();
    EXPECT_EQ(writer->bytes_cut(), 0);
    for (int round = 0; round < 3; ++round) {
      ASSERT_TRUE(writer->Append(MakeRecord("require", "baseline", round)).ok());
    }
  }
  auto writer = ResultsWriter::Open(Path("results.jsonl"));
  ASSERT_TRUE(writer.ok()) << writer.status();
  ASSERT_TRUE(writer->Append(MakeRecord("require", "baseline", 3)).ok());
  const auto results = ReadRecordsFile(Path("results.jsonl"));
  ASSERT_TRUE(results.ok()) << results.status();
  ASSERT_EQ(results->records.size(), 4u);
  for (int round = 0; round < 4; ++round) {
    EXPECT_EQ(results->records[static_cast<std::size_t>(round)].record,
              MakeRecord("require", "baseline", round));
  }
}

TEST_F(FilesTest, OpeningMakesTheFileWholeAgain) {
  const std::string whole = Line();
  for (std::size_t kept = 1; kept <= whole.size(); kept += 5) {
    const std::string file = Write("cut.jsonl", whole + whole.substr(0, kept));
    auto writer = ResultsWriter::Open(file);
    ASSERT_TRUE(writer.ok()) << writer.status();
    const bool is_record = kept + 1 >= whole.size();
    EXPECT_EQ(writer->bytes_cut(), is_record ? 0 : static_cast<std::int64_t>(kept));
    ASSERT_TRUE(writer->Append(MakeRecord("require", "interning=khash")).ok());
    const auto results = ReadRecordsFile(file);
    ASSERT_TRUE(results.ok()) << results.status();
    EXPECT_TRUE(results->warnings.empty());
    EXPECT_EQ(results->records.size(), is_record ? 3u : 2u);
  }
}

TEST_F(FilesTest, CutsATailThatIsLongerThanABlock) {
  const std::string file = Write("cut.jsonl", Line() + "{\"x\":\"" + std::string(300'000, 'y'));
  auto writer = ResultsWriter::Open(file);
  ASSERT_TRUE(writer.ok()) << writer.status();
  EXPECT_EQ(writer->bytes_cut(), 300'006);
  EXPECT_EQ(Read(file), Line());
  // And where there is no newline at all.
  const std::string other = Write("other.jsonl", std::string(200'000, 'y'));
  ASSERT_TRUE(ResultsWriter::Open(other).ok());
  EXPECT_EQ(Read(other), "");
}

TEST_F(FilesTest, HasOneWriterAtATime) {
  auto first = ResultsWriter::Open(Path("results.jsonl"));
  ASSERT_TRUE(first.ok());
  const auto second = ResultsWriter::Open(Path("results.jsonl"));
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.status().message(),
            Path("results.jsonl") + ": another process is writing to it; wait for it or end it");
  ResultsWriter moved = *std::move(first);
  EXPECT_TRUE(moved.Append(MakeRecord("require")).ok());
}

TEST_F(FilesTest, CannotWriteWhereThereIsNoFolder) {
  const auto writer = ResultsWriter::Open(Path("no/results.jsonl"));
  ASSERT_FALSE(writer.ok());
  EXPECT_EQ(writer.status().code(), absl::StatusCode::kNotFound);
  EXPECT_FALSE(ResultsWriter::Open(folder_).ok());
  EXPECT_FALSE(WriteFileAtomically(Path("no/file"), "x").ok());
}

// The promise that a resumed run rests on: kill a process that appends as fast as it can, at a
// random moment, over and over. What is in the file is whole records, in order, none twice.
TEST_F(FilesTest, AKillAtAnyMomentLosesNothingThatWasWritten) {
  std::mt19937 random(20260131);
  const std::string file = Path("results.jsonl");
  std::size_t before = 0;
  for (int kill_number = 0; kill_number < 20; ++kill_number) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      auto writer = ResultsWriter::Open(file);
      if (!writer.ok()) _exit(1);
      const auto so_far = ReadRecordsFile(file);
      if (!so_far.ok()) _exit(2);
      for (auto round = static_cast<std::int64_t>(so_far->records.size());; ++round) {
        if (!writer->Append(MakeRecord("require", "baseline", round)).ok()) _exit(3);
      }
    }
    usleep(static_cast<useconds_t>(2'000 + random() % 15'000));
    kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the writer ended by itself: " << WEXITSTATUS(status);
    if (!fs::exists(file)) continue;
    const auto results = ReadRecordsFile(file);
    ASSERT_TRUE(results.ok()) << results.status();
    ASSERT_GE(results->records.size(), before);
    before = results->records.size();
    for (std::size_t i = 0; i < before; ++i) {
      ASSERT_EQ(results->records[i].record.run.round, static_cast<std::int64_t>(i));
    }
  }
  EXPECT_GT(before, 0u);
}

TEST_F(FilesTest, ReplacesAFileInOneStepAndLeavesNothingElse) {
  const std::string file = Write("report.md", "old");
  ASSERT_TRUE(WriteFileAtomically(file, "new").ok());
  EXPECT_EQ(Read(file), "new");
  std::size_t entries = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder_)) ++entries;
  EXPECT_EQ(entries, 1u);
  // A folder in its place: refused, and the temporary is gone.
  fs::create_directories(Path("folder/inside"));
  EXPECT_FALSE(WriteFileAtomically(Path("folder"), "x").ok());
  entries = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder_)) ++entries;
  EXPECT_EQ(entries, 2u);
}

}  // namespace
}  // namespace rubric
