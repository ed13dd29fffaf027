// The metrics that every experiment reports, and what of each is possible.
//
// USE        ParseRecord refuses a figure that cannot be; the suite asks it before a run whether a
//            rule's metric exists. Experiments may report others, of which nothing is known here.
// SOURCE     The table of metrics in README.md, which has the same in words.
// TESTED BY  parse_record_test.cc.

#ifndef RUBRIC_REPORTS_RESULTS_KNOWN_METRICS_H_
#define RUBRIC_REPORTS_RESULTS_KNOWN_METRICS_H_

#include <string>
#include <string_view>
#include <vector>

#include "reports/results/record.h"

namespace rubric {

struct KnownMetric {
  std::string_view name;
  std::string_view unit;
  bool exact;
  bool may_be_negative = false;  // a difference between the end and the start
  bool whole = true;             // a count, of bytes or of whatever
};

// nullptr for a metric of an experiment's own. "live_bytes.MARK" is known for every mark.
const KnownMetric* FindKnownMetric(std::string_view name);

// All names, "live_bytes.MARK" left out.
std::vector<std::string> KnownMetricNames();

// What of [metric] is impossible, "expected …, found …"; empty if nothing is, or nothing is known.
std::string WhyImpossible(std::string_view name, const Metric& metric);

}  // namespace rubric

#endif  // RUBRIC_REPORTS_RESULTS_KNOWN_METRICS_H_
