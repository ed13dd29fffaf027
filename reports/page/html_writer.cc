#include "reports/page/html_writer.h"

#include <algorithm>
#include <cstdlib>

#include "reports/text/escape.h"

namespace rubric {

void HtmlWriter::Tag(std::string_view tag, Attributes attributes, std::string_view end) {
  out_ += '<';
  out_ += tag;
  for (const auto& [name, value] : attributes) {
    if (value.empty()) continue;  // so that callers may leave a class out
    out_ += ' ';
    out_ += name;
    out_ += "=\"" + HtmlText(value) + '"';
  }
  out_ += end;
}

HtmlWriter& HtmlWriter::Open(std::string_view tag, Attributes attributes) {
  Tag(tag, attributes, ">");
  open_.emplace_back(tag);
  return *this;
}

HtmlWriter& HtmlWriter::Close() {
  if (open_.empty()) std::abort();  // a tag closed twice: a bug here, not in any input
  out_ += "</" + open_.back() + ">";
  open_.pop_back();
  return *this;
}

HtmlWriter& HtmlWriter::Text(std::string_view text) {
  out_ += HtmlText(text);
  return *this;
}

HtmlWriter& HtmlWriter::Element(std::string_view tag, Attributes attributes,
                                std::string_view text) {
  return Open(tag, attributes).Text(text).Close();
}

HtmlWriter& HtmlWriter::Empty(std::string_view tag, Attributes attributes) {
  Tag(tag, attributes, "/>");
  return *this;
}

HtmlWriter& HtmlWriter::Name(std::string_view name, std::string_view breaks) {
  Open("code");
  while (!name.empty()) {
    const std::size_t end = std::min(name.find(' '), name.size());
    // Browsers break after the hyphens of "--features", which reads badly; inside .word they do
    // not.
    if (end > 0) Open("span", {{"class", "word"}});
    std::string_view word = name.substr(0, end);
    while (!word.empty()) {
      const std::size_t next = std::min(word.find_first_of(breaks), word.size() - 1) + 1;
      Text(word.substr(0, next));
      word.remove_prefix(next);
      if (!word.empty()) Raw("<wbr>");
    }
    if (end > 0) Close();
    name.remove_prefix(end);
    if (name.empty()) break;
    Text(" ");
    name.remove_prefix(1);
  }
  return Close();
}

HtmlWriter& HtmlWriter::Raw(std::string_view markup) {
  out_ += markup;
  return *this;
}

std::string HtmlWriter::Take() {
  if (!open_.empty()) std::abort();
  return std::exchange(out_, "");
}

}  // namespace rubric
