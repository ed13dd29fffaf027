#include "reports/text/escape.h"

#include <algorithm>

#include "reports/results/json_text.h"
#include "reports/results/terminal_text.h"

namespace rubric {

std::string HtmlText(std::string_view text) {
  std::string out;
  for (const char c : ValidUtf8(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      case '\n':
      case '\t':
        out += c;
        break;
      default:
        // HTML has no way to write the other control characters.
        out += IsControl(c) ? '?' : c;
    }
  }
  return out;
}

std::string MarkdownText(std::string_view text) {
  constexpr std::string_view kSpecial = "\\`*_[]<>|~&$";
  constexpr std::string_view kSpecialAtStart = "#+-=";
  std::string out;
  for (const char c : TerminalText(text, ' ')) {
    const bool special = kSpecial.find(c) != std::string_view::npos ||
                         (out.empty() && kSpecialAtStart.find(c) != std::string_view::npos);
    if (special) out += '\\';
    out += c;
  }
  return out;
}

std::string MarkdownCode(std::string_view text) {
  std::string line = TerminalText(text, ' ');
  if (line.find_first_not_of(' ') == std::string::npos) return "` `";
  // Whether a table takes "\\|" in a span for an escaped pipe or for the cell's end is read both
  // ways.
  if (line.find('\\') != std::string::npos && line.find('|') != std::string::npos) {
    return MarkdownText(text);
  }
  std::size_t longest = 0;
  std::size_t current = 0;
  for (const char c : line) {
    current = c == '`' ? current + 1 : 0;
    longest = std::max(longest, current);
  }
  const std::string fence(longest + 1, '`');
  // A backtick at either end needs a space, which CommonMark takes away again.
  if (line.front() == '`' || line.back() == '`') line = " " + line + " ";
  std::string out = fence;
  for (const char c : line) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out + fence;
}

std::string CsvField(std::string_view text) {
  std::string field(text);
  field.erase(std::remove(field.begin(), field.end(), '\0'), field.end());
  field = TerminalText(field, '?', "\t\r\n");
  constexpr std::string_view kFormula = "=+-@\t\r\n";
  if (!field.empty() && kFormula.find(field[0]) != std::string_view::npos) field.insert(0, 1, '\'');
  if (field.find_first_of("\",\r\n") == std::string::npos) return field;
  std::string out = "\"";
  for (const char c : field) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

}  // namespace rubric
