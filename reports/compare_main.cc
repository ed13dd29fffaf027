// compare: reads results and writes a report of how the variants compare.

#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "reports/comparison/regression.h"
#include "reports/report.h"
#include "reports/results/command_line.h"
#include "reports/results/concat.h"
#include "reports/text/escape.h"
#include "reports/text/verdict_table.h"

ABSL_FLAG(
    std::string, baseline, "",
    "the variant that the others are compared with; if not given, the one that the run named, "
    "else `baseline`, else the first");
ABSL_FLAG(std::string, out, "",
          "folder for the report; if not given, `report` in the first results folder");
ABSL_FLAG(std::string, fail_on, "",
          "limits on ratios to the baseline, such as peak_bytes>1.05,cpu_s>1.1: exit status 1 if a "
          "cell of any variant is beyond one (a time only if its 95 % interval excludes 1)");
ABSL_FLAG(
    bool, force, false,
    "compare even debug builds, several compilers or machines, or one binary under two names");

namespace rubric {
namespace {

constexpr std::string_view kUsage =
    R"(Compares variants: reads results folders (results/RUN) and files of JSON Lines, prints the verdict, and writes
report.md, samples.csv and index.html, a page that opens offline.

  bazel run //reports:compare -- results/RUN [more folders or files] [--baseline=NAME] [--out=DIR]

Exit status: 0 fine, 1 beyond a limit of --fail_on, 2 wrong arguments or unusable results, 3 some cells failed.
)";

int Run(const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    std::cerr
        << "error: expected a results folder, as in: bazel run //reports:compare -- results/RUN; "
           "--help says more\n";
    return kExitUsage;
  }
  std::vector<std::string> paths;
  for (const std::string& argument : arguments) {
    if (argument.empty()) {
      std::cerr << "error: expected a results folder or a file of JSON Lines, found empty text\n";
      return kExitUsage;
    }
    paths.push_back(UserPath(argument));
  }
  ReportOptions options;
  options.compare.baseline = absl::GetFlag(FLAGS_baseline);
  options.compare.force = absl::GetFlag(FLAGS_force);
  options.output_folder = UserPath(absl::GetFlag(FLAGS_out));
  options.fail_on = absl::GetFlag(FLAGS_fail_on);

  const absl::StatusOr<ReportOutcome> outcome = WriteReport(paths, options);
  if (!outcome.ok()) {
    std::cerr << "error: " << TerminalText(std::string(outcome.status().message())) << '\n';
    return kExitUsage;
  }
  std::ostringstream verdict;
  PrintVerdict(verdict, outcome->comparison);
  for (const Regression& regression : outcome->regressions) {
    verdict << "\nRegression: " << TerminalText(Describe(outcome->comparison, regression));
  }
  if (!outcome->regressions.empty()) verdict << '\n';
  verdict << "\nReport: " << TerminalText(outcome->page) << '\n';
  const int printed = PrintOut(verdict.str());
  return printed == kExitFine ? outcome->exit_status() : printed;
}

}  // namespace
}  // namespace rubric

int main(int argc, char** argv) { return rubric::RunMain(argc, argv, rubric::kUsage, rubric::Run); }
