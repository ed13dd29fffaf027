// The benchmarks of the resurrect axis, over one backend.
//
// USE        BENCHMARK_TEMPLATE(ResurrectAndDrop, CopyingResurrect)->Apply(ResurrectLengths); Each
//            checks the arrays that it made before its time counts, and reports per evaluation the
//            calls of malloc and the bytes asked for beside the time: those are exact.
//              ResurrectAndDrop      the array dies at once: time includes its share of marking and
//                                    sweeping
//              ResurrectAndWrite     its first element is stored to, then it dies
//              ResurrectAndKeep      10,000 are kept, as in #15349's experiment
#ifndef RUBRIC_CORE_RESURRECT_RESURRECT_BENCHMARK_H_
#define RUBRIC_CORE_RESURRECT_RESURRECT_BENCHMARK_H_

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/heap/root_stack.h"
#include "core/memory/counters.h"
#include "core/object/array.h"
#include "core/object/array_mutation.h"
#include "core/object/array_test_heap.h"
#include "core/resurrect/resurrect.h"

namespace rubric {

// 3 is embedded, 4 and 110 are those of #15349.
inline void ResurrectLengths(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgName("elements")->Arg(3)->Arg(4)->Arg(16)->Arg(110)->Arg(1000);
}

namespace resurrect_benchmark_internal {

inline RArray* CountingLiteral(Heap& heap, std::int64_t length) {
  std::vector<Value> elements;
  for (std::int64_t i = 0; i < length; ++i) elements.push_back(Value::Fixnum(i));
  return NewArrayLiteral(heap, elements);
}

// True iff `array` is [first, 1, 2, …, length - 1].
inline bool IsCounting(const RArray* array, std::int64_t length, Value first) {
  if (array->length() != static_cast<std::size_t>(length) || At(array, 0) != first) return false;
  for (std::int64_t i = 1; i < length; ++i) {
    if (At(array, i) != Value::Fixnum(i)) return false;
  }
  return true;
}

inline void ReportMemory(benchmark::State& state, const MemorySnapshot& before,
                         std::int64_t evaluations) {
  const AllocatorCounters arrays = (TakeSnapshot() - before)[Subsystem::kArrays];
  const auto count = static_cast<double>(evaluations);
  state.counters["mallocs"] = static_cast<double>(arrays.malloc_calls) / count;
  state.counters["bytes"] = static_cast<double>(arrays.bytes_requested) / count;
  state.SetItemsProcessed(evaluations);
}

template <ResurrectBackend Backend, bool kWrite>
void EvaluateRepeatedly(benchmark::State& state) {
  ArrayTestHeap test_heap;
  Heap& heap = test_heap.heap();
  HandleScope scope(heap.roots());
  const std::int64_t length = state.range(0);
  RArray* literal = scope.Keep(CountingLiteral(heap, length));
  Value& last = scope.Push(Value::Nil());
  std::int64_t number = 0;
  const MemorySnapshot before = TakeSnapshot();
  for (auto _ : state) {
    RArray* array = Backend::Resurrect(heap, literal, test_heap.array_class());
    last = Value(array);
    if constexpr (kWrite) Store(heap, array, 0, Value::Fixnum(++number));
    benchmark::DoNotOptimize(array);
  }
  ReportMemory(state, before, state.iterations());
  if (!IsCounting(As<RArray>(last), length, Value::Fixnum(number)) ||
      !IsCounting(literal, length, Value::Fixnum(0))) {
    state.SkipWithError("the array differs from its literal");
  }
}

}  // namespace resurrect_benchmark_internal

template <ResurrectBackend Backend>
void ResurrectAndDrop(benchmark::State& state) {
  resurrect_benchmark_internal::EvaluateRepeatedly<Backend, false>(state);
}

template <ResurrectBackend Backend>
void ResurrectAndWrite(benchmark::State& state) {
  resurrect_benchmark_internal::EvaluateRepeatedly<Backend, true>(state);
}

template <ResurrectBackend Backend>
void ResurrectAndKeep(benchmark::State& state) {
  using namespace resurrect_benchmark_internal;  // NOLINT: three helpers
  constexpr std::int64_t kKept = 10'000;
  const std::int64_t length = state.range(0);
  for (auto _ : state) {
    state.PauseTiming();
    ArrayTestHeap test_heap;
    Heap& heap = test_heap.heap();
    HandleScope scope(heap.roots());
    RArray* literal = scope.Keep(CountingLiteral(heap, length));
    RArray* kept = scope.Keep(NewArray(heap, test_heap.array_class(), kKept));
    const MemorySnapshot before = TakeSnapshot();
    state.ResumeTiming();
    for (std::int64_t i = 0; i < kKept; ++i) {
      Push(heap, kept, Value(Backend::Resurrect(heap, literal, test_heap.array_class())));
    }
    state.PauseTiming();
    ReportMemory(state, before, kKept);
    for (Value v : kept->elements()) {
      if (!IsCounting(As<RArray>(v), length, Value::Fixnum(0))) {
        state.SkipWithError("a kept array differs from its literal");
        break;
      }
    }
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * kKept);
}

}  // namespace rubric

#endif  // RUBRIC_CORE_RESURRECT_RESURRECT_BENCHMARK_H_
