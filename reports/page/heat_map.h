// The heat maps: every cell of every variant at a glance, one map a metric.
//
// USE        HeatMaps(comparison) gives the panels; each cell links to #cell-ROW.
// INVARIANTS Colour never says something that text does not: a cell has its ratio, or its state.
//            A time that cannot be told from the baseline's is not coloured.
// TESTED BY  page_test.cc.

#ifndef RUBRIC_REPORTS_PAGE_HEAT_MAP_H_
#define RUBRIC_REPORTS_PAGE_HEAT_MAP_H_

#include <string>

#include "reports/comparison/comparison.h"

namespace rubric {

std::string HeatMaps(const Comparison& comparison);

// The id of a row's section in the page.
std::string CellAnchor(std::size_t row);

}  // namespace rubric

#endif  // RUBRIC_REPORTS_PAGE_HEAT_MAP_H_
