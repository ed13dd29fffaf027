#include "reports/results/terminal_text.h"

#include "reports/results/json_text.h"

namespace rubric {

bool IsControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

std::string TerminalText(std::string_view text, char replacement, std::string_view kept) {
  std::string line = ValidUtf8(text);
  for (char& c : line) {
    if (IsControl(c) && kept.find(c) == std::string_view::npos) c = replacement;
  }
  // C1 control characters, U+0080 to U+009F: terminals take U+009B for the start of a sequence.
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    if (line[i] == '\xC2' && static_cast<unsigned char>(line[i + 1]) < 0xA0) {
      line.replace(i, 2, 1, replacement);
    }
  }
  return line;
}

}  // namespace rubric
