// The array_literal experiment: see README.md.
#ifndef RUBRIC_EXPERIMENTS_ARRAY_LITERAL_ARRAY_LITERAL_H_
#define RUBRIC_EXPERIMENTS_ARRAY_LITERAL_ARRAY_LITERAL_H_

#include "experiments/harness/experiment.h"

namespace rubric {

const Experiment& ArrayLiteralExperiment();

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_ARRAY_LITERAL_ARRAY_LITERAL_H_
