#include "experiments/claim/judge.h"

#include <cmath>
#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "reports/results/concat.h"
#include "reports/stats/ratio.h"

namespace rubric {
namespace {

constexpr double kSameSizeShare = 0.05;
constexpr double kNoisyTolerance = 0.04;
constexpr double kExactTolerance = 0.001;

// A side's figures of one metric: one value if exact.
struct Side {
  std::vector<double> values;
  std::string unit;
  bool exact = true;

  double middle() const { return exact ? values.front() : Summarize(values).median; }
};

std::optional<Side> FiguresOf(const Cell& cell, const std::string& metric) {
  if (const std::size_t slash = metric.find('/'); slash != std::string::npos) {
    const std::optional<Side> above = FiguresOf(cell, metric.substr(0, slash));
    const std::optional<Side> below = FiguresOf(cell, metric.substr(slash + 1));
    if (!above || !below || !below->exact || below->values.front() == 0) return std::nullopt;
    Side quotient = *above;
    for (double& value : quotient.values) value /= below->values.front();
    return quotient;
  }
  if (const std::size_t plus = metric.find('+'); plus != std::string::npos) {
    std::optional<Side> sum = FiguresOf(cell, metric.substr(0, plus));
    const std::optional<Side> rest = FiguresOf(cell, metric.substr(plus + 1));
    if (!sum || !rest || !sum->exact || !rest->exact) return std::nullopt;
    sum->values.front() += rest->values.front();
    return sum;
  }
  if (const std::size_t colon = metric.find(':'); colon != std::string::npos) {
    const SubsystemUse* use = Find(cell.subsystems, metric.substr(0, colon));
    const std::string field = metric.substr(colon + 1);
    if (use == nullptr) return std::nullopt;
    if (field == "malloc_calls") return Side{{static_cast<double>(use->malloc_calls)}, "calls"};
    if (field == "peak_bytes") return Side{{static_cast<double>(use->peak_bytes)}, "bytes"};
    if (field != "bytes_requested") return std::nullopt;
    return Side{{static_cast<double>(use->bytes_requested)}, "bytes"};
  }
  if (const ExactFigure* figure = Find(cell.exact, metric)) {
    return Side{{figure->value}, figure->unit};
  }
  if (const NoisyFigure* figure = Find(cell.noisy, metric)) {
    return Side{figure->samples, figure->unit, false};
  }
  return std::nullopt;
}

// -1, 0 or 1: which way a change goes, and whether it is one.
int Direction(const BeforeAfter& pair, double tolerance) {
  if (pair.before == pair.after) return 0;
  const double size = std::fabs(pair.after - pair.before);
  if (size <= tolerance * std::fabs(pair.before)) return 0;
  return pair.after < pair.before ? -1 : 1;
}

const Cell* CellOf(const Comparison& comparison, const std::string& label,
                   const std::string& variant) {
  for (const Row& row : comparison.rows) {
    if (row.label != label) continue;
    for (std::size_t i = 0; i < comparison.variants.size(); ++i) {
      if (comparison.variants[i].name == variant) return &row.cells[i];
    }
  }
  return nullptr;
}

// CRuby's figures of a statement; nothing where the calibration has no pair. A page of slots is a
// block of its own, of kPageBytes, that an aligned allocation gives: how many there are follows from
// the moments of collections, which a process without a parser has at other times.
absl::StatusOr<std::optional<BeforeAfter>> Calibrated(const Calibration& calibration,
                                                      const CalibrationKey& key) {
  constexpr double kPageBytes = 16 * 1024 - 40;
  const absl::StatusOr<const CalibrationRow*> row =
      calibration.Find(key.change, key.experiment, key.metric);
  if (!row.ok()) return row.status();
  if (!(*row)->before || !(*row)->after) return std::optional<BeforeAfter>();
  BeforeAfter pair{*(*row)->before, *(*row)->after, (*row)->unit, (*row)->note};
  if (!key.without_pages) return std::optional<BeforeAfter>(pair);
  const absl::StatusOr<const CalibrationRow*> pages =
      calibration.Find(key.change, key.experiment, "memalign");
  if (!pages.ok()) return pages.status();
  pair.before -= kPageBytes * (*pages)->before.value_or(0);
  pair.after -= kPageBytes * (*pages)->after.value_or(0);
  return std::optional<BeforeAfter>(pair);
}

// Fills what was measured; the reason where there is nothing.
std::string Measure(const Comparison& comparison, Judged& judged) {
  const Statement& statement = judged.statement;
  std::vector<Side> sides;
  for (const Choices* choices : {&statement.before, &statement.after}) {
    const std::string name = SideName(*choices);
    const Cell* cell = CellOf(comparison, judged.cell, name);
    if (cell == nullptr) return Concat("no record of ", judged.cell, " on ", name);
    if (cell->state != CellState::kOk) {
      return Concat(judged.cell, " on ", name, ": ", StateName(cell->state), ", ", cell->reason);
    }
    std::optional<Side> side = FiguresOf(*cell, statement.metric);
    if (!side) return Concat("the records of ", name, " have no ", statement.metric);
    sides.push_back(*std::move(side));
  }
  judged.exact = sides[0].exact && sides[1].exact;
  judged.ours = BeforeAfter{sides[0].middle(), sides[1].middle(), sides[0].unit, ""};
  if (sides[0].exact == sides[1].exact) {
    judged.ratio = judged.exact && judged.ours->before > 0
                       ? RatioEstimate{judged.ours->after / judged.ours->before, std::nullopt}
                       : EstimateRatio(sides[0].values, sides[1].values);
  }
  return "";
}

}  // namespace

std::string_view VerdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::kSameSize:
      return "same direction and size";
    case Verdict::kSameDirection:
      return "same direction";
    case Verdict::kNotReproduced:
      return "not reproduced";
    case Verdict::kNotMeasured:
      break;
  }
  return "not measured";
}

