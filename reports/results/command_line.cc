#include "reports/results/command_line.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>

#include "absl/flags/commandlineflag.h"
#include "absl/flags/reflection.h"
#include "absl/status/status.h"
#include "reports/results/concat.h"
#include "reports/results/names.h"
#include "reports/results/terminal_text.h"

namespace rubric {
namespace {

// absl brings flags of its own (flagfile, fromenv…); they are declared in its own sources.
bool IsOurs(const absl::CommandLineFlag& flag) {
  return flag.Filename().find("absl/") == std::string::npos && !flag.IsRetired();
}

std::vector<std::string> OurFlagNames() {
  std::vector<std::string> names;
  for (const auto& [name, flag] : absl::GetAllFlags()) {
    if (IsOurs(*flag)) names.emplace_back(name.data(), name.size());
  }
  std::sort(names.begin(), names.end());
  return names;
}

absl::CommandLineFlag* FindOurFlag(const std::string& name) {
  absl::CommandLineFlag* flag = absl::FindCommandLineFlag(name);
  return flag != nullptr && IsOurs(*flag) ? flag : nullptr;
}

absl::Status UnknownFlag(const std::string& name) {
  const std::vector<std::string> names = OurFlagNames();
  std::string message =
      Concat("there is no flag --", name, ".", DidYouMean(name, names), " Flags:");
  for (const std::string& known : names) message += " --" + known;
  return absl::InvalidArgumentError(message + " --help");
}

std::string Expected(const absl::CommandLineFlag& flag) {
  if (flag.IsOfType<bool>()) return "expected true or false";
  if (flag.IsOfType<int>()) return "expected a whole number";
  if (flag.IsOfType<double>()) return "expected a number";
  return "expected another value";
}

absl::Status SetFlag(absl::CommandLineFlag& flag, const std::string& value) {
  std::string error;
  if (flag.ParseFrom(value, &error)) return absl::OkStatus();
  // absl's own words, and after a semicolon those of the flag's type, if it has any.
  const std::size_t detail = error.find("; ");
  return absl::InvalidArgumentError(
      Concat("--", std::string(flag.Name()), " cannot be '", value,
             "': ", detail == std::string::npos ? Expected(flag) : error.substr(detail + 2)));
}

}  // namespace

absl::StatusOr<CommandLine> ParseCommandLine(int argc, const char* const* argv) {
  CommandLine line;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (word == "--") {
      line.arguments.insert(line.arguments.end(), argv + i + 1, argv + argc);
      break;
    }
    if (word.size() < 2 || word[0] != '-') {
      line.arguments.push_back(word);
      continue;
    }
    word.erase(0, word[1] == '-' ? 2 : 1);
    if (word == "help" || word == "h") return CommandLine{.arguments = {}, .help = true};
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    std::optional<std::string> value;
    if (equals != std::string::npos) value = word.substr(equals + 1);

    absl::CommandLineFlag* flag = FindOurFlag(name);
    if (flag == nullptr && !value && name.starts_with("no")) {
      flag = FindOurFlag(name.substr(2));
      if (flag != nullptr && !flag->IsOfType<bool>()) flag = nullptr;
      value = "false";
    }
    if (flag == nullptr) return UnknownFlag(name);
    if (!value && flag->IsOfType<bool>()) value = "true";
    if (!value) {
      if (i + 1 == argc) {
        return absl::InvalidArgumentError(Concat("--", name, " needs a value: --", name, "=…"));
      }
      value = argv[++i];
    }
    if (absl::Status status = SetFlag(*flag, *value); !status.ok()) return status;
  }
  return line;
}

std::string FlagsHelp() {
  std::string out;
  for (const std::string& name : OurFlagNames()) {
    const absl::CommandLineFlag& flag = *absl::FindCommandLineFlag(name);
    const std::string usual = flag.DefaultValue();
    out += Concat("  --", name, "\n      ", flag.Help());
    if (!usual.empty()) out += Concat(" (default: ", usual, ")");
    out += '\n';
  }
  return out;
}

int PrintOut(std::string_view text) {
  std::cout << text << std::flush;
  if (std::cout) return kExitFine;
  std::cerr << "error: cannot write to standard output\n";
  return kExitUsage;
}

int RunMain(int argc, const char* const* argv, std::string_view usage,
            const std::function<int(const std::vector<std::string>& arguments)>& run) {
  const absl::StatusOr<CommandLine> line = ParseCommandLine(argc, argv);
  if (!line.ok()) {
    std::cerr << "error: " << TerminalText(std::string(line.status().message())) << '\n';
    return kExitUsage;
  }
  if (line->help) {
    return PrintOut(Concat(usage, "\nFlags:\n", FlagsHelp()));
  }
  return run(line->arguments);
}

std::string UserPath(const std::string& path) {
  const char* directory = std::getenv("BUILD_WORKING_DIRECTORY");
  if (path.empty() || directory == nullptr) return path;
  return (std::filesystem::path(directory) / path).string();
}

std::string DidYouMean(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string nearest = NearestName(name, candidates);
  return nearest.empty() ? "" : Concat(" Did you mean ", nearest, "?");
}

}  // namespace rubric
