// What Comparison derives from its figures: ratios, means, the point where two curves part.

#include <algorithm>
#include <cmath>

#include "reports/comparison/comparison.h"

namespace rubric {

std::string_view StateName(CellState state) {
  switch (state) {
    case CellState::kOk:
      return "ok";
    case CellState::kFailed:
      return "failed";
    case CellState::kTimeout:
      return "timed out";
    case CellState::kWrongResult:
      return "wrong result";
    case CellState::kMissing:
      return "missing";
    case CellState::kUnstable:
      return "not repeatable";
  }
  return "failed";
}

bool DependsOnHeapLayout(std::string_view metric) {
  return metric == "bytes_usable" || metric == "peak_bytes" || metric == "live_bytes" ||
         metric.starts_with("live_bytes.");
}

namespace {

// 1 + difference / |baseline|; see Ratio.
double RatioOfDifference(double difference, double baseline) {
  if (difference == 0) return 1;
  return 1 + difference / std::fabs(baseline);  // by IEEE 754 infinite where the baseline is 0
}

Ratio RatioOfExact(const ExactFigure& baseline, const ExactFigure& variant) {
  if (baseline.value == variant.value) return {1, {}, true};
  if (baseline.value > 0 && variant.value > 0) return {variant.value / baseline.value, {}, true};
  return {RatioOfDifference(variant.value - baseline.value, baseline.value),
          {},
          true,
          FigurePair{baseline.value, variant.value, baseline.unit}};
}

std::optional<Ratio> RatioOfNoisy(const NoisyFigure& baseline, const NoisyFigure& variant) {
  if (const auto estimate = EstimateRatio(baseline.samples, variant.samples)) {
    return Ratio{estimate->ratio, estimate->interval, false};
  }
  const std::optional<DifferenceEstimate> estimate =
      EstimateDifference(baseline.samples, variant.samples);
  if (!estimate) return std::nullopt;
  const double from = baseline.summary.median;
  Ratio ratio{RatioOfDifference(estimate->difference, from), {}, false};
  if (estimate->interval) {
    ratio.interval = Interval{RatioOfDifference(estimate->interval->low, from),
                              RatioOfDifference(estimate->interval->high, from)};
  }
  if (from != variant.summary.median || estimate->difference != 0) {
    ratio.figures = FigurePair{from, variant.summary.median, baseline.unit};
  }
  return ratio;
}

}  // namespace

std::optional<Ratio> RatioToBaseline(const Comparison& comparison, std::size_t row,
                                     std::size_t variant, std::string_view metric) {
  const Cell& baseline = comparison.rows[row].cells[0];
  const Cell& other = comparison.rows[row].cells[variant];
  const ExactFigure* exact_baseline = Find(baseline.exact, metric);
  const ExactFigure* exact_other = Find(other.exact, metric);
  if (exact_baseline != nullptr && exact_other != nullptr) {
    return RatioOfExact(*exact_baseline, *exact_other);
  }
  const NoisyFigure* noisy_baseline = Find(baseline.noisy, metric);
  const NoisyFigure* noisy_other = Find(other.noisy, metric);
  if (noisy_baseline == nullptr || noisy_other == nullptr) return std::nullopt;
  return RatioOfNoisy(*noisy_baseline, *noisy_other);
}

std::optional<MeanRatio> MeanRatioToBaseline(const Comparison& comparison, std::size_t variant,
                                             std::string_view metric) {
  std::vector<double> ratios;
  for (std::size_t row = 0; row < comparison.rows.size(); ++row) {
    const std::optional<Ratio> ratio = RatioToBaseline(comparison, row, variant, metric);
    if (ratio && !ratio->figures) ratios.push_back(ratio->ratio);
  }
  if (ratios.empty()) return std::nullopt;
  return MeanRatio{GeometricMean(ratios), ratios.size(), comparison.rows.size()};
}

std::vector<std::string> MetricNames(const Comparison& comparison, bool exact) {
  std::vector<std::string> names;
  const auto add = [&names](const auto& figures) {
    for (const auto& [name, figure] : figures) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  };
  for (const Row& row : comparison.rows) {
    for (const Cell& cell : row.cells) {
      if (exact) {
        add(cell.exact);
      } else {
        add(cell.noisy);
      }
    }
  }
  return names;
}

std::optional<PartingPoint> FindPartingPoint(const LiveBytesCurve& baseline,
                                             const LiveBytesCurve& variant, double share) {
  if (baseline.call.empty() || variant.call.empty()) return std::nullopt;
  const std::int64_t highest = *std::max_element(baseline.bytes.begin(), baseline.bytes.end());
  const double tolerance = share * static_cast<double>(std::max<std::int64_t>(highest, 0));
  // Both curves are steps: the value at a call is that of the last point at or before it.
  std::size_t next_baseline = 0;
  std::size_t next_variant = 0;
  std::int64_t bytes_baseline = 0;
  std::int64_t bytes_variant = 0;
  while (next_baseline < baseline.call.size() && next_variant < variant.call.size()) {
    const std::int64_t call = std::min(baseline.call[next_baseline], variant.call[next_variant]);
    if (baseline.call[next_baseline] == call) bytes_baseline = baseline.bytes[next_baseline++];
    if (variant.call[next_variant] == call) bytes_variant = variant.bytes[next_variant++];
    const double apart = std::fabs(static_cast<double>(bytes_variant) - bytes_baseline);
    if (apart > tolerance) return PartingPoint{call, bytes_baseline, bytes_variant};
  }
  return std::nullopt;
}

}  // namespace rubric
