// TextTable: aligned columns for a terminal, or a Markdown table, from the same cells.
//
// USE        Header once, Row for each line; then ToTerminal or ToMarkdown. Cells are escaped by
//            the caller for the format it asks for.
// COST       O(characters).
// INVARIANTS The first column is aligned left, the others right. Width counts code points: the text
//            here has no double-width characters of its own, and names that do are only misaligned.
// TESTED BY  text_test.cc.

#ifndef RUBRIC_REPORTS_TEXT_TEXT_TABLE_H_
#define RUBRIC_REPORTS_TEXT_TEXT_TABLE_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rubric {

class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header) : header_(std::move(header)) {}

  // Shorter rows are filled up with empty cells. REQUIRES: at most as many cells as the header.
  void Row(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }

  std::string ToTerminal(std::string_view indent = "") const;
  std::string ToMarkdown() const;

 private:
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
};

// Words of `text` over lines of at most `width` code points, all but the first indented.
std::string Wrapped(std::string_view text, std::size_t width, std::string_view indent);

}  // namespace rubric

#endif  // RUBRIC_REPORTS_TEXT_TEXT_TABLE_H_
