#include "reports/report.h"

#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "reports/page/page.h"
#include "reports/results/command_line.h"
#include "reports/results/concat.h"
#include "reports/results/reader.h"
#include "reports/results/writer.h"
#include "reports/text/markdown_report.h"
#include "reports/text/samples_csv.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;

std::string OutputFolder(const std::vector<std::string>& paths, const ReportOptions& options) {
  if (!options.output_folder.empty()) return options.output_folder;
  for (const std::string& path : paths) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) return (fs::path(path) / "report").string();
  }
  return (fs::path(paths[0]).parent_path() / "report").string();
}

}  // namespace

int ReportOutcome::exit_status() const {
  if (!regressions.empty()) return kExitRegression;
  return comparison.complete() ? kExitFine : kExitSomeCellsFailed;
}

absl::StatusOr<ReportOutcome> WriteReport(const std::vector<std::string>& paths,
                                          const ReportOptions& options) {
  absl::StatusOr<std::vector<RegressionRule>> rules = ParseRegressionRules(options.fail_on);
  if (!rules.ok()) return rules.status();
  absl::StatusOr<Results> results = ReadResults(paths);
  if (!results.ok()) return results.status();
  absl::StatusOr<Comparison> comparison = Compare(*results, options.compare);
  if (!comparison.ok()) return comparison.status();
  absl::StatusOr<std::vector<Regression>> regressions = FindRegressions(*comparison, *rules);
  if (!regressions.ok()) return regressions.status();

  ReportOutcome outcome;
  outcome.comparison = *std::move(comparison);
  outcome.regressions = *std::move(regressions);
  outcome.output_folder = OutputFolder(paths, options);
  outcome.page = (fs::path(outcome.output_folder) / "index.html").string();
  std::error_code error;
  fs::create_directories(outcome.output_folder, error);
  if (error) {
    return absl::InvalidArgumentError(
        Concat(outcome.output_folder, ": cannot be made: ", error.message()));
  }
  const fs::path folder = outcome.output_folder;
  absl::Status status =
      WriteFilesAtomically({{(folder / "report.md").string(), MarkdownReport(outcome.comparison)},
                            {(folder / "samples.csv").string(), SamplesCsv(outcome.comparison)},
                            {outcome.page, HtmlPage(outcome.comparison)}});
  if (!status.ok()) return status;
  return outcome;
}

}  // namespace rubric
