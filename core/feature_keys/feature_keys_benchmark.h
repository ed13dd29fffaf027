// The benchmarks of the feature_keys axis, over one backend.
//
// USE        BENCHMARK_TEMPLATE(AddFeatures, CopiedFeatureKeys)->Apply(FeaturePaths); Each checks
//            its answers before its time counts, and reports, beside the time, what is exact: per
//            feature the calls of malloc, the bytes asked for and the slots; the bytes held.
//              AddFeatures     an index of 10,000 features, ".rb", made from nothing; time a feature
//              FindFeature     each is looked up by its name without extension, in a strided order
//              MissFeature     names that are not there
#ifndef RUBRIC_CORE_FEATURE_KEYS_FEATURE_KEYS_BENCHMARK_H_
#define RUBRIC_CORE_FEATURE_KEYS_FEATURE_KEYS_BENCHMARK_H_

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/feature_keys/feature_keys.h"
#include "core/feature_keys/feature_test_paths.h"
#include "core/feature_keys/feature_world.h"
#include "core/memory/counters.h"

namespace rubric {

inline void FeaturePaths(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgName("slashes")->Arg(3)->Arg(7)->Arg(12);
}

namespace feature_keys_benchmark_internal {

inline constexpr std::size_t kFeatures = 10'000;

inline std::vector<std::string> Paths(std::int64_t slashes, const std::string& extension) {
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < kFeatures; ++i) {
    paths.push_back(DistinctPath(i, static_cast<std::size_t>(slashes), extension));
  }
  return paths;
}

// Names that fit no slot by far, in an order that no cache line likes.
template <FeatureKeysBackend Keys>
void LookUp(benchmark::State& state, bool hit) {
  FeatureWorld<Keys> world;
  for (const std::string& path : Paths(state.range(0), ".rb")) world.Provide(path);
  std::vector<std::string> names = Paths(1, hit ? "" : ".so");
  for (std::string& name : names) name.erase(0, 1);
  std::size_t at = 0;
  std::uint64_t found = 0, wrong = 0;
  const std::uint64_t mallocs = TakeSnapshot().total.malloc_calls;
  for (auto _ : state) {
    at = (at + 7919) % kFeatures;
    world.keys().ForEachPosition(world.features(), names[at], [&](FeaturePosition position) {
      ++found;
      wrong += position != at;
      return true;
    });
  }
  if (found != (hit ? static_cast<std::uint64_t>(state.iterations()) : 0) || wrong != 0 ||
      TakeSnapshot().total.malloc_calls != mallocs) {
    state.SkipWithError("a lookup was wrong, or allocated");
  }
  state.SetItemsProcessed(state.iterations());
}

}  // namespace feature_keys_benchmark_internal

template <FeatureKeysBackend Keys>
void AddFeatures(benchmark::State& state) {
  using namespace feature_keys_benchmark_internal;  // NOLINT: three helpers
  const std::vector<std::string> paths = Paths(state.range(0), ".rb");
  for (auto _ : state) {
    state.PauseTiming();
    auto world = std::make_unique<FeatureWorld<Keys>>();
    for (const std::string& path : paths) world->Push(path);
    const MemorySnapshot before = TakeSnapshot();
    const std::uint64_t slots = world->heap().stats().total_allocated_slots;
    state.ResumeTiming();
    for (std::size_t i = 0; i < kFeatures; ++i) {
      world->keys().Add(world->features(), static_cast<FeaturePosition>(i));
    }
    state.PauseTiming();
    const MemorySnapshot cost = TakeSnapshot() - before;
    const auto a_feature = [](std::uint64_t n) { return static_cast<double>(n) / kFeatures; };
    const auto& features = cost[Subsystem::kFeatures];
    const auto& strings = cost[Subsystem::kStrings];
    state.counters["mallocs"] = a_feature(features.malloc_calls + strings.malloc_calls);
    state.counters["bytes"] = a_feature(features.bytes_requested + strings.bytes_requested);
    state.counters["slots"] = a_feature(world->heap().stats().total_allocated_slots - slots);
    state.counters["held"] = a_feature(world->keys().memory_use().total());
    const auto expected = 2 * kFeatures * static_cast<std::size_t>(state.range(0) + 1);
    if (world->keys().key_count() != expected) state.SkipWithError("keys are missing");
    world.reset();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kFeatures));
}

template <FeatureKeysBackend Keys>
void FindFeature(benchmark::State& state) {
  feature_keys_benchmark_internal::LookUp<Keys>(state, true);
}

template <FeatureKeysBackend Keys>
void MissFeature(benchmark::State& state) {
  feature_keys_benchmark_internal::LookUp<Keys>(state, false);
}

}  // namespace rubric

#endif  // RUBRIC_CORE_FEATURE_KEYS_FEATURE_KEYS_BENCHMARK_H_
