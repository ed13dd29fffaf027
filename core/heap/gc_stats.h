// GcStats: what GC.stat and GC::Profiler would say. Counts are exact, times are monotonic seconds.
#ifndef RUBRIC_CORE_HEAP_GC_STATS_H_
#define RUBRIC_CORE_HEAP_GC_STATS_H_

#include <cstdint>

namespace rubric {

struct GcStats {
  std::uint64_t count = 0;                  // collections, the sum of the next two
  std::uint64_t minor_count = 0;            // of young slots alone
  std::uint64_t major_count = 0;            // of all slots
  std::uint64_t marked_slots = 0;           // summed over all collections
  std::uint64_t total_allocated_slots = 0;  // since the heap was made
  std::uint64_t total_freed_slots = 0;
  std::uint64_t heap_pages = 0;        // now
  std::uint64_t malloc_triggered = 0;  // collections that the malloc increase caused
  std::uint64_t old_slots = 0;         // now; 0 where the collector knows no generations
  std::uint64_t remembered_slots = 0;  // summed over all minor collections
  double mark_seconds = 0;             // GC::Profiler.total_time is the sum of the two
  double sweep_seconds = 0;

  std::uint64_t live_slots() const { return total_allocated_slots - total_freed_slots; }
  double total_seconds() const { return mark_seconds + sweep_seconds; }
};

}  // namespace rubric

#endif  // RUBRIC_CORE_HEAP_GC_STATS_H_
