// Conclusion: what a finished run ends with: report, verdict, exit status.
//
// TESTED BY  suite_end_to_end_test.cc.
#ifndef RUBRIC_EXPERIMENTS_SUITE_CONCLUSION_H_
#define RUBRIC_EXPERIMENTS_SUITE_CONCLUSION_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "experiments/suite/options.h"

namespace rubric {

// Whether --fail_on can be understood, and names metrics that such a run will have; asked before
// anything is measured. Gives a warning for each metric that only an experiment may know.
absl::StatusOr<std::vector<std::string>> CheckFailOn(const Options& options);

// Writes [folder]/report, prints the verdict table and where the report is ([shown_folder] is the
// folder as the user knows it), and returns the exit status: kExitFine, kExitRegression,
// kExitSomeCellsFailed, or kExitUsage where there is nothing to compare or a rule names no metric.
int Conclude(const std::string& folder, const std::string& shown_folder,
             const std::string& baseline, const Options& options);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_SUITE_CONCLUSION_H_
