#include "experiments/suite/sample.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "experiments/suite/testing/sample_plan.h"
#include "reports/results/parse_record.h"
#include "reports/results/record.h"

namespace rubric {
namespace {

class SampleTest : public testing::Test {
 protected:
  Record Sample(const ProcessOutcome& outcome, const std::string& tool_file = "") {
    ProcessSpec spec;
    spec.timeout_s = 60;
    const Record record = MakeSample(plan_, step_, spec, outcome, {"c0ffee", true},
                                     "2026-01-31T10:15:00.000Z", tool_file);
    // Whatever came in, what goes out is a record that the reader accepts.
    const auto read = ParseRecord(ToJsonLine(record));
    EXPECT_TRUE(read.ok()) << read.status();
    return record;
  }

  static ProcessOutcome Exited(const std::string& output, int status = 0) {
    ProcessOutcome outcome;
    outcome.end = ProcessEnd::kExited;
    outcome.exit_status = status;
    outcome.standard_output = output;
    outcome.aslr_off = true;
    outcome.cpu_pinned = true;
    return outcome;
  }

  ProcessOutcome Printed(const Record& record, int status = 0) {
    return Exited(ToJsonLine(record) + "\n", status);
  }

  Plan plan_ = SamplePlan();
  Step step_ = {17, std::string(kTimePass), 3, 1, 2};
};

TEST_F(SampleTest, KeepsAGoodRecordAndAddsItsCircumstances) {
  const Record record = Sample(Printed(SampleRecord(plan_, step_)));
  EXPECT_EQ(record.status, RecordStatus::kOk) << record.reason;
  EXPECT_EQ(record.cell, "require --features=5");
  EXPECT_EQ(record.variant_name, "interning=khash");
  EXPECT_EQ(record.build.commit, "c0ffee");
  EXPECT_EQ(record.build.dirty, true);
  EXPECT_EQ(record.build.binary_sha256, std::string(64, 'b'));
  EXPECT_EQ(record.run.seed, 1u);
  EXPECT_EQ(record.run.round, 3);
  EXPECT_EQ(record.run.order, 17);
  EXPECT_EQ(record.run.pass, kTimePass);
  EXPECT_EQ(record.run.started_at, "2026-01-31T10:15:00.000Z");
  EXPECT_EQ(record.run.hash_seed, 7u);
  EXPECT_EQ(record.metrics.size(), 3u);
}

TEST_F(SampleTest, GivesTheControlItsOwnName) {
  step_.variant = 1;
  const Record record = Sample(Printed(SampleRecord(plan_, step_)));
  EXPECT_EQ(record.status, RecordStatus::kOk) << record.reason;
  EXPECT_EQ(record.variant_name, "baseline (A/A)");
}

TEST_F(SampleTest, RecordsACrashWithItsSignalAndLastLines) {
  ProcessOutcome outcome;
  outcome.end = ProcessEnd::kSignaled;
  outcome.signal = SIGABRT;
  outcome.standard_error = "a\nb\n\xff\n";
  const Record record = Sample(outcome);
  EXPECT_EQ(record.status, RecordStatus::kFailed);
  EXPECT_EQ(record.reason, "killed by SIGABRT (Aborted); standard error ends: a / b / \\xff");
  EXPECT_EQ(record.experiment, "require");
  EXPECT_EQ(record.variant_name, "interning=khash");
  EXPECT_EQ(record.run.order, 17);
  EXPECT_TRUE(record.metrics.empty());
}

TEST_F(SampleTest, RecordsATimeOut) {
  ProcessOutcome outcome;
  outcome.end = ProcessEnd::kTimedOut;
  // Even a whole record does not count once the time is up.
  outcome.standard_output = ToJsonLine(SampleRecord(plan_, step_)) + "\n";
  const Record record = Sample(outcome);
  EXPECT_EQ(record.status, RecordStatus::kTimeout);
  EXPECT_EQ(record.reason, "killed after the time-out of 60 s");
  EXPECT_TRUE(record.metrics.empty());
}

TEST_F(SampleTest, RecordsAWrongResultWithOrWithoutARecord) {
  Record wrong = SampleRecord(plan_, step_);
  wrong.status = RecordStatus::kWrongResult;
  wrong.reason = "expected 4, found 5";
  EXPECT_EQ(Sample(Printed(wrong, 3)).status, RecordStatus::kWrongResult);
  EXPECT_EQ(Sample(Printed(wrong, 3)).reason, "expected 4, found 5");
  EXPECT_EQ(Sample(Exited("", 3)).status, RecordStatus::kWrongResult);
  // Status and record must agree.
  EXPECT_EQ(Sample(Printed(SampleRecord(plan_, step_), 3)).status, RecordStatus::kWrongResult);
  EXPECT_NE(Sample(Printed(wrong, 0)).status, RecordStatus::kOk);
}

TEST_F(SampleTest, RecordsGarbage) {
  for (const char* output : {"", "\n", "hello\n", "{}\n", "{\"schema\":1}\n", "\xff\xfe\n"}) {
    const Record record = Sample(Exited(output));
    EXPECT_EQ(record.status, RecordStatus::kFailed) << output;
    EXPECT_EQ(record.reason.substr(0, 19), "printed no record: ") << output;
  }
  const std::string line = ToJsonLine(SampleRecord(plan_, step_));
  EXPECT_EQ(Sample(Exited(line + "\n" + line + "\n")).status, RecordStatus::kFailed);
  EXPECT_EQ(Sample(Exited("hello\n" + line + "\n")).status, RecordStatus::kFailed);
  EXPECT_EQ(Sample(Exited(line.substr(0, line.size() - 1))).status, RecordStatus::kFailed);
  EXPECT_EQ(Sample(Exited(line)).status, RecordStatus::kOk);  // without a newline
}

TEST_F(SampleTest, RefusesARecordOfAnythingElse) {
  Record other = SampleRecord(plan_, step_);
  other.variant[0].second = "swiss";
  EXPECT_NE(Sample(Printed(other)).reason.find("whose interning is swiss; found"),
            std::string::npos);  // it contradicts itself
  other.variant_name = "interning=swiss";
  EXPECT_EQ(Sample(Printed(other)).reason,
            "the program says that its backends are interning=swiss,ivars=hash; the manifest says "
            "interning=khash,ivars=hash");
  other = SampleRecord(plan_, step_);
  other.variant_name = "baseline";
  EXPECT_EQ(Sample(Printed(other)).status, RecordStatus::kFailed);
  other = SampleRecord(plan_, step_);
  other.params[0].second = std::int64_t{6};
  EXPECT_EQ(Sample(Printed(other)).status, RecordStatus::kFailed);
  other = SampleRecord(plan_, step_);
  other.experiment = "intern";
  EXPECT_EQ(Sample(Printed(other)).status, RecordStatus::kFailed);
  plan_.hash_seed = 8;
  EXPECT_EQ(Sample(Printed(SampleRecord(plan_, step_))).reason,
            "the record's hash seed is 7; asked for was 8");
}

TEST_F(SampleTest, RefusesAProgramThatLeavesProcessesBehind) {
  ProcessOutcome outcome = Printed(SampleRecord(plan_, step_));
  outcome.stragglers = 2;
  EXPECT_EQ(Sample(outcome).reason, "left 2 processes behind, which were killed");
}

TEST_F(SampleTest, KeepsTheCurveOfTheLogPassAndNoTimes) {
  step_.pass = std::string(kLogPass);
  Record record = Sample(Printed(SampleRecord(plan_, step_)));
  EXPECT_EQ(record.status, RecordStatus::kOk) << record.reason;
  EXPECT_TRUE(record.live_bytes.has_value());
  EXPECT_EQ(Find(record.metrics, "wall_s"), nullptr);
  EXPECT_NE(Find(record.metrics, "malloc_calls"), nullptr);
  // What the log's own buffers on the heap may change by a few bytes.
  EXPECT_EQ(Find(record.metrics, "bytes_usable"), nullptr);
  EXPECT_TRUE(record.subsystems.empty());
  Record bare = SampleRecord(plan_, step_);
  bare.live_bytes.reset();
  EXPECT_EQ(Sample(Printed(bare)).reason, "the record of the log pass has no samples.live_bytes");
}

TEST_F(SampleTest, AddsWhatValgrindMeasured) {
  const std::string file = std::string(getenv("TEST_TMPDIR")) + "/tool.out";
  std::ofstream(file) << "snapshot=0\nmem_heap_B=10\nsnapshot=1\nmem_heap_B=4000\nmem_heap_B=30\n";
  step_.pass = std::string(kMassifPass);
  Record record = Sample(Printed(SampleRecord(plan_, step_)), file);
  ASSERT_NE(Find(record.metrics, "massif_peak_bytes"), nullptr) << record.reason;
  EXPECT_EQ(Find(record.metrics, "massif_peak_bytes")->value, 4000);
  EXPECT_EQ(record.metrics.size(), 1u) << "valgrind's allocator is another one";

  std::ofstream(file) << "events: Ir\n\nfn=main\n1 5\n\ntotals: 123456\n";
  step_.pass = std::string(kInstructionsPass);
  record = Sample(Printed(SampleRecord(plan_, step_)), file);
  ASSERT_NE(Find(record.metrics, "instructions"), nullptr) << record.reason;
  EXPECT_EQ(Find(record.metrics, "instructions")->value, 123456);
  EXPECT_TRUE(Find(record.metrics, "instructions")->exact);

  EXPECT_EQ(Sample(Printed(SampleRecord(plan_, step_)), file + ".missing").status,
            RecordStatus::kFailed);
}

TEST(ToolFilesTest, RefuseWhatHasNoFigure) {
  EXPECT_FALSE(MassifPeak("").ok());
  EXPECT_FALSE(MassifPeak("mem_heap_B=x\n").ok());
  EXPECT_FALSE(CallgrindTotal("").ok());
  EXPECT_FALSE(CallgrindTotal("totals: 0\n").ok());
  EXPECT_EQ(CallgrindTotal("summary: 17\ntotals: 17\n").value(), 17);
}

}  // namespace
}  // namespace rubric
