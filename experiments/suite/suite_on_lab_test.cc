// The suite as a user has it, with the real variants of the matrix.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
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

class SuiteOnLabTest : public testing::Test {
 protected:
  SuiteOnLabTest() : results_(TestFolder("lab") + "/results") {}

  static SuiteEnd Run(const std::vector<std::string>& arguments) {
    return RunSuite(arguments, "", "suite");
  }

  // A run of little work, the same in every test. --force: this test may be built with -c dbg.
  std::vector<std::string> Small() const {
    return {"--out=" + results_, "--force", "--experiments=array_literal,intern", "--rounds=2",
            "--param=array_literal.count=200,intern.lookups=1000,intern.size=100"};
  }

  std::string results_;
};

TEST_F(SuiteOnLabTest, EveryCellOfEverySuiteIsOneThatTheLabTakes) {
  for (const char* suite : {"quick", "standard"}) {
    if (suite == std::string("standard") && system("valgrind --version > /dev/null 2>&1") != 0) {
      continue;
    }
    const SuiteEnd end = Run({"--dry_run", "--force", std::string("--suite=") + suite});
    EXPECT_EQ(end.status, 0) << end.error;
    EXPECT_TRUE(Contains(end.output, " run intern")) << end.output;
  }
}

TEST_F(SuiteOnLabTest, ListsTheRealThing) {
  const SuiteEnd end = Run({"--list"});
  EXPECT_EQ(end.status, 0) << end.error;
  for (const char* part : {"\n  require  ", "\n  array_literal  ", "\n  intern  ",
                           "\n  generic_ivars  ", "Variants of the matrix ", "\n  baseline "}) {
    EXPECT_TRUE(Contains(end.output, part)) << part << " in:\n" << end.output;
  }
}

TEST_F(SuiteOnLabTest, MeasuresEveryVariantWithExactFiguresThatRepeat) {
  const SuiteEnd end = Run(Small());
  EXPECT_EQ(end.status, 0) << end.error << end.output;
  std::map<std::string, std::set<double>> calls;  // cell and variant -> figures
  std::set<std::string> variants;
  std::set<std::string> hashes;
  for (const Record& record : RecordsIn(results_)) {
    EXPECT_EQ(record.status, RecordStatus::kOk) << record.reason;
    const Metric* metric = Find(record.metrics, "malloc_calls");
    ASSERT_NE(metric, nullptr);
    calls[record.cell + "|" + record.variant_name].insert(metric->value);
    variants.insert(record.variant_name);
    hashes.insert(record.build.binary_sha256);
    if (record.run.pass == kLogPass) {
      EXPECT_TRUE(record.live_bytes.has_value());
    }
  }
  for (const auto& [cell, figures] : calls) EXPECT_EQ(figures.size(), 1u) << cell;
  EXPECT_GT(variants.size(), 2u);
  EXPECT_EQ(variants.count("baseline (A/A)"), 1u);
  EXPECT_EQ(hashes.size() + 1, variants.size());
  EXPECT_TRUE(std::filesystem::exists(results_ + "/report/index.html"));
}

TEST_F(SuiteOnLabTest, ResumesAfterAKill) {
  SuiteProcess suite(Small(), "", "suite");
  while (LinesOf(FileContent(results_ + "/results.jsonl")).size() < 20 && suite.running()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ASSERT_TRUE(suite.running());
  suite.Signal(SIGKILL);
  suite.Wait();
  const SuiteEnd end = Run({"--resume=" + results_});
  EXPECT_EQ(end.status, 0) << end.error;
  const std::vector<Record> records = RecordsIn(results_);
  for (std::size_t i = 0; i < records.size(); ++i) {
    EXPECT_EQ(records[i].run.order, static_cast<std::int64_t>(i));
  }
  EXPECT_TRUE(Contains(end.output, " recorded before")) << end.output;
}

TEST_F(SuiteOnLabTest, CountsInstructionsThatRepeat) {
  if (system("valgrind --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "valgrind is missing";
  const SuiteEnd end = Run({"--out=" + results_, "--force", "--experiments=array_literal",
                            "--rounds=1", "--variants=baseline", "--instructions", "--massif",
                            "--param=array_literal.count=200,array_literal.written=0,"
                            "array_literal.elements=4"});
  EXPECT_EQ(end.status, 0) << end.error << end.output;
  std::vector<double> instructions;
  for (const Record& record : RecordsIn(results_)) {
    const Metric* count = Find(record.metrics, "instructions");
    if (count != nullptr) instructions.push_back(count->value);
  }
  ASSERT_EQ(instructions.size(), 2u);
  EXPECT_EQ(instructions[0], instructions[1]) << "baseline and control";
}

TEST_F(SuiteOnLabTest, RecordsAProgramThatIsMadeToFail) {
  // Time-outs: nothing is as fast as this.
  const SuiteEnd end =
      Run({"--out=" + results_, "--force", "--experiments=require", "--rounds=1",
           "--variants=baseline", "--timeout=0.001", "--param=require.features=200000"});
  EXPECT_EQ(end.status, 3) << end.error;
  for (const Record& record : RecordsIn(results_)) {
    EXPECT_EQ(record.status, RecordStatus::kTimeout);
  }
}

}  // namespace
}  // namespace rubric
