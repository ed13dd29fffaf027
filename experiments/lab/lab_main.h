// LabMain: the lab's command line, the same for every variant.
#ifndef RUBRIC_EXPERIMENTS_LAB_LAB_MAIN_H_
#define RUBRIC_EXPERIMENTS_LAB_LAB_MAIN_H_

#include "experiments/lab/variant.h"

namespace rubric {

// `lab help` says what it does and what its exit status means.
int LabMain(int argc, char** argv, const LabVariant& variant);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_LAB_LAB_MAIN_H_
