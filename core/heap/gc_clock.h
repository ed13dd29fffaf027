// GcClock: adds the time from its making to its end to a figure of GcStats.
#ifndef RUBRIC_CORE_HEAP_GC_CLOCK_H_
#define RUBRIC_CORE_HEAP_GC_CLOCK_H_

#include <chrono>

namespace rubric {

class GcClock {
 public:
  explicit GcClock(double& seconds) : seconds_(seconds), start_(Clock::now()) {}
  ~GcClock() { seconds_ += std::chrono::duration<double>(Clock::now() - start_).count(); }
  GcClock(const GcClock&) = delete;
  GcClock& operator=(const GcClock&) = delete;

 private:
  using Clock = std::chrono::steady_clock;

  double& seconds_;
  const Clock::time_point start_;
};

}  // namespace rubric

#endif  // RUBRIC_CORE_HEAP_GC_CLOCK_H_
