// report.md: the comparison as Markdown, to paste into a discussion.
//
// USE        MarkdownReport(comparison).
// INVARIANTS Says everything that the page says except the pictures. Inputs are escaped (escape.h).
// TESTED BY  text_test.cc, compare_test.py.

#ifndef RUBRIC_REPORTS_TEXT_MARKDOWN_REPORT_H_
#define RUBRIC_REPORTS_TEXT_MARKDOWN_REPORT_H_

#include <string>

#include "reports/comparison/comparison.h"

namespace rubric {

std::string MarkdownReport(const Comparison& comparison);

}  // namespace rubric

#endif  // RUBRIC_REPORTS_TEXT_MARKDOWN_REPORT_H_
