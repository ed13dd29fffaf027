#include <cstddef>
#include <cstdint>

#include "backends/feature_keys/shared/shared_feature_keys.h"
#include "core/feature_keys/feature_keys_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  rubric::RunFeatureKeysFuzz<rubric::SharedFeatureKeys>(data, size);
  return 0;
}
