#include "reports/results/names.h"

#include <algorithm>
#include <cstddef>

#include "reports/results/json_text.h"

namespace rubric {
namespace {

// Optimal string alignment distance: an edit distance that counts two swapped neighbours as one.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before.swap(above);
    above.swap(row);
  }
  return above[b.size()];
}

}  // namespace

std::string VariantName(const Choices& variant, const Choices& defaults) {
  std::string name;
  for (const auto& [axis, backend] : variant) {
    const std::string* usual = Find(defaults, axis);
    if (usual != nullptr && *usual == backend) continue;
    if (!name.empty()) name += ',';
    name += axis + "=" + backend;
  }
  return name.empty() ? std::string(kBaselineName) : name;
}

std::string ParamText(const ParamValue& value) {
  if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const std::int64_t* integer = std::get_if<std::int64_t>(&value)) {
    return std::to_string(*integer);
  }
  if (const double* real = std::get_if<double>(&value)) return JsonNumber(*real);
  return std::get<std::string>(value);
}

std::string ShellWord(std::string_view text) {
  constexpr std::string_view kHarmless =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./,:=+-@%";
  if (!text.empty() && text.find_first_not_of(kHarmless) == std::string_view::npos) {
    return std::string(text);
  }
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      out += '?';  // a label is one line
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string CellLabel(std::string_view experiment, const Params& params, const Params& defaults) {
  std::string label(experiment);
  for (const auto& [name, value] : params) {
    const ParamValue* usual = Find(defaults, name);
    if (usual != nullptr && *usual == value) continue;
    const std::string text = ParamText(value);
    label += " --" + name + "=" + (text.empty() ? "" : ShellWord(text));
  }
  return label;
}

std::string CellLabel(const Record& record) {
  return record.cell.empty() ? CellLabel(record.experiment, record.params) : record.cell;
}

std::string CellKey(std::string_view experiment, const Params& params) {
  std::vector<std::string> fields;
  for (const auto& [name, value] : params) {
    // The kind is part of the value: "10" is another parameter than 10.
    fields.push_back(JsonString(name) + ":" + std::to_string(value.index()) +
                     JsonString(ParamText(value)));
  }
  std::sort(fields.begin(), fields.end());
  std::string key = JsonString(experiment);
  for (const std::string& field : fields) key += "," + field;
  return key;
}

std::string CellKey(const Record& record) { return CellKey(record.experiment, record.params); }

std::string NearestName(std::string_view name, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance = 0;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = EditDistance(name, candidate);
    const std::size_t longer = std::max(name.size(), candidate.size());
    if (distance > std::max<std::size_t>(2, longer * 2 / 5) || distance >= longer) continue;
    if (best.empty() || distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace rubric
