// The require experiment: see README.md.
#ifndef RUBRIC_EXPERIMENTS_REQUIRE_REQUIRE_H_
#define RUBRIC_EXPERIMENTS_REQUIRE_REQUIRE_H_

#include "experiments/harness/experiment.h"

namespace rubric {

const Experiment& RequireExperiment();

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_REQUIRE_REQUIRE_H_
