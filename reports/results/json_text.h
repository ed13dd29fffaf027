// Writing JSON by hand: strings and numbers. For programs that must not pay for a JSON library.
//
// USE        AppendJsonString(out, text), AppendJsonNumber(out, value). For text inside a <script>
//            element use JsonForScript, after which no `</script>` or `<!--` can end the element.
// COST       O(bytes).
// INVARIANTS (1) The output is valid UTF-8 whatever bytes come in: a byte that is not part of a
//                well-formed sequence (RFC 3629: no surrogates, no overlong forms) becomes U+FFFD.
//            (2) Control characters, '"' and '\' are escaped; nothing else is.
//            (3) A number read back as a double is the same double; integers up to 2^53 have no
//                exponent and no point. Not finite: null.
// SOURCE     RFC 8259, section 7; the script rule is HTML's "restrictions for contents of script".
// TESTED BY  record_test.cc.

#ifndef RUBRIC_REPORTS_RESULTS_JSON_TEXT_H_
#define RUBRIC_REPORTS_RESULTS_JSON_TEXT_H_

#include <string>
#include <string_view>

namespace rubric {

void AppendJsonString(std::string& out, std::string_view text);
void AppendJsonNumber(std::string& out, double value);

std::string JsonString(std::string_view text);
std::string JsonNumber(double value);

// `json` (a valid JSON text) with '<', '>', '&', U+2028 and U+2029 written as \u escapes.
// REQUIRES: those characters occur inside strings only, as they do in any valid JSON.
std::string JsonForScript(std::string_view json);

// The length of the well-formed UTF-8 sequence at the start of `text`, 1 to 4; 0 if there is none.
// REQUIRES: !text.empty().
int Utf8SequenceLength(std::string_view text);

// `text` with every byte that is not part of well-formed UTF-8 replaced by U+FFFD.
std::string ValidUtf8(std::string_view text);

}  // namespace rubric

#endif  // RUBRIC_REPORTS_RESULTS_JSON_TEXT_H_
