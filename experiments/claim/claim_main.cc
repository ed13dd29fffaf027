// The claims: `bazel run //experiments:claim -- 14460`. README.md says what they are; here is the
// order in which one is checked.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "experiments/claim/calibration.h"
#include "experiments/claim/claim.h"
#include "experiments/claim/claim_text.h"
#include "experiments/claim/judge.h"
#include "experiments/claim/live_bytes_graph.h"
#include "experiments/suite/files.h"
#include "experiments/suite/interrupt.h"
#include "experiments/suite/options.h"
#include "experiments/suite/prepare.h"
#include "experiments/suite/process.h"
#include "experiments/suite/progress.h"
#include "experiments/suite/results_folder.h"
#include "experiments/suite/runner.h"
#include "experiments/suite/source_tree.h"
#include "experiments/suite/suites.h"
#include "reports/report.h"
#include "reports/results/command_line.h"
#include "reports/results/concat.h"
#include "reports/results/names.h"
#include "reports/results/reader.h"
#include "reports/results/writer.h"

ABSL_FLAG(int, rounds, 0, "processes of each experiment and variant; 0: what the claim says");
ABSL_FLAG(double, timeout, 600, "seconds that a process may take");
ABSL_FLAG(std::string, out, "",
          "folder for the results, which must not exist; by default results/<time>-claim");
ABSL_FLAG(bool, json, false, "print the claims as JSON, one object a claim");
ABSL_FLAG(std::string, data, "", "a folder of claims and calibration.tsv, in place of our own");

namespace rubric {
namespace {

constexpr char kUsage[] =
    "Checks what a discussion stated against what Rubric measures, beside what CRuby measured.\n"
    "\n"
    "  bazel run //experiments:claim -- list\n"
    "  bazel run //experiments:claim -- 14460\n"
    "  bazel run //experiments:claim -- all\n"
    "\n"
    "Exit status: 0 every statement has a verdict, 2 usage or unusable input, 3 some statement\n"
    "could not be measured, 130 or 143 interrupted.\n";

constexpr char kManifestFile[] = "rubric/experiments/claim_variants.json";
constexpr char kMatrixFile[] = "rubric/experiments/claim/matrix.txt";
constexpr char kDataFolder[] = "experiments/claim/data";

int Refuse(const absl::Status& status) {
  std::cerr << "error: " << std::string(status.message()) << '\n';
  return kExitUsage;
}

struct Context {
  Bundle bundle;
  Calibration calibration{{}};
  std::vector<Claim> claims;  // by ID
  std::string out;            // folder of this call's results
  std::vector<std::string> command;
};

absl::StatusOr<std::vector<Claim>> ReadClaims(const std::string& folder) {
  std::vector<Claim> claims;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() != ".json") continue;
    absl::StatusOr<Claim> claim = ReadClaim(entry.path());
    if (!claim.ok()) return claim.status();
    claims.push_back(*std::move(claim));
  }
  if (error || claims.empty()) {
    return absl::InvalidArgumentError(Concat(folder, ": expected a folder of claims (ID.json)"));
  }
  std::sort(claims.begin(), claims.end(),
            [](const Claim& a, const Claim& b) { return a.id < b.id; });
  return claims;
}

// The bundle with just the variants that `claim` compares.
absl::StatusOr<Bundle> BundleFor(const Bundle& all, const Claim& claim) {
  Bundle bundle = all;
  bundle.variants.clear();
  for (const std::string& side : SidesOf(claim)) {
    const auto found = std::find_if(all.variants.begin(), all.variants.end(),
                                    [&](const ManifestEntry& entry) { return entry.name == side; });
    if (found == all.variants.end()) {
      std::vector<std::string> names;
      for (const ManifestEntry& entry : all.variants) names.push_back(entry.name);
      return absl::FailedPreconditionError(
          Concat("claim ", claim.id, ": no variant '", side,
                 "' was built. There are: ", absl::StrJoin(names, "; ")));
    }
    bundle.variants.push_back(*found);
  }
  return bundle;
}

Suite SuiteOf(const Claim& claim) {
  Suite suite{Concat("claim-", claim.id), claim.title, claim.rounds, false, {}};
  for (const ClaimCell& cell : claim.cells) suite.cells.push_back(cell.cell);
  return suite;
}

Options OptionsOf(const Claim& claim) {
  Options options;
  options.rounds = absl::GetFlag(FLAGS_rounds);
  options.timeout_s = absl::GetFlag(FLAGS_timeout);
  options.instructions =
      std::any_of(claim.statements.begin(), claim.statements.end(),
                  [](const Statement& each) { return each.metric == "instructions"; });
  return options;
}

