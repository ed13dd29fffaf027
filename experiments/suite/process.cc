#include "experiments/suite/process.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <fstream>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "core/base/check.h"
#include "experiments/suite/interrupt.h"
#include "reports/results/concat.h"

namespace rubric {
namespace {

using Clock = std::chrono::steady_clock;

// The descriptor under which every program is executed: fexecve() shows it to the program as
// "/dev/fd/100", so that its initial stack does not depend on where the program lies.
constexpr int kProgramFd = 100;

// What the child tells the driver before it becomes the program.
struct StartReport {
  bool aslr_off = false;
  bool cpu_pinned = false;
  int failed_errno = 0;       // 0: exec is next
  char failed_step[24] = "";  // the call that failed
};

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { Close(); }
  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  void Close() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }

 private:
  int fd_;
};

struct Pipe {
  Descriptor reading;
  Descriptor writing;
  static std::array<int, 2> Open() {
    std::array<int, 2> ends;
    RUBRIC_CHECK(pipe2(ends.data(), O_CLOEXEC) == 0);
    return ends;
  }
  explicit Pipe(std::array<int, 2> ends = Open()) : reading(ends[0]), writing(ends[1]) {}
};

std::vector<char*> Pointers(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (const std::string& string : strings) pointers.push_back(const_cast<char*>(string.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

[[noreturn]] void Fail(int report_fd, StartReport report, const char* step) {
  report.failed_errno = errno;
  strncpy(report.failed_step, step, sizeof(report.failed_step) - 1);
  [[maybe_unused]] const ssize_t written = write(report_fd, &report, sizeof(report));
  _exit(127);
}

// The child between fork and exec: system calls only, nothing that allocates.
[[noreturn]] void BecomeProgram(const ProcessSpec& spec, char* const* arguments,
                                char* const* environment, pid_t driver, int null_fd, int output_fd,
                                int error_fd, int report_fd) {
  StartReport report;
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != driver) _exit(127);  // the driver died before the line above

  // A handler would be reset by exec, an ignored signal or a mask would be inherited.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD, SIGXFSZ})
    ::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);

  if (dup2(null_fd, 0) < 0 || dup2(output_fd, 1) < 0 || dup2(error_fd, 2) < 0) {
    Fail(report_fd, report, "dup2");
  }
  if (chdir(spec.working_directory.c_str()) != 0) Fail(report_fd, report, "chdir");

  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (spec.memory_limit) {
    const rlimit limit = {*spec.memory_limit, *spec.memory_limit};
    if (setrlimit(RLIMIT_AS, &limit) != 0) Fail(report_fd, report, "setrlimit");
  }
  if (spec.aslr_off) {
    const int persona = personality(0xffffffff);
    report.aslr_off = persona >= 0 && personality(persona | ADDR_NO_RANDOMIZE) >= 0 &&
                      (personality(0xffffffff) & ADDR_NO_RANDOMIZE) != 0;
  }
  if (spec.cpu) {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(*spec.cpu, &cores);
    report.cpu_pinned = sched_setaffinity(0, sizeof(cores), &cores) == 0;
  }
  if (spec.program_fd >= 0 && dup3(spec.program_fd, kProgramFd, O_CLOEXEC) < 0) {
    Fail(report_fd, report, "dup3");
  }
  // Descriptors that the driver itself inherited must not reach the program either.
  syscall(SYS_close_range, 3u, ~0u, CLOSE_RANGE_CLOEXEC);

  [[maybe_unused]] const ssize_t written = write(report_fd, &report, sizeof(report));
  if (spec.program_fd >= 0) {
    fexecve(kProgramFd, arguments, environment);
  } else {
    execve(spec.program.c_str(), arguments, environment);
  }
  Fail(report_fd, report, "exec");
}

// Reads what is there; closes [pipe] at its end. Returns the bytes read.
std::size_t ReadAvailable(Descriptor& pipe, std::string& into) {
  char buffer[64 << 10];
  const ssize_t got = read(pipe.get(), buffer, sizeof(buffer));
  if (got > 0) {
    into.append(buffer, static_cast<std::size_t>(got));
    return static_cast<std::size_t>(got);
  }
  if (got == 0 || (errno != EAGAIN && errno != EINTR)) pipe.Close();
  return 0;
}

void KeepTail(std::string& text, std::size_t bytes) {
  if (text.size() > bytes) text.erase(0, text.size() - bytes);
}

bool HasExited(pid_t child) {
  siginfo_t info = {};
  return waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == child;
}

// The live children of this process, from the kernel's own list.
std::vector<pid_t> Children() {
  std::vector<pid_t> children;
  std::ifstream list(Concat("/proc/self/task/", getpid(), "/children"));
  for (pid_t child; list >> child;) children.push_back(child);
  return children;
}

// Ends what is left of the program's family and reaps it; returns how many there were. Killing a
// process may hand us its children, hence the loop.
int EndStragglers() {
  int ended = 0;
  for (;;) {
    const pid_t reaped = waitpid(-1, nullptr, WNOHANG);
    if (reaped > 0) {
      ++ended;
    } else if (reaped == 0) {
      const std::vector<pid_t> children = Children();
      if (children.empty()) return ended;  // a kernel without the list: nothing more we can do
      for (const pid_t child : children) kill(child, SIGKILL);
      poll(nullptr, 0, 1);
    } else if (errno != EINTR) {
      return ended;
    }
  }
}

// Waits for the end of [child] while it collects its output. Returns why waiting ended: kExited
// stands for "the program ended by itself".
ProcessEnd Watch(const ProcessSpec& spec, pid_t child, Clock::time_point deadline,
                 Descriptor& output, Descriptor& error, ProcessOutcome& outcome) {
  for (;;) {
    if (Interrupt::pending() != 0) return ProcessEnd::kInterrupted;
    if (HasExited(child)) return ProcessEnd::kExited;
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return ProcessEnd::kTimedOut;
    pollfd waits[] = {{Interrupt::wake_fd(), POLLIN, 0},
                      {output.get(), POLLIN, 0},  // poll() passes over a descriptor of -1
                      {error.get(), POLLIN, 0}};
    if (poll(waits, 3, static_cast<int>(std::min<long>(left + 1, 1'000'000))) < 0) continue;
    if (waits[0].revents != 0) Interrupt::Drain();
    if (waits[1].revents != 0) ReadAvailable(output, outcome.standard_output);
    if (waits[2].revents != 0) {
      ReadAvailable(error, outcome.standard_error);
      KeepTail(outcome.standard_error, spec.error_tail);
    }
    if (outcome.standard_output.size() > spec.output_limit) return ProcessEnd::kFlooded;
  }
}

// What was written before the end and not read yet. Every writer is dead, so this ends.
void ReadRest(const ProcessSpec& spec, Descriptor& output, Descriptor& error,
              ProcessOutcome& outcome) {
  while (output.is_open() && outcome.standard_output.size() <= spec.output_limit &&
         ReadAvailable(output, outcome.standard_output) > 0) {
  }
  while (error.is_open() && ReadAvailable(error, outcome.standard_error) > 0) {
    KeepTail(outcome.standard_error, spec.error_tail);
  }
}

}  // namespace

