#include "experiments/suite/catalog.h"

#include <cmath>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_join.h"
#include "reports/results/command_line.h"
#include "reports/results/concat.h"
#include "reports/results/json_fields.h"
#include "reports/results/json_text.h"

namespace rubric {
namespace {

constexpr JsonLimits kLimits = {.bytes = 4 << 20, .fields = 100'000, .depth = 16};

std::optional<ParamType> TypeFromName(std::string_view name) {
  if (name == "int") return ParamType::kInteger;
  if (name == "double" || name == "float" || name == "number") return ParamType::kNumber;
  if (name == "bool") return ParamType::kBool;
  if (name == "choice") return ParamType::kChoice;
  if (name == "string" || name == "text") return ParamType::kText;
  if (name == "file" || name == "path") return ParamType::kFile;
  return std::nullopt;
}

std::vector<std::string> Names(const std::vector<ExperimentInfo>& experiments) {
  std::vector<std::string> names;
  for (const ExperimentInfo& experiment : experiments) names.push_back(experiment.name);
  return names;
}

std::vector<std::string> Names(const std::vector<ParamInfo>& params) {
  std::vector<std::string> names;
  for (const ParamInfo& param : params) names.push_back(param.name);
  return names;
}

// What a parameter takes, for an error.
std::string Expected(const ParamInfo& param) {
  switch (param.type) {
    case ParamType::kInteger:
    case ParamType::kNumber: {
      const char* kind = param.type == ParamType::kInteger ? "a whole number" : "a number";
      if (param.min && param.max) {
        return Concat(kind, " from ", *param.min, " to ", *param.max);
      }
      if (param.min) return Concat(kind, " of at least ", *param.min);
      if (param.max) return Concat(kind, " of at most ", *param.max);
      return kind;
    }
    case ParamType::kBool:
      return "true or false";
    case ParamType::kChoice:
      return Concat("one of ", absl::StrJoin(param.choices, ", "));
    case ParamType::kText:
      return "text";
    case ParamType::kFile:
      return "a file";
  }
  return "";
}

bool WithinLimits(const ParamInfo& param, double value) {
  return std::isfinite(value) && (!param.min || value >= *param.min) &&
         (!param.max || value <= *param.max);
}

std::optional<ParamValue> ValueFromText(const ParamInfo& param, std::string_view text) {
  switch (param.type) {
    case ParamType::kInteger: {
      std::int64_t value;
      if (!absl::SimpleAtoi(std::string(text), &value) ||
          !WithinLimits(param, static_cast<double>(value))) {
        return std::nullopt;
      }
      return value;
    }
    case ParamType::kNumber: {
      double value;
      if (!absl::SimpleAtod(std::string(text), &value) || !WithinLimits(param, value))
        return std::nullopt;
      return value;
    }
    case ParamType::kBool: {
      bool value;
      if (!absl::SimpleAtob(std::string(text), &value)) return std::nullopt;
      return value;
    }
    case ParamType::kChoice:
      for (const std::string& choice : param.choices) {
        if (choice == text) return choice;
      }
      return std::nullopt;
    case ParamType::kText:
    case ParamType::kFile:
      return std::string(text);
  }
  return std::nullopt;
}

void ReadParam(JsonFields& fields, ExperimentInfo& experiment) {
  ParamInfo param;
  std::string type;
  fields.Text("name", &param.name);
  fields.Text("type", &type);
  fields.Texts("choices", &param.choices, Presence::kOptional);
  fields.Text("unit", &param.unit, Presence::kOptional);
  fields.Text("help", &param.help, Presence::kOptional);
  if (!fields.ok()) return;
  const std::optional<ParamType> known = TypeFromName(type);
  if (!known) {
    fields.Fail("type", Concat("expected int, double, bool, choice, string or file, found ",
                               JsonString(type)));
    return;
  }
  param.type = *known;
  experiment.params.push_back(std::move(param));
}

// min, max and default are of the parameter's own type, so they are read from the plain JSON.
absl::Status ReadValues(const OrderedJson& json, const std::string& path, ParamInfo& param) {
  for (const auto& [name, limit] : {std::pair{"min", &param.min}, std::pair{"max", &param.max}}) {
    if (json.contains(name) && json[name].is_number()) *limit = json[name].get<double>();
  }
  if (!json.contains("default")) {
    return absl::InvalidArgumentError(Concat(path, ".default: missing"));
  }
  const OrderedJson& found = json["default"];
  std::optional<ParamValue> value;
  if (found.is_string()) {
    value = ValueFromText(param, found.get<std::string>());
  } else if (found.is_boolean() || found.is_number()) {
    value = ValueFromText(param, found.dump());
  }
  if (!value) {
    return absl::InvalidArgumentError(
        Concat(path, ".default: expected ", Expected(param), ", found ", DescribeJson(found)));
  }
  param.default_value = *std::move(value);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Catalog> ParseCatalog(std::string_view text) {
  absl::StatusOr<OrderedJson> json = ParseJson(text, kLimits);
  if (!json.ok()) return json.status();
  Catalog catalog;
  absl::Status status;
  JsonFields fields(*json, "", status);
  fields.TextMap("variant", &catalog.variant);
  fields.Text("variant_name", &catalog.variant_name);
  fields.EachElement("experiments", Presence::kRequired, [&](JsonFields& each) {
    ExperimentInfo experiment;
    each.Text("name", &experiment.name);
    each.Text("summary", &experiment.summary, Presence::kOptional);
    each.EachElement("params", Presence::kRequired,
                     [&](JsonFields& param) { ReadParam(param, experiment); });
    catalog.experiments.push_back(std::move(experiment));
  });
  if (!status.ok()) return status;

  for (std::size_t e = 0; e < catalog.experiments.size(); ++e) {
    for (std::size_t p = 0; p < catalog.experiments[e].params.size(); ++p) {
      const absl::Status read = ReadValues((*json)["experiments"][e]["params"][p],
                                           Concat("experiments[", e, "].params[", p, "]"),
                                           catalog.experiments[e].params[p]);
      if (!read.ok()) return read;
    }
  }
  return catalog;
}

absl::StatusOr<VariantSelf> ParseVariantSelf(std::string_view text) {
  absl::StatusOr<OrderedJson> json = ParseJson(text, kLimits);
  if (!json.ok()) return json.status();
  VariantSelf self;
  absl::Status status;
  JsonFields fields(*json, "", status);
  fields.Object("build", Presence::kOptional, [&](JsonFields& build) {
    build.Text("compiler", &self.build.compiler, Presence::kOptional);
    build.Text("mode", &self.build.mode, Presence::kOptional);
    build.Text("sanitizer", &self.build.sanitizer, Presence::kOptional);
    build.Text("allocator", &self.build.allocator, Presence::kOptional);
  });
  fields.Object("machine", Presence::kOptional, [&](JsonFields& machine) {
    machine.Text("cpu", &self.machine.cpu, Presence::kOptional);
    machine.Integer("cores", &self.machine.cores, Presence::kOptional);
    machine.Text("kernel", &self.machine.kernel, Presence::kOptional);
    machine.Text("libc", &self.machine.libc, Presence::kOptional);
  });
  if (!status.ok()) return status;
  return self;
}

absl::StatusOr<const ExperimentInfo*> FindExperiment(const Catalog& catalog,
                                                     std::string_view name) {
  for (const ExperimentInfo& experiment : catalog.experiments) {
    if (experiment.name == name) return &experiment;
  }
  const std::vector<std::string> names = Names(catalog.experiments);
  return absl::InvalidArgumentError(Concat("no experiment '", name, "'.", DidYouMean(name, names),
                                           " There are: ", absl::StrJoin(names, ", ")));
}

absl::StatusOr<const ParamInfo*> FindParam(const ExperimentInfo& experiment,
                                           std::string_view name) {
  for (const ParamInfo& param : experiment.params) {
    if (param.name == name) return &param;
  }
  const std::vector<std::string> names = Names(experiment.params);
  return absl::InvalidArgumentError(Concat("experiment '", experiment.name, "' has no parameter '",
                                           name, "'.", DidYouMean(name, names),
                                           " It has: ", absl::StrJoin(names, ", ")));
}

absl::StatusOr<ParamValue> ParseParam(const ExperimentInfo& experiment, const ParamInfo& param,
                                      std::string_view text) {
  std::optional<ParamValue> value = ValueFromText(param, text);
  if (value) return *std::move(value);
  const std::string hint =
      param.type == ParamType::kChoice ? DidYouMean(text, param.choices) : std::string();
  return absl::InvalidArgumentError(Concat(experiment.name, " --", param.name, ": expected ",
                                           Expected(param), ", found '", text, "'.", hint));
}

Params DefaultParams(const ExperimentInfo& experiment) {
  Params params;
  for (const ParamInfo& param : experiment.params) {
    params.emplace_back(param.name, param.default_value);
  }
  return params;
}

absl::StatusOr<Params> FullParams(const ExperimentInfo& experiment,
                                  const OrderedMap<std::string>& chosen) {
  Params params = DefaultParams(experiment);
  for (const auto& [name, text] : chosen) {
    absl::StatusOr<const ParamInfo*> info = FindParam(experiment, name);
    if (!info.ok()) return info.status();
    absl::StatusOr<ParamValue> value = ParseParam(experiment, **info, text);
    if (!value.ok()) return value.status();
    for (auto& [param, current] : params) {
      if (param == name) current = *value;
    }
  }
  return params;
}

}  // namespace rubric
