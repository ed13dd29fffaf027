// Parameters: what an experiment can be told, declared once, parsed, checked, listed and recorded
// from there.
//
// USE        An experiment declares Parameter{…}s in the order in which reports show them.
//            ParseParameters turns `--features=500` words into values; what is not given has its
//            default.
// ERRORS     InvalidArgument, one sentence: the word, what was expected, and the nearest right
//            name.
// TESTED BY  parameter_test.cc.
#ifndef RUBRIC_EXPERIMENTS_HARNESS_PARAMETER_H_
#define RUBRIC_EXPERIMENTS_HARNESS_PARAMETER_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "reports/results/record.h"

namespace rubric {

struct Parameter {
  enum class Type { kInt, kBool, kChoice, kPath };

  std::string name;
  Type type = Type::kInt;
  ParamValue default_value;  // of the type: int64_t, bool, or string for the last two
  std::int64_t min = 0;      // kInt: the least and the greatest that are allowed
  std::int64_t max = 0;
  std::vector<std::string> choices;  // kChoice
  std::string unit;                  // "features", "bytes"; empty where there is none
  std::string help;                  // one line

  static Parameter Int(std::string name, std::int64_t default_value, std::int64_t min,
                       std::int64_t max, std::string unit, std::string help);
  static Parameter Bool(std::string name, bool default_value, std::string help);
  // The first choice is the default.
  static Parameter Choice(std::string name, std::vector<std::string> choices, std::string help);
  // A file to read; empty by default. Relative paths are relative to where the user stands.
  static Parameter Path(std::string name, std::string help);
};

// "int", "bool", "choice", "path": as `lab list --json` says it.
std::string_view TypeName(Parameter::Type type);

// The values of a set of parameters. A name that was not declared aborts.
class ParameterValues {
 public:
  explicit ParameterValues(Params values) : values_(std::move(values)) {}

  std::int64_t Int(std::string_view name) const;
  bool Bool(std::string_view name) const;
  const std::string& Text(std::string_view name) const;  // kChoice and kPath

  // In declared order, as a Record has them.
  const Params& all() const { return values_; }
  void Set(std::string_view name, ParamValue value);

 private:
  const ParamValue& At(std::string_view name) const;

  Params values_;
};

// Takes the words that are flags of `parameters` out of `words` and gives all values. Accepts
// --name=value, and for a bool --name and --noname. With `rest` null an unknown word is an error;
// else it is left to the caller, in order. A flag given twice is an error.
absl::StatusOr<ParameterValues> ParseParameters(const std::string& owner,
                                                std::span<const Parameter> parameters,
                                                std::span<const std::string> words,
                                                std::vector<std::string>* rest = nullptr);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_HARNESS_PARAMETER_H_
