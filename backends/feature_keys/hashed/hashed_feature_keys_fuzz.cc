#include <cstddef>
#include <cstdint>
#include <string_view>

#include "backends/feature_keys/hashed/hashed_feature_keys.h"
#include "core/base/keyed_hash.h"
#include "core/feature_keys/feature_keys_fuzz.h"

namespace {

// Few sums, so that records hold features that have no key in common.
struct SixteenHashSums {
  static std::uint64_t Of(std::string_view key, std::uint64_t seed) {
    return rubric::KeyedHash(key, seed) % 16;
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  rubric::RunFeatureKeysFuzz<rubric::HashedFeatureKeys>(data, size);
  rubric::RunFeatureKeysFuzz<rubric::BasicHashedFeatureKeys<SixteenHashSums>>(data, size);
  return 0;
}
