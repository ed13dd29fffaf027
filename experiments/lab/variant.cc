#include "experiments/lab/variant.h"

#include <utility>

#include "backends/registry_data.h"
#include "core/base/check.h"
#include "reports/results/names.h"

namespace rubric {

LabVariant MakeLabVariant(const Choices& compiled_in, std::vector<const Experiment*> experiments) {
  LabVariant variant;
  Choices defaults;
  for (const AxisEntry& axis : kAxes) {
    const std::string* backend = Find(compiled_in, axis.name);
    RUBRIC_CHECK(backend != nullptr, "the registry has an axis that the VM has not");
    variant.choices.emplace_back(axis.name, *backend);
    defaults.emplace_back(axis.name, axis.default_backend);
  }
  RUBRIC_CHECK(variant.choices.size() == compiled_in.size(), "the VM has an unlisted axis");
  variant.name = VariantName(variant.choices, defaults);
  variant.experiments = std::move(experiments);
  return variant;
}

}  // namespace rubric
