// Get, set, iterate and mark at 1 to 20 ivars, hash against index.
//
//   bazel run //backends/ivars:ivars_benchmark
//
// 1000 Strings of one class, each with as many ivars; one iteration touches the next object.
// `bytes` is the memory of one object's ivars (Memsize), `calls` the allocator calls that made
// them, without the entries of the global table.

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "backends/ivars/hash/hash_ivars.h"
#include "backends/ivars/index/index_ivars.h"
#include "core/ivars/test_objects.h"
#include "core/memory/counters.h"

namespace rubric {
namespace {

constexpr std::size_t kObjects = 1000;

template <typename Backend>
struct Population {
  explicit Population(std::size_t ivar_count) : slots(1), ivars(ivar_count) {
    for (std::size_t i = 0; i < kObjects; ++i) objects.push_back(slots.New(0));
    for (std::size_t i = 0; i < kObjects; ++i) SetAll(i);
  }
  void SetAll(std::size_t i) {
    for (std::size_t n = 0; n < ivars; ++n) {
      storage.Set(objects[i], Name(n), Value::Fixnum(static_cast<std::int64_t>(n)));
    }
  }
  // Adds the figures that are not times, and fails if an ivar was lost.
  void Report(benchmark::State& state) {
    for (const RBasic* object : objects) {
      if (storage.Count(object) != ivars) state.SkipWithError("an ivar was lost");
    }
    RBasic* object = objects.back();
    state.counters["bytes"] = static_cast<double>(storage.Memsize(object));
    storage.Free(object);
    const MemorySnapshot before = TakeSnapshot();
    SetAll(kObjects - 1);
    const auto made = (TakeSnapshot() - before)[Subsystem::kIvars].malloc_calls;
    state.counters["calls"] = static_cast<double>(made - 1);
  }

  TestObjects slots;
  std::size_t ivars;
  std::vector<RBasic*> objects;
  Backend storage;
};

template <typename Backend>
void BM_Get(benchmark::State& state) {
  Population<Backend> p(static_cast<std::size_t>(state.range(0)));
  std::size_t i = 0, n = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(p.storage.Get(p.objects[i], Name(n)));
    if (++n == p.ivars) n = 0;
    if (++i == kObjects) i = 0;
  }
  p.Report(state);
}

template <typename Backend>
void BM_SetExisting(benchmark::State& state) {
  Population<Backend> p(static_cast<std::size_t>(state.range(0)));
  std::size_t i = 0, n = 0;
  for (auto _ : state) {
    p.storage.Set(p.objects[i], Name(n), Value::True());
    if (++n == p.ivars) n = 0;
    if (++i == kObjects) i = 0;
  }
  p.Report(state);
}

// One object's whole life: all its ivars set, then freed.
template <typename Backend>
void BM_SetAllAndFree(benchmark::State& state) {
  Population<Backend> p(static_cast<std::size_t>(state.range(0)));
  std::size_t i = 0;
  for (auto _ : state) {
    p.storage.Free(p.objects[i]);
    p.SetAll(i);
    if (++i == kObjects) i = 0;
  }
  p.Report(state);
}

template <typename Backend>
void BM_ForEach(benchmark::State& state) {
  Population<Backend> p(static_cast<std::size_t>(state.range(0)));
  std::size_t i = 0;
  std::uint64_t sum = 0;
  for (auto _ : state) {
    p.storage.ForEach(p.objects[i], [&](Id name, Value v) { sum += name.number ^ v.bits(); });
    if (++i == kObjects) i = 0;
  }
  benchmark::DoNotOptimize(sum);
  p.Report(state);
}

template <typename Backend>
void BM_VisitReferences(benchmark::State& state) {
  Population<Backend> p(static_cast<std::size_t>(state.range(0)));
  std::size_t i = 0;
  std::uint64_t sum = 0;
  for (auto _ : state) {
    p.storage.VisitReferences(p.objects[i], [&](Value v) { sum += v.bits(); });
    if (++i == kObjects) i = 0;
  }
  benchmark::DoNotOptimize(sum);
  p.Report(state);
}

void Counts(benchmark::internal::Benchmark* b) {
  for (const int ivars : {1, 3, 6, 7, 10, 20}) b->Arg(ivars);
  b->ArgName("ivars");
}

BENCHMARK_TEMPLATE(BM_Get, HashIvars)->Apply(Counts);
BENCHMARK_TEMPLATE(BM_Get, IndexIvars)->Apply(Counts);
BENCHMARK_TEMPLATE(BM_SetExisting, HashIvars)->Apply(Counts);
BENCHMARK_TEMPLATE(BM_SetExisting, IndexIvars)->Apply(Counts);
BENCHMARK_TEMPLATE(BM_SetAllAndFree, HashIvars)->Apply(Counts);
BENCHMARK_TEMPLATE(BM_SetAllAndFree, IndexIvars)->Apply(Counts);
BENCHMARK_TEMPLATE(BM_ForEach, HashIvars)->Apply(Counts);
BENCHMARK_TEMPLATE(BM_ForEach, IndexIvars)->Apply(Counts);
BENCHMARK_TEMPLATE(BM_VisitReferences, HashIvars)->Apply(Counts);
BENCHMARK_TEMPLATE(BM_VisitReferences, IndexIvars)->Apply(Counts);

}  // namespace
}  // namespace rubric
