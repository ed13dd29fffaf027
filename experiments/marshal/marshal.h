// The marshal experiment: see README.md. A header, since it is compiled into the one file of each
// variant (experiments/lab/variant_main.cc).
#ifndef RUBRIC_EXPERIMENTS_MARSHAL_MARSHAL_H_
#define RUBRIC_EXPERIMENTS_MARSHAL_MARSHAL_H_

#include <cstdint>
#include <string>

#include "core/marshal/vm_host.h"
#include "experiments/harness/experiment.h"
#include "experiments/harness/run_on_vm.h"
#include "experiments/marshal/marshal_cases.h"

namespace rubric {
namespace marshal_experiment {

inline absl::Status Run(Vm& vm, const ParameterValues& parameters, Measurement& measurement) {
  VmMarshalHost<Vm> host(vm);
  // The Ruby of these benchmarks leaves a Time's attributes on it as ivars.
  host.Register(vm.classes().time, kAttributesKeepingTimeHook);
  HandleScope scope(vm.roots());
  // In a Ruby that has booted, some String has set an ivar already: the class's first index is
  // taken.
  host.IvarSet(scope.Keep(vm.NewString("booted")), host.IdNamed("@booted"), Value::True());
  const std::string& name = parameters.Text("case");
  const std::int64_t count = parameters.Int("count");
  if (name == "dump_flo") return DumpFloats(host, count, measurement);
  if (name == "dump_load_geniv") return DumpAndLoadString(host, count, measurement);
  return DumpAndLoadTimes(host, vm.classes().time, count, measurement);
}

}  // namespace marshal_experiment

inline const Experiment& MarshalExperiment() {
  static const auto* experiment = new Experiment{
      .name = "marshal",
      .summary = "Marshal: Floats dumped; Strings with ivars, and Times, dumped and loaded",
      .parameters = {Parameter::Choice("case", {"dump_flo", "dump_load_geniv", "dump_load_time"},
                                       "one of Ruby's own benchmarks, without their bm_marshal_"),
                     Parameter::Int("count", 100'000, 1, 100'000'000, "objects",
                                    "how many are dumped; Floats 10,000 at a time")},
      .run = RunOnVm<marshal_experiment::Run>};
  return *experiment;
}

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_MARSHAL_MARSHAL_H_
