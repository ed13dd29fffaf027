#include <cstddef>
#include <cstdint>

#include "backends/resurrect/copying/copying_resurrect.h"
#include "core/resurrect/resurrect_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  rubric::RunResurrectFuzz<rubric::CopyingResurrect>(data, size);
  return 0;
}
