// MemoryUse: where a structure's bytes go.
//
// INVARIANTS The three numbers are exact, in bytes asked of the allocator, and disjoint; their sum
//            is what the structure holds at this moment (allocator headers and rounding not
//            included).
// SOURCE     abseil's policy member space_used: accounting belongs to the interface.
#ifndef RUBRIC_CORE_BASE_MEMORY_USE_H_
#define RUBRIC_CORE_BASE_MEMORY_USE_H_

#include <cstddef>

namespace rubric {

struct MemoryUse {
  std::size_t payload = 0;   // what a client asked to have stored: keys, records, values
  std::size_t metadata = 0;  // headers, links, stored hashes, tags, bins
  std::size_t slack = 0;     // reserved but unused: free entries, tombstones, spare capacity

  constexpr std::size_t total() const { return payload + metadata + slack; }

  friend constexpr MemoryUse operator+(MemoryUse a, MemoryUse b) {
    return {a.payload + b.payload, a.metadata + b.metadata, a.slack + b.slack};
  }
  friend constexpr bool operator==(const MemoryUse&, const MemoryUse&) = default;
};

}  // namespace rubric

#endif  // RUBRIC_CORE_BASE_MEMORY_USE_H_
