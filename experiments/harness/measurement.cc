#include "experiments/harness/measurement.h"

#include <time.h>
#include <valgrind/callgrind.h>
#include <valgrind/valgrind.h>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/base/check.h"
#include "core/memory/malloc_log.h"

namespace rubric {
namespace {

double Seconds(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

GcStats Difference(const GcStats& after, const GcStats& before) {
  GcStats d = after;
  d.count -= before.count;
  d.minor_count -= before.minor_count;
  d.major_count -= before.major_count;
  d.marked_slots -= before.marked_slots;
  d.total_allocated_slots -= before.total_allocated_slots;
  d.total_freed_slots -= before.total_freed_slots;
  d.heap_pages -= before.heap_pages;
  d.malloc_triggered -= before.malloc_triggered;
  d.old_slots -= before.old_slots;
  d.remembered_slots -= before.remembered_slots;
  d.mark_seconds -= before.mark_seconds;
  d.sweep_seconds -= before.sweep_seconds;
  return d;
}

}  // namespace

Measurement::Measurement(const GcStats& gc, std::string malloc_log_path)
    : gc_(gc), malloc_log_path_(std::move(malloc_log_path)) {
  part_.live_bytes_at_marks.reserve(16);
}

Measurement::~Measurement() {
  const bool running = state_ == State::kRunning || state_ == State::kPaused;
  if (running && !malloc_log_path_.empty() && log_status_.ok()) AbandonMallocLog();
}

void Measurement::Start() {
  RUBRIC_CHECK(state_ == State::kReady, "a measurement is started once");
  state_ = State::kRunning;
  if (!malloc_log_path_.empty()) log_status_ = OpenMallocLog(malloc_log_path_);
  RestartPeaks();
  memory_at_start_ = TakeSnapshot();
  gc_at_start_ = gc_;
  VALGRIND_PRINTF("rubric: measured part begins\n");
  StartClocks();
}

void Measurement::StartClocks() {
  CALLGRIND_TOGGLE_COLLECT;
  cpu_at_start_ = Seconds(CLOCK_PROCESS_CPUTIME_ID);
  wall_at_start_ = Seconds(CLOCK_MONOTONIC);
}

void Measurement::StopClocks() {
  part_.wall_seconds += Seconds(CLOCK_MONOTONIC) - wall_at_start_;
  part_.cpu_seconds += Seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu_at_start_;
  CALLGRIND_TOGGLE_COLLECT;
}

void Measurement::Pause() {
  RUBRIC_CHECK(state_ == State::kRunning, "a pause lies in the measured part");
  StopClocks();
  state_ = State::kPaused;
}

void Measurement::Resume() {
  RUBRIC_CHECK(state_ == State::kPaused, "a measurement that was not paused is resumed");
  state_ = State::kRunning;
  StartClocks();
}

void Measurement::Note(std::string name, double value, std::string unit) {
  part_.noted.push_back({std::move(name), value, std::move(unit)});
}

void Measurement::Mark(std::string name) {
  RUBRIC_CHECK(state_ == State::kRunning, "a mark lies in the measured part");
  part_.live_bytes_at_marks.emplace_back(
      std::move(name), TakeSnapshot().total.live_bytes - memory_at_start_.total.live_bytes);
}

void Measurement::Stop() {
  RUBRIC_CHECK(state_ == State::kRunning, "a measurement is stopped once, after its start");
  StopClocks();
  VALGRIND_PRINTF("rubric: measured part ends\n");
  state_ = State::kStopped;
  part_.memory = TakeSnapshot() - memory_at_start_;
  part_.gc = Difference(gc_, gc_at_start_);
  CheckLog();
  if (at_stop_) at_stop_();
}

void Measurement::CheckLog() {
  if (malloc_log_path_.empty() || !log_status_.ok()) return;
  const absl::StatusOr<std::uint64_t> events = CloseMallocLog();
  const std::uint64_t counted = part_.memory.total.malloc_calls + part_.memory.total.free_calls;
  if (!events.ok()) {
    log_status_ = events.status();
  } else if (*events != counted) {
    log_status_ = absl::InternalError(absl::StrCat(malloc_log_path_, ": the log has ", *events,
                                                   " events, but ", counted, " were counted"));
  }
}

const MeasuredPart& Measurement::part() const {
  RUBRIC_CHECK(state_ == State::kStopped, "an experiment did not measure anything");
  return part_;
}

}  // namespace rubric
