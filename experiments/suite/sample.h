// Sample: from how a process ended to the record that is kept of it.
//
// USE        MakeSample(plan, step, spec, outcome, tree) gives a whole record whatever happened: a
//            process that gave none gets one that says so. Nothing a program prints is trusted: its
//            record must name this experiment, these parameters and these backends.
// INVARIANTS (1) status is kOk iff the process exited with 0, printed one record and nothing else,
//                the record is of this cell and variant, its own result check passed, and no
//                process of its outlived it.
//            (2) From passes other than the time pass, only what is the same there is kept: a time
//                under valgrind says nothing, and usable bytes depend on what else is on the heap.
//            (3) reason is not empty iff status is not kOk.
// TESTED BY  sample_test.cc, suite_end_to_end_test.cc.
#ifndef RUBRIC_EXPERIMENTS_SUITE_SAMPLE_H_
#define RUBRIC_EXPERIMENTS_SUITE_SAMPLE_H_

#include <string>

#include "absl/status/statusor.h"
#include "experiments/suite/plan.h"
#include "experiments/suite/process.h"
#include "experiments/suite/schedule.h"
#include "experiments/suite/source_tree.h"
#include "reports/results/record.h"

namespace rubric {

// [tool_file] is what the pass's tool was told to write: massif's or callgrind's file.
Record MakeSample(const Plan& plan, const Step& step, const ProcessSpec& spec,
                  const ProcessOutcome& outcome, const SourceTree& tree,
                  const std::string& started_at, const std::string& tool_file);

// The highest heap use that a massif file shows, bytes asked for.
absl::StatusOr<double> MassifPeak(const std::string& text);

// The instructions that a callgrind file adds up to.
absl::StatusOr<double> CallgrindTotal(const std::string& text);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_SUITE_SAMPLE_H_
