#include "experiments/suite/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "experiments/suite/interrupt.h"

namespace rubric {
namespace {

class ProcessTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { Interrupt::Install(); }

  static ProcessSpec Shell(const std::string& script) {
    ProcessSpec spec;
    spec.program = "/bin/sh";
    spec.arguments = {"sh", "-c", script};
    spec.environment = {"PATH=/usr/bin:/bin"};
    spec.timeout_s = 30;
    return spec;
  }

  static std::string TempFile(const std::string& name) {
    return std::string(getenv("TEST_TMPDIR")) + "/" + name;
  }

  static std::string Content(const std::string& file) {
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }
};

TEST_F(ProcessTest, CapturesOutputErrorAndStatus) {
  const ProcessOutcome outcome = RunProcess(Shell("echo out; echo err >&2; exit 7"));
  EXPECT_EQ(outcome.end, ProcessEnd::kExited);
  EXPECT_EQ(outcome.exit_status, 7);
  EXPECT_EQ(outcome.standard_output, "out\n");
  EXPECT_EQ(outcome.standard_error, "err\n");
  EXPECT_EQ(outcome.stragglers, 0);
  EXPECT_GT(outcome.wall_s, 0);
}

TEST_F(ProcessTest, GivesTheProgramNothingButWhatTheSpecSays) {
  setenv("LEAKED", "yes", 1);
  const int leaked_fd = open("/dev/null", O_RDONLY);  // without O_CLOEXEC
  ASSERT_GE(leaked_fd, 3);
  ProcessSpec spec = Shell("env; pwd; cat; ls /proc/self/fd");
  spec.environment = {"PATH=/usr/bin:/bin", "ONLY=this"};
  spec.working_directory = "/usr";
  const ProcessOutcome outcome = RunProcess(spec);
  close(leaked_fd);
  EXPECT_EQ(outcome.standard_output.find("LEAKED"), std::string::npos);
  EXPECT_NE(outcome.standard_output.find("ONLY=this\n"), std::string::npos);
  EXPECT_NE(outcome.standard_output.find("/usr\n"), std::string::npos);
  // 0, 1, 2, and the folder that ls itself has open.
  EXPECT_TRUE(outcome.standard_output.ends_with("\n0\n1\n2\n3\n")) << outcome.standard_output;
}

TEST_F(ProcessTest, RunsTheOpenedProgramWhateverIsAtItsPath) {
  const std::string program = TempFile("program");
  std::ofstream(program, std::ios::binary) << std::ifstream("/bin/echo", std::ios::binary).rdbuf();
  ASSERT_EQ(chmod(program.c_str(), 0755), 0);
  const int fd = open(program.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_GE(fd, 0);
  ASSERT_EQ(unlink(program.c_str()), 0);
  ProcessSpec spec = Shell("");
  spec.program = program;
  spec.program_fd = fd;
  spec.arguments = {"echo", "still here"};
  const ProcessOutcome outcome = RunProcess(spec);
  close(fd);
  EXPECT_EQ(outcome.end, ProcessEnd::kExited) << outcome.start_error;
  EXPECT_EQ(outcome.standard_output, "still here\n");
}

TEST_F(ProcessTest, PinsTheCoreAndTheAddressLayout) {
  cpu_set_t allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
  int core = 0;
  while (!CPU_ISSET(core, &allowed)) ++core;
  ProcessSpec spec = Shell("grep Cpus_allowed_list /proc/self/status; grep stack /proc/self/maps");
  spec.cpu = core;
  const ProcessOutcome first = RunProcess(spec);
  const ProcessOutcome second = RunProcess(spec);
  EXPECT_TRUE(first.cpu_pinned);
  EXPECT_NE(first.standard_output.find("\t" + std::to_string(core) + "\n"), std::string::npos);
  if (first.aslr_off) {
    EXPECT_EQ(first.standard_output, second.standard_output);
  }
}

TEST_F(ProcessTest, NamesTheSignalThatEndedAProgram) {
  const ProcessSpec spec = Shell("echo before the end >&2; kill -SEGV $$");
  const ProcessOutcome outcome = RunProcess(spec);
  EXPECT_EQ(outcome.end, ProcessEnd::kSignaled);
  EXPECT_EQ(outcome.signal, SIGSEGV);
  EXPECT_EQ(DescribeEnd(spec, outcome),
            "killed by SIGSEGV (Segmentation fault); standard error ends: before the end");
}

TEST_F(ProcessTest, EndsWhatRunsTooLongWithItsChildren) {
  const std::string file = TempFile("late");
  ProcessSpec spec = Shell("trap '' TERM; (sleep 1; echo late > " + file + ") & sleep 60");
  spec.timeout_s = 0.2;
  const ProcessOutcome outcome = RunProcess(spec);
  EXPECT_EQ(outcome.end, ProcessEnd::kTimedOut);
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  EXPECT_NE(access(file.c_str(), F_OK), 0) << "the child lived on";
  EXPECT_EQ(DescribeEnd(spec, outcome), "killed after the time-out of 0.2 s");
}

TEST_F(ProcessTest, EndsWhatAProgramLeavesBehindEvenInASessionOfItsOwn) {
  const std::string file = TempFile("daemon");
  const ProcessOutcome outcome = RunProcess(
      Shell("setsid sh -c 'sleep 1; echo late > " + file + "' > /dev/null & sleep 0.2; echo done"));
  EXPECT_EQ(outcome.end, ProcessEnd::kExited);
  EXPECT_EQ(outcome.standard_output, "done\n");
  EXPECT_GE(outcome.stragglers, 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  EXPECT_NE(access(file.c_str(), F_OK), 0) << "the daemon lived on";
}

TEST_F(ProcessTest, DoesNotWaitForAnOutputThatAnOrphanHoldsOpen) {
  const ProcessOutcome outcome = RunProcess(Shell("sleep 60 & echo done"));
  EXPECT_EQ(outcome.end, ProcessEnd::kExited);
  EXPECT_EQ(outcome.standard_output, "done\n");
}

TEST_F(ProcessTest, EndsAFloodOfOutput) {
  ProcessSpec spec = Shell("yes");
  spec.output_limit = 100'000;
  const ProcessOutcome outcome = RunProcess(spec);
  EXPECT_EQ(outcome.end, ProcessEnd::kFlooded);
  EXPECT_EQ(outcome.standard_output.size(), 100'000u);
}

TEST_F(ProcessTest, NoticesAFloodThatEndsByItself) {
  ProcessSpec spec = Shell("yes | head -c 5000");
  spec.output_limit = 4999;
  EXPECT_EQ(RunProcess(spec).end, ProcessEnd::kFlooded);
  spec.output_limit = 5000;
  EXPECT_EQ(RunProcess(spec).end, ProcessEnd::kExited);
}

TEST_F(ProcessTest, KeepsTheEndOfALongStandardError) {
  ProcessSpec spec = Shell("yes | head -c 300000 >&2; echo the last line >&2");
  spec.error_tail = 1000;
  const ProcessOutcome outcome = RunProcess(spec);
  EXPECT_EQ(outcome.standard_error.size(), 1000u);
  EXPECT_TRUE(outcome.standard_error.ends_with("y\nthe last line\n"));
}

TEST_F(ProcessTest, SaysWhyAProgramCannotBeStarted) {
  ProcessSpec spec = Shell("");
  spec.program = "/nonexistent/program";
  ProcessOutcome outcome = RunProcess(spec);
  EXPECT_EQ(outcome.end, ProcessEnd::kNotStarted);
  EXPECT_EQ(outcome.start_error, "exec /nonexistent/program: No such file or directory");
  spec = Shell("");
  spec.working_directory = "/nonexistent";
  outcome = RunProcess(spec);
  EXPECT_EQ(outcome.end, ProcessEnd::kNotStarted);
  EXPECT_EQ(outcome.start_error, "chdir /nonexistent: No such file or directory");
}

TEST_F(ProcessTest, LimitsMemory) {
  ProcessSpec spec = Shell("ulimit -v");
  spec.memory_limit = 64 << 20;
  EXPECT_EQ(RunProcess(spec).standard_output, "65536\n");
}

TEST_F(ProcessTest, LeavesNoDescriptorOpen) {
  const auto open_descriptors = [] {
    int count = 0;
    for (int fd = 0; fd < 256; ++fd) count += fcntl(fd, F_GETFD) >= 0;
    return count;
  };
  const int before = open_descriptors();
  for (int i = 0; i < 20; ++i) RunProcess(Shell("exit 0"));
  EXPECT_EQ(open_descriptors(), before);
}

TEST_F(ProcessTest, AnotherProgramsChildDiesWithTheDriver) {
  // A child stands for the driver: it is killed while its program sleeps.
  const std::string file = TempFile("pid");
  const pid_t driver = fork();
  if (driver == 0) {
    RunProcess(Shell("echo $$ > " + file + ".tmp; mv " + file + ".tmp " + file + "; sleep 60"));
    _exit(0);
  }
  pid_t program = 0;
  for (int i = 0; i < 1000 && !(std::ifstream(file) >> program); ++i) usleep(10'000);
  ASSERT_GT(program, 0);
  kill(driver, SIGKILL);
  // The program's parent is gone, so it may become ours; it must be dead soon in any case.
  bool dead = false;
  for (int i = 0; i < 1000 && !dead; ++i) {
    usleep(10'000);
    const std::string status = Content("/proc/" + std::to_string(program) + "/status");
    dead = status.empty() || status.find("State:\tZ") != std::string::npos;
  }
  EXPECT_TRUE(dead);
  EXPECT_GE(RunProcess(Shell("exit 0")).stragglers, 0);  // reaps both
}

TEST(LastLinesTest, KeepsTheLastAndEscapesTheRest) {
  EXPECT_EQ(LastLines("", 3), "");
  EXPECT_EQ(LastLines("one\ntwo\n\nthree\n", 2), "two / three");
  EXPECT_EQ(LastLines("a\tb\xff\x01\n", 2), "a\\x09b\\xff\\x01");
  EXPECT_LE(LastLines(std::string(5000, 'x'), 2).size(), 610u);
}

TEST(SignalNameTest, NamesSignals) {
  EXPECT_EQ(SignalName(SIGTERM), "SIGTERM (Terminated)");
  EXPECT_EQ(SignalName(63), "signal 63");
}

// Last, because what it sets stays.
TEST_F(ProcessTest, ZEndsTheProgramWhenTheDriverIsInterrupted) {
  raise(SIGTERM);
  const ProcessOutcome outcome = RunProcess(Shell("sleep 60"));
  EXPECT_EQ(outcome.end, ProcessEnd::kInterrupted);
  EXPECT_EQ(Interrupt::pending(), SIGTERM);
}

}  // namespace
}  // namespace rubric
