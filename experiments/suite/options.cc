#include "experiments/suite/options.h"

#include <cmath>
#include <limits>

#include "absl/flags/commandlineflag.h"
#include "absl/flags/flag.h"
#include "absl/flags/reflection.h"
#include "absl/strings/numbers.h"
#include "core/base/check.h"
#include "reports/results/command_line.h"
#include "reports/results/concat.h"

ABSL_FLAG(bool, list, false, "print experiments with their parameters, variants and suites");
ABSL_FLAG(bool, dry_run, false, "print every command and an estimate of the time; run nothing");
ABSL_FLAG(std::string, suite, "", "quick (the default) or standard");
ABSL_FLAG(std::string, experiments, "", "only these experiments, separated by commas");
ABSL_FLAG(std::string, workload, "",
          "replay this recorded workload, and nothing else; a path from where you stand");
ABSL_FLAG(
    std::string, variants, "",
    "only variants with these backends: interning=khash; ',' between conditions that must all "
    "hold, ';' between alternatives. The baseline is always run");
ABSL_FLAG(std::string, param, "",
          "parameters in place of the suite's: require.features=1000,intern.size=300");
ABSL_FLAG(int, rounds, 0,
          "processes of each cell and variant in the time pass; 0: the suite's own");
ABSL_FLAG(std::string, seed, "", "of the random order of processes; empty: a new one");
ABSL_FLAG(std::string, hash_seed, "", "of the runtime's keyed hashes; empty: the runtime's own");
ABSL_FLAG(bool, massif, false, "also run each cell once under valgrind's massif");
ABSL_FLAG(bool, instructions, false, "also run each cell once under valgrind's callgrind");
ABSL_FLAG(double, timeout, 60,
          "seconds after which a process is killed (under valgrind 60 times that)");
ABSL_FLAG(std::string, cpu, "",
          "core that every process is pinned to; -1: none; empty: the last one");
ABSL_FLAG(std::string, baseline, "", "variant that the others are compared with; empty: baseline");
ABSL_FLAG(bool, force, false, "measure even what cannot be compared, such as debug builds");
ABSL_FLAG(std::string, out, "", "folder for the results; empty: results/<UTC time>-<matrix>");
ABSL_FLAG(std::string, resume, "", "continue the run in this folder");
ABSL_FLAG(std::string, manifest, "", "variants in place of this build's: a manifest's JSON file");
ABSL_FLAG(std::string, fail_on, "", "exit with 1 on a regression: see //reports:compare --help");

