#include "reports/comparison/comparison.h"

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "reports/comparison/regression.h"
#include "reports/results/reader.h"
#include "reports/results/record.h"
#include "reports/results/record_builder.h"
#include "reports/results/run_plan.h"

namespace rubric {
namespace {

// Results of one file, line by line.
class ResultsBuilder {
 public:
  Record& Add(Record record, const std::string& file = "results.jsonl") {
    std::int64_t line = 1;
    for (const SourcedRecord& source : results_.records) line += source.file == file;
    results_.records.push_back({std::move(record), file, line});
    return results_.records.back().record;
  }

  // Five processes of the time pass, their times 1, 1.01, … 1.04 times `seconds`.
  void AddCell(const std::string& experiment, const std::string& variant, double peak, double calls,
               double seconds) {
    for (int round = 0; round < 5; ++round) {
      Record record = MakeRecord(experiment, variant, round);
      SetMetric(record, "peak_bytes", peak);
      SetMetric(record, "malloc_calls", calls);
      SetMetric(record, "cpu_s", seconds * (1 + 0.01 * round));
      Add(std::move(record));
    }
  }

  Results& results() { return results_; }

  Comparison Compared(const CompareOptions& options = {}) const {
    const absl::StatusOr<Comparison> comparison = Compare(results_, options);
    EXPECT_TRUE(comparison.ok()) << comparison.status();
    return comparison.ok() ? *comparison : Comparison{};
  }

  std::string Error(const CompareOptions& options = {}) const {
    const absl::StatusOr<Comparison> comparison = Compare(results_, options);
    return comparison.ok() ? "" : std::string(comparison.status().message());
  }

