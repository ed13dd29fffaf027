// GcStats: what GC.stat and GC::Profiler would say. Counts are exact, times are monotonic seconds.
#ifndef RUBRIC_CORE_HEAP_GC_STATS_H_
#define RUBRIC_CORE_HEAP_GC_STATS_H_

#include <cstdint>

namespace rubric {

struct GcStats {
  std::uint64_t count = 0;                  // collections
  std::uint64_t marked_slots = 0;           // summed over all collections
  std::uint64_t total_allocated_slots = 0;  // since the heap was made
  std::uint64_t total_freed_slots = 0;
  std::uint64_t heap_pages = 0;        // now
  std::uint64_t malloc_triggered = 0;  // collections that the malloc increase caused
  double mark_seconds = 0;             // GC::Profiler.total_time is the sum of the two
  double sweep_seconds = 0;

  std::uint64_t live_slots() const { return total_allocated_slots - total_freed_slots; }
  double total_seconds() const { return mark_seconds + sweep_seconds; }
};

}  // namespace rubric

#endif  // RUBRIC_CORE_HEAP_GC_STATS_H_
