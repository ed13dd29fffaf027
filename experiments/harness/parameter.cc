#include "experiments/harness/parameter.h"

#include <charconv>
#include <cstdlib>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/base/check.h"
#include "reports/results/names.h"

namespace rubric {
namespace {

absl::Status Expected(const std::string& word, const Parameter& parameter) {
  std::string expected;
  switch (parameter.type) {
    case Parameter::Type::kInt:
      expected = absl::StrCat("an integer from ", parameter.min, " to ", parameter.max);
      if (!parameter.unit.empty()) absl::StrAppend(&expected, " (", parameter.unit, ")");
      break;
    case Parameter::Type::kBool:
      expected = "true or false";
      break;
    case Parameter::Type::kChoice:
      expected = absl::StrCat("one of ", absl::StrJoin(parameter.choices, ", "));
      break;
    case Parameter::Type::kPath:
      expected = "a file name";
      break;
  }
  return absl::InvalidArgumentError(absl::StrCat(word, ": expected ", expected));
}

std::optional<ParamValue> ParseValue(const Parameter& parameter, const std::string& text) {
  switch (parameter.type) {
    case Parameter::Type::kInt: {
      std::int64_t number = 0;
      const char* end = text.data() + text.size();
      const auto [stopped, error] = std::from_chars(text.data(), end, number);
      if (error != std::errc() || stopped != end) return std::nullopt;
      if (number < parameter.min || number > parameter.max) return std::nullopt;
      return number;
    }
    case Parameter::Type::kBool:
      if (text == "true" || text == "1") return true;
      if (text == "false" || text == "0") return false;
      return std::nullopt;
    case Parameter::Type::kChoice:
      for (const std::string& choice : parameter.choices) {
        if (text == choice) return text;
      }
      return std::nullopt;
    case Parameter::Type::kPath: {
      if (text.empty()) return std::nullopt;
      // `bazel run` starts programs elsewhere and says where the user stands.
      const char* user_directory = std::getenv("BUILD_WORKING_DIRECTORY");
      if (text.front() == '/' || user_directory == nullptr) return text;
      return absl::StrCat(user_directory, "/", text);
    }
  }
  return std::nullopt;
}

absl::Status Unknown(const std::string& owner, std::span<const Parameter> parameters,
                     const std::string& word) {
  if (!word.starts_with("--")) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", word, "': ", owner, " takes flags only, as --name=value"));
  }
  std::vector<std::string> flags;
  for (const Parameter& parameter : parameters) flags.push_back("--" + parameter.name);
  const std::string name = word.substr(0, word.find('='));
  const std::string nearest = NearestName(name, flags);
  return absl::InvalidArgumentError(absl::StrCat(
      name, ": ", owner, " has no such flag",
      nearest.empty() ? "; it takes " : absl::StrCat("; did you mean ", nearest, "? It takes "),
      flags.empty() ? "none" : absl::StrJoin(flags, ", "), "."));
}

}  // namespace

Parameter Parameter::Int(std::string name, std::int64_t default_value, std::int64_t min,
                         std::int64_t max, std::string unit, std::string help) {
  return {.name = std::move(name),
          .type = Type::kInt,
          .default_value = default_value,
          .min = min,
          .max = max,
          .choices = {},
          .unit = std::move(unit),
          .help = std::move(help)};
}

Parameter Parameter::Bool(std::string name, bool default_value, std::string help) {
  return {.name = std::move(name),
          .type = Type::kBool,
          .default_value = default_value,
          .choices = {},
          .unit = {},
          .help = std::move(help)};
}

Parameter Parameter::Choice(std::string name, std::vector<std::string> choices, std::string help) {
  const std::string first = choices.front();
  return {.name = std::move(name),
          .type = Type::kChoice,
          .default_value = first,
          .choices = std::move(choices),
          .unit = {},
          .help = std::move(help)};
}

Parameter Parameter::Path(std::string name, std::string help) {
  return {.name = std::move(name),
          .type = Type::kPath,
          .default_value = std::string(),
          .choices = {},
          .unit = {},
          .help = std::move(help)};
}

std::string_view TypeName(Parameter::Type type) {
  switch (type) {
    case Parameter::Type::kInt:
      return "int";
    case Parameter::Type::kBool:
      return "bool";
    case Parameter::Type::kChoice:
      return "choice";
    case Parameter::Type::kPath:
      return "path";
  }
  return "";
}

const ParamValue& ParameterValues::At(std::string_view name) const {
  const ParamValue* value = Find(values_, name);
  RUBRIC_CHECK(value != nullptr, "a parameter that was not declared is read");
  return *value;
}

std::int64_t ParameterValues::Int(std::string_view name) const {
  return std::get<std::int64_t>(At(name));
}
bool ParameterValues::Bool(std::string_view name) const { return std::get<bool>(At(name)); }
const std::string& ParameterValues::Text(std::string_view name) const {
  return std::get<std::string>(At(name));
}
void ParameterValues::Set(std::string_view name, ParamValue value) {
  const_cast<ParamValue&>(At(name)) = std::move(value);
}

absl::StatusOr<ParameterValues> ParseParameters(const std::string& owner,
                                                std::span<const Parameter> parameters,
                                                std::span<const std::string> words,
                                                std::vector<std::string>* rest) {
  Params defaults;
  for (const Parameter& p : parameters) defaults.emplace_back(p.name, p.default_value);
  ParameterValues values(std::move(defaults));
  std::vector<std::string> given;
  for (const std::string& word : words) {
    const Parameter* target = nullptr;
    std::optional<ParamValue> value;
    for (const Parameter& p : parameters) {
      const std::string flag = "--" + p.name;
      if (word.starts_with(flag + "=")) {
        target = &p;
        value = ParseValue(p, word.substr(flag.size() + 1));
      } else if (p.type == Parameter::Type::kBool && (word == flag || word == "--no" + p.name)) {
        target = &p;
        value = word == flag;
      } else if (word == flag) {
        return absl::InvalidArgumentError(
            absl::StrCat(word, ": expected a value, as ", flag, "=…"));
      } else {
        continue;
      }
      break;
    }
    if (target == nullptr) {
      if (rest == nullptr) return Unknown(owner, parameters, word);
      rest->push_back(word);
      continue;
    }
    if (!value) return Expected(word, *target);
    for (const std::string& earlier : given) {
      if (earlier == target->name) {
        return absl::InvalidArgumentError(
            absl::StrCat("--", target->name, ": given twice; give it once"));
      }
    }
    given.push_back(target->name);
    values.Set(target->name, *std::move(value));
  }
  return values;
}

}  // namespace rubric
