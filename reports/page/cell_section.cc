#include "reports/page/cell_section.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "reports/page/chart_data.h"
#include "reports/page/heat_map.h"
#include "reports/page/html_writer.h"
#include "reports/results/concat.h"
#include "reports/results/json_text.h"
#include "reports/results/names.h"
#include "reports/text/format.h"
#include "reports/text/verdict.h"

namespace rubric {
namespace {

std::string_view ClassOf(const Comparison& comparison, std::size_t row, const Ratio& ratio,
                         std::string_view metric) {
  if (!IsNoteworthy(comparison, row, ratio, metric)) return "";
  return ratio.ratio < 1 ? "better" : "worse";
}

void OpenTable(HtmlWriter& html, std::string_view label) {
  html.Open("div", {{"class", "scroll"},
                    {"tabindex", "0"},
                    {"role", "region"},
                    {"aria-label", std::string(label)}});
  html.Open("table");
}

void CloseTable(HtmlWriter& html) { html.Close().Close(); }

void WriteHeader(HtmlWriter& html, const std::vector<std::string>& titles) {
  html.Open("thead").Open("tr");
  for (const std::string& title : titles) html.Element("th", {{"scope", "col"}}, title);
  html.Close().Close();
}

void WriteVariantTitle(HtmlWriter& html, const Variant& variant) {
  html.Open("th", {{"scope", "row"}}).Name(variant.name, "=,");
  if (variant.is_control) html.Element("span", {{"class", "tag"}}, "A/A control");
  html.Close();
}

std::string RowClass(std::size_t variant) { return variant == 0 ? "baseline" : ""; }

void WriteExact(HtmlWriter& html, const Comparison& comparison, std::size_t row) {
  const std::vector<Cell>& cells = comparison.rows[row].cells;
  std::vector<std::string> metrics;
  for (const std::string& metric : MetricNames(comparison, /*exact=*/true)) {
    const bool used = std::any_of(cells.begin(), cells.end(), [&](const Cell& cell) {
      return Find(cell.exact, metric) != nullptr;
    });
    if (used) metrics.push_back(metric);
  }
  if (metrics.empty()) return;
  // Metrics that no swap touched are said once, in a line, and leave the table to the others.
  std::string alike;
  const auto is_alike = [&](const std::string& metric) {
    const ExactFigure* first = nullptr;
    for (const Cell& cell : cells) {
      if (cell.state != CellState::kOk) continue;
      const ExactFigure* figure = Find(cell.exact, metric);
      if (figure == nullptr || (first != nullptr && figure->value != first->value)) return false;
      first = figure;
    }
    if (first == nullptr) return false;
    alike += Concat(alike.empty() ? "" : ", ", MetricTitle(metric), " ", Grouped(first->value));
    return true;
  };
  std::erase_if(metrics, is_alike);
  html.Element("h4", {}, "Exact metrics");
  if (!alike.empty())
    html.Element("p", {{"class", "note"}}, "The same in every variant: " + alike + ".");
  if (metrics.empty()) return;
  OpenTable(html, "Exact metrics");
  std::vector<std::string> titles = {"variant"};
  for (const std::string& metric : metrics) titles.push_back(MetricTitle(metric));
  WriteHeader(html, titles);
  html.Open("tbody");
  for (std::size_t v = 0; v < cells.size(); ++v) {
    if (cells[v].state != CellState::kOk) continue;
    html.Open("tr", {{"class", RowClass(v)}});
    WriteVariantTitle(html, comparison.variants[v]);
    for (const std::string& metric : metrics) {
      const ExactFigure* figure = Find(cells[v].exact, metric);
      html.Open("td", {{"title", figure == nullptr ? "" : Figure(figure->value, figure->unit)}});
      html.Text(figure == nullptr ? "–" : Grouped(figure->value));
      const auto ratio = v == 0 ? std::nullopt : RatioToBaseline(comparison, row, v, metric);
      if (ratio && ratio->ratio != 1) {
        html.Element("span",
                     {{"class", Concat("ratio ", ClassOf(comparison, row, *ratio, metric))}},
                     ChangeText(*ratio));
      }
      html.Close();
    }
    html.Close();
  }
  html.Close();
  CloseTable(html);
}

// The scale of a section's interval pictures: logarithmic, the same to both sides of 1.
double FarthestInterval(const Comparison& comparison, std::size_t row, std::string_view metric) {
  double farthest = std::log(1.05);  // or a cell without any effect would show its noise life-size
  for (std::size_t v = 1; v < comparison.variants.size(); ++v) {
    const auto ratio = RatioToBaseline(comparison, row, v, metric);
    if (!ratio || ratio->exact || ratio->figures) continue;
    farthest = std::max(farthest, std::fabs(std::log(ratio->ratio)));
    if (!ratio->interval) continue;
    farthest = std::max({farthest, std::fabs(std::log(ratio->interval->low)),
                         std::fabs(std::log(ratio->interval->high))});
  }
  return farthest;
}

void WriteInterval(HtmlWriter& html, const Ratio& ratio, double farthest, std::string_view kind) {
  constexpr double kHalf = 88;  // pixels; the picture is 180 wide
  const auto x = [&](double value) {
    return JsonNumber(std::round((90 + std::log(value) / farthest * kHalf) * 10) / 10);
  };
  const std::string colour = kind == "better" ? "less" : kind == "worse" ? "more" : "";
  html.Open("svg", {{"class", "interval"}, {"viewBox", "0 0 180 16"}, {"aria-hidden", "true"}});
  html.Empty("line", {{"class", "one"}, {"x1", "90"}, {"x2", "90"}, {"y1", "0"}, {"y2", "16"}});
  if (ratio.interval) {
    html.Empty("line", {{"class", colour},
                        {"x1", x(ratio.interval->low)},
                        {"x2", x(ratio.interval->high)},
                        {"y1", "8"},
                        {"y2", "8"}});
  }
  html.Empty("circle", {{"class", colour}, {"cx", x(ratio.ratio)}, {"cy", "8"}, {"r", "3.5"}});
  html.Close();
}

std::string IntervalText(const Ratio& ratio) {
  if (!ratio.interval) return "too few processes";
  // Of figures without a ratio only this much can be told.
  if (ratio.figures) return ratio.is_difference() ? "apart" : "not sure";
  return Concat(RatioNumber(ratio.interval->low), " – ", RatioNumber(ratio.interval->high));
}

void WriteNoisy(HtmlWriter& html, const Comparison& comparison, std::size_t row) {
  const std::vector<Cell>& cells = comparison.rows[row].cells;
  std::vector<std::string> metrics = MetricNames(comparison, /*exact=*/false);
  std::stable_partition(metrics.begin(), metrics.end(), [&](const std::string& metric) {
    return metric == comparison.time_metric;
  });
  for (const std::string& metric : metrics) {
    const bool used = std::any_of(cells.begin(), cells.end(), [&](const Cell& cell) {
      return Find(cell.noisy, metric) != nullptr;
    });
    if (!used) continue;
    const bool is_main = metric == comparison.time_metric;
    if (is_main) {
      html.Element("h4", {}, MetricTitle(metric));
    } else {
      html.Open("details").Element("summary", {}, MetricTitle(metric));
    }
    const double farthest = FarthestInterval(comparison, row, metric);
    OpenTable(html, MetricTitle(metric));
    WriteHeader(html,
                {"variant", "median", "spread", "quartiles", "processes", "ratio", "95 % interval",
                 Concat("from ", RatioNumber(std::exp(-farthest)), " to ",
                        RatioNumber(std::exp(farthest)))});
    html.Open("tbody");
    for (std::size_t v = 0; v < cells.size(); ++v) {
      const NoisyFigure* figure = Find(cells[v].noisy, metric);
      if (figure == nullptr) continue;
      html.Open("tr", {{"class", RowClass(v)}});
      WriteVariantTitle(html, comparison.variants[v]);
      html.Element("td", {}, Figure(figure->summary.median, figure->unit));
      html.Element("td", {}, SpreadText(figure->summary));
      html.Element("td", {},
                   Concat(Figure(figure->summary.q1, figure->unit), " – ",
                          Figure(figure->summary.q3, figure->unit)));
      html.Element("td", {}, Concat(figure->samples.size()));
      const auto ratio = v == 0 ? std::nullopt : RatioToBaseline(comparison, row, v, metric);
      if (!ratio) {
        html.Element("td", {}, v == 0 ? "1" : "–").Element("td", {}, "").Element("td", {}, "");
      } else {
        const std::string_view kind = ClassOf(comparison, row, *ratio, metric);
        html.Element("td", {{"class", std::string(kind)}}, RatioText(*ratio));
        html.Element("td", {}, IntervalText(*ratio));
        html.Open("td");
        if (!ratio->figures) WriteInterval(html, *ratio, farthest, kind);
        html.Close();
      }
      html.Close();
    }
    html.Close();
    CloseTable(html);
    if (!is_main) html.Close();
  }
}

std::vector<std::string> SubsystemNames(const std::vector<Cell>& cells) {
  std::vector<std::string> names;
  for (const Cell& cell : cells) {
    for (const auto& [name, use] : cell.subsystems) {
      const bool known = std::find(names.begin(), names.end(), name) != names.end();
      if (!known && use != SubsystemUse{}) names.push_back(name);
    }
  }
  return names;
}

// A stack of live bytes, one shade a subsystem, as wide as the variant's share of the largest.
void WriteStack(HtmlWriter& html, const Cell& cell, const std::vector<std::string>& names,
                double largest) {
  html.Open("td").Open("span", {{"class", "stack"}, {"aria-hidden", "true"}});
  for (std::size_t i = 0; i < names.size(); ++i) {
    const SubsystemUse* use = Find(cell.subsystems, names[i]);
    if (use == nullptr || use->live_bytes <= 0 || largest <= 0) continue;
    const double share = static_cast<double>(use->live_bytes) / largest * 100;
    html.Element(
        "i",
        {{"style", Concat("--size:", JsonNumber(std::round(share * 100) / 100), "%;--shade:hsl(",
                          (205 + 47 * i) % 360, " 42% ", i % 2 == 0 ? 48 : 62, "%)")},
         {"title", Concat(names[i], ": ", Figure(static_cast<double>(use->live_bytes), "bytes"))}},
        "");
  }
  html.Close().Close();
}

void WriteSubsystems(HtmlWriter& html, const Comparison& comparison, std::size_t row) {
  const std::vector<Cell>& cells = comparison.rows[row].cells;
  const std::vector<std::string> names = SubsystemNames(cells);
  if (names.empty()) return;
  double largest = 0;
  for (const Cell& cell : cells) {
    double sum = 0;
    for (const auto& [name, use] : cell.subsystems) sum += std::max<double>(0, use.live_bytes);
    largest = std::max(largest, sum);
  }
  html.Element("h4", {}, "Memory by subsystem");
  OpenTable(html, "Live bytes by subsystem");
  std::vector<std::string> titles = {"variant"};
  titles.insert(titles.end(), names.begin(), names.end());
  titles.push_back("live bytes at the end");
  WriteHeader(html, titles);
  html.Open("tbody");
  for (std::size_t v = 0; v < cells.size(); ++v) {
    if (cells[v].subsystems.empty()) continue;
    html.Open("tr", {{"class", RowClass(v)}});
    WriteVariantTitle(html, comparison.variants[v]);
    for (const std::string& name : names) {
      const SubsystemUse* use = Find(cells[v].subsystems, name);
      html.Element("td", {},
                   use == nullptr ? "–" : Figure(static_cast<double>(use->live_bytes), "bytes"));
    }
    WriteStack(html, cells[v], names, largest);
    html.Close();
  }
  html.Close();
  CloseTable(html);

  html.Open("details").Element("summary", {}, "Every counter of every subsystem");
  OpenTable(html, "Every counter of every subsystem");
  WriteHeader(html, {"variant", "subsystem", "malloc calls", "free calls", "bytes asked for",
                     "bytes usable", "live bytes", "peak bytes"});
  html.Open("tbody");
  for (std::size_t v = 0; v < cells.size(); ++v) {
    for (const auto& [name, use] : cells[v].subsystems) {
      if (use == SubsystemUse{}) continue;
      html.Open("tr");
      WriteVariantTitle(html, comparison.variants[v]);
      html.Element("td", {{"class", "text"}}, name);
      for (const std::int64_t value : {use.malloc_calls, use.free_calls, use.bytes_requested,
                                       use.bytes_usable, use.live_bytes, use.peak_bytes}) {
        html.Element("td", {}, Grouped(static_cast<double>(value)));
      }
      html.Close();
    }
  }
  html.Close();
  CloseTable(html);
  html.Close();
}

// Where each curve leaves the baseline's: the chart's marks as text.
void WritePartings(HtmlWriter& html, const Comparison& comparison, const std::vector<Cell>& cells) {
  if (!cells[0].live_bytes) return;
  HtmlWriter rows;
  bool any = false;
  for (std::size_t v = 1; v < cells.size(); ++v) {
    if (!cells[v].live_bytes) continue;
    const auto parting = FindPartingPoint(*cells[0].live_bytes, *cells[v].live_bytes);
    if (!parting) continue;
    any = true;
    rows.Open("tr");
    WriteVariantTitle(rows, comparison.variants[v]);
    rows.Element("td", {}, Grouped(static_cast<double>(parting->call)));
    rows.Element("td", {}, Figure(static_cast<double>(parting->variant_bytes), "bytes"));
    rows.Element("td", {}, Figure(static_cast<double>(parting->baseline_bytes), "bytes"));
    rows.Element("td", {}, Grouped(static_cast<double>(cells[v].live_bytes->calls_total)));
    rows.Close();
  }
  if (!any) return;
  html.Open("details").Element("summary", {}, "Where the curves part");
  html.Open("p", {{"class", "note"}});
  html.Text(
      Concat("The first call after which live bytes differ from the baseline's by more than 1 % of "
             "its highest. "
             "The baseline makes ",
             Grouped(static_cast<double>(cells[0].live_bytes->calls_total)), " calls in all."));
  html.Close();
  OpenTable(html, "Where the curves part");
  WriteHeader(
      html, {"variant", "parts at call", "its live bytes there", "the baseline's", "calls in all"});
  html.Open("tbody").Raw(rows.Take()).Close();
  CloseTable(html);
  html.Close();
}

void WriteCurve(HtmlWriter& html, const Comparison& comparison, std::size_t row) {
  const std::vector<Cell>& cells = comparison.rows[row].cells;
  const auto groups = GroupByCurve(comparison.rows[row]);
  if (groups.empty()) return;
  html.Open("figure").Open("figcaption");
  html.Element("strong", {}, "Live bytes after the n-th allocator call");
  html.Text(", usable bytes as the allocator gives them.").Close();
  html.Open("div", {{"class", "chart"}, {"data-row", Concat(row)}}).Close();
  html.Close();
  for (const auto& members : groups) {
    if (members.size() < 2) continue;
    html.Open("p", {{"class", "note"}}).Text("The same curve, to 0.1 %: ");
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (i > 0) html.Text(i + 1 == members.size() ? " and " : ", ");
      html.Name(comparison.variants[members[i]].name, ",");
    }
    html.Text(".").Close();
  }
  WritePartings(html, comparison, cells);
}

}  // namespace

std::string CellSection(const Comparison& comparison, std::size_t row) {
  const Row& cell_row = comparison.rows[row];
  HtmlWriter html;
  html.Open("article", {{"class", "cell"}, {"id", CellAnchor(row)}});
  html.Open("h3").Name(cell_row.label, "=/").Close();
  std::string params;
  for (const auto& [name, value] : cell_row.params) {
    params += Concat(params.empty() ? "" : ", ", name, " ", ParamText(value));
  }
  if (!params.empty()) html.Element("p", {{"class", "note"}}, params);
  for (std::size_t v = 0; v < cell_row.cells.size(); ++v) {
    const Cell& cell = cell_row.cells[v];
    if (cell.state == CellState::kOk) continue;
    html.Open("p", {{"class", "alarm"}}).Name(comparison.variants[v].name, "=,");
    html.Text(Concat(" is left out here: ", StateName(cell.state), ": ", cell.reason)).Close();
  }
  WriteCurve(html, comparison, row);
  WriteExact(html, comparison, row);
  WriteNoisy(html, comparison, row);
  WriteSubsystems(html, comparison, row);
  html.Close();
  return html.Take();
}

}  // namespace rubric
