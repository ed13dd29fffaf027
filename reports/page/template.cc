#include "reports/page/template.h"

#include <cstdio>
#include <cstdlib>
#include <set>

namespace rubric {

std::string ExpandTemplate(std::string_view text,
                           const std::map<std::string, std::string>& values) {
  std::string out;
  std::set<std::string> used;
  for (std::size_t open = text.find("{{"); open != std::string_view::npos; open = text.find("{{")) {
    const std::size_t close = text.find("}}", open);
    const std::string name(text.substr(open + 2, close - open - 2));
    const auto value = values.find(name);
    if (value == values.end()) {
      std::fprintf(stderr, "the template has a place {{%s}} that nothing fills\n", name.c_str());
      std::abort();
    }
    used.insert(name);
    out += text.substr(0, open);
    out += value->second;
    text.remove_prefix(close + 2);
  }
  if (used.size() != values.size()) {
    std::fprintf(stderr, "the template lacks a place for one of its values\n");
    std::abort();
  }
  out += text;
  return out;
}

}  // namespace rubric
