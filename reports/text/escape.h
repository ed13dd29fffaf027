// Escaping: text from results is data, whatever it looks like, in each format that reports write.
//
// USE        HtmlText for element content and quoted attributes; MarkdownText and MarkdownCode for
//            Markdown, table cells included; CsvField for one field; TerminalText, which comes with
//            it, for a terminal. JSON: json_text.h.
// INVARIANTS (1) No input ends the element, cell, span or field that it is put in.
//            (2) CsvField's result is never taken for a formula by a spreadsheet.
//            (3) Output is valid UTF-8, and no control characters are in it but line ends and tabs.
// SOURCE     RFC 4180 for CSV; OWASP's "CSV Injection" for (2); the CommonMark and GFM
//            specifications: any ASCII punctuation may be escaped by a backslash, and in a table
//            cell a pipe must be, even inside a code span.
// TESTED BY  text_test.cc.

#ifndef RUBRIC_REPORTS_TEXT_ESCAPE_H_
#define RUBRIC_REPORTS_TEXT_ESCAPE_H_

#include <string>
#include <string_view>

#include "reports/results/terminal_text.h"  // IWYU pragma: export

namespace rubric {

std::string HtmlText(std::string_view text);

// One line: newlines become spaces.
std::string MarkdownText(std::string_view text);
// A code span with a fence long enough for `text`.
std::string MarkdownCode(std::string_view text);

std::string CsvField(std::string_view text);

}  // namespace rubric

#endif  // RUBRIC_REPORTS_TEXT_ESCAPE_H_
