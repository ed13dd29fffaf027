#include "core/heap/collector_policy.h"

#include <algorithm>
#include <cmath>

#include "core/memory/counters.h"

namespace rubric {

bool LeavesTooFewFree(const CollectorPolicy& policy, std::size_t pages, std::size_t live) {
  const std::size_t total = pages * kSlotsPerPage;
  const auto wanted =
      std::max(policy.min_free_slots,
               static_cast<std::size_t>(static_cast<double>(total) * policy.min_free_ratio));
  return total - live < wanted;
}

std::size_t PagesToAdd(const CollectorPolicy& policy, std::size_t pages, std::size_t live) {
  if (!LeavesTooFewFree(policy, pages, live)) return 0;
  const auto now = static_cast<double>(pages);
  return static_cast<std::size_t>(std::ceil(now * policy.heap_growth_factor - now));
}

MallocLimit::MallocLimit(Heap& heap, const CollectorPolicy& policy)
    : heap_(heap), policy_(policy), limit_(policy.malloc_limit) {
  heap_.set_malloc_limit(limit_);
}

void MallocLimit::Fix(std::size_t bytes) {
  policy_.malloc_limit = policy_.malloc_limit_max = limit_ = bytes;
  heap_.set_malloc_limit(bytes);
}

void MallocLimit::Adapt(bool exceeded) {
  const auto scaled = [this](double factor) {
    return static_cast<std::size_t>(static_cast<double>(limit_) * factor);
  };
  limit_ = exceeded ? std::min(scaled(policy_.malloc_limit_growth_factor), policy_.malloc_limit_max)
                    : std::max(scaled(0.98), policy_.malloc_limit);
}

void MallocLimit::Restart() {
  ResetMallocIncrease();
  heap_.set_malloc_limit(limit_);
}

std::size_t LiveMallocBytes() {
  const MemorySnapshot memory = TakeSnapshot();
  return static_cast<std::size_t>(memory.total.live_bytes -
                                  memory[Subsystem::kHeapPages].live_bytes -
                                  memory[Subsystem::kCollector].live_bytes);
}

}  // namespace rubric
