#include "experiments/lab/variant.h"

#include <map>

#include "backends/registry_data.h"
#include "core/base/check.h"
#include "core/vm/selected.h"
#include "reports/results/names.h"

namespace rubric {

Choices SelectedVariant() {
  const std::map<std::string_view, std::string_view> compiled_in = {
      {"interning", SelectedInterning::kName},
      {"resurrect", SelectedResurrect::kName},
      {"ivars", SelectedIvars::kName},
      {"feature_keys", SelectedFeatureKeys::kName}};
  Choices variant;
  for (const AxisEntry& axis : kAxes) {
    const auto found = compiled_in.find(axis.name);
    RUBRIC_CHECK(found != compiled_in.end(), "the registry has an axis that the VM has not");
    variant.emplace_back(axis.name, found->second);
  }
  return variant;
}

std::string SelectedVariantName() {
  Choices defaults;
  for (const AxisEntry& axis : kAxes) defaults.emplace_back(axis.name, axis.default_backend);
  return VariantName(SelectedVariant(), defaults);
}

}  // namespace rubric
