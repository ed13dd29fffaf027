// Invocation: which experiment the words of a command line name, and with which parameters.
//
// ERRORS     InvalidArgument, one sentence, with the nearest right name where there is one.
// TESTED BY  lab_test.cc, dump_test.py.
#ifndef RUBRIC_EXPERIMENTS_LAB_INVOCATION_H_
#define RUBRIC_EXPERIMENTS_LAB_INVOCATION_H_

#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "experiments/harness/experiment.h"
#include "experiments/harness/parameter.h"
#include "experiments/lab/variant.h"

namespace rubric {

struct Invocation {
  const Experiment* experiment;
  ParameterValues general;  // those of the command
  ParameterValues values;   // the experiment's own
};

// `words`: what follows the command: the experiment's name, then flags of either kind.
absl::StatusOr<Invocation> ParseInvocation(const LabVariant& variant, const std::string& command,
                                           std::span<const Parameter> general,
                                           const std::vector<std::string>& words);

// The experiment of this name, or null.
const Experiment* FindExperiment(const LabVariant& variant, const std::string& name);

// Whether the file that general flag `flag` names may be replaced: it must be a file, and none that
// the run reads or prints to. To be asked before the run, which may take long.
absl::Status CheckOutputPath(const std::string& flag, const Invocation& invocation);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_LAB_INVOCATION_H_
