// WriteReport: from results folders to a report folder, for `compare` and for the suite.
//
// USE        WriteReport({"results/20260131-101500"}, options), then PrintVerdict on the outcome's
//            comparison.
// LAYOUT     The output folder gets report.md, samples.csv and index.html. Later exports go beside
//            them.
// INVARIANTS (1) Each file appears whole or not at all; none is replaced before all are on
//                disk, and index.html is replaced last.
//            (2) Nothing is written if anything is wrong with the input.
// TESTED BY  compare_test.py.

#ifndef RUBRIC_REPORTS_REPORT_H_
#define RUBRIC_REPORTS_REPORT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "reports/comparison/comparison.h"
#include "reports/comparison/regression.h"

namespace rubric {

struct ReportOptions {
  CompareOptions compare;
  std::string output_folder;  // "" = "report" in the first of the paths that is a folder
  std::string fail_on;        // see RegressionRule; "" = none
};

struct ReportOutcome {
  Comparison comparison;
  std::vector<Regression> regressions;
  std::string output_folder;
  std::string page;  // path of index.html

  // kExitRegression if there are any, else kExitSomeCellsFailed unless all cells are ok, else
  // kExitFine.
  int exit_status() const;
};

absl::StatusOr<ReportOutcome> WriteReport(const std::vector<std::string>& paths,
                                          const ReportOptions& options);

}  // namespace rubric

#endif  // RUBRIC_REPORTS_REPORT_H_
