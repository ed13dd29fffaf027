// One cell's section of the page: curve, exact metrics, times, memory by subsystem.
//
// USE        CellSection(comparison, row).
// TESTED BY  page_test.cc, page_browser_test.py.

#ifndef RUBRIC_REPORTS_PAGE_CELL_SECTION_H_
#define RUBRIC_REPORTS_PAGE_CELL_SECTION_H_

#include <cstddef>
#include <string>

#include "reports/comparison/comparison.h"

namespace rubric {

std::string CellSection(const Comparison& comparison, std::size_t row);

}  // namespace rubric

#endif  // RUBRIC_REPORTS_PAGE_CELL_SECTION_H_
