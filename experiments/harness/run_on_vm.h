// RunOnVm: an experiment's body, run on a fresh VM of the variant that is being compiled.
//
// USE        Experiment{…, .run = RunOnVm<Body>} with absl::Status Body(Vm& vm, const
//            ParameterValues& parameters, Measurement& measurement).
#ifndef RUBRIC_EXPERIMENTS_HARNESS_RUN_ON_VM_H_
#define RUBRIC_EXPERIMENTS_HARNESS_RUN_ON_VM_H_

#include <memory>

#include "core/object_space/heap_dump.h"
#include "core/vm/selected.h"
#include "experiments/harness/experiment.h"

namespace rubric {

template <absl::Status (*kBody)(Vm&, const ParameterValues&, Measurement&)>
ExperimentOutcome RunOnVm(const RunSettings& settings, const ParameterValues& parameters) {
  const auto vm = std::make_shared<Vm>(
      VmOptions{.hash_seed = settings.hash_seed, .gc_stress = settings.gc_stress});
  Measurement measurement(vm->gc_stats(), settings.malloc_log_path);
  ExperimentOutcome outcome;
  if (settings.heap_dump) {
    measurement.AtStop([&] { outcome.dump_status = DumpHeap(*vm, settings.heap_dump); });
  }
  outcome.status = kBody(*vm, parameters, measurement);
  outcome.log_status = measurement.log_status();
  if (outcome.status.ok() || IsWrongResult(outcome.status)) outcome.part = measurement.part();
  outcome.vm = vm;
  return outcome;
}

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_HARNESS_RUN_ON_VM_H_
