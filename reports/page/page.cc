#include "reports/page/page.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/page/cell_section.h"
#include "reports/page/chart_data.h"
#include "reports/page/heat_map.h"
#include "reports/page/html_writer.h"
#include "reports/page/page_files.h"
#include "reports/page/template.h"
#include "reports/results/concat.h"
#include "reports/results/json_text.h"
#include "reports/results/names.h"
#include "reports/text/escape.h"
#include "reports/text/format.h"
#include "reports/text/verdict.h"
#include "reports/text/verdict_table.h"

namespace rubric {
namespace {

std::string Title(const Comparison& comparison) {
  return Concat(Counted(comparison.variants.size(), "variant", "variants"), " over ",
                Counted(comparison.rows.size(), "cell", "cells"));
}

std::string Header(const Comparison& comparison) {
  HtmlWriter html;
  html.Element("p", {{"class", "brand"}}, "Rubric · comparison");
  html.Element("h1", {}, Title(comparison));
  html.Open("ul", {{"class", "facts"}});
  const auto fact = [&html](const std::string& text) {
    if (!text.empty()) html.Element("li", {}, text);
  };
  for (const MachineInfo& machine : comparison.machines) fact(machine.cpu);
  fact(comparison.baseline().build.compiler);
  const std::string& commit = comparison.baseline().build.commit;
  if (!commit.empty()) fact("commit " + commit.substr(0, 12));
  fact(comparison.started_at);
  html.Close();
  return html.Take();
}

void WriteSentence(HtmlWriter& html, const Sentence& sentence) {
  for (const Phrase& phrase : sentence) {
    switch (phrase.kind) {
      case Phrase::Kind::kWords:
        html.Text(phrase.text);
        break;
      case Phrase::Kind::kName:
        html.Name(phrase.text, "=,/");
        break;
      case Phrase::Kind::kBetter:
        html.Element("span", {{"class", "better"}}, phrase.text);
        break;
      case Phrase::Kind::kWorse:
        html.Element("span", {{"class", "worse"}}, phrase.text);
        break;
    }
  }
}

void WriteSentences(HtmlWriter& html, std::string_view title,
                    const std::vector<Sentence>& sentences) {
  if (sentences.empty()) return;
  html.Element("h3", {}, title).Open("ul", {{"class", "sentences"}});
  for (const Sentence& sentence : sentences) {
    html.Open("li");
    WriteSentence(html, sentence);
    html.Close();
  }
  html.Close();
}

std::string VerdictSection(const Comparison& comparison) {
  const Verdict verdict = MakeVerdict(comparison);
  HtmlWriter html;
  if (!comparison.dropped.empty()) {
    html.Open("p", {{"class", "alarm"}});
    html.Text(Concat(Counted(comparison.dropped.size(), "cell is", "cells are"),
                     " left out of all that follows. "));
    html.Element("a", {{"href", "#dropped"}}, "Which, and why").Close();
  }
  html.Open("div", {{"class", "awards"}});
  for (const Award& award : verdict.awards) {
    html.Open("section", {{"class", "award"}});
    html.Element("h3", {{"class", "title"}}, award.title);
    html.Element("p", {{"class", award.mean ? "figure" : "figure none"}},
                 award.mean ? ChangeText(*award.mean) : "–");
    if (award.variant) {
      html.Open("p", {{"class", "winner"}});
      html.Name(comparison.variants[*award.variant].name, "=,").Close();
    }
    html.Open("p", {{"class", "detail"}});
    WriteSentence(html, award.detail);
    html.Close().Close();
  }
  html.Close();
  WriteSentences(html, "By variant", verdict.variants);
  WriteSentences(html, "To bear in mind", verdict.caveats);
  return html.Take();
}

// A bar from the middle, 1: its full half is a halving or a doubling.
void WriteBar(HtmlWriter& html, double ratio) {
  const double doublings = std::min(1.0, std::fabs(std::log2(ratio)));
  html.Open("span", {{"class", "bar"}, {"aria-hidden", "true"}});
  html.Element("i",
               {{"class", ratio < 1 ? "less" : "more"},
                {"style", Concat("--size:", JsonNumber(std::round(doublings * 500) / 10), "%")}},
               "");
  html.Close();
}

std::string MeansSection(const Comparison& comparison) {
  HtmlWriter html;
  html.Open("p", {{"class", "note"}});
  html.Text("Geometric means of the ratios to ").Element("code", {}, comparison.baseline().name);
  html.Text(
      Concat(", over those of the ", Counted(comparison.rows.size(), "cell", "cells"),
             " that both sides have. A mean over cells which a swap cannot touch is close to 1: "
             "the map below shows where it does something."));
  html.Close();
  html.Open("div",
            {{"class", "scroll"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", "Means"}});
  html.Open("table").Open("thead").Open("tr");
  html.Element("th", {{"scope", "col"}}, "variant");
  const std::string_view metrics[] = {kPeakMetric, kCallsMetric, comparison.time_metric};
  for (const std::string_view metric : metrics) {
    html.Element("th", {{"scope", "col"}, {"colspan", "2"}, {"class", "wide"}},
                 MetricTitle(metric));
  }
  html.Element("th", {{"scope", "col"}}, "cells").Close().Close().Open("tbody");
  for (std::size_t v = 1; v < comparison.variants.size(); ++v) {
    html.Open("tr").Open("th", {{"scope", "row"}});
    html.Name(comparison.variants[v].name, "=,");
    if (comparison.variants[v].is_control) html.Element("span", {{"class", "tag"}}, "A/A control");
    html.Close();
    std::size_t fewest = comparison.rows.size();
    for (const std::string_view metric : metrics) {
      const std::optional<MeanRatio> mean = MeanRatioToBaseline(comparison, v, metric);
      fewest = std::min(fewest, mean ? mean->rows : 0);
      html.Element("td", {}, MeanText(comparison, v, metric));
      html.Open("td", {{"class", "bars"}});
      if (mean) WriteBar(html, mean->ratio);
      html.Close();
    }
    html.Element("td", {}, CountOf(fewest, comparison.rows.size())).Close();
  }
  html.Close().Close().Close();
  return html.Take();
}

std::string Legend(const Comparison& comparison) {
  HtmlWriter html;
  // Hidden until the script that makes it work is there.
  html.Open("div", {{"class", "legend"},
                    {"role", "toolbar"},
                    {"aria-label", "Variants in the charts"},
                    {"hidden", "hidden"}});
  for (std::size_t v = 0; v < comparison.variants.size(); ++v) {
    html.Open("button",
              {{"type", "button"}, {"data-variant", Concat(v)}, {"aria-pressed", "true"}});
    html.Open("svg", {{"width", "22"}, {"height", "8"}, {"aria-hidden", "true"}});
    html.Empty("line", {{"x1", "0"}, {"x2", "22"}, {"y1", "4"}, {"y2", "4"}});
    html.Close().Text(TitleOf(comparison.variants[v])).Close();
  }
  html.Element("button", {{"type", "button"}}, "show all").Close();
  return html.Take();
}

std::string DroppedSection(const Comparison& comparison) {
  if (comparison.dropped.empty()) return "";
  HtmlWriter html;
  html.Open("section", {{"id", "dropped"}, {"aria-labelledby", "dropped-title"}});
  html.Element("h2", {{"id", "dropped-title"}}, "Left out");
  html.Element("p", {{"class", "note"}},
               "None of these is part of any figure, mean or sentence above.");
  html.Open(
      "div",
      {{"class", "scroll"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", "Left out"}});
  html.Open("table").Open("thead").Open("tr");
  for (const std::string_view title : {"cell", "variant", "state", "reason"}) {
    html.Open("th", {{"scope", "col"}, {"style", "text-align:left"}}).Text(title).Close();
  }
  html.Close().Close().Open("tbody");
  for (const Dropped& dropped : comparison.dropped) {
    html.Open("tr").Open("th", {{"scope", "row"}}).Element("code", {}, dropped.cell).Close();
    html.Open("td", {{"class", "text"}}).Element("code", {}, dropped.variant).Close();
    html.Element("td", {{"class", "text"}}, dropped.state);
    html.Element("td", {{"class", "text"}}, dropped.reason).Close();
  }
  html.Close().Close().Close().Close();
  return html.Take();
}

std::string EnvironmentSection(const Comparison& comparison) {
  HtmlWriter html;
  html.Open("dl", {{"class", "environment"}});
  const auto entry = [&html](std::string_view name, const std::string& text, bool code = false) {
    if (text.empty()) return;
    html.Element("dt", {}, name).Open("dd");
    if (code) {
      html.Element("code", {}, text);
    } else {
      html.Text(text);
    }
    html.Close();
  };
  for (const MachineInfo& machine : comparison.machines) {
    entry("machine", Concat(machine.cpu, ", ",
                            Counted(static_cast<std::size_t>(machine.cores), "core", "cores"), ", ",
                            machine.kernel, ", ", machine.libc));
  }
  const BuildInfo& build = comparison.baseline().build;
  entry("build", Concat(build.compiler, ", ", build.mode, build.sanitizer.empty() ? "" : ", ",
                        build.sanitizer, ", allocator ", build.allocator));
  entry("commit", build.commit + (build.dirty.value_or(false) ? " with uncommitted changes" : ""),
        true);
  entry("started", comparison.started_at);
  std::string command;
  for (const std::string& word : comparison.command) {
    command += (command.empty() ? "" : " ") + ShellWord(word);
  }
  entry("command", command, true);
  for (const std::string& file : comparison.files) entry("read", file, true);
  for (const Variant& variant : comparison.variants) {
    std::string text;
    for (const auto& [axis, backend] : variant.choices) {
      text += Concat(text.empty() ? "" : ", ", axis, "=", backend);
    }
    if (!variant.build.binary_sha256.empty()) {
      text += Concat("; binary ", variant.build.binary_sha256.substr(0, 16), "…");
    }
    entry(variant.name, text);
  }
  html.Close();
  return html.Take();
}

}  // namespace

std::string HtmlPage(const Comparison& comparison) {
  std::string cells;
  for (std::size_t row = 0; row < comparison.rows.size(); ++row) {
    cells += CellSection(comparison, row);
  }
  return ExpandTemplate(
      kPageHtml,
      {{"title", HtmlText(Concat("Rubric: ", Title(comparison)))},
       {"style", std::string(kPageCss)},
       {"script", std::string(kPageJs)},
       {"echarts", std::string(kECharts)},
       {"header", Header(comparison)},
       {"verdict", VerdictSection(comparison)},
       {"means", MeansSection(comparison)},
       {"map", HeatMaps(comparison)},
       {"legend", Legend(comparison)},
       {"cells", cells},
       {"dropped", DroppedSection(comparison)},
       {"dropped_link", comparison.dropped.empty() ? "" : "<a href=\"#dropped\">Left out</a>"},
       {"environment", EnvironmentSection(comparison)},
       {"figures", ChartData(comparison)}});
}

}  // namespace rubric
