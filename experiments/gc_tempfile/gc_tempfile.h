// The gc_tempfile experiment: see README.md. A header, since it is compiled into the one file of
// each variant (experiments/lab/variant_main.cc).
#ifndef RUBRIC_EXPERIMENTS_GC_TEMPFILE_GC_TEMPFILE_H_
#define RUBRIC_EXPERIMENTS_GC_TEMPFILE_GC_TEMPFILE_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/object/array.h"
#include "core/object/array_mutation.h"
#include "experiments/boot/ruby_start.h"
#include "experiments/gc_tempfile/temp_file.h"
#include "experiments/harness/experiment.h"
#include "experiments/harness/run_on_vm.h"

namespace rubric {
namespace gc_tempfile_experiment {

// Live object i: a String, or for each fourth an Array of the three Strings before it.
inline RBasic* MakeLive(Vm& vm, const RArray* live, std::int64_t i) {
  if (i % 4 != 3) return vm.NewString(absl::StrCat("live-", i));
  RArray* array = vm.NewArray();
  for (std::int64_t k = i - 3; k < i; ++k) Push(vm.heap(), array, At(live, k));
  return array;
}

inline absl::Status CheckLive(const RArray* live) {
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(live->length()); ++i) {
    const Value v = At(live, i);
    const bool right =
        i % 4 != 3 ? IsType(v, Type::kString) &&
                         As<RString>(v)->bytes() == std::string_view(absl::StrCat("live-", i))
                   : IsType(v, Type::kArray) && As<RArray>(v)->length() == 3 &&
                         At(As<RArray>(v), 2) == At(live, i - 1);
    if (!right) return WrongResult(absl::StrCat("live object ", i, " is not what was made"));
  }
  return absl::OkStatus();
}

inline absl::Status Run(Vm& vm, const ParameterValues& parameters, Measurement& measurement) {
  const auto bytes = static_cast<std::size_t>(parameters.Int("bytes"));
  std::string content(bytes, '\0');
  for (std::size_t i = 0; i < bytes; ++i) content[i] = static_cast<char>('a' + i % 26);
  const absl::StatusOr<TempFile> file = TempFile::Create(content);
  if (!file.ok()) return file.status();

  HandleScope scope(vm.roots());
  ReplayObserver nobody;
  RubyStart<Vm> start(vm, scope, nobody);
  if (parameters.Bool("boot")) {
    if (absl::Status status = start.Boot(); !status.ok()) return status;
  }
  RArray* live = scope.Keep(vm.NewArray());
  for (std::int64_t i = 0; i < parameters.Int("live"); ++i) {
    Push(vm.heap(), live, Value(MakeLive(vm, live, i)));
  }
  Value& last = scope.Push(Value::Nil());
  const ObjectCounts at_start = vm.CountObjects();
  measurement.Note("objects_at_start", static_cast<double>(at_start.total - at_start.by_type[0]),
                   "objects");
  measurement.Note("slots_at_start", static_cast<double>(at_start.total), "slots");

  if (const std::int64_t limit = parameters.Int("malloc_limit"); limit > 0) {
    vm.collector().set_malloc_limit(static_cast<std::size_t>(limit));
  }
  std::string buffer(bytes, '\0');
  const std::int64_t reads = parameters.Int("reads");
  measurement.Start();
  for (std::int64_t i = 0; i < reads; ++i) {
    if (absl::Status status = file->ReadFromBegin(buffer); !status.ok()) return status;
    last = Value(vm.NewString(buffer));
  }
  measurement.Stop();
  if (As<RString>(last)->bytes() != content) {
    return WrongResult("the String that was read last is not the content of the file");
  }
  return CheckLive(live);
}

}  // namespace gc_tempfile_experiment

inline const Experiment& GcTempfileExperiment() {
  static const auto* experiment = new Experiment{
      .name = "gc_tempfile",
      .summary = "a temporary file is read again and again: GC time against what lives",
      .parameters = {Parameter::Int("reads", 200'000, 1, 1'000'000'000, "reads",
                                    "how often the file is rewound and read"),
                     Parameter::Int("bytes", 14'000, 0, 1'000'000'000, "bytes",
                                    "length of the file, and of each String"),
                     Parameter::Int("malloc_limit", 2'240'000, 0, 1'000'000'000'000, "bytes",
                                    "malloc'd bytes a collection; 0: by CRuby 2.1's limits"),
                     Parameter::Bool("boot", true, "RubyGems first, as the prelude axis says"),
                     Parameter::Int("live", 0, 0, 100'000'000, "objects",
                                    "objects that live beside those of the VM")},
      .run = RunOnVm<gc_tempfile_experiment::Run>};
  return *experiment;
}

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_GC_TEMPFILE_GC_TEMPFILE_H_
