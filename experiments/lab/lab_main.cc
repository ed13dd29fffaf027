#include "experiments/lab/lab_main.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "core/base/build_mode.h"
#include "core/base/keyed_hash.h"
#include "experiments/harness/experiment.h"
#include "experiments/harness/process_info.h"
#include "experiments/harness/record_of.h"
#include "experiments/harness/table.h"
#include "experiments/lab/dump_command.h"
#include "experiments/lab/invocation.h"
#include "experiments/lab/listing.h"
#include "experiments/workload/describe.h"
#include "reports/results/names.h"
#include "reports/results/terminal_text.h"

namespace rubric {
namespace {

enum ExitStatus { kFine = 0, kUsage = 2, kWrong = 3 };

constexpr char kHelp[] =
    R"(lab: one variant of the runtime, and the experiments that can be run on it.

  lab list [--json]                 the experiments and their parameters
  lab run NAME [--param=value …]    runs one and prints what it measured
      --json                        as one JSON line on standard output, and nothing else there
      --malloc_log=FILE             also logs every malloc and free of the measured part to FILE
      --hash_seed=N                 another seed for every hash of the runtime
      --gc_stress                   collects before every allocation (slow); its figures are kept
                                    apart from others, as those of a build called gc_stress
  lab dump NAME [--param=value …]   runs one and writes the heap that it leaves, an object a line, as
                                    Ruby's ObjectSpace.dump_all does; NAME may be a workload's file
      --out=FILE                    to FILE, whole or not at all; else to standard output
  lab bench [--benchmark_… …]       the google-benchmark micro-benchmarks of this variant
  lab describe WORKLOAD [--json]    what is in a recorded workload
  lab variant                       which backends this program is made of, as JSON
  lab help                          this text

Exit status: 0 fine, 2 bad usage or input, 3 an experiment's result was wrong. Where memory runs out
it says so and ends by SIGABRT (134 to a shell); the suite records that as a failed cell.
`run` and `dump` start over with a fixed address layout, where the system lets it, so that exact
metrics repeat; a record says whether it did.
)";

const std::vector<Parameter>& GeneralParameters() {
  static const auto* parameters = new std::vector<Parameter>{
      Parameter::Bool("json", false, "print one JSON line"),
      Parameter::Path("malloc_log", "log every malloc and free of the measured part to this file"),
      Parameter::Int("hash_seed", static_cast<std::int64_t>(kDefaultHashSeed), INT64_MIN, INT64_MAX,
                     "", "seed of every hash of the runtime"),
      Parameter::Bool("gc_stress", kGcStressByDefault, "collect before every allocation")};
  return *parameters;
}

int UsageError(const std::string& message) {
  std::fprintf(stderr, "lab: %s\n", TerminalText(message).c_str());
  return kUsage;
}

// Whether all of standard output has arrived; a message and kUsage if not.
int Printed() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return kFine;
  return UsageError("standard output could not be written");
}

int PrintOut(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  return Printed();
}

// "; did you mean 'x'? `lab help` shows them", or without the question.
std::string Hint(const std::string& nearest, const std::string& command) {
  return absl::StrCat(nearest.empty() ? "" : "; did you mean '" + nearest + "'?",
                      nearest.empty() ? "; `" : " `", command, "` shows them");
}

