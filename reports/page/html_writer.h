// HtmlWriter: well-nested HTML in which every text is escaped, by construction.
//
// USE        html.Open("td", {{"class", "exact"}}); html.Text(name); html.Close();
// COST       O(characters).
// INVARIANTS (1) Tags close in the order they opened; Take() requires that all have.
//            (2) Text and attribute values are escaped; only tag and attribute names and the
//            argument of
//                Raw are not, and those never come from results.
// TESTED BY  page_test.cc.

#ifndef RUBRIC_REPORTS_PAGE_HTML_WRITER_H_
#define RUBRIC_REPORTS_PAGE_HTML_WRITER_H_

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rubric {

class HtmlWriter {
 public:
  using Attributes = std::initializer_list<std::pair<std::string_view, std::string>>;

  HtmlWriter& Open(std::string_view tag, Attributes attributes = {});
  HtmlWriter& Close();  // the innermost open tag
  HtmlWriter& Text(std::string_view text);
  // A whole element with text in it.
  HtmlWriter& Element(std::string_view tag, Attributes attributes, std::string_view text);
  // An SVG element without content.
  HtmlWriter& Empty(std::string_view tag, Attributes attributes);
  // A name in <code> that breaks only between its words, or after one of `breaks` inside them.
  HtmlWriter& Name(std::string_view name, std::string_view breaks = "");
  // Markup made by another HtmlWriter.
  HtmlWriter& Raw(std::string_view markup);

  // The markup; the writer is empty afterwards. REQUIRES: no open tag.
  std::string Take();

 private:
  void Tag(std::string_view tag, Attributes attributes, std::string_view end);

  std::string out_;
  std::vector<std::string> open_;
};

}  // namespace rubric

#endif  // RUBRIC_REPORTS_PAGE_HTML_WRITER_H_
