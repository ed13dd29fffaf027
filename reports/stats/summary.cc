#include "reports/stats/summary.h"

#include <algorithm>
#include <cmath>

namespace rubric {

double Quantile(const std::vector<double>& sorted, double p) {
  const double position = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  if (below + 1 >= sorted.size()) return sorted.back();
  const double part = position - static_cast<double>(below);
  return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

Summary Summarize(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {.count = values.size(),
          .min = values.front(),
          .q1 = Quantile(values, 0.25),
          .median = Quantile(values, 0.5),
          .q3 = Quantile(values, 0.75),
          .max = values.back()};
}

double GeometricMean(const std::vector<double>& ratios) {
  double sum = 0;
  for (const double ratio : ratios) sum += std::log(ratio);
  return std::exp(sum / static_cast<double>(ratios.size()));
}

}  // namespace rubric
