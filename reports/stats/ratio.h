// RatioEstimate: how many times the baseline's figure a variant's is, and how sure that is.
//
// USE        EstimateRatio(baseline_seconds, variant_seconds). Below 1 the variant is faster.
// COST       O(n m log(n m)), n and m being the sample sizes.
// INVARIANTS (1) low <= ratio <= high. EstimateRatio(b, a) is the reciprocal, with ends swapped.
//            (2) The interval covers the true ratio in at least `level` of all experiments in which
//                the two distributions differ by a factor, whatever their shape. It does so
//                exactly, not for large samples only, which is why it is used for 5 to 20 processes
//                a cell.
//            (3) There is no interval where none of that level exists: fewer than 4 against 4 at 95
//            %.
// SOURCE     J. L. Hodges and E. L. Lehmann, "Estimates of Location Based on Rank Tests", Annals of
//            Mathematical Statistics 34(2), 1963, on logarithms: the median of all n*m ratios of a
//            variant's sample to a baseline's. The interval inverts the exact test of H. B. Mann
//            and D. R. Whitney, same journal 18(1), 1947: order statistics of the same ratios.
//            Differences of figures without ratio: the same without logarithms.
// TESTED BY  stats_test.cc.

#ifndef RUBRIC_REPORTS_STATS_RATIO_H_
#define RUBRIC_REPORTS_STATS_RATIO_H_

#include <cstddef>
#include <optional>
#include <vector>

namespace rubric {

struct Interval {
  double low = 0;
  double high = 0;

  // The interval says that there is a difference.
  bool excludes_one() const { return high < 1 || low > 1; }
};

struct RatioEstimate {
  double ratio = 0;
  std::optional<Interval> interval;
};

inline constexpr double kConfidence = 0.95;

// nullopt where a sample is empty or has a figure that is not above 0: there is no ratio then.
std::optional<RatioEstimate> EstimateRatio(const std::vector<double>& baseline,
                                           const std::vector<double>& variant,
                                           double level = kConfidence);

struct DifferenceEstimate {
  double difference = 0;             // variant less baseline, in their unit
  std::optional<Interval> interval;  // of the difference
};

// The same method on the figures themselves, for those that have no ratio: a baseline without one
// collection spends no time in them. nullopt where a sample is empty or a figure is not finite.
std::optional<DifferenceEstimate> EstimateDifference(const std::vector<double>& baseline,
                                                     const std::vector<double>& variant,
                                                     double level = kConfidence);

// The largest k such that the k-th smallest and the k-th largest of the n*m pairwise differences
// bound an interval of at least `level`; 0 if there is none.
std::size_t PairwiseIntervalRank(std::size_t n, std::size_t m, double level);

}  // namespace rubric

#endif  // RUBRIC_REPORTS_STATS_RATIO_H_
