#include <benchmark/benchmark.h>

#include "backends/feature_keys/shared/shared_feature_keys.h"
#include "core/feature_keys/feature_keys_benchmark.h"

namespace rubric {
namespace {

BENCHMARK_TEMPLATE(AddFeatures, SharedFeatureKeys)
    ->Apply(FeaturePaths)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(FindFeature, SharedFeatureKeys)->Apply(FeaturePaths);
BENCHMARK_TEMPLATE(MissFeature, SharedFeatureKeys)->Apply(FeaturePaths);

}  // namespace
}  // namespace rubric
