// Measurement: the measured part of an experiment, between its start and end marks.
//
// USE        An experiment sets up, calls Start(), does the work, calls Mark("name") where the live
//            bytes are worth knowing, calls Stop(), and then checks its result. Each is called
//            once.
// COST       Start and Stop take some microseconds outside the measured part; Mark one comparison.
// INVARIANTS (1) Exact metrics hold what happened between Start and Stop, and nothing of the
//                harness: the harness allocates nothing through core/memory.
//            (2) Under valgrind, callgrind's collection is switched on just between Start and Stop
//                (run it with --collect-atstart=no), and the valgrind log carries the lines
//                "rubric: measured part begins" and "rubric: measured part ends".
//            (3) With a malloc log, the log covers just the measured part.
// TESTED BY  measurement_test.cc, valgrind_agreement_test.cc.
#ifndef RUBRIC_EXPERIMENTS_HARNESS_MEASUREMENT_H_
#define RUBRIC_EXPERIMENTS_HARNESS_MEASUREMENT_H_

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "core/heap/gc_stats.h"
#include "core/memory/counters.h"

namespace rubric {

// A figure of the experiment's own, exact, beside those that every experiment has.
struct NotedFigure {
  std::string name;
  double value;
  std::string unit;
};

struct MeasuredPart {
  MemorySnapshot memory;  // differences
  GcStats gc;             // differences; heap_pages and live_slots() too
  std::vector<std::pair<std::string, std::int64_t>> live_bytes_at_marks;
  std::vector<NotedFigure> noted;
  double wall_seconds = 0;  // pauses left out, of both
  double cpu_seconds = 0;   // of the process, user and system
};

class Measurement {
 public:
  // `gc` must outlive the measurement. An empty path keeps no malloc log.
  explicit Measurement(const GcStats& gc, std::string malloc_log_path = "");
  // Of an experiment that gave up half-way no log is kept.
  ~Measurement();
  Measurement(const Measurement&) = delete;
  Measurement& operator=(const Measurement&) = delete;

  void Start();
  void Mark(std::string name);
  void Stop();

  // Between the two, clocks and callgrind stand still; allocations still count.
  void Pause();
  void Resume();

  // Calls `then` at the end of Stop(), while the experiment still holds what it made.
  void AtStop(std::function<void()> then) { at_stop_ = std::move(then); }

  // Adds a figure that must repeat bit for bit. At any time.
  void Note(std::string name, double value, std::string unit);

  // REQUIRES: stopped.
  const MeasuredPart& part() const;

  // Whether the malloc log was written whole. REQUIRES: stopped.
  const absl::Status& log_status() const { return log_status_; }
  const std::string& malloc_log_path() const { return malloc_log_path_; }

 private:
  enum class State { kReady, kRunning, kPaused, kStopped };

  void CheckLog();
  void StartClocks();
  void StopClocks();

  const GcStats& gc_;
  const std::string malloc_log_path_;
  State state_ = State::kReady;
  absl::Status log_status_;
  MemorySnapshot memory_at_start_;
  GcStats gc_at_start_;
  double wall_at_start_ = 0;
  double cpu_at_start_ = 0;
  MeasuredPart part_;
  std::function<void()> at_stop_;
};

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_HARNESS_MEASUREMENT_H_
