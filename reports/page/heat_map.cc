#include "reports/page/heat_map.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "reports/page/html_writer.h"
#include "reports/results/concat.h"
#include "reports/results/json_text.h"
#include "reports/text/format.h"
#include "reports/text/verdict.h"

namespace rubric {
namespace {

// How much colour a ratio gets: none at 1, all of it at half or at double.
std::string Heat(double ratio) {
  const double doublings = ratio > 0 ? std::fabs(std::log2(ratio)) : 1;
  return Concat("--heat:", JsonNumber(std::round(std::min(1.0, doublings) * 1000) / 1000));
}

void WriteColumnTitle(HtmlWriter& html, const Variant& variant) {
  html.Open("th", {{"scope", "col"}});
  // A name may break inside, or 24 columns would not fit on any screen.
  html.Name(variant.name, "=,");
  if (variant.is_control) html.Raw("<br>").Element("small", {}, "A/A control");
  html.Close();
}

void WriteCell(HtmlWriter& html, const Comparison& comparison, std::size_t row, std::size_t variant,
               std::string_view metric) {
  const Cell& cell = comparison.rows[row].cells[variant];
  const std::string link = "#" + CellAnchor(row);
  if (cell.state != CellState::kOk) {
    html.Open("td", {{"class", "gone"}});
    html.Element("a", {{"href", link}, {"title", cell.reason}}, StateName(cell.state));
    html.Close();
    return;
  }
  const std::optional<Ratio> ratio = RatioToBaseline(comparison, row, variant, metric);
  if (!ratio) {
    const std::string_view why = comparison.rows[row].cells[0].state == CellState::kOk
                                     ? "one side does not report this metric"
                                     : "the baseline has no figure here";
    html.Open("td", {{"class", "same"}});
    html.Element("a", {{"href", link}, {"title", std::string(why)}}, "–").Close();
    return;
  }
  const bool noteworthy = IsNoteworthy(comparison, row, *ratio, metric);
  const std::string kind = !noteworthy        ? (ratio->exact ? "same" : "unsure")
                           : ratio->ratio < 1 ? "less"
                                              : "more";
  html.Open("td", {{"class", kind}, {"style", noteworthy ? Heat(ratio->ratio) : ""}});
  html.Element("a",
               {{"href", link},
                {"title", Concat(ChangeText(*ratio), " ", MetricTitle(metric), ", ",
                                 RatioWithInterval(*ratio))}},
               RatioText(*ratio));
  html.Close();
}

}  // namespace

std::string CellAnchor(std::size_t row) { return Concat("cell-", row); }

std::string HeatMaps(const Comparison& comparison) {
  HtmlWriter html;
  html.Open("p", {{"class", "note"}});
  html.Text("Each figure is a ratio to ").Element("code", {}, comparison.baseline().name);
  html.Text(
      " in one cell: below 1 is less memory, fewer calls, less time. Follow one to its cell.");
  html.Close();
  int index = 0;
  for (const std::string_view metric :
       {kPeakMetric, kCallsMetric, std::string_view(comparison.time_metric)}) {
    const std::string title = MetricTitle(metric);
    html.Open("div", {{"class", "panel"}, {"id", Concat("map-", index++)}, {"data-title", title}});
    html.Element("h3", {}, title);
    html.Open("div", {{"class", "scroll"},
                      {"tabindex", "0"},
                      {"role", "region"},
                      {"aria-label", Concat("Map of ", title)}});
    html.Open("table", {{"class", "map"}}).Open("thead").Open("tr");
    html.Element("th", {{"scope", "col"}}, "cell");
    for (std::size_t v = 1; v < comparison.variants.size(); ++v) {
      WriteColumnTitle(html, comparison.variants[v]);
    }
    html.Close().Close().Open("tbody");
    for (std::size_t row = 0; row < comparison.rows.size(); ++row) {
      html.Open("tr").Open("th", {{"scope", "row"}});
      html.Name(comparison.rows[row].label, "=/").Close();
      for (std::size_t v = 1; v < comparison.variants.size(); ++v) {
        WriteCell(html, comparison, row, v, metric);
      }
      html.Close();
    }
    html.Close().Close().Close().Close();
  }
  html.Open("ul", {{"class", "key"}});
  for (const auto& [kind, text] :
       {std::pair("less", "less than the baseline, full colour at half"),
        std::pair("more", "more than the baseline, full colour at double"),
        std::pair("same", "no difference: equal, or a time whose interval includes 1"),
        std::pair("gone", "no figure: failed, timed out, wrong or missing")}) {
    html.Open("li").Element("span", {{"class", kind}}, "").Text(text).Close();
  }
  html.Close();
  return html.Take();
}

}  // namespace rubric
