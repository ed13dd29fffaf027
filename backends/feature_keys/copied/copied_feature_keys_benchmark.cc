#include <benchmark/benchmark.h>

#include "backends/feature_keys/copied/copied_feature_keys.h"
#include "core/feature_keys/feature_keys_benchmark.h"

namespace rubric {
namespace {

BENCHMARK_TEMPLATE(AddFeatures, CopiedFeatureKeys)
    ->Apply(FeaturePaths)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(FindFeature, CopiedFeatureKeys)->Apply(FeaturePaths);
BENCHMARK_TEMPLATE(MissFeature, CopiedFeatureKeys)->Apply(FeaturePaths);

}  // namespace
}  // namespace rubric
