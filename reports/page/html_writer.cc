#include "reports/page/html_writer.h"

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

HtmlWriter& HtmlWriter::Raw(std::string_view markup) {
  out_ += markup;
  return *this;
}

std::string HtmlWriter::Take() {
  if (!open_.empty()) std::abort();
  return std::exchange(out_, "");
}

}  // namespace rubric
