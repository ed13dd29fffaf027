#include "experiments/suite/interrupt.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>

#include "core/base/check.h"

namespace rubric {
namespace {

int pipe_ends[2] = {-1, -1};
volatile sig_atomic_t stop_signal = 0;

void OnSignal(int signal) {
  const int saved_errno = errno;
  if (signal != SIGCHLD && stop_signal == 0) stop_signal = signal;
  const char byte = 0;
  [[maybe_unused]] const ssize_t written = write(pipe_ends[1], &byte, 1);
  errno = saved_errno;
}

}  // namespace

void Interrupt::Install() {
  if (pipe_ends[0] >= 0) return;
  RUBRIC_CHECK(pipe2(pipe_ends, O_CLOEXEC | O_NONBLOCK) == 0);
  struct sigaction action = {};
  action.sa_handler = OnSignal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) {
    RUBRIC_CHECK(sigaction(signal, &action, nullptr) == 0);
  }
}

int Interrupt::pending() { return stop_signal; }

int Interrupt::wake_fd() { return pipe_ends[0]; }

void Interrupt::Drain() {
  char bytes[64];
  while (read(pipe_ends[0], bytes, sizeof(bytes)) > 0) {
  }
}

}  // namespace rubric
