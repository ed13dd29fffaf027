// The real driver on fake variants, ended at any moment and resumed: nothing is lost, nothing
// repeated.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "experiments/suite/testing/fake_variants.h"
#include "reports/results/record.h"

namespace rubric {
namespace {

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class InterruptedSuiteTest : public testing::Test {
 protected:
  // Three cells, four variants, two rounds and a log.
  static constexpr std::size_t kProcesses = 3 * 4 * 3;

  InterruptedSuiteTest()
      : folder_(TestFolder("interrupted")), results_(folder_ + "/results"), variants_(folder_) {
    variants_.AddUsual();
    for (std::size_t i = 0; i < 3; ++i) variants_.trailer(i)["sleep_ms"] = 3;
    variants_.Write();
  }

  std::vector<std::string> Fresh() const {
    return {"--manifest=" + variants_.manifest(), "--experiments=generic_ivars", "--rounds=2",
            "--out=" + results_};
  }
  std::vector<std::string> Resume() const {
    return {"--manifest=" + variants_.manifest(), "--resume=" + results_};
  }

  std::size_t RecordsSoFar() const {
    return LinesOf(FileContent(results_ + "/results.jsonl")).size();
  }

  // Waits until [count] records are there; false where the driver ended before.
  bool WaitForRecords(SuiteProcess& suite, std::size_t count) const {
    while (RecordsSoFar() < count) {
      if (!suite.running()) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
  }

  // Every process of the schedule has one record, in one order, of one seed.
  void ExpectComplete() const {
    const std::vector<Record> records = RecordsIn(results_);
    ASSERT_EQ(records.size(), kProcesses);
    std::set<std::string> distinct;
    for (std::size_t i = 0; i < records.size(); ++i) {
      const Record& record = records[i];
      EXPECT_EQ(record.status, RecordStatus::kOk) << record.reason;
      EXPECT_EQ(record.run.order, static_cast<std::int64_t>(i));
      EXPECT_EQ(record.run.seed, records[0].run.seed);
      distinct.insert(record.cell + "|" + record.variant_name + "|" + record.run.pass + "|" +
                      std::to_string(*record.run.round));
    }
    EXPECT_EQ(distinct.size(), kProcesses);
  }

  std::string folder_;
  std::string results_;
  FakeVariants variants_;
};

TEST_F(InterruptedSuiteTest, SurvivesKillsAtManyPoints) {
  constexpr unsigned kSeed = 20260131;
  std::cout << "seed " << kSeed << "\n";
  std::mt19937 random(kSeed);
  int kills = 0;
  bool finished = false;
  for (int attempt = 0; attempt < 200 && !finished; ++attempt) {
    const bool started = std::filesystem::exists(results_ + "/run.json");
    const std::size_t before = RecordsSoFar();
    SuiteProcess suite(started ? Resume() : Fresh());
    // At times right away, at times in the middle of a process, at times after a few more records.
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 40));
    if (random() % 3 != 0) WaitForRecords(suite, before + 1 + random() % 3);
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 5000));
    if (!suite.running()) {
      const SuiteEnd end = suite.Wait();
      EXPECT_EQ(end.status, 0) << end.error;
      finished = true;
      break;
    }
    suite.Signal(SIGKILL);
    suite.Wait();
    ++kills;
    EXPECT_GE(RecordsSoFar() + 1, before) << "whole records were lost";
  }
  if (!finished) {
    EXPECT_EQ(RunSuite(Resume()).status, 0);
  }
  EXPECT_GE(kills, 10);
  ExpectComplete();
  // A killed driver repeats at most the process that was running.
  EXPECT_LE(variants_.Trace().size(), kProcesses + static_cast<std::size_t>(kills));
}

