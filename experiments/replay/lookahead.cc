#include "experiments/replay/lookahead.h"

#include <utility>

namespace rubric {

absl::StatusOr<Lookahead> Lookahead::Open(const WorkloadSource& source) {
  absl::StatusOr<WorkloadReader> reader =
      WorkloadReader::Open(source, WorkloadReader::Mode::kMarksOnly);
  if (!reader.ok()) return reader.status();
  return Lookahead(*std::move(reader));
}

absl::Status Lookahead::Advance() {
  has_mark_ = false;
  plan_ = CensusPlan{};
  allocated_ = evaluated_ = 0;
  while (!ended_) {
    const auto event = reader_.Next();
    if (!event.ok()) return event.status();
    if (!event->has_value()) {
      ended_ = true;
    } else if (const auto* allocated = std::get_if<const AllocatedEvent*>(&**event)) {
      allocated_ += (*allocated)->slots;
    } else if (const auto* evaluated = std::get_if<const EvaluatedEvent*>(&**event)) {
      for (const Evaluation& each : (*evaluated)->literals) evaluated_ += each.times;
    } else if (const auto* mark = std::get_if<const MarkEvent*>(&**event)) {
      absl::StatusOr<CensusPlan> plan = PlanOf((*mark)->census);
      if (!plan.ok()) return reader_.Error(std::string(plan.status().message()));
      plan_ = *std::move(plan);
      has_mark_ = true;
      return absl::OkStatus();
    }
  }
  return absl::OkStatus();
}

}  // namespace rubric
