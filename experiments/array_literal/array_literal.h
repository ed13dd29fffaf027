// The array_literal experiment: see README.md. A header, since it is compiled into the one file of
// each variant (experiments/lab/variant_main.cc).
#ifndef RUBRIC_EXPERIMENTS_ARRAY_LITERAL_ARRAY_LITERAL_H_
#define RUBRIC_EXPERIMENTS_ARRAY_LITERAL_ARRAY_LITERAL_H_

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/object/array.h"
#include "core/object/array_mutation.h"
#include "experiments/harness/experiment.h"
#include "experiments/harness/run_on_vm.h"

namespace rubric {
namespace array_literal_experiment {

// One way to write to an array, and what it does to an ordinary vector of the same elements.
struct Write {
  void (*to_array)(Heap& heap, RArray* array);
  void (*to_model)(std::vector<Value>& model);
};

inline const Value kWritten = Value::Fixnum(-1);

// Shorter arrays are left as they are by the writes that need an element to work on.
inline const std::map<std::string, Write>& Writes() {
  using Model = std::vector<Value>;
  static const auto* writes = new std::map<std::string, Write>{
      {"push",
       {[](Heap& h, RArray* a) { Push(h, a, kWritten); }, [](Model& m) { m.push_back(kWritten); }}},
      {"store",
       {[](Heap& h, RArray* a) { Store(h, a, 0, kWritten); },
        [](Model& m) { m.empty() ? m.push_back(kWritten) : void(m[0] = kWritten); }}},
      {"pop",
       {[](Heap& h, RArray* a) { Pop(h, a); },
        [](Model& m) {
          if (!m.empty()) m.pop_back();
        }}},
      {"shift",
       {[](Heap& h, RArray* a) { Shift(h, a); },
        [](Model& m) {
          if (!m.empty()) m.erase(m.begin());
        }}},
      {"unshift",
       {[](Heap& h, RArray* a) { Unshift(h, a, kWritten); },
        [](Model& m) { m.insert(m.begin(), kWritten); }}},
      {"insert",
       {[](Heap& h, RArray* a) {
          Insert(h, a, static_cast<std::ptrdiff_t>(a->length() / 2), kWritten);
        },
        [](Model& m) {
          m.insert(m.begin() + static_cast<std::ptrdiff_t>(m.size() / 2), kWritten);
        }}},
      {"delete_at",
       {[](Heap& h, RArray* a) {
          if (a->length() > 0) DeleteAt(h, a, 0);
        },
        [](Model& m) {
          if (!m.empty()) m.erase(m.begin());
        }}},
      {"concat",
       {[](Heap& h, RArray* a) { Concat(h, a, a); },
        [](Model& m) {
          const Model copy = m;
          m.insert(m.end(), copy.begin(), copy.end());
        }}},
      {"clear", {[](Heap& h, RArray* a) { Clear(h, a); }, [](Model& m) { m.clear(); }}},
      {"sort",
       {[](Heap& h, RArray* a) {
          SortBang(h, a, [](Value x, Value y) { return x.AsFixnum() > y.AsFixnum(); });
        },
        [](Model& m) { std::reverse(m.begin(), m.end()); }}}};
  return *writes;
}

// True for `percent` of the indexes, evenly spread, the same ones on every run.
inline bool IsWritten(std::int64_t index, std::int64_t percent) {
  return index * percent / 100 != (index + 1) * percent / 100;
}

inline absl::Status Run(Vm& vm, const ParameterValues& parameters, Measurement& measurement) {
  const std::int64_t length = parameters.Int("elements");
  const std::int64_t count = parameters.Int("count");
  const std::int64_t percent = parameters.Int("written");
  const bool keep = parameters.Bool("keep");
  const Write& write = Writes().at(parameters.Text("write"));

  HandleScope scope(vm.roots());
  std::vector<Value> elements;
  for (std::int64_t i = 1; i <= length; ++i) elements.push_back(Value::Fixnum(i));
  RImemo* iseq = scope.Keep(vm.DefineMethod(vm.classes().object, "foo", 16, 4));
  const std::size_t literal = vm.AddArrayLiteral(iseq, elements);
  RArray* kept = scope.Keep(vm.NewArray());
  RArray* last = nullptr;

  measurement.Start();
  for (std::int64_t i = 0; i < count; ++i) {
    HandleScope iteration(vm.roots());
    last = iteration.Keep(vm.EvaluateArrayLiteral(iseq, literal));
    if (IsWritten(i, percent)) write.to_array(vm.heap(), last);
    if (keep) Push(vm.heap(), kept, Value(last));
  }
  measurement.Stop();
  if (count > 0) {
    measurement.Note("memsize_last", static_cast<double>(vm.MemsizeOf(Value(last))), "bytes");
  }

  // The literal must be untouched, and each kept array be what the writes make of it.
  const auto equal = [](const RArray* array, const std::vector<Value>& model) {
    return std::ranges::equal(array->elements(), model);
  };
  if (!equal(As<RArray>(iseq->iseq->literals[literal]), elements)) {
    return WrongResult("the literal itself was changed");
  }
  std::vector<Value> after_write = elements;
  write.to_model(after_write);
  const auto expected = [&](std::int64_t i) -> const std::vector<Value>& {
    return IsWritten(i, percent) ? after_write : elements;
  };
  if (keep) {
    if (kept->length() != static_cast<std::size_t>(count)) {
      return WrongResult(absl::StrCat("kept ", kept->length(), " arrays, expected ", count));
    }
    for (std::int64_t i = 0; i < count; ++i) {
      if (!equal(As<RArray>(At(kept, i)), expected(i))) {
        return WrongResult(absl::StrCat("array ", i, " has other elements than it must have"));
      }
    }
  } else if (count > 0 && !equal(last, expected(count - 1))) {
    return WrongResult("the last array has other elements than it must have");
  }
  return absl::OkStatus();
}

}  // namespace array_literal_experiment

inline const Experiment& ArrayLiteralExperiment() {
  static const auto* experiment = new Experiment{
      .name = "array_literal",
      .summary = "a literal evaluated many times, kept or dropped, then written to or not",
      .parameters = {Parameter::Int("elements", 4, 0, 1'000'000, "elements",
                                    "length of the literal"),
                     Parameter::Int("count", 10'000, 0, 100'000'000, "evaluations",
                                    "how often it is evaluated"),
                     Parameter::Bool("keep", true, "keep every array, else only the last"),
                     Parameter::Int("written", 0, 0, 100, "percent",
                                    "how many of the arrays are written to"),
                     Parameter::Choice("write",
                                       {"push", "store", "pop", "shift", "unshift", "insert",
                                        "delete_at", "concat", "clear", "sort"},
                                       "how they are written to")},
      .run = RunOnVm<array_literal_experiment::Run>};
  return *experiment;
}

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_ARRAY_LITERAL_ARRAY_LITERAL_H_
