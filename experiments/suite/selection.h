// Selection: which variants, and which cells, a run is about.
//
// USE        --variants=, --experiments= and --param= are turned into lists here. Every unknown
//            name is an InvalidArgumentError that names the nearest right one.
// LAYOUT     --variants: alternatives separated by ';', each of them conditions separated by ','.
//            A condition is axis=backend; conditions on one axis are alternatives, those on
//            different axes must all hold. A word without '=' is a variant's name and is an
//            alternative by itself.
//              interning=khash                    every variant with khash
//              interning=khash,interning=swiss    every variant with khash or swiss
//              interning=khash,ivars=index        every variant with both
//              interning=khash;ivars=index        every variant with either
//            --param: EXPERIMENT.PARAMETER=VALUE, separated by ','.
// TESTED BY  selection_test.cc.
#ifndef RUBRIC_EXPERIMENTS_SUITE_SELECTION_H_
#define RUBRIC_EXPERIMENTS_SUITE_SELECTION_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "experiments/suite/catalog.h"
#include "experiments/suite/cell.h"
#include "experiments/suite/manifest.h"
#include "experiments/suite/suites.h"

namespace rubric {

// The entries that [filters] chooses, all if it is empty, and in any case the one called
// [baseline], which comes first; the others keep their order.
absl::StatusOr<std::vector<ManifestEntry>> SelectVariants(const std::vector<ManifestEntry>& all,
                                                          std::string_view filters,
                                                          std::string_view baseline);

struct ParamOverride {
  std::string experiment;
  std::string param;
  std::string text;
};
absl::StatusOr<std::vector<ParamOverride>> ParseParamOverrides(std::string_view text);

// Turns a file parameter's value, as given, into what the processes are given.
using ResolveFile = std::function<absl::StatusOr<std::string>(const std::string&)>;

// The cells of [suite] whose experiment is in [experiments] (comma-separated; empty: all), with
// [overrides] in place of their own parameters. An experiment that the suite has no cell of is run
// at its defaults. Cells that an override made equal become one.
absl::StatusOr<std::vector<CellSpec>> SelectCells(const Catalog& catalog, const Suite& suite,
                                                  std::string_view experiments,
                                                  const std::vector<ParamOverride>& overrides,
                                                  const ResolveFile& resolve);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_SUITE_SELECTION_H_
