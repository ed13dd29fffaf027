// The figures that page.js draws, as JSON for a <script> element.
//
// LAYOUT     {"variants":[{"name","control"}…],
//             "rows":[{"label","curves":[{"variants":[0,3],"call":[…],"bytes":[…]}…],
//                      "partings":[{"variant","call","bytes"}…]}…]}
//            Variants with the same curve (to 0.1 %) share one entry. Rows are those of the comparison, in
//            order.
// TESTED BY  page_test.cc, page_browser_test.py.

#ifndef RUBRIC_REPORTS_PAGE_CHART_DATA_H_
#define RUBRIC_REPORTS_PAGE_CHART_DATA_H_

#include <cstddef>
#include <string>
#include <vector>

#include "reports/comparison/comparison.h"

namespace rubric {

// Variants of one row whose curves have the same calls and differ by at most 0.1 % of the highest,
// the first of them first.
std::vector<std::vector<std::size_t>> GroupByCurve(const Row& row);

std::string ChartData(const Comparison& comparison);

}  // namespace rubric

#endif  // RUBRIC_REPORTS_PAGE_CHART_DATA_H_