TEST_F(InterruptedSuiteTest, RepeatsNothingThatIsRecorded) {
  SuiteProcess suite(Fresh());
  ASSERT_TRUE(WaitForRecords(suite, 10));
  suite.Signal(SIGINT);
  const SuiteEnd end = suite.Wait();
  EXPECT_EQ(end.status, 130);
  const std::size_t recorded = RecordsSoFar();
  EXPECT_TRUE(Contains(end.error, "interrupted by SIGINT (Interrupt): " + std::to_string(recorded) +
                                      " of " + std::to_string(kProcesses)))
      << end.error;
  EXPECT_TRUE(Contains(end.error, "--resume=" + results_)) << end.error;
  const std::size_t run = variants_.Trace().size();
  const SuiteEnd resumed = RunSuite(Resume());
  EXPECT_EQ(resumed.status, 0) << resumed.error;
  EXPECT_TRUE(Contains(resumed.output, std::to_string(kProcesses - recorded) + " processes in "))
      << resumed.output;
  EXPECT_TRUE(Contains(resumed.output, std::to_string(recorded) + " recorded before"))
      << resumed.output;
  EXPECT_EQ(variants_.Trace().size(), run + kProcesses - recorded);
  ExpectComplete();
}

TEST_F(InterruptedSuiteTest, EndsItsProcessOnSigterm) {
  variants_.trailer(0)["behaviour"]["*"] = "hang_ignoring_sigterm";
  variants_.Write();
  SuiteProcess suite(Fresh());
  // The baseline hangs; wait until it does.
  for (int i = 0; i < 5000; ++i) {
    const std::vector<std::string> trace = variants_.Trace();
    if (!trace.empty() && trace.back().starts_with("baseline ")) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  suite.Signal(SIGTERM);
  EXPECT_EQ(suite.Wait().status, 143);
  for (const Record& record : RecordsIn(results_)) EXPECT_EQ(record.status, RecordStatus::kOk);
}

TEST_F(InterruptedSuiteTest, AFinishedRunHasNothingLeftToDo) {
  EXPECT_EQ(RunSuite(Fresh()).status, 0);
  const std::string before = FileContent(results_ + "/results.jsonl");
  const SuiteEnd end = RunSuite(Resume());
  EXPECT_EQ(end.status, 0) << end.error;
  EXPECT_TRUE(Contains(end.output, "0 processes in ")) << end.output;
  EXPECT_EQ(FileContent(results_ + "/results.jsonl"), before);
  EXPECT_EQ(variants_.Trace().size(), kProcesses);
}

TEST_F(InterruptedSuiteTest, RepairsAFileThatWasCutOffAnywhere) {
  EXPECT_EQ(RunSuite(Fresh()).status, 0);
  const std::string whole = FileContent(results_ + "/results.jsonl");
  std::mt19937 random(7);
  for (int i = 0; i < 12; ++i) {
    const std::size_t size = i == 0 ? 0 : i == 1 ? whole.size() - 1 : random() % whole.size();
    std::ofstream(results_ + "/results.jsonl", std::ios::trunc) << whole.substr(0, size);
    const SuiteEnd end = RunSuite(Resume());
    EXPECT_EQ(end.status, 0) << "cut to " << size << ": " << end.error;
    ExpectComplete();
  }
}

TEST_F(InterruptedSuiteTest, KeepsAFailureThatWasRecorded) {
  variants_.trailer(1)["behaviour"]["generic_ivars --op=get"] = "crash";
  variants_.Write();
  EXPECT_EQ(RunSuite(Fresh()).status, 3);
  const std::size_t run = variants_.Trace().size();
  const SuiteEnd end = RunSuite(Resume());
  EXPECT_EQ(end.status, 3);
  EXPECT_TRUE(Contains(end.output, "1 cell failed; ")) << end.output;
  EXPECT_EQ(variants_.Trace().size(), run);
}

TEST_F(InterruptedSuiteTest, FindsAnUnsteadyFigureAcrossAResume) {
  EXPECT_EQ(RunSuite(Fresh()).status, 0);
  // Without its log pass, and with another figure in what is left.
  std::vector<std::string> lines = LinesOf(FileContent(results_ + "/results.jsonl"));
  std::ofstream file(results_ + "/results.jsonl", std::ios::trunc);
  for (std::size_t i = 0; i < 24; ++i) {
    std::string line = lines[i];
    const std::size_t at = line.find("\"malloc_calls\":{\"value\":1");
    ASSERT_NE(at, std::string::npos);
    line[at + 24] = '2';
    file << line << "\n";
  }
  file.close();
  const SuiteEnd end = RunSuite(Resume());
  EXPECT_EQ(end.status, 3);
  EXPECT_TRUE(Contains(end.output, "exact figures differ between processes")) << end.output;
}

TEST_F(InterruptedSuiteTest, RefusesToContinueAnotherRun) {
  SuiteProcess suite(Fresh());
  ASSERT_TRUE(WaitForRecords(suite, 3));
  suite.Signal(SIGKILL);
  suite.Wait();
  const std::size_t run = variants_.Trace().size();
  const auto refused = [&](const std::string& argument, const std::string& message) {
    std::vector<std::string> arguments = Resume();
    if (!argument.empty()) arguments.push_back(argument);
    const SuiteEnd end = RunSuite(arguments);
    EXPECT_EQ(end.status, 2) << argument;
    EXPECT_TRUE(Contains(end.error, message)) << argument << ": " << end.error;
  };
  refused("--rounds=4", "--rounds=4: the run was started with --rounds=2");
  refused("--seed=1", "the run was started with --seed=");
  refused("--experiments=require", "the run was started with --experiments=generic_ivars");
  refused("--variants=baseline", "the run was started with --variants=");
  refused("--massif", "the run was started with --massif=false");
  refused("--out=" + folder_ + "/b", "--out and --resume");

  variants_.trailer(1)["sleep_ms"] = 4;  // another program
  variants_.Write();
  refused("", "binary_sha256 of interning=khash: then \"");
  variants_.trailer(1)["sleep_ms"] = 3;
  variants_.Add("ivars=other", {{"interning", "st_chained"}, {"ivars", "other"}});
  variants_.Write();
  refused("", "variants: then ");
  EXPECT_EQ(variants_.Trace().size(), run);
}

TEST_F(InterruptedSuiteTest, RefusesAFolderThatHoldsNoRun) {
  const auto error_of = [&] {
    const SuiteEnd end = RunSuite(Resume());
    EXPECT_EQ(end.status, 2);
    return end.error;
  };
  EXPECT_TRUE(Contains(error_of(), results_));
  std::filesystem::create_directories(results_);
  EXPECT_TRUE(Contains(error_of(), "run.json"));
  std::ofstream(results_ + "/run.json") << "{\"schema\":1,";
  EXPECT_TRUE(Contains(error_of(), "run.json"));
  std::ofstream(results_ + "/run.json", std::ios::trunc)
      << R"({"schema":1,"variants":[],"cells":[]})";
  EXPECT_TRUE(Contains(error_of(), "options"));
}

TEST_F(InterruptedSuiteTest, RefusesRecordsOfAnotherRun) {
  EXPECT_EQ(RunSuite(Fresh()).status, 0);
  const std::string whole = FileContent(results_ + "/results.jsonl");
  const std::vector<std::string> lines = LinesOf(whole);
  std::ofstream(results_ + "/results.jsonl", std::ios::app) << lines[0] << "\n";
  const SuiteEnd twice = RunSuite(Resume());
  EXPECT_EQ(twice.status, 2);
  EXPECT_TRUE(Contains(twice.error, "process 0 has a record before this one")) << twice.error;
  // To say "continue" of what cannot be continued would send its reader round in circles.
  EXPECT_FALSE(Contains(twice.error, "Continue with")) << twice.error;
  EXPECT_TRUE(Contains(twice.error, "start a new run in another")) << twice.error;
  std::ofstream(results_ + "/results.jsonl", std::ios::trunc) << whole << "no record\n";
  EXPECT_EQ(RunSuite(Resume()).status, 2);
}

TEST_F(InterruptedSuiteTest, OneDriverAFolder) {
  SuiteProcess suite(Fresh());
  ASSERT_TRUE(WaitForRecords(suite, 3));
  const SuiteEnd second = RunSuite(Resume());
  EXPECT_EQ(second.status, 2);
  EXPECT_TRUE(Contains(second.error, "another process is writing")) << second.error;
  EXPECT_EQ(suite.Wait().status, 0);
  ExpectComplete();
}

}  // namespace
}  // namespace rubric
