#include "experiments/lab/dump_command.h"

#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/base/build_mode.h"
#include "core/base/keyed_hash.h"
#include "core/object_space/dump_file.h"
#include "experiments/harness/experiment.h"
#include "experiments/lab/invocation.h"
#include "reports/results/terminal_text.h"

namespace rubric {
namespace {

int Failed(const std::string& message) {
  std::fprintf(stderr, "lab: %s\n", TerminalText(message).c_str());
  return 2;
}
int Failed(const absl::Status& status) { return Failed(std::string(status.message())); }

const std::vector<Parameter>& DumpParameters() {
  static const auto* parameters = new std::vector<Parameter>{
      Parameter::Path("out", "the file to write; standard output if there is none"),
      Parameter::Int("hash_seed", static_cast<std::int64_t>(kDefaultHashSeed), INT64_MIN, INT64_MAX,
                     "", "seed of every hash of the runtime"),
      Parameter::Bool("gc_stress", kGcStressByDefault, "collect before every allocation")};
  return *parameters;
}

absl::Status WriteToOutput(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size()) return absl::OkStatus();
  return absl::UnavailableError(
      absl::StrCat("standard output cannot be written: ", std::strerror(errno)));
}

}  // namespace

int DumpCommand(const LabVariant& variant, std::vector<std::string> words) {
  // What is no experiment but a file is a workload.
  if (!words.empty() && FindExperiment(variant, words[0]) == nullptr &&
      FindExperiment(variant, "replay") != nullptr && access(words[0].c_str(), F_OK) == 0) {
    const std::string path = words[0];
    words[0] = "replay";
    words.insert(words.begin() + 1, "--workload=" + path);
  }
  const absl::StatusOr<Invocation> invocation =
      ParseInvocation(variant, "dump", DumpParameters(), words);
  if (!invocation.ok()) return Failed(invocation.status());

  const std::string& path = invocation->general.Text("out");
  DumpFile file(path);
  if (!path.empty()) {
    const absl::Status usable = CheckOutputPath("out", *invocation);
    if (!usable.ok()) return Failed(usable);
    // Before the experiment, which may take minutes.
    if (const absl::Status opened = file.Open(); !opened.ok()) return Failed(opened);
  }
  std::function<absl::Status(std::string_view)> sink = WriteToOutput;
  if (!path.empty()) sink = [&file](std::string_view bytes) { return file.Write(bytes); };
  const ExperimentOutcome outcome = invocation->experiment->run(
      {.hash_seed = static_cast<std::uint64_t>(invocation->general.Int("hash_seed")),
       .gc_stress = invocation->general.Bool("gc_stress"),
       .malloc_log_path = "",
       .heap_dump = sink},
      invocation->values);
  if (!outcome.status.ok() && !IsWrongResult(outcome.status)) {
    return Failed(outcome.status);
  }
  if (!outcome.dump_status.has_value()) {
    return Failed("dump: the experiment ended before its measured part did");
  }
  if (!outcome.dump_status->ok()) return Failed(*outcome.dump_status);
  const absl::Status kept = !path.empty()              ? file.Commit()
                            : std::fflush(stdout) == 0 ? absl::OkStatus()
                                                       : WriteToOutput(" ");
  if (!kept.ok()) return Failed(kept);
  if (outcome.status.ok()) return 0;
  Failed(outcome.status);
  return 3;
}

}  // namespace rubric
