#include "reports/stats/ratio.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reports/stats/summary.h"

namespace rubric {
namespace {

// Up to here counting arrangements is exact and quick; beyond it the normal form is accurate.
constexpr std::size_t kExactLimit = 40;

// How many of the C(n+m, n) orders of two samples give each value of U, 0 to n*m. The largest value
// of all is either of the first sample, and exceeds all m of the second, or of the second: count(n,
// m, u) = count(n - 1, m, u - m) + count(n, m - 1, u). In place, one column of m at a time.
std::vector<double> CountArrangements(std::size_t n, std::size_t m) {
  std::vector<std::vector<double>> counts(n + 1, std::vector<double>(n * m + 1, 0));
  for (std::size_t i = 0; i <= n; ++i) counts[i][0] = 1;  // m = 0: one order, U = 0
  for (std::size_t j = 1; j <= m; ++j) {
    for (std::size_t i = 1; i <= n; ++i) {
      for (std::size_t u = j; u <= i * j; ++u) counts[i][u] += counts[i - 1][u - j];
    }
  }
  return counts[n];
}

std::size_t NormalRank(double n, double m, double level) {
  // Inverse of the normal distribution by bisection: no table, no dependency.
  const double tail = (1 - level) / 2;
  double low = 0;
  double high = 10;
  for (int step = 0; step < 80; ++step) {
    const double middle = (low + high) / 2;
    (std::erfc(middle / std::sqrt(2.0)) / 2 > tail ? low : high) = middle;
  }
  const double rank = n * m / 2 - low * std::sqrt(n * m * (n + m + 1) / 12);
  return rank < 1 ? 0 : static_cast<std::size_t>(rank);
}

}  // namespace

std::size_t PairwiseIntervalRank(std::size_t n, std::size_t m, double level) {
  if (n == 0 || m == 0) return 0;
  if (n > kExactLimit || m > kExactLimit) {
    return NormalRank(static_cast<double>(n), static_cast<double>(m), level);
  }
  const std::vector<double> counts = CountArrangements(n, m);
  double total = 0;
  for (const double count : counts) total += count;
  double below = 0;
  std::size_t rank = 0;
  while (rank < counts.size()) {
    below += counts[rank];
    if (below / total > (1 - level) / 2) break;
    ++rank;
  }
  return rank;
}

std::optional<DifferenceEstimate> EstimateDifference(const std::vector<double>& baseline,
                                                     const std::vector<double>& variant,
                                                     double level) {
  const auto finite = [](double value) { return std::isfinite(value); };
  if (baseline.empty() || variant.empty() ||
      !std::all_of(baseline.begin(), baseline.end(), finite) ||
      !std::all_of(variant.begin(), variant.end(), finite)) {
    return std::nullopt;
  }
  std::vector<double> differences;
  differences.reserve(baseline.size() * variant.size());
  for (const double ours : variant) {
    for (const double theirs : baseline) differences.push_back(ours - theirs);
  }
  std::sort(differences.begin(), differences.end());
  DifferenceEstimate estimate{.difference = Quantile(differences, 0.5), .interval = {}};
  const std::size_t rank = PairwiseIntervalRank(baseline.size(), variant.size(), level);
  if (rank > 0) {
    estimate.interval =
        Interval{.low = differences[rank - 1], .high = differences[differences.size() - rank]};
  }
  return estimate;
}

std::optional<RatioEstimate> EstimateRatio(const std::vector<double>& baseline,
                                           const std::vector<double>& variant, double level) {
  // A ratio of figures is a difference of their logarithms.
  const auto logarithms = [](const std::vector<double>& figures) {
    std::vector<double> logs;
    logs.reserve(figures.size());
    for (const double figure : figures) {
      logs.push_back(figure > 0 ? std::log(figure) : -std::numeric_limits<double>::infinity());
    }
    return logs;
  };
  const auto estimate = EstimateDifference(logarithms(baseline), logarithms(variant), level);
  if (!estimate) return std::nullopt;
  RatioEstimate ratio{.ratio = std::exp(estimate->difference), .interval = {}};
  if (estimate->interval) {
    ratio.interval = Interval{.low = std::exp(estimate->interval->low),
                              .high = std::exp(estimate->interval->high)};
  }
  return ratio;
}

}  // namespace rubric
