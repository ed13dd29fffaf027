#include <cstddef>
#include <cstdint>

#include "backends/collector/mark_sweep/mark_sweep_collector.h"
#include "core/collector/collector_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  rubric::RunCollectorFuzz<rubric::MarkSweepCollector>(data, size);
  return 0;
}
