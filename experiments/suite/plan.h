// Plan: everything that decides what a run measures and how; what --resume compares.
//
// USE        main() makes one from the options, the manifest and what the programs say of
//            themselves; the runner works it off; a results folder keeps it as run.json.
// INVARIANTS (1) variants[0] is the baseline. With a control, variants[1] is the same program once
//                more, named "<baseline> (A/A)".
//            (2) Two plans for which CheckSamePlan is OK have the same schedule, the same commands
//                and the same programs, so their processes can be mixed in one results folder.
// TESTED BY  plan_test.cc.
#ifndef RUBRIC_EXPERIMENTS_SUITE_PLAN_H_
#define RUBRIC_EXPERIMENTS_SUITE_PLAN_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "experiments/suite/cell.h"
#include "experiments/suite/schedule.h"
#include "reports/results/record.h"
#include "reports/results/run_plan.h"

namespace rubric {

struct VariantSpec {
  std::string name;          // as recorded: the control has a name of its own
  std::string program_name;  // as the program calls itself
  Choices axes;              // axis -> backend, as the manifest promises
  std::string binary;        // absolute path
  std::string sha256;        // of the binary, 64 hex digits
  BuildInfo build;           // as the program says
};

struct Plan {
  std::string suite;
  std::string matrix;
  std::string baseline;
  std::uint64_t seed = 0;  // of the schedule
  int rounds = 0;          // of the time pass
  std::vector<std::string> other_passes;
  double timeout_s = 0;                    // of a process of the time pass
  std::optional<int> cpu;                  // the core of every process; none: not pinned
  std::optional<std::uint64_t> hash_seed;  // none: the programs' own default
  std::vector<CellSpec> cells;
  std::vector<VariantSpec> variants;
  OrderedMap<std::string> files;       // workload file, as the cells name it -> its SHA-256
  std::vector<std::string> overruled;  // what --force let pass
};

// The name under which the baseline runs a second time.
std::string ControlName(const std::string& baseline);

std::vector<Step> ScheduleOf(const Plan& plan);

// The plan as run.json keeps it. [options] (flag -> text) are there for --resume to start from.
RunPlan ToRunPlan(const Plan& plan, const OrderedMap<std::string>& options);

// The options that the run was started with.
absl::StatusOr<OrderedMap<std::string>> OptionsOf(const RunPlan& stored);

// OK if [stored] describes the same run as [now]; else FailedPrecondition with every difference.
absl::Status CheckSamePlan(const RunPlan& stored, const RunPlan& now);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_SUITE_PLAN_H_
