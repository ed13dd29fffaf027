// ResultsFolder: where a run keeps its records and its plan, held by one driver at a time.
//
// USE        OpenFresh for a run that starts, OpenStored for one that is resumed. While the object
//            lives, no other driver can open the same folder.
// LAYOUT     results.jsonl   a record a process, append-only
//            run.json        the plan, written before the first process
//            massif/, callgrind/   one file a cell and variant, where those passes were asked for
//            scratch/        what a running process writes; empty between two processes
//            report/         made at the end, and again by //reports:compare
// TESTED BY  results_folder_test.cc, interrupted_suite_test.cc.
#ifndef RUBRIC_EXPERIMENTS_SUITE_RESULTS_FOLDER_H_
#define RUBRIC_EXPERIMENTS_SUITE_RESULTS_FOLDER_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "experiments/suite/plan.h"
#include "reports/results/reader.h"
#include "reports/results/run_plan.h"
#include "reports/results/writer.h"

namespace rubric {

// The folder's name where none was given: "<UTC time>-<matrix>", in [parent].
std::string DefaultResultsFolder(const std::string& parent, const std::string& matrix);

class ResultsFolder {
 public:
  // Whether OpenFresh would find the place free, as far as that can be said without making it.
  static absl::Status CheckFresh(const std::string& folder);

  // Makes [folder] and the folders that the plan's passes write to. Fails where it holds a run
  // already.
  static absl::StatusOr<ResultsFolder> OpenFresh(const std::string& folder, const RunPlan& run,
                                                 const std::vector<std::string>& passes);

  // Opens a folder that holds the run [now]; fails where its plan is another one. A record that a
  // kill cut off is removed.
  static absl::StatusOr<ResultsFolder> OpenStored(const std::string& folder, const RunPlan& now,
                                                  const std::vector<std::string>& passes);

  const std::string& folder() const { return folder_; }
  ResultsWriter& writer() { return writer_; }
  // What the folder held when it was opened.
  const std::vector<SourcedRecord>& earlier() const { return earlier_; }

 private:
  ResultsFolder(std::string folder, ResultsWriter writer)
      : folder_(std::move(folder)), writer_(std::move(writer)) {}

  std::string folder_;
  ResultsWriter writer_;
  std::vector<SourcedRecord> earlier_;
};

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_SUITE_RESULTS_FOLDER_H_
