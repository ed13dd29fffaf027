// HtmlPage: the comparison as one HTML file that opens offline.
//
// USE        WriteFileAtomically(folder + "/index.html", HtmlPage(comparison)).
// LAYOUT     page.html is the skeleton; page.css and page.js are put into it, as is ECharts. All
//            text and tables are made here, so that the page says everything without scripts;
//            scripts draw the curves from the JSON of chart_data.h and turn the heat maps into
//            tabs.
// INVARIANTS (1) Loads nothing: its own Content-Security-Policy forbids it to.
//            (2) Every text from results is escaped, in elements, attributes and JSON.
//            (3) Says what was left out and why.
// COST       About 1 MB for ECharts, and some 30 KB a distinct curve.
// TESTED BY  page_test.cc, page_browser_test.py.

#ifndef RUBRIC_REPORTS_PAGE_PAGE_H_
#define RUBRIC_REPORTS_PAGE_PAGE_H_

#include <string>

#include "reports/comparison/comparison.h"

namespace rubric {

std::string HtmlPage(const Comparison& comparison);

}  // namespace rubric

#endif  // RUBRIC_REPORTS_PAGE_PAGE_H_