int Run(const LabVariant& variant, const std::vector<std::string>& words) {
  const absl::StatusOr<Invocation> invocation =
      ParseInvocation(variant, "run", GeneralParameters(), words);
  if (!invocation.ok()) return UsageError(std::string(invocation.status().message()));
  const auto& [experiment, general, values] = *invocation;

  const auto hash_seed = static_cast<std::uint64_t>(general.Int("hash_seed"));
  const std::string& log_path = general.Text("malloc_log");
  if (!log_path.empty()) {
    const absl::Status usable = CheckOutputPath("malloc_log", *invocation);
    if (!usable.ok()) return UsageError(std::string(usable.message()));
  }
  const ExperimentOutcome outcome = experiment->run({.hash_seed = hash_seed,
                                                     .gc_stress = general.Bool("gc_stress"),
                                                     .malloc_log_path = log_path,
                                                     .heap_dump = nullptr},
                                                    values);
  for (const absl::Status& status : {outcome.status, outcome.log_status}) {
    if (!status.ok() && !IsWrongResult(status)) return UsageError(std::string(status.message()));
  }

  Record record =
      RecordOf(experiment->name, experiment->parameters, values, outcome.status, outcome.part);
  record.variant = variant.choices;
  record.variant_name = variant.name;
  record.build = DescribeBuild();
  // Such a run says as little of a plain one as another build does.
  if (general.Bool("gc_stress") && record.build.mode == "opt") record.build.mode = "gc_stress";
  record.machine = DescribeMachine();
  record.run = DescribeRun(hash_seed);
  AddProcessMemory(record);  // before the log is read back, which is none of the runtime's memory
  if (!log_path.empty()) {
    const absl::Status added = AddLiveBytes(log_path, record);
    if (!added.ok()) return UsageError(std::string(added.message()));
  }
  const bool json = general.Bool("json");
  if (!json) PrintRecord(record, stdout);
  // Without --json a person sees the table, and a pipe gets both.
  if (json || !isatty(STDOUT_FILENO)) std::printf("%s\n", ToJsonLine(record).c_str());
  const int printed = Printed();
  if (printed != kFine) return printed;
  return outcome.status.ok() ? kFine : kWrong;
}

int Describe(const std::vector<std::string>& words) {
  const bool json = words.size() == 2 && words[1] == "--json";
  if (words.empty() || words.size() > 2 || (words.size() == 2 && !json) ||
      words[0].starts_with("--")) {
    return UsageError("describe: expected the file of a workload, and perhaps --json after it");
  }
  const auto description = DescribeWorkload(WorkloadSource::File(words[0]));
  if (!description.ok()) return UsageError(std::string(description.status().message()));
  return PrintOut(json ? JsonOf(*description) + "\n" : TextOf(*description));
}

int Bench(const LabVariant& variant, int argc, char** argv) {
  benchmark::AddCustomContext("variant", variant.name);
  const BuildInfo build = DescribeBuild();
  benchmark::AddCustomContext("allocator", build.allocator);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return kUsage;
  if (benchmark::RunSpecifiedBenchmarks() == 0) {
    return UsageError("bench: --benchmark_filter matches none; --benchmark_list_tests shows them");
  }
  benchmark::Shutdown();
  if (!std::cout.flush()) return UsageError("standard output could not be written");
  return Printed();
}

}  // namespace

int LabMain(int argc, char** argv, const LabVariant& variant) {
  // The runtime says for itself what it could not get; this is for the harness around it.
  std::set_new_handler([] {
    std::fputs("lab: out of memory; give it more, or the experiment smaller parameters\n", stderr);
    std::abort();
  });
  if (argc < 2) {
    std::fputs(kHelp, stderr);
    return kUsage;
  }
  const std::string command = argv[1];
  const std::vector<std::string> words(argv + 2, argv + argc);
  if (command == "run") {
    FixAddressLayout(argv);
    return Run(variant, words);
  }
  if (command == "list") {
    if (words.size() > 1 || (words.size() == 1 && words[0] != "--json")) {
      return UsageError("list: takes --json or nothing");
    }
    return PrintOut(words.empty() ? ListingText(variant) : ListingJson(variant) + "\n");
  }
  if (command == "dump") {
    FixAddressLayout(argv);
    return DumpCommand(variant, words);
  }
  if (command == "describe") return Describe(words);
  if (command == "bench") return Bench(variant, argc - 1, argv + 1);
  if (command == "variant") {
    if (!words.empty()) {
      return UsageError(absl::StrCat("variant: takes nothing, found '", words[0], "'"));
    }
    return PrintOut(VariantJson(variant) + "\n");
  }
  if (command == "help" || command == "--help" || command == "-h") {
    return PrintOut(kHelp);
  }
  const std::string nearest =
      NearestName(command, {"list", "run", "dump", "bench", "describe", "variant", "help"});
  return UsageError(absl::StrCat("no command '", command, "'", Hint(nearest, "lab help")));
}

}  // namespace rubric
