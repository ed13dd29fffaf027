#include <cstddef>
#include <cstdint>

#include "backends/resurrect/shared/shared_resurrect.h"
#include "core/resurrect/resurrect_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  rubric::RunResurrectFuzz<rubric::SharedResurrect>(data, size);
  return 0;
}
