#include "core/memory/allocate.h"

#include <malloc.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "core/base/check.h"
#include "core/memory/counters.h"
#include "core/memory/log_sink.h"
#include "core/memory/malloc_log.h"

namespace rubric {
namespace memory_internal {

constinit std::size_t malloc_increase = 0;

}  // namespace memory_internal

namespace {

using memory_internal::LogAlloc;
using memory_internal::LogFree;
using memory_internal::malloc_increase;

constexpr unsigned Bits(MallocEventKind kind) { return static_cast<unsigned>(kind); }

constinit MemorySnapshot counters;

// Pages are what the heap grows by, not what garbage holds on to: they must not trigger a
// collection. A library allocates behind the VM's back, which does not hear of it.
constexpr bool CountsTowardsMallocLimit(Subsystem subsystem) {
  return subsystem != Subsystem::kHeapPages && subsystem != Subsystem::kCollector &&
         subsystem != Subsystem::kTls;
}

[[noreturn]] void OutOfMemory(Subsystem subsystem, std::size_t bytes) {
  std::fprintf(stderr, "out of memory: %zu bytes for %s\n", bytes,
               std::string(SubsystemName(subsystem)).c_str());
  std::abort();
}

void CountAllocation(AllocatorCounters& c, std::size_t requested, std::size_t usable) {
  ++c.malloc_calls;
  c.bytes_requested += requested;
  c.bytes_usable += usable;
  c.live_bytes += static_cast<std::int64_t>(usable);
  if (c.live_bytes > c.peak_bytes) c.peak_bytes = c.live_bytes;
}

void CountFree(AllocatorCounters& c, std::size_t usable) {
  ++c.free_calls;
  c.live_bytes -= static_cast<std::int64_t>(usable);
}

void* Allocated(MallocEventKind kind, Subsystem subsystem, void* block, std::size_t requested) {
  if (block == nullptr) OutOfMemory(subsystem, requested);
  const std::size_t usable = malloc_usable_size(block);
  CountAllocation(counters.total, requested, usable);
  CountAllocation(counters.by_subsystem[static_cast<std::size_t>(subsystem)], requested, usable);
  if (CountsTowardsMallocLimit(subsystem)) malloc_increase += usable;
  LogAlloc(Bits(kind), subsystem, block, requested, usable);
  return block;
}

void Freed(MallocEventKind kind, Subsystem subsystem, void* block, std::size_t usable) {
  CountFree(counters.total, usable);
  CountFree(counters.by_subsystem[static_cast<std::size_t>(subsystem)], usable);
  if (CountsTowardsMallocLimit(subsystem)) {
    malloc_increase = malloc_increase > usable ? malloc_increase - usable : 0;
  }
  LogFree(Bits(kind), subsystem, block, usable);
}

// The hostile build's junk: an odd pattern, so that it is neither a valid Value nor a small number.
constexpr int kFreshJunk = 0xa5;
constexpr int kFreedJunk = 0xdb;

}  // namespace

void* Allocate(Subsystem subsystem, std::size_t bytes) {
  void* block = std::malloc(bytes);
  if constexpr (kHostile) {
    if (block != nullptr) std::memset(block, kFreshJunk, bytes);
  }
  return Allocated(MallocEventKind::kAlloc, subsystem, block, bytes);
}

void* AllocateZeroed(Subsystem subsystem, std::size_t count, std::size_t size) {
  void* block = std::calloc(count, size);
  return Allocated(MallocEventKind::kAlloc, subsystem, block, count * size);
}

void* AllocateAligned(Subsystem subsystem, std::size_t alignment, std::size_t bytes) {
  void* block = nullptr;
  if (posix_memalign(&block, alignment, bytes) != 0) block = nullptr;
  return Allocated(MallocEventKind::kAlloc, subsystem, block, bytes);
}

void* Reallocate(Subsystem subsystem, void* block, std::size_t bytes) {
  if (block == nullptr) return Allocate(subsystem, bytes);
  RUBRIC_CHECK(bytes > 0, "a realloc to nothing is a free");
  const std::size_t old_usable = malloc_usable_size(block);
  // Freed first, so that the peak does not hold both blocks: as valgrind and the community's graphs
  // count.
  Freed(MallocEventKind::kReallocFree, subsystem, block, old_usable);
  return Allocated(MallocEventKind::kReallocAlloc, subsystem, std::realloc(block, bytes), bytes);
}

void Free(Subsystem subsystem, void* block) {
  if (block == nullptr) return;
  const std::size_t usable = malloc_usable_size(block);
  Freed(MallocEventKind::kFree, subsystem, block, usable);
  if constexpr (kHostile) std::memset(block, kFreedJunk, usable);
  std::free(block);
}

MemorySnapshot TakeSnapshot() { return counters; }

void RestartPeaks() {
  counters.total.peak_bytes = counters.total.live_bytes;
  for (AllocatorCounters& c : counters.by_subsystem) c.peak_bytes = c.live_bytes;
}

MemorySnapshot operator-(const MemorySnapshot& after, const MemorySnapshot& before) {
  const auto difference = [](const AllocatorCounters& a, const AllocatorCounters& b) {
    return AllocatorCounters{a.malloc_calls - b.malloc_calls,       a.free_calls - b.free_calls,
                             a.bytes_requested - b.bytes_requested, a.bytes_usable - b.bytes_usable,
                             a.live_bytes - b.live_bytes,           a.peak_bytes - b.live_bytes};
  };
  MemorySnapshot result;
  result.total = difference(after.total, before.total);
  for (std::size_t i = 0; i < kSubsystemCount; ++i) {
    result.by_subsystem[i] = difference(after.by_subsystem[i], before.by_subsystem[i]);
  }
  return result;
}

}  // namespace rubric
