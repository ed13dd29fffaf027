#include "experiments/suite/plan.h"

#include <utility>

#include "absl/strings/str_join.h"
#include "reports/results/concat.h"
#include "reports/results/json_fields.h"

namespace rubric {
namespace {

// The fields of run.json that are the suite's own.
constexpr char kSuiteField[] = "suite";
constexpr JsonLimits kLimits = {.bytes = 4 << 20, .fields = 100'000, .depth = 16};

OrderedJson ObjectOf(const OrderedMap<std::string>& map) {
  OrderedJson object = OrderedJson::object();
  for (const auto& [name, text] : map) object[name] = text;
  return object;
}

OrderedJson SuiteFields(const Plan& plan) {
  OrderedJson json;
  json["name"] = plan.suite;
  json["seed"] = plan.seed;
  json["rounds"] = plan.rounds;
  json["other_passes"] = plan.other_passes;
  json["timeout_s"] = plan.timeout_s;
  json["cpu"] = plan.cpu ? OrderedJson(*plan.cpu) : OrderedJson();
  json["hash_seed"] = plan.hash_seed ? OrderedJson(*plan.hash_seed) : OrderedJson();
  json["overruled"] = plan.overruled;
  OrderedMap<std::string> binaries;
  for (const VariantSpec& variant : plan.variants)
    binaries.emplace_back(variant.name, variant.sha256);
  json["binary_sha256"] = ObjectOf(binaries);
  json["file_sha256"] = ObjectOf(plan.files);
  return json;
}

// What run.json says of the suite. An object in any case.
OrderedJson SuiteFieldsOf(const RunPlan& stored) {
  const std::string* text = Find(stored.other, kSuiteField);
  if (text == nullptr) return OrderedJson::object();
  absl::StatusOr<OrderedJson> json = ParseJson(*text, kLimits);
  if (!json.ok() || !json->is_object()) return OrderedJson::object();
  return *std::move(json);
}

void AddDifference(std::string_view what, const std::string& then, const std::string& now,
                   std::vector<std::string>& differences) {
  if (then == now) return;
  differences.push_back(Concat(what, ": then ", then, ", now ", now));
}

// Field by field; an object's members each by themselves.
void CompareFields(const OrderedJson& then, const OrderedJson& now, const std::string& path,
                   std::vector<std::string>& differences) {
  for (const auto& [name, value] : now.items()) {
    const std::string field = path.empty() ? name : Concat(path, " of ", name);
    if (!then.contains(name)) {
      differences.push_back(Concat(field, ": then absent, now ", value.dump()));
    } else if (value.is_object() && then[name].is_object()) {
      CompareFields(then[name], value, field, differences);
    } else {
      AddDifference(field, then[name].dump(), value.dump(), differences);
    }
  }
  for (const auto& [name, value] : then.items()) {
    if (!now.contains(name)) {
      differences.push_back(Concat(path.empty() ? name : Concat(path, " of ", name), ": then ",
                                   value.dump(), ", now absent"));
    }
  }
}

std::string LabelsOf(const RunPlan& plan) {
  std::vector<std::string> labels;
  for (const PlannedCell& cell : plan.cells) labels.push_back(cell.label);
  return absl::StrJoin(labels, "; ");
}

std::string NamesOf(const RunPlan& plan) {
  std::vector<std::string> names;
  for (const PlannedVariant& variant : plan.variants) names.push_back(variant.name);
  return absl::StrJoin(names, "; ");
}

}  // namespace

std::string ControlName(const std::string& baseline) { return Concat(baseline, " (A/A)"); }

std::vector<Step> ScheduleOf(const Plan& plan) {
  return MakeSchedule(static_cast<int>(plan.cells.size()), static_cast<int>(plan.variants.size()),
                      plan.rounds, plan.other_passes, plan.seed);
}

RunPlan ToRunPlan(const Plan& plan, const OrderedMap<std::string>& options) {
  RunPlan run;
  run.matrix = plan.matrix;
  run.baseline = plan.baseline;
  for (const CellSpec& cell : plan.cells) {
    run.cells.push_back({cell.experiment, cell.params, cell.label});
  }
  for (const VariantSpec& variant : plan.variants)
    run.variants.push_back({variant.name, variant.axes});
  OrderedJson fields = SuiteFields(plan);
  fields["options"] = ObjectOf(options);
  run.other.emplace_back(kSuiteField, fields.dump());
  return run;
}

absl::StatusOr<OrderedMap<std::string>> OptionsOf(const RunPlan& stored) {
  const OrderedJson fields = SuiteFieldsOf(stored);
  absl::Status status;
  OrderedMap<std::string> options;
  JsonFields reader(fields, "suite.", status);
  reader.TextMap("options", &options);
  if (!status.ok()) return status;
  return options;
}

absl::Status CheckSamePlan(const RunPlan& stored, const RunPlan& now) {
  std::vector<std::string> differences;
  AddDifference("matrix", stored.matrix, now.matrix, differences);
  AddDifference("baseline", stored.baseline, now.baseline, differences);
  AddDifference("variants", NamesOf(stored), NamesOf(now), differences);
  AddDifference("cells", LabelsOf(stored), LabelsOf(now), differences);
  if (differences.empty() && (stored.cells != now.cells || stored.variants != now.variants)) {
    differences.push_back("defaults of parameters or backends of variants changed");
  }
  if (stored.machine != now.machine) {
    differences.push_back(Concat("machine: then ", stored.machine.cpu, ", ", stored.machine.kernel,
                                 ", now ", now.machine.cpu, ", ", now.machine.kernel));
  }
  OrderedJson then_fields = SuiteFieldsOf(stored);
  OrderedJson now_fields = SuiteFieldsOf(now);
  then_fields.erase("options");
  now_fields.erase("options");
  CompareFields(then_fields, now_fields, "", differences);
  if (differences.empty()) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrJoin(differences, "\n  "));
}

}  // namespace rubric
