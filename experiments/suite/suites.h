// The suites: which cells are run when nothing else is asked for.
//
// USE        `quick` answers within minutes on two cores; `standard` is what a published comparison
//            is made from. A cell is an experiment and the parameters that differ from its
//            defaults; both are checked against the programs' own list before anything runs.
// TESTED BY  plan_test.cc; suite_on_lab_test.cc (every cell of every suite is one that `lab`
//            takes).
#ifndef RUBRIC_EXPERIMENTS_SUITE_SUITES_H_
#define RUBRIC_EXPERIMENTS_SUITE_SUITES_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "reports/results/record.h"

namespace rubric {

struct SuiteCell {
  std::string experiment;
  OrderedMap<std::string> params;  // flag name -> text, where not the default
  double expected_s = 0.1;         // wall clock of one process of the baseline, for the estimate
};

struct Suite {
  std::string name;
  std::string summary;
  int rounds = 0;       // processes of a cell and variant in the time pass
  bool massif = false;  // whether a massif pass is part of it
  std::vector<SuiteCell> cells;
};

const std::vector<Suite>& Suites();

// The suite called [name], or an error that names the nearest one.
absl::StatusOr<const Suite*> FindSuite(std::string_view name);

// The one cell of a run that replays a recorded workload.
SuiteCell WorkloadCell(const std::string& file);

// What the estimate assumes for a cell that no suite has, seconds.
inline constexpr double kUnknownCellSeconds = 0.2;

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_SUITE_SUITES_H_
