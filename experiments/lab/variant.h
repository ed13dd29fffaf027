// LabVariant: what a lab is made of: its backends, and its experiments.
#ifndef RUBRIC_EXPERIMENTS_LAB_VARIANT_H_
#define RUBRIC_EXPERIMENTS_LAB_VARIANT_H_

#include <string>
#include <vector>

#include "experiments/harness/experiment.h"
#include "reports/results/record.h"

namespace rubric {

struct LabVariant {
  Choices choices;   // axis -> the backend's own name, in the registry's order
  std::string name;  // "baseline", or the backends that are not the defaults
  std::vector<const Experiment*> experiments;  // in the order in which they are listed
};

// `compiled_in`: axis -> the name that the backend in this program gives itself. Aborts if the
// registry has another set of axes.
LabVariant MakeLabVariant(const Choices& compiled_in, std::vector<const Experiment*> experiments);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_LAB_VARIANT_H_