// Runs every cell on every side; the folder of the results.
absl::StatusOr<std::string> Measure(const Context& context, const Claim& claim,
                                    const Prepared& prepared, int& stopped_by) {
  const std::string folder = Concat(context.out, "/", claim.id);
  RunPlan run = ToRunPlan(prepared.plan, {});
  run.machine = prepared.machine;
  run.command = context.command;
  run.started_at = absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", absl::Now(), absl::UTCTimeZone());
  absl::StatusOr<ResultsFolder> results =
      ResultsFolder::OpenFresh(folder, run, prepared.plan.other_passes);
  if (!results.ok()) return results.status();
  Place place = prepared.place;
  place.results_folder = folder;
  std::cerr << '#' << claim.id << ": " << prepared.plan.cells.size() << " cells, "
            << prepared.plan.variants.size() << " variants (the baseline twice)\n";
  Progress progress(stderr, isatty(STDERR_FILENO) != 0);
  const absl::StatusOr<RunSummary> summary =
      RunProcesses(prepared.plan, place, ReadSourceTree(Workspace()), results->earlier(),
                   results->writer(), progress);
  if (!summary.ok()) return summary.status();
  stopped_by = summary->stopped_by;
  return folder;
}

absl::Status WriteGraph(const Claim& claim, const OrderedMap<std::string>& labels,
                        const Comparison& comparison, const std::string& folder) {
  const std::string* label = Find(labels, claim.graph_cell);
  if (label == nullptr) return absl::OkStatus();
  Curves curves;
  for (const Row& row : comparison.rows) {
    if (row.label != *label) continue;
    for (std::size_t v = 0; v < row.cells.size(); ++v) {
      if (row.cells[v].live_bytes && !comparison.variants[v].is_control) {
        curves.emplace_back(comparison.variants[v].name, *row.cells[v].live_bytes);
      }
    }
  }
  if (curves.empty()) return absl::OkStatus();
  const std::string title = Concat("#", claim.id, ": live bytes, ", *label);
  absl::Status status = WriteFileAtomically(folder + "/live_bytes.csv", GraphCsv(curves));
  status.Update(WriteFileAtomically(folder + "/live_bytes.svg", GraphSvg(title, curves)));
  return status;
}

// Measures and judges one claim; the exit status.
int Check(const Context& context, const Claim& claim) {
  const absl::StatusOr<Bundle> bundle = BundleFor(context.bundle, claim);
  if (!bundle.ok()) return Refuse(bundle.status());
  const absl::StatusOr<Prepared> prepared = PreparePlan(OptionsOf(claim), *bundle, SuiteOf(claim));
  if (Interrupt::pending() != 0) return 128 + Interrupt::pending();
  if (!prepared.ok()) return Refuse(prepared.status());
  if (prepared->plan.cells.size() != claim.cells.size()) {
    return Refuse(absl::InvalidArgumentError(
        Concat("claim ", claim.id, ": two of its cells are the same experiment")));
  }
  OrderedMap<std::string> labels;
  for (std::size_t i = 0; i < claim.cells.size(); ++i) {
    labels.emplace_back(claim.cells[i].name, prepared->plan.cells[i].label);
  }

  int stopped_by = 0;
  const absl::StatusOr<std::string> folder = Measure(context, claim, *prepared, stopped_by);
  if (!folder.ok()) return Refuse(folder.status());
  if (stopped_by != 0) {
    std::cerr << "\ninterrupted by " << SignalName(stopped_by) << "; what was measured is in "
              << *folder << '\n';
    return 128 + stopped_by;
  }
  const absl::StatusOr<ReportOutcome> report = WriteReport({*folder}, {});
  if (!report.ok()) return Refuse(report.status());
  const absl::StatusOr<std::vector<Judged>> judged =
      Judge(claim, labels, context.calibration, report->comparison);
  if (!judged.ok()) return Refuse(judged.status());

  const std::string json = ClaimJson(claim, *judged);
  absl::Status written =
      WriteFileAtomically(Concat(*folder, "/claim.md"), ClaimMarkdown(claim, *judged));
  written.Update(WriteFileAtomically(Concat(*folder, "/claim.json"), json));
  written.Update(WriteGraph(claim, labels, report->comparison, *folder));
  if (!written.ok()) return Refuse(written);
  if (absl::GetFlag(FLAGS_json)) {
    std::cout << json;
  } else {
    std::cout << ClaimTerminal(claim, *judged) << "claim.md, claim.json"
              << (claim.graph_cell.empty() ? "" : ", live_bytes.svg, live_bytes.csv")
              << " and report/index.html: " << *folder << "\n\n";
  }
  const bool all_measured = std::none_of(judged->begin(), judged->end(), [](const Judged& each) {
    return each.verdict == Verdict::kNotMeasured;
  });
  return all_measured ? kExitFine : kExitSomeCellsFailed;
}

