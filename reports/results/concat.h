// Concat: the arguments' text, one after another.
//
// USE        Concat("expected ", n, " values, found ", name). Text, characters, integers and
//            doubles (shortest form). Debian's absl::StrCat has a string_view of its own that
//            std::string_view does not convert to; this takes the standard one.
// COST       One string that grows. O(characters).

#ifndef RUBRIC_REPORTS_RESULTS_CONCAT_H_
#define RUBRIC_REPORTS_RESULTS_CONCAT_H_

#include <concepts>
#include <string>
#include <string_view>

#include "reports/results/json_text.h"

namespace rubric {

inline void AppendPiece(std::string& out, std::string_view text) { out += text; }
inline void AppendPiece(std::string& out, char character) { out += character; }
inline void AppendPiece(std::string& out, double value) { AppendJsonNumber(out, value); }
template <std::integral Integer>
void AppendPiece(std::string& out, Integer value) {
  out += std::to_string(value);
}

template <typename... Pieces>
std::string Concat(const Pieces&... pieces) {
  std::string out;
  (AppendPiece(out, pieces), ...);
  return out;
}

}  // namespace rubric

#endif  // RUBRIC_REPORTS_RESULTS_CONCAT_H_
