#include "experiments/suite/command.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_format.h"
#include "reports/results/concat.h"
#include "reports/results/names.h"
#include "reports/results/parse_record.h"

namespace rubric {
namespace {

// Valgrind runs a program some 20 to 100 times slower.
constexpr double kValgrindTimeoutFactor = 60;

bool UnderValgrind(const std::string& pass) {
  return pass == kMassifPass || pass == kInstructionsPass;
}

// [text] as part of a file's name.
std::string FileWord(const std::string& text) {
  std::string word;
  for (const char c : text) {
    const bool plain = absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '=' ||
                       c == ',' || c == '.';
    if (plain) {
      word += c;
    } else if (!word.empty() && word.back() != '-') {
      word += '-';
    }
  }
  return word.substr(0, 80);
}

}  // namespace

std::vector<std::string> PinnedEnvironment() {
  return {"LC_ALL=C", "PATH=/usr/bin:/bin", "TZ=UTC"};
}

std::string ToolFolder(const std::string& pass) {
  if (pass == kLogPass) return "scratch";
  if (pass == kMassifPass) return "massif";
  if (pass == kInstructionsPass) return "callgrind";
  return "";
}

std::string ToolFile(const Plan& plan, const Step& step, const Place& place) {
  const std::string folder = ToolFolder(step.pass);
  if (folder.empty()) return "";
  // One log at a time: it is read by the program itself and then no longer needed.
  if (step.pass == kLogPass) return Concat(place.results_folder, "/", folder, "/malloc.log");
  return Concat(place.results_folder, "/", folder, "/", folder, ".out.",
                absl::StrFormat("%05d.", step.order),
                FileWord(plan.cells[static_cast<std::size_t>(step.cell)].label), ".",
                FileWord(plan.variants[static_cast<std::size_t>(step.variant)].name));
}

ProcessSpec SpecFor(const Plan& plan, const Step& step, const Place& place) {
  const std::size_t variant_index = static_cast<std::size_t>(step.variant);
  const VariantSpec& variant = plan.variants[variant_index];
  const CellSpec& cell = plan.cells[static_cast<std::size_t>(step.cell)];
  const std::string file = ToolFile(plan, step, place);

  ProcessSpec spec;
  spec.environment = PinnedEnvironment();
  spec.working_directory = place.working_directory;
  spec.cpu = plan.cpu;
  spec.timeout_s = plan.timeout_s;
  spec.output_limit = kMaxRecordBytes;
  if (UnderValgrind(step.pass)) {
    spec.program = place.valgrind;
    spec.timeout_s *= kValgrindTimeoutFactor;
    // --command-line-only: no .valgrindrc changes what is measured.
    spec.arguments = {"valgrind", "--command-line-only=yes", "--quiet"};
    if (step.pass == kMassifPass) {
      spec.arguments.insert(spec.arguments.end(), {"--tool=massif", "--peak-inaccuracy=0.0",
                                                   Concat("--massif-out-file=", file)});
    } else {
      spec.arguments.insert(spec.arguments.end(), {"--tool=callgrind", "--collect-atstart=no",
                                                   Concat("--callgrind-out-file=", file)});
    }
    spec.arguments.push_back(variant.binary);
  } else {
    spec.program = variant.binary;
    if (variant_index < place.program_fds.size()) {
      spec.program_fd = place.program_fds[variant_index];
    }
    spec.arguments = {"lab"};
  }
  spec.arguments.insert(spec.arguments.end(), cell.arguments.begin(), cell.arguments.end());
  spec.arguments.push_back("--json");
  if (plan.hash_seed) spec.arguments.push_back(Concat("--hash_seed=", *plan.hash_seed));
  if (step.pass == kLogPass) spec.arguments.push_back(Concat("--malloc_log=", file));
  return spec;
}

std::string ShellLine(const ProcessSpec& spec) {
  std::string line = Concat("cd ", ShellWord(spec.working_directory), " && env -i");
  for (const std::string& variable : spec.environment) {
    line += Concat(" ", ShellWord(variable));
  }
  if (spec.cpu) line += Concat(" taskset -c ", *spec.cpu);
  if (spec.aslr_off) line += " setarch -R";
  line += Concat(" ", ShellWord(spec.program));
  for (std::size_t i = 1; i < spec.arguments.size(); ++i) {
    line += Concat(" ", ShellWord(spec.arguments[i]));
  }
  return line;
}

}  // namespace rubric
