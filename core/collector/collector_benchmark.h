// The benchmarks of the collector axis, over one backend.
//
// USE        BENCHMARK_TEMPLATE(CollectMinorWithLive, MarkSweepCollector)->Apply(LiveSlots); Each
//            checks what is left before its time counts, and reports slots marked a collection
//            beside the time: those are exact.
//              CollectMinorWithLive, CollectMajorWithLive   n slots live, 1,000 die
//              AllocateAndDrop     what a slot costs that dies young, its collection included
//              StoreWithout        1,024 stores into young slots, with no barrier: the reference
//              StoreIntoYoung, StoreOldIntoOld, StoreYoungIntoOld   the same with it; the last finds
//                                  its slots remembered already, but once a thousand rounds
#ifndef RUBRIC_CORE_COLLECTOR_COLLECTOR_BENCHMARK_H_
#define RUBRIC_CORE_COLLECTOR_COLLECTOR_BENCHMARK_H_

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/collector/collector.h"
#include "core/collector/node_world.h"
#include "core/value/value.h"

namespace rubric {

// Slots that live: those of a bare VM, of one that has loaded RubyGems, and of applications.
inline void LiveSlots(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgName("live")->Arg(1000)->Arg(10'000)->Arg(100'000);
}

namespace collector_benchmark_internal {

inline constexpr std::size_t kGarbage = 1000;
inline constexpr std::size_t kParents = 1024;

template <CollectorBackend Backend>
void KeepList(NodeWorld<Backend>& world, std::int64_t live) {
  Value& list = world.scope().Push(Value::Nil());
  for (std::int64_t i = 0; i < live; ++i) list = Value(world.New(list));
  world.CollectUntilOld();
}

template <CollectorBackend Backend, typename Collect>
void CollectWithLive(benchmark::State& state, Collect collect) {
  NodeWorld<Backend> world;
  KeepList(world, state.range(0));
  const std::uint64_t marked = world.stats().marked_slots;
  const std::uint64_t count = world.stats().count;
  for (auto _ : state) {
    state.PauseTiming();
    for (std::size_t i = 0; i < kGarbage; ++i) world.New();
    world.client().finalized.clear();
    state.ResumeTiming();
    collect(world);
  }
  state.counters["marked"] = static_cast<double>(world.stats().marked_slots - marked) /
                             static_cast<double>(world.stats().count - count);
  if (world.stats().live_slots() != static_cast<std::uint64_t>(state.range(0))) {
    state.SkipWithError("what is left is not what lives");
  }
}

// 1,024 parents, old or not, get a child each, old or not, again and again.
template <CollectorBackend Backend, bool kBarrier, bool kOldParents, bool kOldChild>
void StoreRepeatedly(benchmark::State& state) {
  NodeWorld<Backend> world;
  std::vector<Node*> parents;
  for (std::size_t i = 0; i < kParents; ++i) parents.push_back(world.scope().Keep(world.New()));
  Value& child = world.scope().Push(Value(world.New()));
  if (kOldParents || kOldChild) world.CollectUntilOld();
  if (!kOldChild) child = Value(world.New());
  if (!kOldParents) {
    for (Node*& parent : parents) parent = world.scope().Keep(world.New());
  }
  for (auto _ : state) {
    for (Node* parent : parents) {
      parent->left = child;
      if constexpr (kBarrier) world.heap().WriteBarrier(parent, child);
      benchmark::ClobberMemory();
    }
  }
  if (parents.back()->left != child) state.SkipWithError("a store was lost");
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kParents));
}

}  // namespace collector_benchmark_internal

template <CollectorBackend Backend>
void CollectMinorWithLive(benchmark::State& state) {
  collector_benchmark_internal::CollectWithLive<Backend>(state,
                                                         [](auto& w) { w.CollectMinorNow(); });
}

template <CollectorBackend Backend>
void CollectMajorWithLive(benchmark::State& state) {
  collector_benchmark_internal::CollectWithLive<Backend>(state, [](auto& w) { w.CollectNow(); });
}

template <CollectorBackend Backend>
void AllocateAndDrop(benchmark::State& state) {
  NodeWorld<Backend> world;
  collector_benchmark_internal::KeepList(world, state.range(0));
  for (auto _ : state) {
    benchmark::DoNotOptimize(world.New());
    if (world.client().finalized.size() > 100'000) world.client().finalized.clear();
  }
  world.CollectNow();
  if (world.stats().live_slots() != static_cast<std::uint64_t>(state.range(0))) {
    state.SkipWithError("what is left is not what lives");
  }
}

template <CollectorBackend Backend>
void StoreWithout(benchmark::State& state) {
  collector_benchmark_internal::StoreRepeatedly<Backend, false, false, false>(state);
}
template <CollectorBackend Backend>
void StoreIntoYoung(benchmark::State& state) {
  collector_benchmark_internal::StoreRepeatedly<Backend, true, false, false>(state);
}
template <CollectorBackend Backend>
void StoreOldIntoOld(benchmark::State& state) {
  collector_benchmark_internal::StoreRepeatedly<Backend, true, true, true>(state);
}
template <CollectorBackend Backend>
void StoreYoungIntoOld(benchmark::State& state) {
  collector_benchmark_internal::StoreRepeatedly<Backend, true, true, false>(state);
}

}  // namespace rubric

#endif  // RUBRIC_CORE_COLLECTOR_COLLECTOR_BENCHMARK_H_
