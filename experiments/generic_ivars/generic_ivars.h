// The generic_ivars experiment: see README.md. A header, since it is compiled into the one file of
// each variant (experiments/lab/variant_main.cc).
#ifndef RUBRIC_EXPERIMENTS_GENERIC_IVARS_GENERIC_IVARS_H_
#define RUBRIC_EXPERIMENTS_GENERIC_IVARS_GENERIC_IVARS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/memory/allocate.h"
#include "core/object/array.h"
#include "core/object/array_mutation.h"
#include "core/object/object_space.h"
#include "experiments/harness/experiment.h"
#include "experiments/harness/run_on_vm.h"

namespace rubric {
namespace generic_ivars_experiment {

// What a Time holds outside its slot: 64-bit time, broken-down fields and flags, 72 bytes on 64-bit
// machines.
inline constexpr std::size_t kTimeBytes = 72;
// A wrapper around one pointer, as small as T_DATA gets.
inline constexpr std::size_t kDataBytes = 8;

template <std::size_t kBytes>
const DataType* PlainData(const char* name) {
  static const DataType type = {.name = name,
                                .mark = nullptr,
                                .free = [](void* data) { Free(Subsystem::kData, data); },
                                .memsize = [](const void*) { return kBytes; }};
  return &type;
}

template <std::size_t kBytes>
inline RBasic* MakeData(Vm& vm, RClass* klass, const char* name) {
  RData* slot = NewData(vm.heap(), klass, PlainData<kBytes>(name), nullptr);
  slot->data = AllocateZeroed(Subsystem::kData, 1, kBytes);
  return slot;
}

inline RBasic* MakeObject(Vm& vm, const std::string& type, RClass* klass) {
  if (type == "string") return vm.NewString("string");
  if (type == "time") return MakeData<kTimeBytes>(vm, vm.classes().time, "time");
  if (type == "data") return MakeData<kDataBytes>(vm, klass, "data");
  if (type == "object") return NewObject(vm.heap(), klass);
  RFloat* number = NewFloatSlot(vm.heap(), vm.classes().floating, 1e300);
  number->Clear(RBasic::kFrozen);  // Ruby froze floats only with 2.0; before, they took ivars
  return number;
}

// The index of the k-th ivar that object i sets.
inline std::int64_t NameAt(bool rotated, std::int64_t i, std::int64_t k, std::int64_t ivars) {
  return rotated ? (i + k) % ivars : k;
}

// What object i's ivar n is set to; different for every pair.
inline Value ValueAt(std::int64_t i, std::int64_t n) { return Value::Fixnum(i * 1'000'000 + n); }

struct Setting {
  Vm& vm;
  RArray* objects;
  std::vector<Id> names;
  std::int64_t ivars;
  bool rotated;

