// Calibration: what CRuby itself measured before and after each change.
//
// USE        ReadCalibration(file) once; Find(change, experiment, metric).
// LAYOUT     data/calibration.tsv: a heading, then change, experiment, metric, unit, before, after,
//            ratio and note, separated by tabs. before or after may be empty: no such figure.
// ERRORS     InvalidArgument with file and line. Rows with equal names are an error.
// TESTED BY  calibration_test.cc.
#ifndef RUBRIC_EXPERIMENTS_CLAIM_CALIBRATION_H_
#define RUBRIC_EXPERIMENTS_CLAIM_CALIBRATION_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace rubric {

struct CalibrationRow {
  std::string change;
  std::string experiment;
  std::string metric;
  std::string unit;
  std::optional<double> before;
  std::optional<double> after;
  std::string note;
};

class Calibration {
 public:
  explicit Calibration(std::vector<CalibrationRow> rows) : rows_(std::move(rows)) {}

  // The row of these names, or an error that names the part that there is nothing of.
  absl::StatusOr<const CalibrationRow*> Find(const std::string& change,
                                             const std::string& experiment,
                                             const std::string& metric) const;

  const std::vector<CalibrationRow>& rows() const { return rows_; }

 private:
  std::vector<CalibrationRow> rows_;
};

absl::StatusOr<Calibration> ReadCalibration(const std::string& file);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_CLAIM_CALIBRATION_H_
