// The suite driver: `bazel run //experiments:suite`. README.md says what it does; here is the order
// in which it does it.
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "experiments/suite/conclusion.h"
#include "experiments/suite/estimate.h"
#include "experiments/suite/files.h"
#include "experiments/suite/interrupt.h"
#include "experiments/suite/listing.h"
#include "experiments/suite/options.h"
#include "experiments/suite/prepare.h"
#include "experiments/suite/probe.h"
#include "experiments/suite/process.h"
#include "experiments/suite/progress.h"
#include "experiments/suite/results_folder.h"
#include "experiments/suite/runner.h"
#include "experiments/suite/source_tree.h"
#include "experiments/suite/suites.h"
#include "reports/results/command_line.h"
#include "reports/results/concat.h"
#include "reports/results/names.h"
#include "reports/results/reader.h"
#include "reports/results/record.h"
#include "reports/results/run_plan.h"
#include "reports/results/terminal_text.h"

namespace rubric {
namespace {

int Refuse(const absl::Status& status) {
  std::cerr << "error: " << TerminalText(std::string(status.message()), '?', "\n") << '\n';
  return kExitUsage;
}

// [folder] as short as a user in this folder can write it.
std::string ShownFolder(const std::string& folder) {
  const char* user = getenv("BUILD_WORKING_DIRECTORY");
  const std::filesystem::path base = user != nullptr ? user : std::filesystem::current_path();
  const std::string relative = std::filesystem::path(folder).lexically_relative(base);
  return relative.empty() || relative.rfind("..", 0) == 0 ? folder : relative;
}

std::string HowToResume(const std::string& folder, const std::string& matrix) {
  const std::string flag = Concat("--resume=", ShellWord(ShownFolder(folder)));
  return Workspace().empty()
             ? Concat("the same program with ", flag)
             : Concat("bazel run --matrix=", matrix, " //experiments:suite -- ", flag);
}

// Says how far the run came and how to go on; the exit status that a shell expects.
int Interrupted(const RunSummary& summary, const std::string& how_to_resume) {
  std::cerr << "\ninterrupted by " << SignalName(summary.stopped_by) << ": "
            << summary.run + summary.found << " of " << summary.planned
            << " processes are recorded. Continue with: " << how_to_resume << '\n';
  return 128 + summary.stopped_by;
}

void PrintSummary(const RunSummary& summary, double seconds) {
  std::cout << summary.run << " processes in " << DurationText(seconds);
  if (summary.found > 0) std::cout << ", " << summary.found << " recorded before";
  if (summary.skipped > 0) std::cout << ", " << summary.skipped << " not run, of cells that failed";
  std::cout << "\n";
  if (summary.aslr_refused) {
    std::cout
        << "note: the system refuses a fixed address layout (personality(2)); times vary more\n";
  }
  if (summary.cpu_refused) std::cout << "note: the system refuses to pin processes to one core\n";
  if (summary.failed_cells == 0) return;
  std::cout << summary.failed_cells << (summary.failed_cells == 1 ? " cell" : " cells")
            << " failed; the report says why\n";
}

// Where a run's records go; fresh or stored, by the options.
absl::StatusOr<ResultsFolder> OpenFolder(const Options& options, const Prepared& prepared,
                                         const std::vector<std::string>& command) {
  OrderedMap<std::string> stored_options = PlanOptions();
  for (auto& [name, text] : stored_options) {
    // What was drawn or found by this machine is kept as it came out.
    if (name == "seed") text = Concat(prepared.plan.seed);
    if (name == "cpu") text = Concat(prepared.plan.cpu.value_or(-1));
  }
  RunPlan run = ToRunPlan(prepared.plan, stored_options);
  run.machine = prepared.machine;
  run.command = command;
  run.started_at = absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", absl::Now(), absl::UTCTimeZone());
  if (!options.resume.empty()) {
    return ResultsFolder::OpenStored(prepared.place.results_folder, run,
                                     prepared.plan.other_passes);
  }
  return ResultsFolder::OpenFresh(prepared.place.results_folder, run, prepared.plan.other_passes);
}

int Measure(const Options& options, Prepared& prepared, const std::vector<std::string>& command) {
  const std::string parent = Workspace().empty()
                                 ? AbsolutePath("results", std::filesystem::current_path())
                                 : Concat(Workspace(), "/results");
  std::string folder = options.resume.empty() ? options.out : options.resume;
  if (folder.empty()) folder = DefaultResultsFolder(parent, prepared.plan.matrix);
  folder = AbsolutePath(folder, std::filesystem::current_path());
  prepared.place.results_folder = folder;

  absl::StatusOr<ResultsFolder> results = OpenFolder(options, prepared, command);
  if (!results.ok()) return Refuse(results.status());
  for (const std::string& warning : prepared.warnings) std::cerr << "warning: " << warning << '\n';
  if (results->writer().bytes_cut() > 0) {
    std::cerr << "the last record was cut off and is measured again\n";
  }
  std::cerr << prepared.plan.cells.size() << " cells, " << prepared.plan.variants.size()
            << " variants (the baseline twice), results in " << ShownFolder(folder) << '\n';

  const std::string how_to_resume = HowToResume(folder, prepared.plan.matrix);
  Progress progress(stderr, isatty(STDERR_FILENO) != 0);
  const absl::Time start = absl::Now();
  const absl::StatusOr<RunSummary> summary =
      RunProcesses(prepared.plan, prepared.place, ReadSourceTree(Workspace()), results->earlier(),
                   results->writer(), progress);
  if (!summary.ok()) {
    Refuse(summary.status());
    if (absl::IsFailedPrecondition(summary.status())) {
      // Its records are not those of one run, and no further call would change that.
      std::cerr << "this folder cannot be continued; start a new run in another\n";
    } else {
      std::cerr << "what was recorded before is intact. Continue with: " << how_to_resume << '\n';
    }
    return kExitUsage;
  }
  if (summary->stopped_by != 0) return Interrupted(*summary, how_to_resume);
  PrintSummary(*summary, absl::ToDoubleSeconds(absl::Now() - start));
  const int status = Conclude(folder, ShownFolder(folder), prepared.plan.baseline, options);
  return status == kExitFine && summary->failed_cells > 0 ? kExitSomeCellsFailed : status;
}

int Run(const std::vector<std::string>& arguments, const std::vector<std::string>& command) {
  if (!arguments.empty()) {
    return Refuse(absl::InvalidArgumentError(
        Concat("expected flags alone, found '", arguments.front(), "'; --help lists them")));
  }
  absl::StatusOr<Options> options = ReadOptions();
  if (!options.ok()) return Refuse(options.status());
  if (!options->resume.empty()) {
    const absl::StatusOr<RunPlan> stored = ReadRunPlan(options->resume);
    if (!stored.ok()) return Refuse(stored.status());
    const absl::StatusOr<OrderedMap<std::string>> stored_options = OptionsOf(*stored);
    if (!stored_options.ok()) return Refuse(stored_options.status());
    const absl::Status taken = TakeStoredOptions(*stored_options);
    if (!taken.ok()) return Refuse(taken);
    options = ReadOptions();
    if (!options.ok()) return Refuse(options.status());
  }
  const absl::StatusOr<std::vector<std::string>> warnings = CheckFailOn(*options);
  if (!warnings.ok()) return Refuse(warnings.status());

  Interrupt::Install();
  const absl::StatusOr<Bundle> bundle = Locate(*options, SuiteFiles());
  if (!bundle.ok()) return Refuse(bundle.status());
  if (options->list) {
    const absl::StatusOr<Probed> probed = ProbeAny(bundle->variants, bundle->working_directory);
    if (!probed.ok()) return Refuse(probed.status());
    return PrintOut(ListText(probed->catalog, *bundle));
  }
  const absl::StatusOr<const Suite*> suite = FindSuite(options->suite);
  if (!suite.ok()) return Refuse(suite.status());
  absl::StatusOr<Prepared> prepared = PreparePlan(*options, *bundle, **suite);
  if (Interrupt::pending() != 0) return 128 + Interrupt::pending();
  if (!prepared.ok()) return Refuse(prepared.status());
  prepared->warnings.insert(prepared->warnings.end(), warnings->begin(), warnings->end());
  if (options->dry_run) {
    if (!options->out.empty()) {
      const absl::Status fresh = ResultsFolder::CheckFresh(options->out);
      if (!fresh.ok()) return Refuse(fresh);
    }
    prepared->place.results_folder = options->out.empty() ? "RESULTS" : options->out;
    for (const std::string& warning : prepared->warnings) {
      std::cerr << "warning: " << warning << '\n';
    }
    return PrintOut(DryRunText(prepared->plan, prepared->place));
  }
  return Measure(*options, *prepared, command);
}

}  // namespace
}  // namespace rubric

int main(int argc, char** argv) {
  signal(SIGPIPE, SIG_IGN);  // a reader of our output that leaves must not end a run
  signal(SIGXFSZ, SIG_IGN);  // a limit on file sizes is an error of write(2)
  const absl::Status words = rubric::CheckFlagWords(argc, argv);
  if (!words.ok()) return rubric::Refuse(words);
  const std::vector<std::string> command(argv, argv + argc);
  return rubric::RunMain(
      argc, argv, rubric::kSuiteUsage,
      [&](const std::vector<std::string>& arguments) { return rubric::Run(arguments, command); });
}