 private:
  Results results_;
};

TEST(ComparisonTest, ArrangesCellsByVariants) {
  ResultsBuilder builder;
  builder.AddCell("require", "interning=khash", 50, 10, 2);
  builder.AddCell("require", "baseline", 100, 20, 1);
  builder.AddCell("intern", "baseline", 10, 5, 0.1);
  builder.AddCell("intern", "interning=khash", 10, 5, 0.1);
  const Comparison comparison = builder.Compared();
  ASSERT_EQ(comparison.variants.size(), 2u);
  EXPECT_EQ(comparison.variants[0].name, "baseline");  // first, though it came second
  EXPECT_EQ(comparison.variants[1].choices[0].second, "khash");
  ASSERT_EQ(comparison.rows.size(), 2u);
  EXPECT_EQ(comparison.rows[0].label, "require --count=10");
  EXPECT_TRUE(comparison.complete());
  EXPECT_EQ(comparison.rows[0].cells[1].processes, 5u);
  EXPECT_EQ(Find(comparison.rows[0].cells[1].exact, "peak_bytes")->processes, 5u);

  const auto peak = RatioToBaseline(comparison, 0, 1, "peak_bytes");
  ASSERT_TRUE(peak.has_value());
  EXPECT_EQ(peak->ratio, 0.5);
  EXPECT_TRUE(peak->exact);
  const auto time = RatioToBaseline(comparison, 0, 1, comparison.time_metric);
  ASSERT_TRUE(time.has_value());
  EXPECT_NEAR(time->ratio, 2, 1e-9);
  EXPECT_TRUE(time->interval->excludes_one());
  EXPECT_FALSE(RatioToBaseline(comparison, 1, 1, "peak_bytes")->is_difference());
  EXPECT_FALSE(RatioToBaseline(comparison, 0, 1, "no_such_metric").has_value());
}

TEST(ComparisonTest, ChoosesTheBaseline) {
  ResultsBuilder builder;
  builder.AddCell("require", "interning=khash", 50, 10, 2);
  builder.AddCell("require", "interning=swiss", 100, 20, 1);
  EXPECT_EQ(builder.Compared().baseline().name, "interning=khash");  // no `baseline`: the first
  EXPECT_EQ(builder.Compared({.baseline = "interning=swiss", .force = false}).baseline().name,
            "interning=swiss");
  EXPECT_EQ(builder.Error({.baseline = "interning=swis", .force = false}),
            "there is no variant interning=swis in these results. Did you mean interning=swiss? "
            "Variants: interning=khash interning=swiss");
  builder.AddCell("require", "baseline", 100, 20, 1);
  EXPECT_EQ(builder.Compared().baseline().name, "baseline");
  RunPlan plan;
  plan.baseline = "interning=swiss";
  builder.results().plans.push_back(plan);
  EXPECT_EQ(builder.Compared().baseline().name, "interning=swiss");
}

TEST(ComparisonTest, AFailureIsAStateAndNeverANumber) {
  const struct {
    RecordStatus status;
    CellState state;
  } cases[] = {{RecordStatus::kFailed, CellState::kFailed},
               {RecordStatus::kTimeout, CellState::kTimeout},
               {RecordStatus::kWrongResult, CellState::kWrongResult}};
  for (const auto& [status, state] : cases) {
    ResultsBuilder builder;
    builder.AddCell("require", "baseline", 100, 20, 1);
    builder.AddCell("require", "interning=khash", 50, 10, 2);
    Fail(builder.results().records[7].record, status, "because");
    const Comparison comparison = builder.Compared();
    const Cell& cell = comparison.rows[0].cells[1];
    EXPECT_EQ(cell.state, state);
    EXPECT_EQ(cell.reason, "because (results.jsonl:8)");
    EXPECT_TRUE(cell.exact.empty());
    EXPECT_TRUE(cell.noisy.empty());
    EXPECT_FALSE(comparison.complete());
    EXPECT_FALSE(RatioToBaseline(comparison, 0, 1, "peak_bytes").has_value());
    EXPECT_FALSE(MeanRatioToBaseline(comparison, 1, "peak_bytes").has_value());
    ASSERT_EQ(comparison.dropped.size(), 1u);
    EXPECT_EQ(comparison.dropped[0].reason, cell.reason);
    EXPECT_EQ(comparison.dropped[0].variant, "interning=khash");
  }
}

TEST(ComparisonTest, AMissingCellIsMissed) {
  ResultsBuilder builder;
  builder.AddCell("require", "baseline", 100, 20, 1);
  builder.AddCell("require", "interning=khash", 100, 20, 1);
  builder.AddCell("intern", "interning=khash", 100, 20, 1);  // no baseline for this one
  RunPlan plan;
  plan.variants = {{"baseline", {}}, {"interning=khash", {}}, {"interning=swiss", {}}};
  plan.cells = {{"array_literal", {}, "array_literal"}};
  builder.results().plans.push_back(plan);
  const Comparison comparison = builder.Compared();
  ASSERT_EQ(comparison.rows.size(), 3u);
  ASSERT_EQ(comparison.variants.size(), 3u);
  EXPECT_EQ(comparison.rows[0].label, "array_literal");
  std::size_t missing = 0;
  for (const Dropped& dropped : comparison.dropped) missing += dropped.state == "missing";
  EXPECT_EQ(missing, 3u + 1 + 2);  // array_literal of all, require of swiss, intern of two
  EXPECT_FALSE(RatioToBaseline(comparison, 2, 1, "peak_bytes").has_value());
  const auto mean = MeanRatioToBaseline(comparison, 1, "peak_bytes");
  ASSERT_TRUE(mean.has_value());
  EXPECT_EQ(mean->rows, 1u);
  EXPECT_EQ(mean->total, 3u);
}

TEST(ComparisonTest, AnExactMetricThatDiffersIsAnError) {
  ResultsBuilder builder;
  builder.AddCell("require", "baseline", 100, 20, 1);
  SetMetric(builder.results().records[3].record, "peak_bytes", 104);
  const Comparison comparison = builder.Compared();
  const Cell& cell = comparison.rows[0].cells[0];
  EXPECT_EQ(cell.state, CellState::kUnstable);
  EXPECT_EQ(cell.reason,
            "exact metric peak_bytes is 100 in results.jsonl:1 but 104 in results.jsonl:4");
  EXPECT_TRUE(cell.exact.empty());
}

TEST(ComparisonTest, SubsystemsMustRepeatToo) {
  ResultsBuilder builder;
  builder.AddCell("require", "baseline", 100, 20, 1);
  for (SourcedRecord& source : builder.results().records) {
    source.record.subsystems = {{"interning", SubsystemUse{1, 1, 1, 1, 1, 1}}};
  }
  EXPECT_EQ(builder.Compared().rows[0].cells[0].state, CellState::kOk);
  builder.results().records[2].record.subsystems[0].second.live_bytes = 2;
  EXPECT_EQ(builder.Compared().rows[0].cells[0].state, CellState::kUnstable);
}

TEST(ComparisonTest, TimesComeFromProcessesThatWereRunForTime) {
  ResultsBuilder builder;
  builder.AddCell("require", "baseline", 100, 20, 1);
  Record log = MakeRecord("require", "baseline", 0);
  log.run.pass = kLogPass;
  SetMetric(log, "peak_bytes", 100);
  SetMetric(log, "malloc_calls", 20);
  SetMetric(log, "cpu_s", 99);
  log.live_bytes = LiveBytesCurve{{1}, {8}, 1};
  builder.Add(log);
  // Under valgrind another allocator answers: its bytes are other bytes, its instructions are what
  // it is for.
  Record instructions = MakeRecord("require", "baseline", 0);
  instructions.run.pass = kInstructionsPass;
  SetMetric(instructions, "peak_bytes", 96);
  SetMetric(instructions, "instructions", 12345);
  builder.Add(instructions);
  const Comparison comparison = builder.Compared();
  const Cell& cell = comparison.rows[0].cells[0];
  ASSERT_EQ(cell.state, CellState::kOk) << cell.reason;
  EXPECT_EQ(Find(cell.noisy, "cpu_s")->samples.size(), 5u);
  EXPECT_EQ(Find(cell.exact, "peak_bytes")->processes, 6u);
  EXPECT_EQ(Find(cell.exact, "instructions")->value, 12345);
  EXPECT_TRUE(cell.live_bytes.has_value());
}

TEST(ComparisonTest, ALogMayMoveTheHeapAndNothingElse) {
  const auto with_log = [](const char* metric, double value, std::int64_t live) {
    ResultsBuilder builder;
    Record log = MakeRecord("require", "baseline", 0);
    log.run.pass = kLogPass;
    SetMetric(log, "peak_bytes", 100);
    SetMetric(log, "malloc_calls", 20);
    SetMetric(log, metric, value);
    log.subsystems = {{"interning", SubsystemUse{1, 1, 1, 1, live, 1}}};
    builder.Add(log);  // first: what counts is what comes later
    builder.AddCell("require", "baseline", 100, 20, 1);
    for (std::size_t i = 1; i < builder.results().records.size(); ++i) {
      builder.results().records[i].record.subsystems = {
          {"interning", SubsystemUse{1, 1, 1, 1, 8, 1}}};
    }
    return builder;
  };
  const Comparison moved = with_log("peak_bytes", 116, 24).Compared();
  const Cell& cell = moved.rows[0].cells[0];
  ASSERT_EQ(cell.state, CellState::kOk) << cell.reason;
  EXPECT_EQ(Find(cell.exact, "peak_bytes")->value, 100);
  EXPECT_EQ(Find(cell.exact, "peak_bytes")->processes, 5u);
  EXPECT_EQ(cell.subsystems[0].second.live_bytes, 8);
  EXPECT_EQ(with_log("malloc_calls", 21, 8).Compared().rows[0].cells[0].state,
            CellState::kUnstable);
  ResultsBuilder logs = with_log("peak_bytes", 116, 24);
  Record second = logs.results().records[0].record;
  second.run.round = 1;
  SetMetric(second, "peak_bytes", 132);
  logs.Add(second);
  EXPECT_EQ(logs.Compared().rows[0].cells[0].state, CellState::kUnstable);
}

TEST(ComparisonTest, AFailedValgrindPassLeavesTheRestAlone) {
  ResultsBuilder builder;
  builder.AddCell("require", "baseline", 100, 20, 1);
  Record massif = MakeRecord("require", "baseline", 0);
  massif.run.pass = kMassifPass;
  Fail(massif, RecordStatus::kFailed, "valgrind: not found");
  builder.Add(massif);
  const Comparison comparison = builder.Compared();
  EXPECT_EQ(comparison.rows[0].cells[0].state, CellState::kOk);
  ASSERT_EQ(comparison.dropped.size(), 1u);
  EXPECT_EQ(comparison.dropped[0].reason,
            "only the massif pass: valgrind: not found (results.jsonl:6)");
  EXPECT_FALSE(comparison.complete());
}

TEST(ComparisonTest, ARepeatedProcessReplacesTheFirstInItsFile) {
  ResultsBuilder builder;
  builder.AddCell("require", "baseline", 100, 20, 1);
  Fail(builder.results().records[2].record, RecordStatus::kTimeout, "slow");
  EXPECT_EQ(builder.Compared().rows[0].cells[0].state, CellState::kTimeout);
  Record again = MakeRecord("require", "baseline", 2);
  SetMetric(again, "peak_bytes", 100);
  SetMetric(again, "malloc_calls", 20);
  builder.Add(again);
  const Comparison comparison = builder.Compared();
  EXPECT_EQ(comparison.rows[0].cells[0].state, CellState::kOk);
  EXPECT_EQ(comparison.rows[0].cells[0].processes, 5u);
  ASSERT_EQ(comparison.warnings.size(), 1u);
  EXPECT_EQ(comparison.warnings[0],
            "results.jsonl:3 is left out: results.jsonl:6 has the same process again (require "
            "--count=10, baseline, time pass, round 2)");
  // In another file it is another process.
  builder.Add(again, "more.jsonl");
  EXPECT_EQ(builder.Compared().rows[0].cells[0].processes, 6u);
}

TEST(ComparisonTest, MeansAreGeometricOverCompletePairs) {
  ResultsBuilder builder;
  builder.AddCell("a", "baseline", 100, 20, 1);
  builder.AddCell("a", "interning=khash", 200, 20, 1);
  builder.AddCell("b", "baseline", 100, 0, 1);
  builder.AddCell("b", "interning=khash", 50, 7, 1);
  const Comparison comparison = builder.Compared();
  const auto peak = MeanRatioToBaseline(comparison, 1, "peak_bytes");
  EXPECT_DOUBLE_EQ(peak->ratio, 1);
  EXPECT_EQ(peak->rows, 2u);
  // From 0 calls to 7 there is no ratio.
  const auto calls = MeanRatioToBaseline(comparison, 1, "malloc_calls");
  EXPECT_EQ(calls->rows, 1u);
  EXPECT_EQ(calls->total, 2u);
}

// Any two figures that differ do so in a direction, whatever their signs, and each rule sees it.
TEST(ComparisonTest, FiguresThatAreNotAboveZeroAreComparedByTheirDifference) {
  const double figures[] = {-1000, -10, 0, 10, 1000};
  for (const double from : figures) {
    for (const double to : figures) {
      ResultsBuilder builder;
      builder.AddCell("a", "baseline", 100, from, 1);
      builder.AddCell("a", "interning=khash", 100, to, 1);
      const Comparison comparison = builder.Compared();
      const auto ratio = RatioToBaseline(comparison, 0, 1, "malloc_calls");
      ASSERT_TRUE(ratio.has_value()) << from << " to " << to;
      EXPECT_EQ(ratio->is_difference(), from != to);
      EXPECT_EQ(ratio->ratio > 1, to > from) << from << " to " << to;
      EXPECT_EQ(ratio->ratio < 1, to < from) << from << " to " << to;
      EXPECT_EQ(ratio->figures.has_value(), from != to && (from <= 0 || to <= 0));
      const auto broken = [&](const char* rule) {
        return FindRegressions(comparison, *ParseRegressionRules(rule))->size();
      };
      EXPECT_EQ(broken("malloc_calls>1"), to > from) << from << " to " << to;
      EXPECT_EQ(broken("malloc_calls<1"), to < from) << from << " to " << to;
      // A limit counts in the baseline's size, whatever its sign.
      EXPECT_EQ(broken("malloc_calls>1.9"), to > from && to - from > 0.9 * std::fabs(from));
      if (!ratio->figures) continue;
      EXPECT_FALSE(MeanRatioToBaseline(comparison, 1, "malloc_calls").has_value());
    }
  }
  ResultsBuilder builder;
  builder.AddCell("a", "baseline", 100, 0, 1);
  builder.AddCell("a", "interning=khash", 100, 10, 1);
  const Comparison comparison = builder.Compared();
  EXPECT_EQ(
      Describe(comparison,
               FindRegressions(comparison, *ParseRegressionRules("malloc_calls>1.5"))->front()),
      "a --count=10: malloc_calls of interning=khash is 10 where the baseline's is 0 "
      "(malloc_calls>1.5)");
}

TEST(ComparisonTest, TimesFromNothingNeedAnIntervalToo) {
  const auto from_nothing = [](std::vector<double> seconds) {
    ResultsBuilder builder;
    builder.AddCell("a", "baseline", 100, 20, 1);
    builder.AddCell("a", "interning=khash", 100, 20, 1);
    for (int i = 0; i < 5; ++i) {
      SetMetric(builder.results().records[i].record, "gc_s", 0);
      SetMetric(builder.results().records[5 + i].record, "gc_s", seconds[i]);
    }
    return builder.Compared();
  };
  const auto broken = [](const Comparison& comparison) {
    return FindRegressions(comparison, *ParseRegressionRules("gc_s>1.1"))->size();
  };
  EXPECT_EQ(broken(from_nothing({0.2, 0.2, 0.3, 0.2, 0.2})), 1u);
  EXPECT_EQ(broken(from_nothing({0, 0, 0.3, 0, 0})), 0u);
  EXPECT_EQ(broken(from_nothing({0, 0, 0, 0, 0})), 0u);
  const auto ratio = RatioToBaseline(from_nothing({0.2, 0.2, 0.3, 0.2, 0.2}), 0, 1, "gc_s");
  EXPECT_EQ(ratio->figures->variant, 0.2);
}

TEST(ComparisonTest, FindsTheControl) {
  ResultsBuilder builder;
  builder.AddCell("a", "baseline", 100, 20, 1);
  builder.AddCell("a", "control", 100, 20, 1.5);
  builder.AddCell("a", "interning=khash", 100, 20, 1);
  const Comparison comparison = builder.Compared();
  EXPECT_EQ(comparison.control, 1u);
  EXPECT_TRUE(comparison.variants[1].is_control);
  EXPECT_FALSE(comparison.variants[2].is_control);
}

TEST(ComparisonTest, TellsAllocatorsApart) {
  ResultsBuilder builder;
  builder.AddCell("a", "baseline", 100, 20, 1);
  builder.AddCell("a", "baseline", 120, 20, 1);
  for (std::size_t i = 5; i < 10; ++i) {
    builder.results().records[i].record.build.allocator = "jemalloc";
    builder.results().records[i].file = "jemalloc.jsonl";
  }
  const Comparison comparison = builder.Compared();
  ASSERT_EQ(comparison.variants.size(), 2u);
  EXPECT_EQ(comparison.variants[0].name, "baseline [glibc]");
  EXPECT_EQ(comparison.variants[1].name, "baseline [jemalloc]");
  EXPECT_FALSE(comparison.variants[1].is_control);
  EXPECT_EQ(RatioToBaseline(comparison, 0, 1, "peak_bytes")->ratio, 1.2);
}

class ContradictionTest : public testing::Test {
 protected:
  ContradictionTest() {
    builder.AddCell("a", "baseline", 100, 20, 1);
    builder.AddCell("a", "interning=khash", 100, 20, 1);
  }
  Record& record(std::size_t line) { return builder.results().records[line - 1].record; }
  // The same with force and without it.
  std::string Error() const {
    EXPECT_EQ(builder.Error(), builder.Error({.baseline = "", .force = true}));
    return builder.Error();
  }
  ResultsBuilder builder;
};

TEST_F(ContradictionTest, OneNameOfTwoVariants) {
  record(8).variant[1].second = "shared";
  EXPECT_EQ(Error(),
            "results.jsonl:8: the resurrect of variant interning=khash is shared, but copying in "
            "results.jsonl:6; expected one variant to a name");
  record(8).variant.pop_back();  // an axis that was not there yet
  EXPECT_EQ(Error(), "");
}

TEST_F(ContradictionTest, OneMetricInTwoUnits) {
  record(2).metrics.emplace_back("keys", Metric{1, "keys", true});
  record(7).metrics.emplace_back("keys", Metric{1, "bytes", true});
  EXPECT_EQ(Error(),
            "results.jsonl:7: metric keys is in \"bytes\", exact, but in \"keys\", exact in "
            "results.jsonl:2; expected one unit to a metric");
  record(7).metrics.back().second = {1, "keys", false};
  EXPECT_NE(Error().find("not exact, but"), std::string::npos);
}

struct Unfit {
  std::string name;
  std::function<void(Record&)> edit;
  std::string error;
};

class BelongTogetherTest : public testing::TestWithParam<Unfit> {};

TEST_P(BelongTogetherTest, IsRefusedUnlessForced) {
  ResultsBuilder builder;
  builder.AddCell("a", "baseline", 100, 20, 1);
  builder.AddCell("a", "interning=khash", 100, 20, 1);
  for (SourcedRecord& source : builder.results().records)
    source.record.build.binary_sha256 = source.record.variant_name + "0123456789";
  ASSERT_EQ(builder.Error(), "");
  for (std::size_t i = 5; i < 10; ++i) GetParam().edit(builder.results().records[i].record);
  EXPECT_NE(builder.Error().find(GetParam().error), std::string::npos) << builder.Error();
  EXPECT_NE(builder.Error().find("Use --force"), std::string::npos);
  const Comparison forced = builder.Compared({.baseline = "", .force = true});
  ASSERT_EQ(forced.warnings.size(), 1u);
  EXPECT_NE(forced.warnings[0].find(GetParam().error), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    All, BelongTogetherTest,
    testing::Values(
        Unfit{"debug", [](Record& r) { r.build.mode = "dbg"; },
              "results.jsonl:6: interning=khash is a dbg build"},
        Unfit{"sanitizer", [](Record& r) { r.build.sanitizer = "asan"; },
              "results.jsonl:6: interning=khash is a asan build"},
        Unfit{"compiler", [](Record& r) { r.build.compiler = "clang 14"; },
              "different compilers: clang 14 (interning=khash); g++ 12.2.0 (baseline)"},
        Unfit{"gc_stress", [](Record& r) { r.build.mode = "gc_stress"; },
              "results.jsonl:6: interning=khash is a gc_stress build"},
        Unfit{"hash_seed", [](Record& r) { r.run.hash_seed = 8; },
              "different seeds, which alone moves figures: 7 (results.jsonl:1); 8 "
              "(results.jsonl:6)"},
        Unfit{"machine", [](Record& r) { r.machine.cpu = "another CPU"; },
              "different machines: a CPU, Linux 6.1; another CPU, Linux 6.1"},
        Unfit{"binary", [](Record& r) { r.build.binary_sha256 = "baseline0123456789"; },
              "variants baseline and interning=khash are one and the same binary (baseline0123…)"}),
    [](const auto& info) { return info.param.name; });

TEST(RegressionRuleTest, ReadsRules) {
  const auto rules = ParseRegressionRules(" peak_bytes>1.05, cpu_s < 0.9 ");
  ASSERT_TRUE(rules.ok()) << rules.status();
  ASSERT_EQ(rules->size(), 2u);
  EXPECT_EQ((*rules)[0].metric, "peak_bytes");
  EXPECT_TRUE((*rules)[0].above);
  EXPECT_EQ((*rules)[0].limit, 1.05);
  EXPECT_EQ((*rules)[1].metric, "cpu_s");
  EXPECT_FALSE((*rules)[1].above);
  EXPECT_TRUE(ParseRegressionRules("")->empty());
  for (const char* bad :
       {"peak_bytes", "peak_bytes>", ">1", "peak_bytes>x", "peak_bytes>1x", "peak_bytes>-1",
        "peak_bytes>inf", "peak_bytes>nan", "a>1,,b>1", "a>>1"}) {
    EXPECT_FALSE(ParseRegressionRules(bad).ok()) << bad;
  }
}

TEST(RegressionTest, FindsWhatIsBeyondALimit) {
  ResultsBuilder builder;
  builder.AddCell("a", "baseline", 100, 20, 1);
  builder.AddCell("a", "interning=khash", 110, 20, 1.5);
  builder.AddCell("a", "control", 100, 20, 3);  // a control is not tested
  const Comparison comparison = builder.Compared();
  const auto find = [&](const char* rules) {
    return FindRegressions(comparison, *ParseRegressionRules(rules));
  };
  ASSERT_EQ(find("peak_bytes>1.05")->size(), 1u);
  EXPECT_EQ(
      Describe(comparison, find("peak_bytes>1.05")->front()),
      "a --count=10: peak_bytes of interning=khash is 1.1 of the baseline's (peak_bytes>1.05)");
  EXPECT_TRUE(find("peak_bytes>1.1")->empty());  // at the limit is not beyond it
  EXPECT_TRUE(find("malloc_calls>1")->empty());
  EXPECT_EQ(find("cpu_s>1.2")->size(), 1u);
  EXPECT_EQ(find("malloc_calls>1,cpu_s>1.2,peak_bytes>1")->size(), 2u);
  EXPECT_EQ(find("peek_bytes>1").status().message(),
            "no cell has a metric peek_bytes. Did you mean peak_bytes? Metrics: malloc_calls "
            "peak_bytes cpu_s");
}

// Nothing was measured, so no metric can be missed: that cells failed is said elsewhere.
TEST(RegressionTest, WithoutAnyFigureNoRuleIsBroken) {
  ResultsBuilder builder;
  for (const char* variant : {"baseline", "interning=khash"}) {
    Record record = MakeRecord("a", variant);
    Fail(record, RecordStatus::kFailed, "crashed");
    builder.Add(record);
  }
  const auto broken = FindRegressions(builder.Compared(), *ParseRegressionRules("peak_bytes>1.05"));
  ASSERT_TRUE(broken.ok()) << broken.status();
  EXPECT_TRUE(broken->empty());
  EXPECT_FALSE(builder.Compared().complete());
}

TEST(RegressionTest, ChanceAloneIsNoRegression) {
  ResultsBuilder builder;
  for (int round = 0; round < 5; ++round) {
    for (const char* variant : {"baseline", "interning=khash"}) {
      Record record = MakeRecord("a", variant, round);
      // The medians are 6 % apart, but every fast process of one is faster than a slow one of the
      // other.
      const double base[] = {1.0, 1.1, 1.2, 1.3, 1.4};
      const double other[] = {1.05, 1.15, 1.27, 1.31, 1.38};
      SetMetric(record, "cpu_s", std::string(variant) == "baseline" ? base[round] : other[round]);
      builder.Add(std::move(record));
    }
  }
  const Comparison comparison = builder.Compared();
  EXPECT_GT(RatioToBaseline(comparison, 0, 1, "cpu_s")->ratio, 1.01);
  EXPECT_TRUE(FindRegressions(comparison, *ParseRegressionRules("cpu_s>1.01"))->empty());
}

TEST(PartingPointTest, IsWhereCurvesDifferByOnePercentOfTheHighest) {
  const LiveBytesCurve baseline{{1, 10, 20, 30}, {100, 1000, 2000, 10000}, 30};
  EXPECT_FALSE(FindPartingPoint(baseline, baseline).has_value());
  // 100 of 10,000 is exactly 1 %: not more. 101 is.
  EXPECT_FALSE(FindPartingPoint(baseline, {{1, 10, 20, 30}, {100, 1100, 2000, 10000}, 30}));
  const auto parting = FindPartingPoint(baseline, {{1, 10, 20, 30}, {100, 1101, 2000, 10000}, 30});
  ASSERT_TRUE(parting.has_value());
  EXPECT_EQ(parting->call, 10);
  EXPECT_EQ(parting->baseline_bytes, 1000);
  EXPECT_EQ(parting->variant_bytes, 1101);
  // Between points a curve stays where it is.
  const auto between = FindPartingPoint(baseline, {{1, 15}, {100, 1500}, 15});
  ASSERT_TRUE(between.has_value());
  EXPECT_EQ(between->call, 10);
  EXPECT_FALSE(FindPartingPoint(baseline, {}).has_value());
}

}  // namespace
}  // namespace rubric
