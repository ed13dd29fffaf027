// The lab from outside: commands, records, errors, and what it says of bad input.

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "core/base/build_mode.h"
#include "experiments/lab/lab_program.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace rubric {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// Small enough to run under every checking build.
const std::vector<std::string>& SmallRuns() {
  static const auto* runs = new std::vector<std::string>{
      "require --features=50 --slashes=3",
      "require --features=20 --slashes=12 --methods=3",
      "array_literal --count=200",
      "array_literal --count=200 --elements=110 --nokeep",
      "array_literal --count=200 --elements=3 --written=50",
      "intern --op=hit --size=100 --lookups=1000",
      "intern --op=miss --size=100 --lookups=1000 --kind=symbol",
      "intern --op=insert --size=300 --kind=symbol",
      "intern --op=insert --size=300 --length=40 --keys=colliding",
      "intern --op=iterate --size=100 --lookups=1000",
      "intern --op=sweep --size=300",
      "intern --op=sweep --size=300 --kind=symbol",
      "intern --op=hit --size=100 --lookups=600 --cache=cold --order=sequential",
      "generic_ivars --objects=50 --op=set",
      "generic_ivars --objects=50 --op=get --order=rotated",
      "generic_ivars --objects=50 --op=iterate --type=time",
      "generic_ivars --objects=50 --op=remove --type=data",
      "generic_ivars --objects=50 --op=set --type=float --ivars=20",
      "generic_ivars --objects=50 --op=set --type=object",
      "marshal --case=dump_flo --count=100",
      "marshal --case=dump_load_geniv --count=50",
      "marshal --case=dump_load_time --count=50",
      "tls_clients --clients=10",
      "tls_clients --clients=5 --library=ruby31 --io_ivars=3"};
  return *runs;
}

TEST(LabTest, EveryExperimentChecksItsResultAndReportsEveryMetric) {
  for (const std::string& run : SmallRuns()) {
    SCOPED_TRACE(run);
    const Record record = RunForRecord(run);
    EXPECT_EQ(record.status, RecordStatus::kOk) << record.reason;
    for (const char* metric :
         {"malloc_calls", "free_calls", "bytes_requested", "bytes_usable", "peak_bytes",
          "live_bytes", "slots_live", "heap_pages", "gc_count", "gc_marked_slots", "wall_s",
          "cpu_s", "gc_s", "rss_bytes", "vm_hwm_bytes", "minor_faults"}) {
      MetricOf(record, metric);
    }
    double calls = 0;
    for (const auto& [name, use] : record.subsystems)
      calls += static_cast<double>(use.malloc_calls);
    EXPECT_EQ(calls, MetricOf(record, "malloc_calls"));
    EXPECT_LE(MetricOf(record, "rss_bytes"), MetricOf(record, "vm_hwm_bytes"));
  }
}

TEST(LabTest, EveryExperimentSurvivesACollectionAtEachAllocation) {
  for (const std::string& run : SmallRuns()) {
    SCOPED_TRACE(run);
    EXPECT_EQ(RunForRecord(run + " --gc_stress").status, RecordStatus::kOk);
  }
}

TEST(LabTest, ExactMetricsRepeatBitForBit) {
  // Tables keyed by address differ in order from process to process, and with it malloc's own
  // remainders, unless addresses repeat: the lab itself sees to that.
  if (std::system("setarch --addr-no-randomize true") != 0) {
    GTEST_SKIP() << "this machine does not let a process switch off ASLR";
  }
  for (const std::string& run : SmallRuns()) {
    SCOPED_TRACE(run);
    const Record first = RunForRecord(run);
    const Record second = RunForRecord(run);
    EXPECT_EQ(first.run.aslr, "off");
    for (const auto& [name, metric] : first.metrics) {
      if (metric.exact) {
        EXPECT_EQ(metric.value, MetricOf(second, name)) << name;
      }
    }
    EXPECT_EQ(first.subsystems, second.subsystems);
  }
}

TEST(LabTest, AStressedRunIsRecordedAsOne) {
  const Record plain = RunForRecord("array_literal --count=10");
  const Record stressed = RunForRecord("array_literal --count=10 --gc_stress");
  if (plain.build.mode != "opt") GTEST_SKIP() << "this is a " << plain.build.mode << " build";
  EXPECT_EQ(stressed.build.mode, "gc_stress");
}

TEST(LabTest, AnotherHashSeedGivesTheSameAnswers) {
  for (const std::string& run : SmallRuns()) {
    SCOPED_TRACE(run);
    EXPECT_EQ(RunForRecord(run + " --hash_seed=-7").status, RecordStatus::kOk);
  }
}

