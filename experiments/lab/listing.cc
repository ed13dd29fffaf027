#include "experiments/lab/listing.h"

#include <variant>

#include "experiments/harness/process_info.h"
#include "reports/results/json_text.h"
#include "reports/results/names.h"

namespace rubric {
namespace {

std::string JsonOf(const ParamValue& value) {
  return std::holds_alternative<std::string>(value) ? JsonString(std::get<std::string>(value))
                                                    : ParamText(value);
}

std::string VariantObject(const LabVariant& variant) {
  std::string json = "{";
  for (const auto& [axis, backend] : variant.choices) {
    if (json.size() > 1) json += ",";
    json += JsonString(axis) + ":" + JsonString(backend);
  }
  return json + "}";
}

std::string ParameterObject(const Parameter& parameter) {
  std::string json = "{\"name\":" + JsonString(parameter.name) +
                     ",\"type\":" + JsonString(TypeName(parameter.type)) +
                     ",\"default\":" + JsonOf(parameter.default_value);
  if (parameter.type == Parameter::Type::kInt) {
    json += ",\"min\":" + std::to_string(parameter.min) +
            ",\"max\":" + std::to_string(parameter.max) + ",\"unit\":" + JsonString(parameter.unit);
  }
  if (parameter.type == Parameter::Type::kChoice) {
    std::string choices;
    for (const std::string& choice : parameter.choices) {
      choices += (choices.empty() ? "" : ",") + JsonString(choice);
    }
    json += ",\"choices\":[" + choices + "]";
  }
  return json + ",\"help\":" + JsonString(parameter.help) + "}";
}

std::string Range(const Parameter& parameter) {
  switch (parameter.type) {
    case Parameter::Type::kInt:
      return std::to_string(parameter.min) + " to " + std::to_string(parameter.max) +
             (parameter.unit.empty() ? "" : " " + parameter.unit);
    case Parameter::Type::kBool:
      return "true or false";
    case Parameter::Type::kChoice: {
      std::string choices;
      for (const std::string& choice : parameter.choices) {
        choices += (choices.empty() ? "" : ", ") + choice;
      }
      return choices;
    }
    case Parameter::Type::kPath:
      return "a file";
  }
  return "";
}

}  // namespace

std::string ListingText(const LabVariant& variant) {
  std::string text = "variant " + variant.name + "\n";
  for (const Experiment* experiment : variant.experiments) {
    text += "\n" + experiment->name + ": " + experiment->summary + "\n";
    for (const Parameter& parameter : experiment->parameters) {
      std::string flag = "--" + parameter.name + "=" + ParamText(parameter.default_value);
      if (flag.size() < 24) flag.resize(24, ' ');
      text += "  " + flag + " " + parameter.help + " (" + Range(parameter) + ")\n";
    }
  }
  return text;
}

std::string ListingJson(const LabVariant& variant) {
  std::string json = "{\"variant\":" + VariantObject(variant) +
                     ",\"variant_name\":" + JsonString(variant.name) + ",\"experiments\":[";
  bool first = true;
  for (const Experiment* experiment : variant.experiments) {
    if (!first) json += ",";
    first = false;
    json += "{\"name\":" + JsonString(experiment->name) +
            ",\"summary\":" + JsonString(experiment->summary) + ",\"params\":[";
    for (std::size_t i = 0; i < experiment->parameters.size(); ++i) {
      json += (i == 0 ? "" : ",") + ParameterObject(experiment->parameters[i]);
    }
    json += "]}";
  }
  return json + "]}";
}

std::string VariantJson(const LabVariant& variant) {
  const BuildInfo build = DescribeBuild();
  const MachineInfo machine = DescribeMachine();
  return "{\"variant\":" + VariantObject(variant) +
         ",\"variant_name\":" + JsonString(variant.name) +
         ",\"build\":{\"compiler\":" + JsonString(build.compiler) +
         ",\"mode\":" + JsonString(build.mode) + ",\"sanitizer\":" + JsonString(build.sanitizer) +
         ",\"allocator\":" + JsonString(build.allocator) +
         "},\"machine\":{\"cpu\":" + JsonString(machine.cpu) +
         ",\"cores\":" + std::to_string(machine.cores) +
         ",\"kernel\":" + JsonString(machine.kernel) + ",\"libc\":" + JsonString(machine.libc) +
         "}}";
}

}  // namespace rubric