Verdict VerdictOf(Comparing compare, const BeforeAfter& reference, const BeforeAfter& ours,
                  bool exact, const std::optional<RatioEstimate>& ratio) {
  const double tolerance = exact ? kExactTolerance : kNoisyTolerance;
  const bool undecided = !exact && ratio && ratio->interval && !ratio->interval->excludes_one();
  const int theirs = Direction(reference, tolerance);
  const int here = undecided ? 0 : Direction(ours, tolerance);
  if (theirs * here < 0) return Verdict::kNotReproduced;
  if (compare == Comparing::kDifference) {
    const double expected = reference.after - reference.before;
    const double found = ours.after - ours.before;
    if (std::fabs(found - expected) <= kSameSizeShare * std::fabs(expected)) {
      return Verdict::kSameSize;
    }
  } else if (reference.before > 0 && reference.after > 0 && ours.before > 0 && ours.after > 0) {
    const double expected = reference.after / reference.before;
    const double found = ratio ? ratio->ratio : ours.after / ours.before;
    if (std::fabs(std::log(found / expected)) <= std::log1p(kSameSizeShare)) {
      return Verdict::kSameSize;
    }
  }
  if (theirs != here) return Verdict::kNotReproduced;
  // Neither changes: then they agree in size as well.
  return theirs == 0 ? Verdict::kSameSize : Verdict::kSameDirection;
}

absl::StatusOr<std::vector<Judged>> Judge(const Claim& claim, const OrderedMap<std::string>& labels,
                                          const Calibration& calibration,
                                          const Comparison& comparison) {
  std::vector<Judged> all;
  for (const Statement& statement : claim.statements) {
    Judged judged;
    judged.statement = statement;
    const std::string* label = Find(labels, statement.cell);
    judged.cell = label == nullptr ? statement.cell : *label;
    if (statement.calibrated) {
      const absl::StatusOr<std::optional<BeforeAfter>> pair =
          Calibrated(calibration, *statement.calibrated);
      if (!pair.ok()) return pair.status();
      judged.cruby = *pair;
    }
    judged.reason = Measure(comparison, judged);
    if (judged.reason.empty() && judged.reference() != nullptr) {
      judged.verdict = VerdictOf(statement.compare, *judged.reference(), *judged.ours, judged.exact,
                                 judged.ratio);
      if (judged.cruby && statement.published) {
        judged.published_verdict = VerdictOf(statement.compare, *statement.published, *judged.ours,
                                             judged.exact, judged.ratio);
      }
    }
    all.push_back(std::move(judged));
  }
  return all;
}

}  // namespace rubric