TEST(LabTest, TheMallocLogHoldsEveryCallAndEndsWhereTheCountersDo) {
  const std::string log = ::testing::TempDir() + "/lab.log";
  const Record record = RunForRecord("array_literal --count=3000 --malloc_log=" + log);
  ASSERT_TRUE(record.live_bytes.has_value());
  EXPECT_EQ(static_cast<double>(record.live_bytes->calls_total), MetricOf(record, "malloc_calls"));
  EXPECT_LE(record.live_bytes->call.size(), 2000u);
  const auto highest =
      *std::max_element(record.live_bytes->bytes.begin(), record.live_bytes->bytes.end());
  EXPECT_EQ(static_cast<double>(highest), MetricOf(record, "peak_bytes"));
}

TEST(LabTest, TheMallocLogReplacesNothingThatTheRunUses) {
  const std::string folder = ::testing::TempDir();
  const std::string list = folder + "/in_use.features";
  std::ofstream(list) << "/a/b.rb\n";
  for (const std::string& log : {list, folder + "/./in_use.features"}) {
    const LabOutput output = RunLab("run require --feature_list=" + list + " --malloc_log=" + log);
    EXPECT_EQ(output.exit_status, 2);
    EXPECT_THAT(output.err, HasSubstr("is the file of --feature_list, which it would replace"));
  }
  std::ifstream kept(list);
  std::string line;
  EXPECT_TRUE(std::getline(kept, line) && line == "/a/b.rb");
  // RunLab sends standard output to a file.
  EXPECT_THAT(RunLab("run array_literal --count=1 --malloc_log=/dev/stdout").err,
              HasSubstr("reads from or prints to"));
  for (const char* device : {"/dev/null", "/dev/full", "/"}) {
    const LabOutput output =
        RunLab(std::string("run array_literal --count=1 --malloc_log=") + device);
    EXPECT_EQ(output.exit_status, 2);
    EXPECT_THAT(output.err, HasSubstr("is no regular file"));
  }
}

TEST(LabTest, NoHalfLogIsLeft) {
  const std::string log = ::testing::TempDir() + "/half.log";
  const LabOutput output =
      RunLab("run array_literal --count=20000 --malloc_log=" + log, "ulimit -f 64; trap '' XFSZ;");
  EXPECT_EQ(output.exit_status, 2);
  EXPECT_THAT(output.err, HasSubstr("could not be written"));
  EXPECT_FALSE(std::ifstream(log).is_open());
}

TEST(LabTest, SaysThatMemoryRanOut) {
  // A collection for each of a million objects would take hours.
  if (kGcStressByDefault || kHostile) GTEST_SKIP();
  if (!RunForRecord("array_literal --count=1").build.sanitizer.empty()) {
    GTEST_SKIP() << "a sanitizer's own memory does not fit into a limit";
  }
  for (const char* run : {"require --features=1000000", "array_literal --count=1000000"}) {
    SCOPED_TRACE(run);
    const LabOutput output = RunLab(std::string("run ") + run + " --json", "ulimit -v 50000;");
    EXPECT_EQ(output.exit_status, 134);
    EXPECT_THAT(output.err, HasSubstr("out of memory"));
    EXPECT_THAT(output.out, IsEmpty());
  }
}

TEST(LabTest, OutputThatDoesNotArriveIsAnError) {
  if (!std::ofstream("/dev/full").is_open()) GTEST_SKIP() << "no /dev/full";
  for (const char* arguments :
       {"list", "list --json", "variant", "help", "run array_literal --count=1 --json"}) {
    SCOPED_TRACE(arguments);
    const LabOutput output = RunLab(std::string(arguments) + " >/dev/full #");
    EXPECT_EQ(output.exit_status, 2);
  }
}

TEST(LabTest, ListsItselfForPeopleAndPrograms) {
  const LabOutput text = RunLab("list");
  EXPECT_EQ(text.exit_status, 0);
  EXPECT_THAT(text.out, HasSubstr("--features=10000"));
  const LabOutput json = RunLab("list --json");
  EXPECT_EQ(json.exit_status, 0);
  const auto parsed = nlohmann::json::parse(json.out, nullptr, false);
  ASSERT_FALSE(parsed.is_discarded()) << json.out;
  EXPECT_EQ(parsed["experiments"][0]["name"], "require");
  EXPECT_EQ(parsed["experiments"][0]["params"][0]["default"], 10000);
  const auto variant = nlohmann::json::parse(RunLab("variant").out, nullptr, false);
  ASSERT_FALSE(variant.is_discarded());
  EXPECT_EQ(variant["variant"], parsed["variant"]);
}

