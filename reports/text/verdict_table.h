// The verdict on a terminal: sentences, the means, and each cell's ratios to the baseline.
//
// USE        PrintVerdict(std::cout, comparison) at the end of a suite or of `compare`.
// LAYOUT     Plain lines of at most some 110 columns, no escape sequences: it is read in logs too.
//            In a cell's table, variants that do not differ from the baseline share one line.
// TESTED BY  text_test.cc, compare_test.py.

#ifndef RUBRIC_REPORTS_TEXT_VERDICT_TABLE_H_
#define RUBRIC_REPORTS_TEXT_VERDICT_TABLE_H_

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>

#include "reports/comparison/comparison.h"

namespace rubric {

void PrintVerdict(std::ostream& out, const Comparison& comparison);

// "interning=khash", or "control (A/A control)".
std::string TitleOf(const Variant& variant);

// A mean as the tables show it: "0.912", or "0.912 (5 of 6)" where it is not over all rows, "–" if
// none.
std::string MeanText(const Comparison& comparison, std::size_t variant, std::string_view metric);

}  // namespace rubric

#endif  // RUBRIC_REPORTS_TEXT_VERDICT_TABLE_H_