namespace rubric {
namespace {

// What decides which processes a run has, in the order of run.json.
constexpr const char* kPlanFlags[] = {
    "suite",     "experiments", "workload",     "variants", "param", "rounds",   "seed",
    "hash_seed", "massif",      "instructions", "timeout",  "cpu",   "baseline", "force"};

// Flags whose empty value would be taken for that of a flag which was not given; a shell variable
// that is not set must not start a whole run in place of part of one.
constexpr const char* kFilledFlags[] = {"resume", "manifest", "experiments", "variants",
                                        "param",  "fail_on",  "suite"};

// Flags whose value is a list.
constexpr const char* kListFlags[] = {"experiments", "variants", "param"};

absl::CommandLineFlag& FlagNamed(const char* name) {
  absl::CommandLineFlag* flag = absl::FindCommandLineFlag(name);
  RUBRIC_CHECK(flag != nullptr);
  return *flag;
}

absl::StatusOr<std::optional<std::uint64_t>> Seed(const char* flag, const std::string& text) {
  std::uint64_t seed = 0;
  if (text.empty()) return std::optional<std::uint64_t>();
  // Up to what the programs take for --hash_seed.
  constexpr std::uint64_t kGreatest = std::numeric_limits<std::int64_t>::max();
  if (!absl::SimpleAtoi(text, &seed) || seed > kGreatest) {
    return absl::InvalidArgumentError(Concat("--", flag, ": expected a whole number from 0 to ",
                                             kGreatest, ", found '", text, "'"));
  }
  return std::optional<std::uint64_t>(seed);
}

}  // namespace

absl::StatusOr<Options> ReadOptions() {
  Options options;
  options.list = absl::GetFlag(FLAGS_list);
  options.dry_run = absl::GetFlag(FLAGS_dry_run);
  options.suite = absl::GetFlag(FLAGS_suite);
  if (options.suite.empty()) options.suite = "quick";
  options.experiments = absl::GetFlag(FLAGS_experiments);
  options.workload = absl::GetFlag(FLAGS_workload);
  if (!options.workload.empty() && !options.experiments.empty()) {
    return absl::InvalidArgumentError(
        "--workload and --experiments: a workload is all that is run; leave out one of them");
  }
  options.variants = absl::GetFlag(FLAGS_variants);
  options.param = absl::GetFlag(FLAGS_param);
  options.massif = absl::GetFlag(FLAGS_massif);
  options.instructions = absl::GetFlag(FLAGS_instructions);
  options.baseline = absl::GetFlag(FLAGS_baseline);
  options.force = absl::GetFlag(FLAGS_force);
  options.out = UserPath(absl::GetFlag(FLAGS_out));
  options.resume = UserPath(absl::GetFlag(FLAGS_resume));
  options.manifest = UserPath(absl::GetFlag(FLAGS_manifest));
  options.fail_on = absl::GetFlag(FLAGS_fail_on);

  options.rounds = absl::GetFlag(FLAGS_rounds);
  if (options.rounds < 0 || options.rounds > 10'000) {
    return absl::InvalidArgumentError(
        Concat("--rounds: expected a number from 1 to 10000, found ", options.rounds));
  }
  options.timeout_s = absl::GetFlag(FLAGS_timeout);
  if (!std::isfinite(options.timeout_s) || options.timeout_s <= 0 || options.timeout_s > 86'400) {
    return absl::InvalidArgumentError(
        Concat("--timeout: expected seconds, more than 0 and at most 86400, found ",
               FlagNamed("timeout").CurrentValue()));
  }
  absl::StatusOr<std::optional<std::uint64_t>> seed = Seed("seed", absl::GetFlag(FLAGS_seed));
  if (!seed.ok()) return seed.status();
  options.seed = *seed;
  seed = Seed("hash_seed", absl::GetFlag(FLAGS_hash_seed));
  if (!seed.ok()) return seed.status();
  options.hash_seed = *seed;
  const std::string cpu = absl::GetFlag(FLAGS_cpu);
  int number = 0;
  if (!cpu.empty()) {
    if (!absl::SimpleAtoi(cpu, &number) || number < -1) {
      return absl::InvalidArgumentError(
          Concat("--cpu: expected a core's number, or -1 for none, found '", cpu, "'"));
    }
    options.cpu = number;
  }
  if (!options.out.empty() && !options.resume.empty()) {
    return absl::InvalidArgumentError("--out and --resume: a resumed run has its folder already");
  }
  return options;
}

OrderedMap<std::string> PlanOptions() {
  OrderedMap<std::string> options;
  for (const char* name : kPlanFlags) options.emplace_back(name, FlagNamed(name).CurrentValue());
  return options;
}

absl::Status TakeStoredOptions(const OrderedMap<std::string>& stored) {
  for (const char* name : kPlanFlags) {
    const std::string* text = Find(stored, name);
    absl::CommandLineFlag& flag = FlagNamed(name);
    const std::string now = flag.CurrentValue();
    if (text == nullptr || now == *text) continue;
    if (now != flag.DefaultValue()) {
      return absl::FailedPreconditionError(
          Concat("--", name, "=", now, ": the run was started with --", name, "=", *text,
                 "; leave the flag out to continue it, or start a new run"));
    }
    std::string error;
    if (!flag.ParseFrom(*text, &error)) {
      return absl::FailedPreconditionError(
          Concat("the stored run has --", name, "=", *text, ": ", error));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckFlagWords(int argc, const char* const* argv) {
  for (const char* name : kFilledFlags) {
    for (int i = 1; i < argc && std::string(argv[i]) != "--"; ++i) {
      std::string word = argv[i];
      if (word.empty() || word[0] != '-') continue;
      word.erase(0, word.find_first_not_of('-'));
      const bool empty =
          word == Concat(name, "=") || (word == name && i + 1 < argc && argv[i + 1][0] == '\0');
      if (!empty) continue;
      return absl::InvalidArgumentError(
          Concat("--", name, " is given nothing; name what it stands for, or leave the flag out"));
    }
  }
  for (const char* name : kListFlags) {
    int given = 0;
    for (int i = 1; i < argc && std::string(argv[i]) != "--"; ++i) {
      std::string word = argv[i];
      word.erase(0, word.find_first_not_of('-'));
      if (word == name || word.rfind(Concat(name, "="), 0) == 0) ++given;
    }
    if (given > 1) {
      return absl::InvalidArgumentError(
          Concat("--", name, " is given ", given, " times; give it once, with a list"));
    }
  }
  return absl::OkStatus();
}

}  // namespace rubric
