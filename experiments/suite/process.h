// RunProcess: one program in a fresh, pinned process, its output captured, its whole family ended.
//
// USE        The runner describes a cell's process in a ProcessSpec and gets back how it ended.
//            Every end is a value: a program that crashes, hangs, floods its output or cannot be
//            started at all is described in the outcome, never reported by an abort.
// COST       A fork, an exec, three pipes. While the program runs the driver sleeps in poll(), so
//            that it does not disturb what is measured.
// INVARIANTS (1) The program sees exactly spec.environment, spec.arguments and
//                spec.working_directory; its standard input is /dev/null; no file descriptor of the
//                driver is open in it. With program_fd, the path that the kernel puts on its stack
//                has the same length whatever the program is called.
//            (2) After the call no process that the program started is alive, whether it left the
//                program's process group or not: the driver is a sub-reaper and kills what it
//                inherits.
//            (3) Should the driver itself be killed, the kernel kills the program.
//            (4) At most output_limit bytes of standard output and the last error_tail bytes of
//                standard error are kept.
// VALIDITY   REQUIRES: Interrupt::Install() was called; the caller has no other child processes and
//            no other thread.
// SOURCE     The effect of environment size and link order on measurements: Mytkowicz, Diwan,
//            Hauswirth, Sweeney, "Producing wrong data without doing anything obviously wrong!",
//            ASPLOS 2009, sections 4 and 5. Sub-reapers: prctl(2).
// TESTED BY  process_test.cc.
#ifndef RUBRIC_EXPERIMENTS_SUITE_PROCESS_H_
#define RUBRIC_EXPERIMENTS_SUITE_PROCESS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rubric {

struct ProcessSpec {
  std::string program;  // absolute path; what is executed where program_fd is -1
  int program_fd = -1;  // an open descriptor of the program, not owned: it is run whatever has
                        // since been put at its path
  std::vector<std::string> arguments;    // argv, argv[0] included
  std::vector<std::string> environment;  // NAME=value
  std::string working_directory = "/";
  std::optional<int> cpu;                     // the one core it may run on; none: any
  bool aslr_off = true;                       // ask for a fixed address layout
  double timeout_s = 60;                      // wall clock, seconds
  std::size_t output_limit = 8 << 20;         // bytes of standard output; more ends the process
  std::size_t error_tail = 16 << 10;          // bytes of standard error kept, the last ones
  std::optional<std::uint64_t> memory_limit;  // address space, bytes (RLIMIT_AS)
};

enum class ProcessEnd {
  kExited,       // exit_status holds its status
  kSignaled,     // signal holds what killed it
  kTimedOut,     // killed by us after timeout_s
  kFlooded,      // killed by us after output_limit bytes
  kInterrupted,  // killed by us because Interrupt::pending()
  kNotStarted,   // start_error says why
};

struct ProcessOutcome {
  ProcessEnd end = ProcessEnd::kNotStarted;
  int exit_status = 0;
  int signal = 0;
  std::string start_error;
  std::string standard_output;
  std::string standard_error;  // the last bytes of it
  bool aslr_off = false;       // what was asked for was also granted
  bool cpu_pinned = false;
  int stragglers = 0;  // processes that the program left behind and that were killed
  double wall_s = 0;   // from fork to the end, seconds
};

ProcessOutcome RunProcess(const ProcessSpec& spec);

// "SIGSEGV (Segmentation fault)".
std::string SignalName(int signal);

// One sentence of how the process ended, with its last lines of standard error: what a record's
// `reason` holds. Printable ASCII and UTF-8 left as they are, everything else escaped.
std::string DescribeEnd(const ProcessSpec& spec, const ProcessOutcome& outcome);

// The last lines of [text], at most [lines] of them, joined with " / ", bytes that are not
// printable ASCII as \xNN.
std::string LastLines(const std::string& text, int lines);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_SUITE_PROCESS_H_
