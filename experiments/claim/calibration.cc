#include "experiments/claim/calibration.h"

#include <cstddef>
#include <set>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "experiments/suite/files.h"
#include "reports/results/concat.h"

namespace rubric {
namespace {

constexpr std::size_t kColumns = 8;
constexpr char kHeading[] =
    "change\texperiment\tmetric\tunit\tbefore\tafter\tratio_after_over_before\tnote";

absl::StatusOr<std::optional<double>> Number(const std::string& text) {
  double number = 0;
  if (text.empty()) return std::optional<double>();
  if (!absl::SimpleAtod(text, &number)) {
    return absl::InvalidArgumentError(Concat("expected a number or nothing, found '", text, "'"));
  }
  return std::optional<double>(number);
}

absl::StatusOr<CalibrationRow> ParseRow(const std::string& line) {
  const std::vector<std::string> cells = absl::StrSplit(line, '\t');
  if (cells.size() != kColumns) {
    return absl::InvalidArgumentError(
        Concat("expected ", kColumns, " columns separated by tabs, found ", cells.size()));
  }
  const absl::StatusOr<std::optional<double>> before = Number(cells[4]);
  if (!before.ok()) return before.status();
  const absl::StatusOr<std::optional<double>> after = Number(cells[5]);
  if (!after.ok()) return after.status();
  return CalibrationRow{cells[0], cells[1], cells[2], cells[3], *before, *after, cells[7]};
}

}  // namespace

absl::StatusOr<const CalibrationRow*> Calibration::Find(const std::string& change,
                                                        const std::string& experiment,
                                                        const std::string& metric) const {
  std::set<std::string> changes, experiments, metrics;
  for (const CalibrationRow& row : rows_) {
    changes.insert(row.change);
    if (row.change != change) continue;
    experiments.insert(row.experiment);
    if (row.experiment != experiment) continue;
    metrics.insert(row.metric);
    if (row.metric == metric) return &row;
  }
  if (changes.count(change) == 0) {
    return absl::NotFoundError(Concat(
        "no change '", change, "' in the calibration. There are: ", absl::StrJoin(changes, ", ")));
  }
  if (experiments.count(experiment) == 0) {
    return absl::NotFoundError(
        Concat("no experiment '", experiment, "' of ", change,
               " in the calibration. There are: ", absl::StrJoin(experiments, "; ")));
  }
  return absl::NotFoundError(
      Concat("no metric '", metric, "' of ", change, ", ", experiment,
             " in the calibration. There are: ", absl::StrJoin(metrics, ", ")));
}

absl::StatusOr<Calibration> ReadCalibration(const std::string& file) {
  const absl::StatusOr<std::string> text = ReadFile(file);
  if (!text.ok()) return text.status();
  std::vector<CalibrationRow> rows;
  std::set<std::vector<std::string>> seen;
  int number = 0;
  for (const std::string& line : std::vector<std::string>(absl::StrSplit(*text, '\n'))) {
    ++number;
    const auto refuse = [&](const std::string& what) {
      return absl::InvalidArgumentError(Concat(file, ":", number, ": ", what));
    };
    if (number == 1) {
      if (line != kHeading) return refuse(Concat("expected the heading '", kHeading, "'"));
      continue;
    }
    if (line.empty()) continue;
    absl::StatusOr<CalibrationRow> row = ParseRow(line);
    if (!row.ok()) return refuse(std::string(row.status().message()));
    if (!seen.insert({row->change, row->experiment, row->metric}).second) {
      return refuse(Concat("there is a row of ", row->change, ", ", row->experiment, ", ",
                           row->metric, " already"));
    }
    rows.push_back(*std::move(row));
  }
  return Calibration(std::move(rows));
}

}  // namespace rubric
