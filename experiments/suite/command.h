// Command: the process that a step of the schedule is.
//
// USE        SpecFor(plan, step, place) is what the runner starts; ShellLine shows it, for
//            --dry_run, as a line that can be pasted into a shell.
// LAYOUT     time          lab run NAME --param=value… --json
//            log           the same with --malloc_log
//            massif        under valgrind --tool=massif; its file is kept in massif/
//            instructions  under valgrind --tool=callgrind, collecting only where the program turns
//                          it on; its file is kept in callgrind/
// INVARIANTS argv[0], the environment and the working directory are the same for every variant.
// TESTED BY  command_test.cc.
#ifndef RUBRIC_EXPERIMENTS_SUITE_COMMAND_H_
#define RUBRIC_EXPERIMENTS_SUITE_COMMAND_H_

#include <string>
#include <vector>

#include "experiments/suite/plan.h"
#include "experiments/suite/process.h"
#include "experiments/suite/schedule.h"

namespace rubric {

// Where a run takes place.
struct Place {
  std::string results_folder;     // absolute
  std::string working_directory;  // of every process; workload files are relative to it
  std::string valgrind;           // absolute path; empty where no pass needs it
  std::vector<int> program_fds;   // a variant's program, opened when it was hashed; may be empty
};

// The environment of every process of a run, the same on every machine.
std::vector<std::string> PinnedEnvironment();

ProcessSpec SpecFor(const Plan& plan, const Step& step, const Place& place);

// The folder that the tool of [pass] writes its files to, relative to the results folder; empty
// where it writes none.
std::string ToolFolder(const std::string& pass);

// The file that the log pass, massif or callgrind writes for [step]; empty in the time pass.
std::string ToolFile(const Plan& plan, const Step& step, const Place& place);

// The process as a line for a POSIX shell; argv[0] is the only thing that it does not set.
std::string ShellLine(const ProcessSpec& spec);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_SUITE_COMMAND_H_