TEST(LabTest, APipeGetsTheTableAndTheRecord) {
  const LabOutput output = RunLab("run array_literal --count=10");
  EXPECT_EQ(output.exit_status, 0);
  EXPECT_THAT(output.out, HasSubstr("variant    baseline"));
  EXPECT_THAT(output.out, HasSubstr("\n{\"schema\":1,"));
}

void ExpectUsageError(const std::string& arguments, const std::string& expected) {
  SCOPED_TRACE(arguments);
  const LabOutput output = RunLab(arguments);
  EXPECT_EQ(output.exit_status, 2);
  EXPECT_THAT(output.err, HasSubstr(expected));
  EXPECT_THAT(output.out, IsEmpty());
}

TEST(LabTest, BadUsageIsOneClearErrorAndStatusTwo) {
  ExpectUsageError("", "lab list");
  ExpectUsageError("rnu require", "no command 'rnu'; did you mean 'run'? `lab help` shows them");
  ExpectUsageError("zzzzzzz", "no command 'zzzzzzz'; `lab help` shows them");
  ExpectUsageError("run zzzzzzz", "no experiment 'zzzzzzz'; `lab list` shows them");
  ExpectUsageError("variant x", "variant: takes nothing, found 'x'");
  ExpectUsageError("\"$(printf '\\033[31m')\"", "no command '?[31m'");
  ExpectUsageError("run", "expected the name of an experiment");
  ExpectUsageError("run requrie", "did you mean 'require'?");
  ExpectUsageError("run require --feautres=3", "did you mean --features?");
  ExpectUsageError("run require --features=0x10", "expected an integer from");
  ExpectUsageError("run require --features=-1", "expected an integer from");
  ExpectUsageError("run intern --op=hti", "expected one of hit, miss");
  ExpectUsageError("run intern --size=100 --length=2", "too short for 100 different names");
  ExpectUsageError("run array_literal --written=101", "from 0 to 100");
  ExpectUsageError("run array_literal --count=1 --malloc_log=/no/such/folder/log",
                   "/no/such/folder/log");
  ExpectUsageError("list --jsno", "takes --json or nothing");
  ExpectUsageError("bench --benchmark_filter=nothing_of_that_name", "matches none");
  ExpectUsageError("bench --no_such_flag", "");
  EXPECT_EQ(RunLab("help").exit_status, 0);
}

TEST(LabTest, BenchRunsTheMicroBenchmarks) {
  const LabOutput output = RunLab(
      "bench --benchmark_filter='/(1|3|4|100)$' --benchmark_min_time=0 --benchmark_format=json");
  EXPECT_EQ(output.exit_status, 0) << output.err;
  const auto parsed = nlohmann::json::parse(output.out, nullptr, false);
  ASSERT_FALSE(parsed.is_discarded()) << output.out;
  EXPECT_EQ(parsed["context"]["variant"], "baseline");
  for (const auto& benchmark : parsed["benchmarks"]) {
    EXPECT_FALSE(benchmark.contains("error_occurred")) << benchmark.dump();
  }
}

class FeatureListTest : public ::testing::Test {
 protected:
  std::string Write(const std::string& bytes) {
    const std::string path = ::testing::TempDir() + "/test.features";
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
};

TEST_F(FeatureListTest, RunsAnApplicationsOwnList) {
  const Record record =
      RunForRecord("require --feature_list=experiments/workloads/rails61-production-boot.features");
  EXPECT_EQ(record.status, RecordStatus::kOk) << record.reason;
}

TEST_F(FeatureListTest, PathsAreBytes) {
  std::string list = "/a/\xff\xfe/b.rb\r\n/a/b.rb\n/a/b.rb\n/no/end/of/line.so";
  list += "\n/" + std::string(10'000, 'x') + "/y.rb\n";
  EXPECT_EQ(RunForRecord("require --feature_list=" + Write(list)).status, RecordStatus::kOk);
}

TEST_F(FeatureListTest, BadListsSayFileLineAndRemedy) {
  ExpectUsageError("run require --feature_list=/no/such/list", "/no/such/list");
  ExpectUsageError("run require --feature_list=/", "/");
  ExpectUsageError("run require --feature_list=" + Write(""), "test.features");
  ExpectUsageError("run require --feature_list=" + Write("/a.rb\n" + std::string("/b\0c.rb\n", 8)),
                   "test.features:2");
  ExpectUsageError("run require --feature_list=" + Write("/a.rb\n/b/../c.rb\n"), "test.features:2");
}

}  // namespace
}  // namespace rubric
