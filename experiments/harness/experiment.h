// Experiment: a workload with parameters and a checked result.
//
// USE        Each folder of experiments/ defines one, as `const Experiment& RequireExperiment()`;
//            experiments/lab lists them. Its body sets up, measures one part (measurement.h), checks
//            its own result, and says so:
//              OK                  the figures count
//              WrongResult(what)   the check failed: exit status 3, the figures do not count
//              any other status    bad input: exit status 2; nothing was measured
//            Bodies take the variant's Vm: run_on_vm.h makes it. This header knows no variant, so
//            that what lists and reports experiments is compiled once.
// INVARIANTS Equal parameters and hash seed do the same work, allocation for allocation, on every
//            run.
// TESTED BY  experiments/lab/lab_test.cc.
#ifndef RUBRIC_EXPERIMENTS_HARNESS_EXPERIMENT_H_
#define RUBRIC_EXPERIMENTS_HARNESS_EXPERIMENT_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "experiments/harness/measurement.h"
#include "experiments/harness/parameter.h"

namespace rubric {

struct RunSettings {
  std::uint64_t hash_seed = 0;
  bool gc_stress = false;
  std::string malloc_log_path;  // empty: no log
  // Takes a dump of the heap (core/object_space/heap_dump.h) as it is where the measured part ends;
  // empty: no dump.
  std::function<absl::Status(std::string_view)> heap_dump;
};

struct ExperimentOutcome {
  absl::Status status;
  absl::Status log_status;                  // whether the malloc log was written whole
  std::optional<absl::Status> dump_status;  // nothing if there was no dump
  MeasuredPart part;                        // empty if nothing was measured
  std::shared_ptr<void> vm;  // alive, so that the process's own memory can still be read
};

struct Experiment {
  std::string name;
  std::string summary;  // one line
  std::vector<Parameter> parameters;
  ExperimentOutcome (*run)(const RunSettings& settings, const ParameterValues& parameters);
};

// The status of a run whose result is not what it must be.
inline absl::Status WrongResult(const std::string& what) { return absl::DataLossError(what); }
inline bool IsWrongResult(const absl::Status& status) { return absl::IsDataLoss(status); }

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_HARNESS_EXPERIMENT_H_
