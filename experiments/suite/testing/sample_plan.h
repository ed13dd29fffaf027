// What the unit tests of the driver share: a small catalog and a small plan.
#ifndef RUBRIC_EXPERIMENTS_SUITE_TESTING_SAMPLE_PLAN_H_
#define RUBRIC_EXPERIMENTS_SUITE_TESTING_SAMPLE_PLAN_H_

#include <string>

#include "experiments/suite/catalog.h"
#include "experiments/suite/plan.h"
#include "reports/results/record.h"

namespace rubric {

// What a program of the variant interning=khash prints for `lab list --json`.
std::string SampleListText();

Catalog SampleCatalog();

// Two cells (require; require --features=5), three variants (baseline, its control,
// interning=khash), five rounds and a log pass, seed 1.
Plan SamplePlan();

// A record as the program of [step] would print it.
Record SampleRecord(const Plan& plan, const Step& step);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_SUITE_TESTING_SAMPLE_PLAN_H_
