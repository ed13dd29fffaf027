// Experiment: a workload with parameters and a checked result.
//
// USE        Each folder of experiments/ defines one constant-like function, `const Experiment&
//            RequireExperiment()`; experiments/lab lists them. Run sets up, measures one part
//            (measurement.h), checks its own result, and says so:
//              OK                      the figures count
//              WrongResult(what)       the check failed: exit status 3, the figures do not count
//              any other status        bad input: exit status 2; nothing was measured
// INVARIANTS Equal parameters and hash seed do the same work, allocation for allocation, on every
//            run.
#ifndef RUBRIC_EXPERIMENTS_HARNESS_EXPERIMENT_H_
#define RUBRIC_EXPERIMENTS_HARNESS_EXPERIMENT_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "core/vm/selected.h"
#include "experiments/harness/measurement.h"
#include "experiments/harness/parameter.h"

namespace rubric {

struct Experiment {
  std::string name;
  std::string summary;  // one line
  std::vector<Parameter> parameters;
  absl::Status (*run)(Vm& vm, const ParameterValues& parameters, Measurement& measurement);
};

// The status of a run whose result is not what it must be.
inline absl::Status WrongResult(const std::string& what) { return absl::DataLossError(what); }
inline bool IsWrongResult(const absl::Status& status) { return absl::IsDataLoss(status); }

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_HARNESS_EXPERIMENT_H_
