// What `lab bench` runs: the operations of every axis, through the VM, for google-benchmark.
//
// The tables alone, against the bare libraries, are measured by backends/<axis>'s own benchmarks.
// Included by variant_main.cc alone: each BENCHMARK registers itself.
#ifndef RUBRIC_EXPERIMENTS_LAB_BENCHMARKS_H_
#define RUBRIC_EXPERIMENTS_LAB_BENCHMARKS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "core/object/array_mutation.h"
#include "core/vm/selected.h"

namespace rubric::lab_benchmarks {

// Names "name-0000000" on, so many of them that a table of them leaves the cache or does not.
inline std::vector<std::string> MakeNames(std::int64_t count) {
  std::vector<std::string> names;
  for (std::int64_t i = 0; i < count; ++i) names.push_back(absl::StrCat("name-", 1'000'000 + i));
  return names;
}

inline void InternFstringHit(benchmark::State& state) {
  Vm vm;
  const std::vector<std::string> names = MakeNames(state.range(0));
  HandleScope scope(vm.roots());
  for (const std::string& name : names) {
    scope.Keep(vm.names().Fstring(name, Encoding::kUtf8));
  }
  std::size_t at = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(vm.names().Fstring(names[at], Encoding::kUtf8));
    at = at + 7919 < names.size() ? at + 7919 : (at + 7919) % names.size();
  }
  if (vm.names().fstring_count() < names.size()) state.SkipWithError("names were lost");
}
BENCHMARK(InternFstringHit)->Arg(100)->Arg(4000)->Arg(100'000);

inline void InternFstringMiss(benchmark::State& state) {
  Vm vm;
  const std::vector<std::string> names = MakeNames(2 * state.range(0));
  const std::size_t half = names.size() / 2;
  HandleScope scope(vm.roots());
  for (std::size_t i = 0; i < half; ++i) {
    scope.Keep(vm.names().Fstring(names[i], Encoding::kUtf8));
  }
  std::size_t at = 0;
  bool found = false;
  for (auto _ : state) {
    found |= vm.names().FindFstring(names[half + at], Encoding::kUtf8).has_value();
    at = at + 1 < half ? at + 1 : 0;
  }
  if (found) state.SkipWithError("an absent name was found");
}
BENCHMARK(InternFstringMiss)->Arg(4000);

inline void InternSymbolHit(benchmark::State& state) {
  Vm vm;
  const std::vector<std::string> names = MakeNames(state.range(0));
  for (const std::string& name : names) vm.names().Intern(name);
  std::size_t at = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(vm.names().Intern(names[at]));
    at = (at + 7919) % names.size();
  }
  if (vm.names().symbol_count() < names.size()) state.SkipWithError("names were lost");
}
BENCHMARK(InternSymbolHit)->Arg(4000);

inline void ArrayLiteralDropped(benchmark::State& state) {
  Vm vm;
  HandleScope scope(vm.roots());
  const std::vector<Value> elements(static_cast<std::size_t>(state.range(0)), Value::Fixnum(1));
  RImemo* iseq = scope.Keep(NewIseq(vm.heap(), Id{}, 4, 1));
  const std::size_t literal = vm.AddArrayLiteral(iseq, elements);
  std::size_t length = 0;
  for (auto _ : state) length = vm.EvaluateArrayLiteral(iseq, literal)->length();
  if (state.iterations() > 0 && length != elements.size()) state.SkipWithError("wrong length");
}
BENCHMARK(ArrayLiteralDropped)->Arg(3)->Arg(4)->Arg(110);

inline void ArrayLiteralPushedTo(benchmark::State& state) {
  Vm vm;
  HandleScope scope(vm.roots());
  const std::vector<Value> elements(static_cast<std::size_t>(state.range(0)), Value::Fixnum(1));
  RImemo* iseq = scope.Keep(NewIseq(vm.heap(), Id{}, 4, 1));
  const std::size_t literal = vm.AddArrayLiteral(iseq, elements);
  std::size_t length = elements.size() + 1;
  for (auto _ : state) {
    RArray* array = vm.EvaluateArrayLiteral(iseq, literal);
    Push(vm.heap(), array, Value::True());
    length = array->length();
  }
  if (length != elements.size() + 1) state.SkipWithError("wrong length");
}
BENCHMARK(ArrayLiteralPushedTo)->Arg(4)->Arg(110);

// A String with range(0) ivars, as #11170's loops use.
struct StringWithIvars {
  explicit StringWithIvars(std::int64_t count) : scope(vm.roots()) {
    string = scope.Keep(vm.NewString("string"));
    for (std::int64_t i = 0; i < count; ++i) {
      names.push_back(vm.names().IdOf(vm.names().Intern(absl::StrCat("@ivar", i))));
      vm.IvarSet(string, names.back(), Value::Fixnum(i));
    }
  }
  Vm vm;
  HandleScope scope;
  RString* string;
  std::vector<Id> names;
};

inline void GenericIvarGetSet(benchmark::State& state) {
  StringWithIvars s(state.range(0));
  std::size_t at = 0;
  for (auto _ : state) {
    const std::optional<Value> value = s.vm.IvarGet(s.string, s.names[at]);
    s.vm.IvarSet(s.string, s.names[at], *value);
    at = at + 1 < s.names.size() ? at + 1 : 0;
  }
  if (s.vm.IvarCount(s.string) != s.names.size()) state.SkipWithError("ivars were lost");
}
BENCHMARK(GenericIvarGetSet)->Arg(1)->Arg(3)->Arg(6)->Arg(10)->Arg(20);

inline void GenericIvarIterate(benchmark::State& state) {
  StringWithIvars s(state.range(0));
  std::size_t visited = 0;
  for (auto _ : state) s.vm.IvarsForEach(s.string, [&](Id, Value) { ++visited; });
  if (visited != static_cast<std::size_t>(state.iterations()) * s.names.size()) {
    state.SkipWithError("an ivar was not visited");
  }
}
BENCHMARK(GenericIvarIterate)->Arg(3)->Arg(10);

}  // namespace rubric::lab_benchmarks

#endif  // RUBRIC_EXPERIMENTS_LAB_BENCHMARKS_H_
