// The replay experiment: see README.md.
#ifndef RUBRIC_EXPERIMENTS_REPLAY_REPLAY_EXPERIMENT_H_
#define RUBRIC_EXPERIMENTS_REPLAY_REPLAY_EXPERIMENT_H_

#include <set>
#include <string>

#include "experiments/harness/experiment.h"
#include "experiments/harness/run_on_vm.h"
#include "experiments/replay/replay.h"

namespace rubric {
namespace replay_experiment {

// Marks become the measurement's; a second one of a name gets a number.
class MeasuringObserver final : public ReplayObserver {
 public:
  explicit MeasuringObserver(Measurement& measurement) : measurement_(measurement) {}

  void AtMark(const std::string& name) override {
    std::string unique = name;
    for (int n = 2; !names_.insert(unique).second; ++n) unique = name + "." + std::to_string(n);
    if (names_.size() <= kMostMarks) measurement_.Mark(unique);
  }
  void CheckBegins() override { measurement_.Pause(); }
  void CheckEnded() override { measurement_.Resume(); }

 private:
  // A figure a mark; a program may have marks by the thousand.
  static constexpr std::size_t kMostMarks = 32;

  Measurement& measurement_;
  std::set<std::string> names_;
};

inline absl::Status Run(Vm& vm, const ParameterValues& parameters, Measurement& measurement) {
  const std::string& path = parameters.Text("workload");
  if (path.empty()) {
    return absl::InvalidArgumentError(
        "replay: --workload=FILE is missing; make one with: ruby -r "
        "./experiments/recorder/record.rb app.rb");
  }
  HandleScope scope(vm.roots());
  MeasuringObserver observer(measurement);
  Replay<Vm> replay(vm, scope, {}, observer);
  measurement.Start();
  absl::Status status = replay.Open(WorkloadSource::File(path));
  if (status.ok()) status = replay.RunTo("");
  measurement.Stop();
  for (const NotedFigure& figure : FiguresOf(replay.report())) {
    measurement.Note(figure.name, figure.value, figure.unit);
  }
  if (!status.ok()) return status;
  vm.CheckInvariants();
  return absl::OkStatus();
}

}  // namespace replay_experiment

inline const Experiment& ReplayExperiment() {
  static const auto* experiment = new Experiment{
      .name = "replay",
      .summary = "what a recorded Ruby program did, done again: your own application",
      .parameters = {Parameter::Path("workload",
                                     "made by: ruby -r ./experiments/recorder/record.rb app.rb")},
      .run = RunOnVm<replay_experiment::Run>};
  return *experiment;
}

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_REPLAY_REPLAY_EXPERIMENT_H_
