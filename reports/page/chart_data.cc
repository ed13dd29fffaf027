#include "reports/page/chart_data.h"

#include <algorithm>
#include <cstdint>

#include "reports/results/concat.h"
#include "reports/results/json_text.h"

namespace rubric {
namespace {

// Appends `[a,b,…]`, each element by `append`.
template <typename Elements, typename Append>
void AppendArray(std::string& out, const Elements& elements, Append append) {
  out += '[';
  bool first = true;
  for (const auto& element : elements) {
    if (!first) out += ',';
    first = false;
    append(element);
  }
  out += ']';
}

void AppendIntegers(std::string& out, const std::vector<std::int64_t>& integers) {
  AppendArray(out, integers, [&](std::int64_t integer) { out += std::to_string(integer); });
}

// To the eye, that is: chunks that lie differently move a curve by some bytes.
bool IsSameCurve(const LiveBytesCurve& a, const LiveBytesCurve& b) {
  constexpr double kShare = 0.001;
  return a.calls_total == b.calls_total && !FindPartingPoint(a, b, kShare);
}

}  // namespace

std::vector<std::vector<std::size_t>> GroupByCurve(const Row& row) {
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t v = 0; v < row.cells.size(); ++v) {
    if (!row.cells[v].live_bytes) continue;
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& members) {
      return IsSameCurve(*row.cells[members[0]].live_bytes, *row.cells[v].live_bytes);
    });
    if (group == groups.end()) {
      groups.push_back({v});
    } else {
      group->push_back(v);
    }
  }
  return groups;
}

std::string ChartData(const Comparison& comparison) {
  std::string out = "{\"variants\":";
  AppendArray(out, comparison.variants, [&](const Variant& variant) {
    out += Concat("{\"name\":", JsonString(variant.name),
                  ",\"control\":", variant.is_control ? "true" : "false", "}");
  });
  out += ",\"rows\":";
  AppendArray(out, comparison.rows, [&](const Row& row) {
    out += Concat("{\"label\":", JsonString(row.label), ",\"curves\":");
    AppendArray(out, GroupByCurve(row), [&](const std::vector<std::size_t>& members) {
      const LiveBytesCurve& curve = *row.cells[members[0]].live_bytes;
      out += "{\"variants\":";
      AppendArray(out, members, [&](std::size_t member) { out += std::to_string(member); });
      out += ",\"call\":";
      AppendIntegers(out, curve.call);
      out += ",\"bytes\":";
      AppendIntegers(out, curve.bytes);
      out += '}';
    });
    out += ",\"partings\":[";
    bool first = true;
    for (std::size_t v = 1; v < row.cells.size() && row.cells[0].live_bytes; ++v) {
      if (!row.cells[v].live_bytes) continue;
      const auto parting = FindPartingPoint(*row.cells[0].live_bytes, *row.cells[v].live_bytes);
      if (!parting) continue;
      out += Concat(first ? "" : ",", "{\"variant\":", v, ",\"call\":", parting->call,
                    ",\"bytes\":", parting->variant_bytes, "}");
      first = false;
    }
    out += "]}";
  });
  return JsonForScript(out + "}");
}

}  // namespace rubric
