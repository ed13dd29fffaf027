// RunPlan: what a run of the suite set out to measure; a results folder's run.json.
//
// USE        The suite writes it before the first process, and reads it again to resume. Reports
//            read it to tell a cell that is missing from one that was never asked for.
// LAYOUT     One JSON object in run.json; fields in reports/results/README.md.
// INVARIANTS (1) ParseRunPlan(ToJson(p)) == p for every p that ParseRunPlan can return.
//            (2) Variant names are distinct, and so are cells. Unknown fields are kept.
// TESTED BY  parse_record_test.cc, parse_record_fuzz.cc.

#ifndef RUBRIC_REPORTS_RESULTS_RUN_PLAN_H_
#define RUBRIC_REPORTS_RESULTS_RUN_PLAN_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "reports/results/record.h"

namespace rubric {

inline constexpr std::string_view kRecordsFile = "results.jsonl";
inline constexpr std::string_view kPlanFile = "run.json";

struct PlannedCell {
  std::string experiment;
  Params params;      // every one, defaults too
  std::string label;  // CellLabel, made by whoever knows the defaults

  friend bool operator==(const PlannedCell&, const PlannedCell&) = default;
};

struct PlannedVariant {
  std::string name;
  Choices variant;

  friend bool operator==(const PlannedVariant&, const PlannedVariant&) = default;
};

struct RunPlan {
  std::vector<std::string> command;  // the suite's own argv, to run it again
  std::string started_at;            // UTC, ISO 8601
  std::string matrix;                // "swaps", "full", "extended"
  std::string baseline;              // a variant's name; "" = not said
  std::vector<PlannedCell> cells;
  std::vector<PlannedVariant> variants;
  MachineInfo machine;
  UnknownFields other;  // the suite's own: options, seed, rounds a pass…

  friend bool operator==(const RunPlan&, const RunPlan&) = default;
};

// With a newline at the end.
std::string ToJson(const RunPlan& plan);

// An InvalidArgumentError names the field; see ParseRecord.
absl::StatusOr<RunPlan> ParseRunPlan(std::string_view json);

}  // namespace rubric

#endif  // RUBRIC_REPORTS_RESULTS_RUN_PLAN_H_
