// The generic_ivars experiment: see README.md.
#ifndef RUBRIC_EXPERIMENTS_GENERIC_IVARS_GENERIC_IVARS_H_
#define RUBRIC_EXPERIMENTS_GENERIC_IVARS_GENERIC_IVARS_H_

#include "experiments/harness/experiment.h"

namespace rubric {

const Experiment& GenericIvarsExperiment();

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_GENERIC_IVARS_GENERIC_IVARS_H_
