// Comparison: the figures of any number of results, arranged as cells by variants.
//
// USE        Compare(results, options) once; every view (page, Markdown, terminal, CSV) reads this
//            model and computes no figure of its own.
// LAYOUT     rows = experiment + parameters, in the order of the plan, then of appearance.
//            columns = variants, the baseline first. cell(row, variant) is one Cell.
// COST       O(records) in time and memory.
// INVARIANTS (1) A Cell that is not kOk has a reason and no figures: a failure never becomes a
//                number.
//            (2) An exact figure was the same in every process of its cell that reports it; if one
//                was not, the whole cell is kUnstable and the reason names both values and lines.
//                Usable bytes (bytes_usable, peak_bytes, live_bytes) depend on the heap's layout,
//                which an open malloc log changes: they are held equal among processes that log, and
//                among those that do not, and taken from the latter.
//            (3) Noisy figures come from processes that were run for time, never from those that
//                were logged or ran under valgrind.
//            (4) A ratio exists only where both cells are kOk and both have the figure. Where one
//                of the figures is not above 0, the Ratio says so and has both.
//            (5) Of records of one file with the same cell, variant, pass and round the last
//                counts, and a warning names the others.
// VALIDITY   Owns everything; independent of the Results it was made from.
// TESTED BY  comparison_test.cc.

#ifndef RUBRIC_REPORTS_COMPARISON_COMPARISON_H_
#define RUBRIC_REPORTS_COMPARISON_COMPARISON_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "reports/results/reader.h"
#include "reports/results/record.h"
#include "reports/results/run_plan.h"
#include "reports/stats/ratio.h"
#include "reports/stats/summary.h"

namespace rubric {

enum class CellState {
  kOk,
  kFailed,
  kTimeout,
  kWrongResult,
  kMissing,   // planned, or measured for another variant, but no record of it
  kUnstable,  // an exact figure differed between two processes
};

// "ok", "failed", "timed out", "wrong result", "missing", "not repeatable".
std::string_view StateName(CellState state);

struct ExactFigure {
  double value = 0;
  std::string unit;
  std::size_t processes = 0;  // that reported it, all with this value
};

struct NoisyFigure {
  std::string unit;
  std::vector<double> samples;  // one a process, in order of reading
  Summary summary;
};

struct Cell {
  CellState state = CellState::kMissing;
  std::string reason;             // empty iff state == kOk
  std::size_t processes = 0;      // with status ok
  OrderedMap<ExactFigure> exact;  // empty unless kOk, as is all that follows
  OrderedMap<NoisyFigure> noisy;
  OrderedMap<SubsystemUse> subsystems;
  std::optional<LiveBytesCurve> live_bytes;
};

struct Row {
  std::string label;  // CellLabel
  std::string experiment;
  Params params;
  std::vector<Cell> cells;  // by variant index
};

struct Variant {
  std::string name;  // variant_name, with " [jemalloc]" where results mix allocators
  Choices choices;
  BuildInfo build;          // of its first record
  bool is_control = false;  // the baseline's choices under another name: an A/A control
};

// Two figures whose quotient would say nothing, as one is not above 0; of noisy ones the medians.
struct FigurePair {
  double baseline = 0;
  double variant = 0;
  std::string unit;
};

// A variant's figure against the baseline's in one row.
struct Ratio {
  // 1 + (variant - baseline) / |baseline|: the quotient, if both are above 0. In any case above 1
  // for more and below 1 for less; infinite from 0, and below 0 where signs differ.
  double ratio = 0;
  std::optional<Interval> interval;  // of noisy figures only, and only from enough processes
  bool exact = false;
  // Iff the figures differ and are not both above 0: what to show in place of `ratio`.
  std::optional<FigurePair> figures = std::nullopt;

  // Worth a sentence: an exact difference, or a noisy one whose interval excludes 1.
  bool is_difference() const {
    return exact ? ratio != 1 : interval.has_value() && interval->excludes_one();
  }
};

// The mean over those rows in which both sides have the figure.
struct MeanRatio {
  double ratio = 0;       // REQUIRES: rows > 0
  std::size_t rows = 0;   // n
  std::size_t total = 0;  // of N: all rows of the comparison
};

// Something that was left out, and why.
struct Dropped {
  std::string cell;
  std::string variant;
  std::string state;
  std::string reason;
};

// One record, for the table of samples.
struct Sample {
  std::string experiment;
  Params params;
  std::string variant;
  std::string pass;
  std::optional<std::int64_t> round;
  OrderedMap<Metric> metrics;
};

struct Comparison {
  std::vector<Variant> variants;  // variants[0] is the baseline
  std::vector<Row> rows;
  std::vector<Dropped>
      dropped;  // cells that are not ok, and passes that failed beside good figures
  std::vector<std::string> warnings;
  std::vector<Sample> samples;  // of records that count, status ok
  std::vector<MachineInfo> machines;
  std::vector<std::string> files;
  std::vector<std::string> command;  // the suite's own argv, of the first plan
  std::string started_at;            // of the first record or plan that says
  std::optional<std::size_t> control;
  std::string time_metric;  // the noisy metric that stands for speed, see kTimeMetrics

  const Variant& baseline() const { return variants[0]; }
  // All cells are ok, and no pass of theirs failed.
  bool complete() const { return dropped.empty(); }
};

// Preferred first: a process's own CPU time does not count the time it waited for a core.
inline constexpr std::string_view kTimeMetrics[] = {"cpu_s", "wall_s"};
inline constexpr std::string_view kPeakMetric = "peak_bytes";
inline constexpr std::string_view kCallsMetric = "malloc_calls";

struct CompareOptions {
  std::string baseline;  // a variant's name; "" = the plan's, else "baseline", else the first
  bool force = false;    // compare what should not be compared, with a warning
};

// InvalidArgumentError: an unknown baseline (names the nearest and all there are), or, without
// `force`, figures that do not belong beside each other: debug, stressed or sanitizer builds,
// several compilers, machines or hash seeds, or two variants that are one and the same binary.
// Whatever `force` says: one name of two variants, one metric in two units.
absl::StatusOr<Comparison> Compare(const Results& results, const CompareOptions& options);

// Whether an exact metric is of usable bytes, which follow from where the allocator's chunks lie:
// a chunk too small to split is given away whole. See INVARIANTS (2).
bool DependsOnHeapLayout(std::string_view metric);

// By any metric's name, exact or noisy. nullopt where (4) does not hold.
std::optional<Ratio> RatioToBaseline(const Comparison& comparison, std::size_t row,
                                     std::size_t variant, std::string_view metric);

// nullopt if no row has both figures. Rows with `figures` are left out: they have no logarithm.
std::optional<MeanRatio> MeanRatioToBaseline(const Comparison& comparison, std::size_t variant,
                                             std::string_view metric);

// The names of all metrics of a kind, in order of first appearance.
std::vector<std::string> MetricNames(const Comparison& comparison, bool exact);

// The first allocator call at which a variant's live bytes leave the baseline's by more than
// `share` of the baseline's highest, of the calls that either curve has a point for.
struct PartingPoint {
  std::int64_t call = 0;
  std::int64_t baseline_bytes = 0;
  std::int64_t variant_bytes = 0;
};
std::optional<PartingPoint> FindPartingPoint(const LiveBytesCurve& baseline,
                                             const LiveBytesCurve& variant, double share = 0.01);

}  // namespace rubric

#endif  // RUBRIC_REPORTS_COMPARISON_COMPARISON_H_