int List(const std::vector<Claim>& claims) {
  for (const Claim& claim : claims) {
    std::cout << claim.id << "  " << claim.title << "\n       " << claim.statements.size()
              << " statements, " << claim.cells.size() << " experiments on "
              << absl::StrJoin(SidesOf(claim), "; ") << '\n';
  }
  return kExitFine;
}

absl::StatusOr<std::vector<Claim>> Choose(const std::vector<Claim>& claims,
                                          const std::vector<std::string>& arguments) {
  if (arguments == std::vector<std::string>{"all"}) return claims;
  std::vector<std::string> ids;
  for (const Claim& claim : claims) ids.push_back(claim.id);
  std::vector<Claim> chosen;
  for (const std::string& argument : arguments) {
    const auto found = std::find(ids.begin(), ids.end(), argument);
    if (found == ids.end()) {
      return absl::InvalidArgumentError(Concat("no claim '", argument, "'.",
                                               DidYouMean(argument, ids), " There are: list, all, ",
                                               absl::StrJoin(ids, ", ")));
    }
    chosen.push_back(claims[static_cast<std::size_t>(found - ids.begin())]);
  }
  return chosen;
}

int Run(const std::vector<std::string>& arguments, const std::vector<std::string>& command) {
  if (arguments.empty()) {
    return Refuse(absl::InvalidArgumentError(
        "expected list, all, or the numbers of claims, such as 14460; --help shows more"));
  }
  if (absl::GetFlag(FLAGS_rounds) < 0 || absl::GetFlag(FLAGS_rounds) > 1000) {
    return Refuse(absl::InvalidArgumentError("--rounds: expected a number from 1 to 1000"));
  }
  if (!(absl::GetFlag(FLAGS_timeout) > 0) || absl::GetFlag(FLAGS_timeout) > 86'400) {
    return Refuse(
        absl::InvalidArgumentError("--timeout: expected seconds, more than 0 and at most 86400"));
  }
  Interrupt::Install();
  absl::StatusOr<Bundle> bundle = Locate({}, {kManifestFile, kMatrixFile});
  if (!bundle.ok()) return Refuse(bundle.status());
  std::string data = UserPath(absl::GetFlag(FLAGS_data));
  if (data.empty()) data = Concat(bundle->working_directory, "/", kDataFolder);
  const absl::StatusOr<std::vector<Claim>> claims = ReadClaims(data);
  if (!claims.ok()) return Refuse(claims.status());
  if (arguments == std::vector<std::string>{"list"}) return List(*claims);
  absl::StatusOr<std::vector<Claim>> chosen = Choose(*claims, arguments);
  if (!chosen.ok()) return Refuse(chosen.status());
  absl::StatusOr<Calibration> calibration = ReadCalibration(Concat(data, "/calibration.tsv"));
  if (!calibration.ok()) return Refuse(calibration.status());

  const std::string parent = Workspace().empty()
                                 ? AbsolutePath("results", std::filesystem::current_path())
                                 : Concat(Workspace(), "/results");
  Context context{*std::move(bundle), *std::move(calibration), *std::move(chosen),
                  UserPath(absl::GetFlag(FLAGS_out)), command};
  if (context.out.empty()) context.out = DefaultResultsFolder(parent, "claim");
  context.out = AbsolutePath(context.out, std::filesystem::current_path());
  int status = kExitFine;
  for (const Claim& claim : context.claims) {
    const int one = Check(context, claim);
    if (one == kExitUsage || one > 128) return one;
    status = std::max(status, one);
    std::cout.flush();
    if (!std::cout) {
      return Refuse(absl::UnavailableError("cannot write to standard output"));
    }
  }
  return status;
}

}  // namespace
}  // namespace rubric

int main(int argc, char** argv) {
  signal(SIGPIPE, SIG_IGN);  // a reader of our output that leaves must not end a run
  signal(SIGXFSZ, SIG_IGN);  // a limit on file sizes is an error of write(2)
  const std::vector<std::string> command(argv, argv + argc);
  return rubric::RunMain(
      argc, argv, rubric::kUsage,
      [&](const std::vector<std::string>& arguments) { return rubric::Run(arguments, command); });
}
