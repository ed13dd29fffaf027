#include "reports/text/text_table.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace rubric {
namespace {

std::size_t Width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

}  // namespace

void TextTable::Row(std::vector<std::string> cells) {
  cells.resize(header_.size());
  rows_.push_back(std::move(cells));
}

std::string TextTable::ToTerminal(std::string_view indent) const {
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < header_.size(); ++column) {
    std::size_t width = Width(header_[column]);
    for (const auto& row : rows_) width = std::max(width, Width(row[column]));
    widths.push_back(width);
  }
  std::string out;
  const auto append = [&](const std::vector<std::string>& row) {
    std::string line(indent);
    for (std::size_t column = 0; column < row.size(); ++column) {
      const std::string padding(widths[column] - Width(row[column]), ' ');
      if (column > 0) line += "  ";
      line += column == 0 ? row[column] + padding : padding + row[column];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  };
  append(header_);
  for (const auto& row : rows_) append(row);
  return out;
}

std::string TextTable::ToMarkdown() const {
  std::string out;
  const auto append = [&out](const std::vector<std::string>& row) {
    out += "|";
    for (const std::string& cell : row) out += " " + cell + " |";
    out += "\n";
  };
  append(header_);
  out += "|";
  for (std::size_t column = 0; column < header_.size(); ++column)
    out += column == 0 ? "---|" : "---:|";
  out += "\n";
  for (const auto& row : rows_) append(row);
  return out;
}

std::string Wrapped(std::string_view text, std::size_t width, std::string_view indent) {
  std::string out;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t space = text.find(' ');
    const std::string_view word = text.substr(0, space);
    if (column > 0 && column + 1 + Width(word) > width) {
      out += "\n";
      out += indent;
      column = Width(indent);
    } else if (column > 0) {
      out += " ";
      ++column;
    }
    out += word;
    column += Width(word);
    text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
  }
  return out;
}

}  // namespace rubric
