// TerminalText: text from elsewhere as one line that a terminal only prints.
//
// INVARIANTS The result is valid UTF-8 without control characters, escape sequences among them:
//            each becomes `replacement`.
// TESTED BY  text_test.cc.

#ifndef RUBRIC_REPORTS_RESULTS_TERMINAL_TEXT_H_
#define RUBRIC_REPORTS_RESULTS_TERMINAL_TEXT_H_

#include <string>
#include <string_view>

namespace rubric {

// Whether `c` is one of the control characters of ASCII.
bool IsControl(char c);

// A control character that is one of `kept` stays.
std::string TerminalText(std::string_view text, char replacement = '?', std::string_view kept = "");

}  // namespace rubric

#endif  // RUBRIC_REPORTS_RESULTS_TERMINAL_TEXT_H_
