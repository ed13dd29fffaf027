// Figures as people read them. One place, so that page, Markdown and terminal say the same.
//
// USE        Figure(value, unit) for a table cell; RatioText and ChangeText for comparisons.
// INVARIANTS Rounding never hides a difference: a ratio that is not 1 is never shown as 1.000.
// TESTED BY  text_test.cc.

#ifndef RUBRIC_REPORTS_TEXT_FORMAT_H_
#define RUBRIC_REPORTS_TEXT_FORMAT_H_

#include <optional>
#include <string>
#include <string_view>

#include "reports/comparison/comparison.h"
#include "reports/stats/summary.h"

namespace rubric {

// "310,022", "-5"; a fraction keeps up to three digits: "1,234.5".
std::string Grouped(double value);

// "310,022" for most units; "11.8 MiB" for bytes; "41.2 ms" for seconds.
std::string Figure(double value, std::string_view unit);

// "0.912"; "=" for exact equality; as many digits more as it takes to differ from 1; "12.3"
// above 10.
std::string RatioText(const Ratio& ratio);
// "0 → 10" where the two figures have no ratio.
// With the interval, "0.981 [0.970, 0.993]"; "0 → 10 (not sure)" where chance alone may do that.
std::string RatioWithInterval(const Ratio& ratio);
std::string RatioNumber(double ratio);

// "−8.8 %", "+2.1 %", "3.4 times as many" is left to the reader: "+240 %". "±0 %" iff ratio == 1.
std::string ChangeText(double ratio);
// The same, or "0 → 10" where the two figures have no ratio.
std::string ChangeText(const Ratio& ratio);

// "1.2 %" of 0.012.
std::string PercentText(double share);

// "± 1.2 %"; "–" of a single figure, which has none.
std::string SpreadText(const Summary& summary);

// "peak bytes", "malloc calls", "CPU time": how a sentence or a heading calls a metric.
std::string MetricTitle(std::string_view metric);

// "6 of 7".
std::string CountOf(std::size_t count, std::size_t total);

// "1 process", "5 processes".
std::string Counted(std::size_t count, std::string_view singular, std::string_view plural);

}  // namespace rubric

#endif  // RUBRIC_REPORTS_TEXT_FORMAT_H_
