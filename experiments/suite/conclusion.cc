#include "experiments/suite/conclusion.h"

#include <iostream>

#include "absl/status/statusor.h"
#include "reports/comparison/regression.h"
#include "reports/report.h"
#include "reports/results/command_line.h"
#include "reports/results/concat.h"
#include "reports/text/escape.h"
#include "reports/text/verdict_table.h"

namespace rubric {
namespace {

void PrintError(const absl::Status& status) {
  std::cerr << "error: " << TerminalText(std::string(status.message())) << '\n';
}

}  // namespace

absl::Status CheckFailOn(const std::string& fail_on) {
  const absl::Status status = ParseRegressionRules(fail_on).status();
  if (status.ok()) return status;
  return absl::InvalidArgumentError(Concat("--fail_on: ", std::string(status.message())));
}

int Conclude(const std::string& folder, const std::string& shown_folder,
             const std::string& baseline, const Options& options) {
  ReportOptions report;
  report.compare.baseline = baseline;
  report.compare.force = options.force;
  report.fail_on = options.fail_on;
  bool unusable_rule = false;
  absl::StatusOr<ReportOutcome> outcome = WriteReport({folder}, report);
  if (!outcome.ok() && !options.fail_on.empty()) {
    // A rule about a metric that no cell has must not cost the report of what was measured.
    PrintError(outcome.status());
    unusable_rule = true;
    report.fail_on.clear();
    outcome = WriteReport({folder}, report);
  }
  if (!outcome.ok()) {
    PrintError(outcome.status());
    return kExitUsage;
  }
  std::cout << '\n';
  PrintVerdict(std::cout, outcome->comparison);
  for (const Regression& regression : outcome->regressions) {
    std::cout << "\nRegression: " << TerminalText(Describe(outcome->comparison, regression));
  }
  if (!outcome->regressions.empty()) std::cout << '\n';
  std::cout << "\nReport: " << TerminalText(shown_folder) << "/report/index.html" << std::endl;
  if (!std::cout) {
    std::cerr << "error: cannot write to standard output\n";
    return kExitUsage;
  }
  return unusable_rule ? kExitUsage : outcome->exit_status();
}

}  // namespace rubric
