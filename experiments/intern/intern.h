// The intern experiment: see README.md.
#ifndef RUBRIC_EXPERIMENTS_INTERN_INTERN_H_
#define RUBRIC_EXPERIMENTS_INTERN_INTERN_H_

#include "experiments/harness/experiment.h"

namespace rubric {

const Experiment& InternExperiment();

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_INTERN_INTERN_H_
