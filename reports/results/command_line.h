// Command lines by this project's rules, on top of absl flags.
//
// USE        Declare flags with ABSL_FLAG; in main:
//                int main(int argc, char** argv) { return RunMain(argc, argv, kUsage, Run); }
//            where Run gets the arguments that are no flags and returns the exit status. absl's
//            own parser ends the process with 1 for help and for mistakes alike, and lists dozens
//            of flags that are not ours; this one uses only absl's public reflection.
// LAYOUT     `--name=value`, `--name value`, `--flag`, `--noflag`; one dash or two; `--` ends
//            flags. `--help` (or -h) prints usage and every flag to standard output, status 0.
// INVARIANTS (1) A mistake prints one sentence on standard error and gives kExitUsage. An
//                unknown flag is answered with the nearest name there is.
//            (2) Exit statuses are those below, everywhere.
//            (3) Text that could not be written to standard output is no success.
// TESTED BY  command_line_test.cc, compare_test.py.

#ifndef RUBRIC_REPORTS_RESULTS_COMMAND_LINE_H_
#define RUBRIC_REPORTS_RESULTS_COMMAND_LINE_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace rubric {

inline constexpr int kExitFine = 0;
inline constexpr int kExitRegression = 1;       // --fail_on was met
inline constexpr int kExitUsage = 2;            // wrong arguments or unusable input
inline constexpr int kExitSomeCellsFailed = 3;  // the rest was done

struct CommandLine {
  std::vector<std::string> arguments;  // in order, without flags
  bool help = false;                   // the rest was not looked at
};

// Sets the flags that `argv` names. An InvalidArgumentError says what was wrong.
absl::StatusOr<CommandLine> ParseCommandLine(int argc, const char* const* argv);

// Prints [text] to standard output and makes sure that it got there: kExitFine, or kExitUsage with
// a message where it could not be written.
int PrintOut(std::string_view text);

// The flags of this program (not absl's own) with help and default, sorted by name.
std::string FlagsHelp();

// Parses, handles --help and mistakes, and calls `run`.
int RunMain(int argc, const char* const* argv, std::string_view usage,
            const std::function<int(const std::vector<std::string>& arguments)>& run);

// `path` as the user meant it: `bazel run` changes the working directory and leaves the user's
// in BUILD_WORKING_DIRECTORY. Absolute and empty paths stay.
std::string UserPath(const std::string& path);

// " Did you mean X?" with the nearest of `candidates`, or "" if none is near.
std::string DidYouMean(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace rubric

#endif  // RUBRIC_REPORTS_RESULTS_COMMAND_LINE_H_
