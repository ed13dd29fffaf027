#include "experiments/suite/estimate.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_format.h"
#include "reports/results/record.h"

namespace rubric {

double PassFactor(std::string_view pass) {
  if (pass == kLogPass) return 1.5;
  if (pass == kMassifPass) return 40;
  if (pass == kInstructionsPass) return 60;
  return 1;
}

Estimate::Estimate(const Plan& plan) {
  for (const CellSpec& cell : plan.cells) expected_s_.push_back(cell.expected_s);
}

double Estimate::Guess(const Step& step) const {
  return expected_s_[static_cast<std::size_t>(step.cell)] * PassFactor(step.pass);
}

void Estimate::Observe(const Step& step, double seconds) {
  std::vector<Seen>& cells = cells_[step.pass];
  cells.resize(expected_s_.size());
  for (Seen* seen : {&cells[static_cast<std::size_t>(step.cell)], &passes_[step.pass]}) {
    seen->seconds += seconds;
    seen->guessed += Guess(step);
    ++seen->processes;
  }
}

double Estimate::SecondsOf(const Step& step) const {
  const auto cells = cells_.find(step.pass);
  if (cells == cells_.end()) return Guess(step);
  const Seen& cell = cells->second[static_cast<std::size_t>(step.cell)];
  if (cell.processes > 0) return cell.seconds / cell.processes;
  const Seen& pass = passes_.find(step.pass)->second;
  return Guess(step) * (pass.guessed > 0 ? pass.seconds / pass.guessed : 1);
}

std::string DurationText(double seconds) {
  const long whole = std::max(0L, std::lround(seconds));
  if (whole < 60) return absl::StrFormat("%d s", whole);
  if (whole < 3600) return absl::StrFormat("%d min %02d s", whole / 60, whole % 60);
  return absl::StrFormat("%d h %02d min", whole / 3600, whole / 60 % 60);
}

}  // namespace rubric
