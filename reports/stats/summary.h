// Summary: the middle and the spread of one sample of noisy figures.
//
// USE        Summarize(values) for what a table shows: median and quartiles, which one slow process
//            out of ten does not move, where a mean and a deviation would follow it.
// COST       O(n log n).
// INVARIANTS min <= q1 <= median <= q3 <= max. Of one value, all are that value.
// SOURCE     Quantiles by linear interpolation between order statistics, type 7 of R. Hyndman and
//            Y. Fan, "Sample Quantiles in Statistical Packages", The American Statistician 50(4),
//            1996.
// TESTED BY  stats_test.cc.

#ifndef RUBRIC_REPORTS_STATS_SUMMARY_H_
#define RUBRIC_REPORTS_STATS_SUMMARY_H_

#include <cstddef>
#include <vector>

namespace rubric {

struct Summary {
  std::size_t count = 0;
  double min = 0;
  double q1 = 0;
  double median = 0;
  double q3 = 0;
  double max = 0;

  // Half the interquartile range over the median: "median ± this". 0 where the median is 0.
  double relative_spread() const { return median == 0 ? 0 : (q3 - q1) / 2 / median; }
};

// REQUIRES: !values.empty(), every value finite.
Summary Summarize(std::vector<double> values);

// The value below which the share `p` of `sorted` lies. REQUIRES: !sorted.empty(), 0 <= p <= 1.
double Quantile(const std::vector<double>& sorted, double p);

// exp of the mean of logs. REQUIRES: !ratios.empty(), every one > 0.
double GeometricMean(const std::vector<double>& ratios);

}  // namespace rubric

#endif  // RUBRIC_REPORTS_STATS_SUMMARY_H_
