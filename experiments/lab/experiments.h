// The experiments of the lab, in the order in which it lists them.
#ifndef RUBRIC_EXPERIMENTS_LAB_EXPERIMENTS_H_
#define RUBRIC_EXPERIMENTS_LAB_EXPERIMENTS_H_

#include <vector>

#include "experiments/array_literal/array_literal.h"
#include "experiments/generic_ivars/generic_ivars.h"
#include "experiments/harness/experiment.h"
#include "experiments/intern/intern.h"
#include "experiments/require/require.h"

namespace rubric {

inline std::vector<const Experiment*> AllExperiments() {
  return {&RequireExperiment(), &ArrayLiteralExperiment(), &InternExperiment(),
          &GenericIvarsExperiment()};
}

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_LAB_EXPERIMENTS_H_
