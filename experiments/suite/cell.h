// CellSpec: an experiment with a value for each of its parameters, and how `lab` is asked for it.
//
// USE        MakeCell checks the parameters against what the programs say they take.
// INVARIANTS (1) label == CellLabel(experiment, params, defaults): `lab run LABEL` runs the cell.
//            (2) params has every parameter that the experiment declares, in declared order, so a
//                record of this cell has exactly these params.
// TESTED BY  plan_test.cc.
#ifndef RUBRIC_EXPERIMENTS_SUITE_CELL_H_
#define RUBRIC_EXPERIMENTS_SUITE_CELL_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "experiments/suite/catalog.h"
#include "reports/results/record.h"

namespace rubric {

struct CellSpec {
  std::string experiment;
  Params params;
  std::string label;
  std::vector<std::string> arguments;  // "run", the experiment, and --name=value for what differs
                                       // from the defaults
  double expected_s = 0;               // wall clock of one process, seconds: an estimate
};

// The cell of [experiment] with [chosen] (flag name -> text) over the defaults.
absl::StatusOr<CellSpec> MakeCell(const Catalog& catalog, std::string_view experiment,
                                  const OrderedMap<std::string>& chosen, double expected_s);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_SUITE_CELL_H_
