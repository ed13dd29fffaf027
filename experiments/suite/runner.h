// RunProcesses: works off a plan's schedule, one process after the other, one record each.
//
// USE        main() gives it the plan, where to run, what an earlier run of the same plan left, and
//            a writer; afterwards the results file has a record of every process that was run.
// INVARIANTS (1) A record is appended as soon as its process has ended, and before the next one
//                starts: whatever kills the driver, at most the process that was running is lost.
//            (2) A step that [earlier] has a record of is not run again.
//            (3) Once a cell has a record that is not ok, no further process of that cell and
//                variant is run: it has no figure any more. The skipped ones are counted.
//            (4) An interrupted process leaves no record, nor does one whose log or tool file found
//                the disk full: the run ends with that error, and can be resumed.
// TESTED BY  suite_end_to_end_test.cc, interrupted_suite_test.cc.
#ifndef RUBRIC_EXPERIMENTS_SUITE_RUNNER_H_
#define RUBRIC_EXPERIMENTS_SUITE_RUNNER_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "experiments/suite/command.h"
#include "experiments/suite/plan.h"
#include "experiments/suite/progress.h"
#include "experiments/suite/sample.h"
#include "reports/results/reader.h"
#include "reports/results/writer.h"

namespace rubric {

struct RunSummary {
  int planned = 0;            // processes of the schedule
  int run = 0;                // in this call
  int found = 0;              // recorded by an earlier one
  int skipped = 0;            // of cells that had failed before
  int failed_cells = 0;       // a cell of one variant each: without figures, the report says why
  int stopped_by = 0;         // the signal that ended the run early, or 0
  bool aslr_refused = false;  // some process ran with a random address layout
  bool cpu_refused = false;   // some process was not pinned to its core
};

// An error is one of the results file: it cannot be written, or [earlier] is not of this plan.
absl::StatusOr<RunSummary> RunProcesses(const Plan& plan, const Place& place,
                                        const SourceTree& tree,
                                        const std::vector<SourcedRecord>& earlier,
                                        ResultsWriter& writer, Progress& progress);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_SUITE_RUNNER_H_
