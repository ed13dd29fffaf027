#include "experiments/suite/conclusion.h"

#include <iostream>

#include "absl/status/statusor.h"
#include "reports/comparison/regression.h"
#include "reports/report.h"
#include "reports/results/command_line.h"
#include "reports/results/concat.h"
#include "reports/results/known_metrics.h"
#include "reports/text/escape.h"
#include "reports/text/verdict_table.h"

namespace rubric {
namespace {

void PrintError(const absl::Status& status) {
  std::cerr << "error: " << TerminalText(std::string(status.message())) << '\n';
}

}  // namespace

absl::StatusOr<std::vector<std::string>> CheckFailOn(const Options& options) {
  const auto refuse = [](const std::string& why) {
    return absl::InvalidArgumentError(Concat("--fail_on: ", why));
  };
  const absl::StatusOr<std::vector<RegressionRule>> rules = ParseRegressionRules(options.fail_on);
  if (!rules.ok()) return refuse(std::string(rules.status().message()));
  std::vector<std::string> known = KnownMetricNames();
  std::erase(known, "massif_peak_bytes");  // kept for massif's own tools, and not compared
  std::vector<std::string> warnings;
  for (const RegressionRule& rule : *rules) {
    if (rule.metric == "massif_peak_bytes") return refuse("massif_peak_bytes is not compared");
    if (rule.metric == "instructions" && !options.instructions) {
      return refuse("instructions are counted with --instructions only");
    }
    if (FindKnownMetric(rule.metric) != nullptr) continue;
    if (const std::string hint = DidYouMean(rule.metric, known); !hint.empty()) {
      return refuse(Concat("no experiment has a metric ", rule.metric, ".", hint));
    }
    warnings.push_back(Concat("--fail_on: ", rule.metric,
                              " is none of the metrics that every experiment has; if none has it, "
                              "this run will end with status 2"));
  }
  return warnings;
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
