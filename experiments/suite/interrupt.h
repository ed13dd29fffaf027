// Interrupt: SIGINT, SIGTERM and SIGHUP as a state to ask for, SIGCHLD as a wake-up.
//
// USE        The driver installs it once, before its first process. Whoever waits puts wake_fd() in
//            its poll set, calls Drain() when it is readable, and asks pending() between two steps.
//            The handlers only write a byte into a pipe and remember the signal, so nothing of the
//            driver ever runs inside a handler.
// COST       One pipe; a handler is one store and one write.
// INVARIANTS (1) pending() keeps the first of the three signals; later ones do not replace it.
//            (2) The pipe never blocks a handler: it is non-blocking, and a full pipe wakes as well
//                as one byte does.
// SOURCE     D. J. Bernstein's self-pipe trick (1990).
// TESTED BY  process_test.cc, interrupted_suite_test.cc.
#ifndef RUBRIC_EXPERIMENTS_SUITE_INTERRUPT_H_
#define RUBRIC_EXPERIMENTS_SUITE_INTERRUPT_H_

namespace rubric {

class Interrupt {
 public:
  // Installs the handlers; a second call changes nothing.
  static void Install();

  // The signal that asks the driver to stop, or 0.
  static int pending();

  // Readable after any of the four signals. -1 before Install().
  static int wake_fd();

  // Empties the pipe behind wake_fd().
  static void Drain();
};

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_SUITE_INTERRUPT_H_
