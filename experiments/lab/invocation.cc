#include "experiments/lab/invocation.h"

#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "reports/results/names.h"

namespace rubric {
namespace {

bool IsSameFile(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

}  // namespace

const Experiment* FindExperiment(const LabVariant& variant, const std::string& name) {
  for (const Experiment* each : variant.experiments) {
    if (each->name == name) return each;
  }
  return nullptr;
}

absl::StatusOr<Invocation> ParseInvocation(const LabVariant& variant, const std::string& command,
                                           std::span<const Parameter> general,
                                           const std::vector<std::string>& words) {
  if (words.empty() || words[0].starts_with("--")) {
    return absl::InvalidArgumentError(
        absl::StrCat(command, ": expected the name of an experiment; `lab list` shows them"));
  }
  const Experiment* experiment = FindExperiment(variant, words[0]);
  if (experiment == nullptr) {
    std::vector<std::string> names;
    for (const Experiment* each : variant.experiments) names.push_back(each->name);
    const std::string nearest = NearestName(words[0], names);
    return absl::InvalidArgumentError(absl::StrCat(
        command, ": no experiment '", words[0], "'",
        nearest.empty() ? "; " : "; did you mean '" + nearest + "'? ", "`lab list` shows them"));
  }
  const std::vector<std::string> flags(words.begin() + 1, words.end());
  std::vector<std::string> own;
  absl::StatusOr<ParameterValues> of_command =
      ParseParameters("lab " + command, general, flags, &own);
  if (!of_command.ok()) return of_command.status();
  absl::StatusOr<ParameterValues> of_experiment =
      ParseParameters(experiment->name, experiment->parameters, own);
  if (!of_experiment.ok()) return of_experiment.status();
  return Invocation{experiment, *std::move(of_command), *std::move(of_experiment)};
}

absl::Status CheckOutputPath(const std::string& flag, const Invocation& invocation) {
  const std::string& path = invocation.general.Text(flag);
  struct stat output;
  if (stat(path.c_str(), &output) != 0) return absl::OkStatus();  // is made, or says why not
  const auto refused = [&](const std::string& what) {
    return absl::InvalidArgumentError(
        absl::StrCat("--", flag, "=", path, ": ", what, "; name a file of its own"));
  };
  if (!S_ISREG(output.st_mode)) return refused("is no regular file");
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    struct stat open_file;
    if (fstat(stream, &open_file) == 0 && IsSameFile(output, open_file)) {
      return refused("is what this program reads from or prints to");
    }
  }
  for (const Parameter& parameter : invocation.experiment->parameters) {
    if (parameter.type != Parameter::Type::kPath) continue;
    const std::string& input = invocation.values.Text(parameter.name);
    struct stat input_file;
    if (!input.empty() && stat(input.c_str(), &input_file) == 0 && IsSameFile(output, input_file)) {
      return refused(absl::StrCat("is the file of --", parameter.name, ", which it would replace"));
    }
  }
  return absl::OkStatus();
}

}  // namespace rubric