  std::int64_t count() const { return static_cast<std::int64_t>(objects->length()); }
  RBasic* object(std::int64_t i) const { return At(objects, i).AsSlot(); }
  Id name(std::int64_t n) const { return names[static_cast<std::size_t>(n)]; }
};

inline void SetAll(const Setting& s) {
  for (std::int64_t i = 0; i < s.count(); ++i) {
    for (std::int64_t k = 0; k < s.ivars; ++k) {
      const std::int64_t n = NameAt(s.rotated, i, k, s.ivars);
      s.vm.IvarSet(s.object(i), s.name(n), ValueAt(i, n));
    }
  }
}

// Every object must have just the first `expected` names, with its own values.
inline absl::Status CheckAll(const Setting& s, std::int64_t expected) {
  for (std::int64_t i = 0; i < s.count(); ++i) {
    if (s.vm.IvarCount(s.object(i)) != static_cast<std::size_t>(expected)) {
      return WrongResult(absl::StrCat("object ", i, " has ", s.vm.IvarCount(s.object(i)),
                                      " ivars, expected ", expected));
    }
    for (std::int64_t n = 0; n < s.ivars; ++n) {
      const auto value = s.vm.IvarGet(s.object(i), s.name(n));
      if (value.has_value() != (n < expected) || (value && *value != ValueAt(i, n))) {
        return WrongResult(absl::StrCat("ivar ", n, " of object ", i, " is not what was set"));
      }
    }
  }
  return absl::OkStatus();
}

inline absl::Status MeasureSet(const Setting& s, Measurement& measurement) {
  measurement.Start();
  SetAll(s);
  measurement.Stop();
  return CheckAll(s, s.ivars);
}

inline absl::Status MeasureGet(const Setting& s, std::int64_t rounds, Measurement& measurement) {
  SetAll(s);
  std::uint64_t sum = 0, expected = 0;
  measurement.Start();
  for (std::int64_t round = 0; round < rounds; ++round) {
    for (std::int64_t i = 0; i < s.count(); ++i) {
      for (std::int64_t n = 0; n < s.ivars; ++n) {
        sum += s.vm.IvarGet(s.object(i), s.name(n))->bits();
      }
    }
  }
  measurement.Stop();
  for (std::int64_t i = 0; i < s.count(); ++i) {
    for (std::int64_t n = 0; n < s.ivars; ++n) expected += ValueAt(i, n).bits();
  }
  if (sum != expected * static_cast<std::uint64_t>(rounds)) {
    return WrongResult("the values that were read are not those that were set");
  }
  return CheckAll(s, s.ivars);
}

inline absl::Status MeasureIterate(const Setting& s, std::int64_t rounds,
                                   Measurement& measurement) {
  SetAll(s);
  std::uint64_t sum = 0, visited = 0, expected = 0;
  measurement.Start();
  for (std::int64_t round = 0; round < rounds; ++round) {
    for (std::int64_t i = 0; i < s.count(); ++i) {
      s.vm.IvarsForEach(s.object(i), [&](Id, Value value) {
        ++visited;
        sum += value.bits();
      });
    }
  }
  measurement.Stop();
  for (std::int64_t i = 0; i < s.count(); ++i) {
    for (std::int64_t n = 0; n < s.ivars; ++n) expected += ValueAt(i, n).bits();
  }
  if (visited != static_cast<std::uint64_t>(rounds * s.count() * s.ivars) ||
      sum != expected * static_cast<std::uint64_t>(rounds)) {
    return WrongResult("an iteration did not visit each ivar once");
  }
  return absl::OkStatus();
}

inline absl::Status MeasureRemove(const Setting& s, Measurement& measurement) {
  SetAll(s);
  const std::int64_t left = s.ivars / 2;
  std::int64_t removed = 0;
  measurement.Start();
  for (std::int64_t i = 0; i < s.count(); ++i) {
    for (std::int64_t n = left; n < s.ivars; ++n) {
      removed += s.vm.IvarRemove(s.object(i), s.name(n)) == ValueAt(i, n) ? 1 : 0;
    }
  }
  measurement.Stop();
  if (removed != s.count() * (s.ivars - left)) {
    return WrongResult("a removed ivar was not what was set");
  }
  return CheckAll(s, left);
}

inline absl::Status Run(Vm& vm, const ParameterValues& parameters, Measurement& measurement) {
  HandleScope scope(vm.roots());
  const std::int64_t count = parameters.Int("objects");
  Setting setting{vm,
                  scope.Keep(vm.NewArray(static_cast<std::size_t>(count))),
                  {},
                  parameters.Int("ivars"),
                  parameters.Text("order") == "rotated"};
  for (std::int64_t n = 0; n < setting.ivars; ++n) {
    setting.names.push_back(vm.names().IdOf(vm.names().Intern(absl::StrCat("@ivar", n))));
  }
  // In a Ruby that has booted, some String has set an ivar already: the class's first index is
  // taken.
  vm.IvarSet(scope.Keep(vm.NewString("booted")), vm.names().IdOf(vm.names().Intern("@booted")),
             Value::True());
  RClass* klass = scope.Keep(vm.DefineClass("Client"));
  for (std::int64_t i = 0; i < count; ++i) {
    HandleScope iteration(vm.roots());
    RBasic* object = iteration.Keep(MakeObject(vm, parameters.Text("type"), klass));
    Push(vm.heap(), setting.objects, Value(object));
  }
  const std::string& op = parameters.Text("op");
  const std::int64_t rounds = parameters.Int("rounds");
  if (op == "set") return MeasureSet(setting, measurement);
  if (op == "get") return MeasureGet(setting, rounds, measurement);
  if (op == "iterate") return MeasureIterate(setting, rounds, measurement);
  return MeasureRemove(setting, measurement);
}

}  // namespace generic_ivars_experiment

inline const Experiment& GenericIvarsExperiment() {
  static const auto* experiment = new Experiment{
      .name = "generic_ivars",
      .summary = "ivars of objects that are not T_OBJECT: set, read, iterated over, removed",
      .parameters = {Parameter::Choice("type", {"string", "time", "data", "float", "object"},
                                       "what has the ivars; object is T_OBJECT, the control"),
                     Parameter::Int("objects", 9992, 0, 10'000'000, "objects",
                                    "how many there are"),
                     Parameter::Int("ivars", 10, 1, 10'000, "ivars", "how many each of them sets"),
                     Parameter::Choice("op", {"set", "get", "iterate", "remove"},
                                       "what is measured"),
                     Parameter::Choice("order", {"same", "rotated"},
                                       "rotated: object i sets its i-th ivar first"),
                     Parameter::Int("rounds", 10, 1, 1'000'000, "rounds",
                                    "how often get and iterate go over all")},
      .run = RunOnVm<generic_ivars_experiment::Run>};
  return *experiment;
}

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_GENERIC_IVARS_GENERIC_IVARS_H_
