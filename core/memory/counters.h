// AllocatorCounters, MemorySnapshot: what the runtime has asked of malloc, in total and by
// subsystem.
//
// USE        `const MemorySnapshot before = TakeSnapshot(); … TakeSnapshot() - before` gives the
//            calls and bytes of what lies between. RestartPeaks() first, if the peak of that part
//            is wanted.
// COST       A snapshot copies 768 bytes. Counting costs an allocation about 5 ns, of which half is
//            malloc_usable_size.
// INVARIANTS (1) malloc_calls counts malloc, calloc, realloc and aligned allocation; free_calls
//                counts free and the releasing half of a realloc: their difference is the number of
//                live blocks.
//            (2) live_bytes is the sum of malloc_usable_size over live blocks: what was asked for
//                and what malloc rounded it up by, without malloc's headers. It is therefore
//                massif's mem_heap_B plus, with --heap-admin=0, its mem_heap_extra_B.
//            (3) The total's calls and bytes are the sums of the subsystems'; the total's peak is
//                not the sum of their peaks, since those happen at different times.
// TESTED BY  allocate_test.cc; valgrind_agreement_test.cc holds them against valgrind itself.
#ifndef RUBRIC_CORE_MEMORY_COUNTERS_H_
#define RUBRIC_CORE_MEMORY_COUNTERS_H_

#include <array>
#include <cstdint>

#include "core/memory/subsystem.h"

namespace rubric {

struct AllocatorCounters {
  std::uint64_t malloc_calls = 0;
  std::uint64_t free_calls = 0;
  std::uint64_t bytes_requested = 0;  // as asked for, summed over all allocating calls
  std::uint64_t bytes_usable = 0;     // as malloc_usable_size tells, likewise
  std::int64_t live_bytes = 0;        // usable bytes of the blocks that live now
  std::int64_t peak_bytes = 0;        // the most live_bytes has been since RestartPeaks()

  friend bool operator==(const AllocatorCounters&, const AllocatorCounters&) = default;
};

struct MemorySnapshot {
  AllocatorCounters total;
  std::array<AllocatorCounters, kSubsystemCount> by_subsystem;

  const AllocatorCounters& operator[](Subsystem subsystem) const {
    return by_subsystem[static_cast<std::size_t>(subsystem)];
  }
};

// The counters of this process as they stand.
MemorySnapshot TakeSnapshot();

// Lets every peak start anew from what is live now.
void RestartPeaks();

// What happened between two snapshots. live_bytes is the change and may be negative; peak_bytes is
// how far `after`'s peak lies above what was live at `before`. REQUIRES: peaks were restarted at
// `before`.
MemorySnapshot operator-(const MemorySnapshot& after, const MemorySnapshot& before);

}  // namespace rubric

#endif  // RUBRIC_CORE_MEMORY_COUNTERS_H_
