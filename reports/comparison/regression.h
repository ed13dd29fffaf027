// RegressionRule: a limit on a metric's ratio to the baseline, as --fail_on takes it.
//
// USE        ParseRegressionRules("peak_bytes>1.05,cpu_s>1.1"), then FindRegressions.
// LAYOUT     rules := rule {',' rule};  rule := METRIC ('>' | '<') RATIO. `>` fails where the
//            ratio is above, `<` where it is below.
// INVARIANTS An exact metric breaks a rule iff its ratio is beyond the limit; from 0 to more is
//            beyond every limit (see Ratio). A noisy one must also have an interval that excludes
//            1: chance alone does not fail a build. A/A controls are not tested.
// TESTED BY  comparison_test.cc, compare_test.py.

#ifndef RUBRIC_REPORTS_COMPARISON_REGRESSION_H_
#define RUBRIC_REPORTS_COMPARISON_REGRESSION_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "reports/comparison/comparison.h"

namespace rubric {

struct RegressionRule {
  std::string metric;
  bool above = true;  // '>'
  double limit = 1;
  std::string text;  // as given
};

struct Regression {
  RegressionRule rule;
  std::size_t row = 0;
  std::size_t variant = 0;
  Ratio ratio;
};

// Syntax only; InvalidArgumentError names the rule and what was expected.
absl::StatusOr<std::vector<RegressionRule>> ParseRegressionRules(std::string_view text);

// InvalidArgumentError if a rule's metric is in no cell: names the nearest, and all there are.
// Where no cell has any figure there is nothing to hold against a rule, and none is broken.
absl::StatusOr<std::vector<Regression>> FindRegressions(const Comparison& comparison,
                                                        const std::vector<RegressionRule>& rules);

// "require: peak_bytes of interning=khash is 1.08 of the baseline's (peak_bytes>1.05)"; where there
// is no ratio, "…is 10 where the baseline's is 0 (…)".
std::string Describe(const Comparison& comparison, const Regression& regression);

}  // namespace rubric

#endif  // RUBRIC_REPORTS_COMPARISON_REGRESSION_H_
