#include "experiments/suite/cell.h"

#include <utility>

#include "reports/results/concat.h"
#include "reports/results/names.h"

namespace rubric {

absl::StatusOr<CellSpec> MakeCell(const Catalog& catalog, std::string_view experiment,
                                  const OrderedMap<std::string>& chosen, double expected_s) {
  absl::StatusOr<const ExperimentInfo*> info = FindExperiment(catalog, experiment);
  if (!info.ok()) return info.status();
  absl::StatusOr<Params> params = FullParams(**info, chosen);
  if (!params.ok()) return params.status();

  const Params defaults = DefaultParams(**info);
  CellSpec cell;
  cell.experiment = (*info)->name;
  cell.params = *std::move(params);
  cell.label = CellLabel(cell.experiment, cell.params, defaults);
  cell.arguments = {"run", cell.experiment};
  for (std::size_t i = 0; i < cell.params.size(); ++i) {
    const auto& [name, value] = cell.params[i];
    if (value != defaults[i].second) {
      cell.arguments.push_back(Concat("--", name, "=", ParamText(value)));
    }
  }
  cell.expected_s = expected_s;
  return cell;
}

}  // namespace rubric
