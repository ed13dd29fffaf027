// Listing: the texts of --list and --dry_run.
//
// TESTED BY  suite_end_to_end_test.cc.
#ifndef RUBRIC_EXPERIMENTS_SUITE_LISTING_H_
#define RUBRIC_EXPERIMENTS_SUITE_LISTING_H_

#include <string>

#include "experiments/suite/catalog.h"
#include "experiments/suite/command.h"
#include "experiments/suite/plan.h"
#include "experiments/suite/prepare.h"

namespace rubric {

// Experiments with their parameters, the variants of this build, and the suites.
std::string ListText(const Catalog& catalog, const Bundle& bundle);

// Every command of the plan in order, one a line that a shell takes, after a comment that says what
// it is for; then how many they are and how long they will take.
std::string DryRunText(const Plan& plan, const Place& place);

// What the plan will take, seconds, starting the processes included.
double ExpectedSeconds(const Plan& plan);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_SUITE_LISTING_H_
