#include <benchmark/benchmark.h>

#include "backends/feature_keys/hashed/hashed_feature_keys.h"
#include "core/feature_keys/feature_keys_benchmark.h"

namespace rubric {
namespace {

BENCHMARK_TEMPLATE(AddFeatures, HashedFeatureKeys)
    ->Apply(FeaturePaths)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(FindFeature, HashedFeatureKeys)->Apply(FeaturePaths);
BENCHMARK_TEMPLATE(MissFeature, HashedFeatureKeys)->Apply(FeaturePaths);

}  // namespace
}  // namespace rubric
