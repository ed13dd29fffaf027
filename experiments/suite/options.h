// Options: the suite's flags, and which of them a stored run brings along.
//
// USE        ReadOptions() after the command line was parsed. For --resume, TakeStoredOptions()
//            first sets every flag of the plan to what the run was started with, so that
//            `--resume=DIR` alone is enough.
// INVARIANTS A flag that decides what is measured is in kPlanFlags; its default means "not given".
// TESTED BY  options_test.cc, suite_end_to_end_test.cc.
#ifndef RUBRIC_EXPERIMENTS_SUITE_OPTIONS_H_
#define RUBRIC_EXPERIMENTS_SUITE_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "reports/results/record.h"

namespace rubric {

inline constexpr std::string_view kSuiteUsage =
    "Runs experiments on variants, each cell in fresh processes, and compares the variants.\n"
    "\n"
    "  bazel run //experiments:suite\n"
    "  bazel run --matrix=full //experiments:suite -- --experiments=require,array_literal \\\n"
    "      --variants='interning=khash'\n"
    "  bazel run //experiments:suite -- --workload=$PWD/app.workload.gz\n"
    "  bazel run //experiments:suite -- --resume=results/RUN\n"
    "\n"
    "Exit status: 0 fine, 1 regression (--fail_on), 2 usage or unusable input, 3 some cells "
    "failed,\n"
    "130 or 143 interrupted.\n";

struct Options {
  bool list = false;
  bool dry_run = false;
  std::string suite;
  std::string experiments;
  std::string workload;  // a recorded one, which is then all that is run; as given
  std::string variants;
  std::string param;
  int rounds = 0;  // 0: the suite's own
  std::optional<std::uint64_t> seed;
  std::optional<std::uint64_t> hash_seed;
  bool massif = false;
  bool instructions = false;
  double timeout_s = 0;
  std::optional<int> cpu;  // -1: do not pin
  std::string baseline;
  bool force = false;
  std::string out;       // absolute or empty
  std::string resume;    // absolute or empty
  std::string manifest;  // absolute or empty
  std::string fail_on;
};

// What the flags say, checked one by one. The error names the flag.
absl::StatusOr<Options> ReadOptions();

// The plan's flags as they stand now: name -> text.
OrderedMap<std::string> PlanOptions();

// Sets each of the plan's flags that was not given to its text in [stored]; an error where one was
// given that says something else.
absl::Status TakeStoredOptions(const OrderedMap<std::string>& stored);

// An error where a flag that holds a list is given more than once, since the last one would win
// silently, or where one is given empty text that would pass for the flag's absence.
absl::Status CheckFlagWords(int argc, const char* const* argv);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_SUITE_OPTIONS_H_