ProcessOutcome RunProcess(const ProcessSpec& spec) {
  RUBRIC_CHECK(Interrupt::wake_fd() >= 0);
  RUBRIC_CHECK(!spec.arguments.empty());
  prctl(PR_SET_CHILD_SUBREAPER, 1);

  ProcessOutcome outcome;
  const std::vector<char*> arguments = Pointers(spec.arguments);
  const std::vector<char*> environment = Pointers(spec.environment);
  Pipe output;
  Pipe error;
  Pipe report_pipe;
  Descriptor null(open("/dev/null", O_RDONLY | O_CLOEXEC));
  for (Pipe* pipe : {&output, &error}) fcntl(pipe->reading.get(), F_SETFL, O_NONBLOCK);

  const pid_t driver = getpid();
  const Clock::time_point start = Clock::now();
  const Clock::time_point deadline =
      start + std::chrono::milliseconds(std::llround(spec.timeout_s * 1e3));
  const pid_t child = fork();
  if (child == 0) {
    BecomeProgram(spec, arguments.data(), environment.data(), driver, null.get(),
                  output.writing.get(), error.writing.get(), report_pipe.writing.get());
  }
  if (child < 0) {
    outcome.start_error = Concat("fork: ", strerror(errno));
    return outcome;
  }
  setpgid(child, child);  // in both processes: neither may go on before it holds
  for (Pipe* pipe : {&output, &error, &report_pipe}) pipe->writing.Close();

  // One report when all is prepared, a second one only if exec then failed.
  StartReport report;
  StartReport next;
  ssize_t got = 0;
  do {
    got = read(report_pipe.reading.get(), &next, sizeof(next));
    if (got == static_cast<ssize_t>(sizeof(next))) report = next;
  } while (got > 0 || (got < 0 && errno == EINTR));
  outcome.aslr_off = report.aslr_off;
  outcome.cpu_pinned = report.cpu_pinned;

  const ProcessEnd end = Watch(spec, child, deadline, output.reading, error.reading, outcome);
  // The leader, dead or alive, still holds the group's number: nothing else can be hit by this.
  kill(-child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  outcome.wall_s = std::chrono::duration<double>(Clock::now() - start).count();
  outcome.stragglers = EndStragglers();
  ReadRest(spec, output.reading, error.reading, outcome);

  outcome.end = end;
  if (report.failed_errno != 0) {
    outcome.end = ProcessEnd::kNotStarted;
    outcome.start_error =
        Concat(report.failed_step, " ",
               std::string(report.failed_step) == "chdir" ? spec.working_directory : spec.program,
               ": ", strerror(report.failed_errno));
  } else if (end == ProcessEnd::kExited && WIFSIGNALED(status)) {
    outcome.end = ProcessEnd::kSignaled;
    outcome.signal = WTERMSIG(status);
  } else if (end == ProcessEnd::kExited) {
    outcome.exit_status = WEXITSTATUS(status);
  }
  if (outcome.end == ProcessEnd::kExited && outcome.standard_output.size() > spec.output_limit) {
    outcome.end = ProcessEnd::kFlooded;
  }
  if (outcome.standard_output.size() > spec.output_limit) {
    outcome.standard_output.resize(spec.output_limit);
  }
  return outcome;
}

std::string SignalName(int signal) {
  const char* name = sigabbrev_np(signal);
  if (name == nullptr) return Concat("signal ", signal);
  return Concat("SIG", name, " (", sigdescr_np(signal), ")");
}

std::string LastLines(const std::string& text, int lines) {
  std::vector<std::string> all =
      absl::StrSplit(absl::StripTrailingAsciiWhitespace(text), '\n', absl::SkipWhitespace());
  if (all.size() > static_cast<std::size_t>(lines)) all.erase(all.begin(), all.end() - lines);
  std::string escaped;
  for (const char c : absl::StrJoin(all, " / ")) {
    if (c >= ' ' && c <= '~') {
      escaped += c;
    } else {
      absl::StrAppendFormat(&escaped, "\\x%02x", static_cast<unsigned char>(c));
    }
  }
  constexpr std::size_t kLongest = 600;
  if (escaped.size() > kLongest) escaped = "…" + escaped.substr(escaped.size() - kLongest);
  return escaped;
}

std::string DescribeEnd(const ProcessSpec& spec, const ProcessOutcome& outcome) {
  std::string text;
  switch (outcome.end) {
    case ProcessEnd::kExited:
      text = Concat("exited with status ", outcome.exit_status);
      break;
    case ProcessEnd::kSignaled:
      text = Concat("killed by ", SignalName(outcome.signal));
      break;
    case ProcessEnd::kTimedOut:
      text = absl::StrFormat("killed after the time-out of %g s", spec.timeout_s);
      break;
    case ProcessEnd::kFlooded:
      text = Concat("killed after ", spec.output_limit, " bytes of standard output");
      break;
    case ProcessEnd::kInterrupted:
      text = "killed because the suite was interrupted";
      break;
    case ProcessEnd::kNotStarted:
      return Concat("could not be started: ", outcome.start_error);
  }
  const std::string tail = LastLines(outcome.standard_error, 5);
  if (!tail.empty()) absl::StrAppend(&text, "; standard error ends: ", tail);
  return text;
}

}  // namespace rubric
