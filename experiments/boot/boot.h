// The boot experiment: see README.md. A header, since it is compiled into the one file of each
// variant (experiments/lab/variant_main.cc).
#ifndef RUBRIC_EXPERIMENTS_BOOT_BOOT_H_
#define RUBRIC_EXPERIMENTS_BOOT_BOOT_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/heap/root_stack.h"
#include "experiments/boot/ruby_start.h"
#include "experiments/harness/experiment.h"
#include "experiments/harness/run_on_vm.h"

namespace rubric {
namespace boot_experiment {

// Marks, and leaves the replay's own checks out of the measurement's clocks.
class MeasuringObserver final : public ReplayObserver {
 public:
  explicit MeasuringObserver(Measurement& measurement) : measurement_(measurement) {}

  void AtMark(const std::string& name) override {
    measurement_.Mark(name == "start" ? "ruby" : "rubygems");
  }
  void CheckBegins() override { measurement_.Pause(); }
  void CheckEnded() override { measurement_.Resume(); }

 private:
  Measurement& measurement_;
};

// What the program does once ruby has booted.
inline absl::Status RunProgram(Vm& vm, const std::string& program) {
  if (program == "mention") return vm.MentionPrelude();
  if (program == "exit") return absl::OkStatus();
  const auto found = vm.Require(
      "a_gem_that_is_not_there", [](std::string_view) { return false; },
      [](std::string_view) { return absl::OkStatus(); });
  if (!found.ok()) return found.status();
  return *found == RequireResult::kNotFound ? absl::OkStatus()
                                            : WrongResult("a feature that is not there was found");
}

// Whether RubyGems must be there after `program`.
inline bool IsLoadedAfter(const std::string& program) {
  switch (SelectedPrelude::kTraits.when) {
    case PreludeTime::kAtBoot:
      return true;
    case PreludeTime::kAtNeed:
      return program != "exit";
    case PreludeTime::kNever:
      return false;
  }
  return false;
}

inline void NoteFigures(Vm& vm, Measurement& measurement) {
  const ObjectCounts counts = vm.CountObjects();
  const auto note = [&](const char* name, std::size_t value, const char* unit) {
    measurement.Note(name, static_cast<double>(value), unit);
  };
  note("slots_total", counts.total, "slots");  // count_objects[:TOTAL]
  note("slots_in_use", counts.total - counts.by_type[0], "slots");
  note("features", vm.features().array()->length(), "features");
  note("symbols", vm.names().symbol_count(), "symbols");
  note("frozen_strings", vm.names().fstring_count(), "strings");
}

inline absl::Status Run(Vm& vm, const ParameterValues& parameters, Measurement& measurement) {
  const std::string& program = parameters.Text("program");
  HandleScope scope(vm.roots());
  MeasuringObserver observer(measurement);
  RubyStart<Vm> start(vm, scope, observer);
  measurement.Start();
  absl::Status status = start.Boot();
  if (status.ok()) status = RunProgram(vm, program);
  measurement.Stop();
  if (!status.ok()) return status;
  vm.CollectGarbage();  // GC.start, as the discussion's script does before it counts
  NoteFigures(vm, measurement);
  if (vm.prelude_loaded() != IsLoadedAfter(program)) {
    return WrongResult(absl::StrCat("RubyGems is ", vm.prelude_loaded() ? "" : "not ",
                                    "there after the program ", program));
  }
  vm.CheckInvariants();
  return absl::OkStatus();
}

}  // namespace boot_experiment

inline const Experiment& BootExperiment() {
  static const auto* experiment = new Experiment{
      .name = "boot",
      .summary = "ruby -e exit: what ruby has, RubyGems at the prelude's time, and no program",
      .parameters = {Parameter::Choice("program", {"exit", "mention", "require"},
                                       "what the program does: nothing, name Gem, or require what "
                                       "is not there")},
      .run = RunOnVm<boot_experiment::Run>};
  return *experiment;
}

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_BOOT_BOOT_H_
