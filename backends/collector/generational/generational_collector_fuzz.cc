#include <cstddef>
#include <cstdint>

#include "backends/collector/generational/generational_collector.h"
#include "core/collector/collector_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  rubric::RunCollectorFuzz<rubric::GenerationalCollector>(data, size);
  return 0;
}
