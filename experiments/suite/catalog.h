// Catalog: the experiments and parameters of the variants' programs, as `lab list --json` tells
// them.
//
// USE        The driver has no list of experiments of its own: it asks a variant's program, and
//            checks every cell of a plan against the answer before anything is measured.
// COST       ParseCatalog O(text). Look-ups are linear: there are tens of experiments.
// INVARIANTS (1) Every parameter's default satisfies the parameter's own limits.
//            (2) A Params that FullParams() returns has every declared parameter, in the
//                order of declaration.
// TESTED BY  catalog_test.cc.
#ifndef RUBRIC_EXPERIMENTS_SUITE_CATALOG_H_
#define RUBRIC_EXPERIMENTS_SUITE_CATALOG_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "reports/results/record.h"

namespace rubric {

enum class ParamType { kInteger, kNumber, kBool, kChoice, kText, kFile };

// One flag of `lab run NAME`.
struct ParamInfo {
  std::string name;
  ParamType type = ParamType::kText;
  ParamValue default_value;
  std::optional<double> min;  // numbers only; both ends allowed
  std::optional<double> max;
  std::vector<std::string> choices;  // kChoice only
  std::string unit;                  // may be empty
  std::string help;

  friend bool operator==(const ParamInfo&, const ParamInfo&) = default;
};

struct ExperimentInfo {
  std::string name;
  std::string summary;
  std::vector<ParamInfo> params;

  friend bool operator==(const ExperimentInfo&, const ExperimentInfo&) = default;
};

struct Catalog {
  Choices variant;           // axis -> backend, read back by the program from inside
  std::string variant_name;  // likewise
  std::vector<ExperimentInfo> experiments;
};

// Reads what `lab list --json` printed. Errors name the field.
absl::StatusOr<Catalog> ParseCatalog(std::string_view text);

// What `lab variant` says besides the backends; fields are empty where it does not say.
struct VariantSelf {
  BuildInfo build;
  MachineInfo machine;
};
absl::StatusOr<VariantSelf> ParseVariantSelf(std::string_view text);

// The experiment called [name], or an error that names the nearest one and lists all.
absl::StatusOr<const ExperimentInfo*> FindExperiment(const Catalog& catalog, std::string_view name);

// The parameter called [name], or an error that names the nearest one and lists all.
absl::StatusOr<const ParamInfo*> FindParam(const ExperimentInfo& experiment, std::string_view name);

// [text] as a value of [param], or an error that says what is allowed. "reports/a.features" and the
// like of kFile stay as they are.
absl::StatusOr<ParamValue> ParseParam(const ExperimentInfo& experiment, const ParamInfo& param,
                                      std::string_view text);

// The defaults of [experiment], in declared order.
Params DefaultParams(const ExperimentInfo& experiment);

// [chosen] (flag name -> text) over the defaults.
absl::StatusOr<Params> FullParams(const ExperimentInfo& experiment,
                                  const OrderedMap<std::string>& chosen);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_SUITE_CATALOG_H_
