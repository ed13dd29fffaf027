#include "experiments/suite/probe.h"

#include <functional>
#include <map>
#include <utility>

#include "absl/status/status.h"
#include "experiments/suite/command.h"
#include "experiments/suite/process.h"
#include "reports/results/concat.h"

namespace rubric {
namespace {

// Listing takes milliseconds; a program that needs this long hangs.
constexpr double kProbeTimeoutSeconds = 20;

absl::StatusOr<std::string> OutputOf(const std::string& binary, std::vector<std::string> arguments,
                                     const std::string& working_directory) {
  ProcessSpec spec;
  spec.program = binary;
  spec.environment = PinnedEnvironment();
  spec.working_directory = working_directory;
  spec.timeout_s = kProbeTimeoutSeconds;
  spec.arguments = {"lab"};
  std::string command = "lab";
  for (std::string& argument : arguments) {
    command += Concat(" ", argument);
    spec.arguments.push_back(std::move(argument));
  }
  const ProcessOutcome outcome = RunProcess(spec);
  if (outcome.end != ProcessEnd::kExited || outcome.exit_status != 0) {
    return absl::FailedPreconditionError(
        Concat(binary, ": `", command, "` ", DescribeEnd(spec, outcome)));
  }
  return outcome.standard_output;
}

// Adds a sentence for every variant whose [field] is not the first known one.
void AddMixed(const std::vector<VariantSpec>& variants, std::string_view what,
              const std::function<const std::string&(const BuildInfo&)>& field,
              std::vector<std::string>& problems) {
  const VariantSpec* first = nullptr;
  for (const VariantSpec& variant : variants) {
    if (field(variant.build).empty()) continue;
    if (first == nullptr) first = &variant;
    if (field(variant.build) == field(first->build)) continue;
    problems.push_back(Concat("mixed ", what, ": '", first->name, "' has ", field(first->build),
                              ", '", variant.name, "' has ", field(variant.build)));
  }
}

}  // namespace

absl::StatusOr<Probed> ProbeProgram(const std::string& binary,
                                    const std::string& working_directory) {
  absl::StatusOr<std::string> list = OutputOf(binary, {"list", "--json"}, working_directory);
  if (!list.ok()) return list.status();
  absl::StatusOr<Catalog> catalog = ParseCatalog(*list);
  if (!catalog.ok()) {
    return absl::FailedPreconditionError(Concat(
        binary, ": `lab list --json` printed no list: ", std::string(catalog.status().message())));
  }
  absl::StatusOr<std::string> text = OutputOf(binary, {"variant"}, working_directory);
  if (!text.ok()) return text.status();
  absl::StatusOr<VariantSelf> self = ParseVariantSelf(*text);
  if (!self.ok()) {
    return absl::FailedPreconditionError(Concat(
        binary, ": `lab variant` printed no variant: ", std::string(self.status().message())));
  }
  Probed probed;
  probed.catalog = *std::move(catalog);
  probed.build = std::move(self->build);
  probed.machine = std::move(self->machine);
  return probed;
}

std::vector<std::string> CheckComparable(const std::vector<VariantSpec>& variants) {
  std::vector<std::string> problems;
  std::map<std::string, const VariantSpec*> by_hash;
  for (const VariantSpec& variant : variants) {
    const auto [seen, added] = by_hash.try_emplace(variant.sha256, &variant);
    if (!added && seen->second->program_name != variant.program_name) {
      problems.push_back(Concat("'", seen->second->name, "' and '", variant.name,
                                "' are the same program, byte for byte (SHA-256 ",
                                variant.sha256.substr(0, 16),
                                "…): the axis between them changes nothing in this build"));
    }
    const BuildInfo& build = variant.build;
    if (!build.mode.empty() && build.mode != "opt") {
      problems.push_back(Concat("'", variant.name, "' is a ", build.mode,
                                " build; figures are only worth taking from -c opt"));
    }
    if (!build.sanitizer.empty()) {
      problems.push_back(
          Concat("'", variant.name, "' is built with the sanitizer ", build.sanitizer));
    }
  }
  AddMixed(
      variants, "compilers", [](const BuildInfo& b) -> const std::string& { return b.compiler; },
      problems);
  AddMixed(
      variants, "build modes", [](const BuildInfo& b) -> const std::string& { return b.mode; },
      problems);
  AddMixed(
      variants, "allocators", [](const BuildInfo& b) -> const std::string& { return b.allocator; },
      problems);
  return problems;
}

}  // namespace rubric
