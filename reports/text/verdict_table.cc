#include "reports/text/verdict_table.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "reports/results/concat.h"
#include "reports/text/escape.h"
#include "reports/text/format.h"
#include "reports/text/text_table.h"
#include "reports/text/verdict.h"

namespace rubric {
namespace {

constexpr std::size_t kWidth = 100;
constexpr std::string_view kNone = "–";

std::string ExactText(const Cell& cell, std::string_view metric) {
  const ExactFigure* figure = Find(cell.exact, metric);
  return figure == nullptr ? std::string(kNone) : Figure(figure->value, figure->unit);
}

std::string TimeText(const Cell& cell, std::string_view metric) {
  const NoisyFigure* figure = Find(cell.noisy, metric);
  if (figure == nullptr) return std::string(kNone);
  const std::string median = Figure(figure->summary.median, figure->unit);
  return figure->samples.size() < 2 ? median : Concat(median, " ", SpreadText(figure->summary));
}

std::string RatioCell(const std::optional<Ratio>& ratio) {
  return ratio ? RatioWithInterval(*ratio) : std::string(kNone);
}

void PrintSentences(std::ostream& out, const std::vector<Sentence>& sentences) {
  for (const Sentence& sentence : sentences) {
    out << "  " << Wrapped(PlainText(sentence), kWidth, "    ") << '\n';
  }
}

void PrintMeans(std::ostream& out, const Comparison& comparison) {
  if (comparison.variants.size() < 2) return;
  TextTable table({Concat("geometric mean of ratios to ", TerminalText(comparison.baseline().name)),
                   MetricTitle(kPeakMetric), MetricTitle(kCallsMetric),
                   MetricTitle(comparison.time_metric), "cells"});
  for (std::size_t v = 1; v < comparison.variants.size(); ++v) {
    std::size_t fewest = comparison.rows.size();
    for (const std::string_view metric :
         {kPeakMetric, kCallsMetric, std::string_view(comparison.time_metric)}) {
      const auto mean = MeanRatioToBaseline(comparison, v, metric);
      fewest = std::min(fewest, mean ? mean->rows : 0);
    }
    table.Row({TerminalText(TitleOf(comparison.variants[v])), MeanText(comparison, v, kPeakMetric),
               MeanText(comparison, v, kCallsMetric),
               MeanText(comparison, v, comparison.time_metric),
               CountOf(fewest, comparison.rows.size())});
  }
  out << '\n' << table.ToTerminal();
}

void PrintRow(std::ostream& out, const Comparison& comparison, std::size_t row) {
  const std::vector<Cell>& cells = comparison.rows[row].cells;
  TextTable table({"", MetricTitle(kPeakMetric), MetricTitle(kCallsMetric),
                   MetricTitle(comparison.time_metric)});
  const std::string baseline = TerminalText(comparison.baseline().name);
  if (cells[0].state == CellState::kOk) {
    table.Row({baseline, ExactText(cells[0], kPeakMetric), ExactText(cells[0], kCallsMetric),
               TimeText(cells[0], comparison.time_metric)});
  } else {
    table.Row({baseline, std::string(StateName(cells[0].state))});
  }
  std::vector<std::string> alike;
  for (std::size_t v = 1; v < cells.size(); ++v) {
    const std::string title = TerminalText(TitleOf(comparison.variants[v]));
    if (cells[v].state != CellState::kOk) {
      table.Row({title, std::string(StateName(cells[v].state))});
      continue;
    }
    const auto peak = RatioToBaseline(comparison, row, v, kPeakMetric);
    const auto calls = RatioToBaseline(comparison, row, v, kCallsMetric);
    const auto time = RatioToBaseline(comparison, row, v, comparison.time_metric);
    const auto is_alike = [](const std::optional<Ratio>& ratio) {
      // Without an interval a time says nothing, not even that.
      return ratio && !ratio->is_difference() && (ratio->exact || ratio->interval);
    };
    if (is_alike(peak) && is_alike(calls) && is_alike(time)) {
      alike.push_back(title);
    } else {
      table.Row({title, RatioCell(peak), RatioCell(calls), RatioCell(time)});
    }
  }
  // A label may be long: on a line of its own it leaves the columns where they are.
  out << '\n' << TerminalText(comparison.rows[row].label) << '\n' << table.ToTerminal("  ");
  if (alike.empty()) return;
  std::string line = "no difference:";
  for (const std::string& title : alike) line += (line.back() == ':' ? " " : ", ") + title;
  out << "  " << Wrapped(line, kWidth, "    ") << '\n';
}

}  // namespace

std::string TitleOf(const Variant& variant) {
  return variant.is_control ? variant.name + " (A/A control)" : variant.name;
}

std::string MeanText(const Comparison& comparison, std::size_t variant, std::string_view metric) {
  const std::optional<MeanRatio> mean = MeanRatioToBaseline(comparison, variant, metric);
  if (!mean) return std::string(kNone);
  const std::string number = RatioNumber(mean->ratio);
  if (mean->rows == mean->total) return number;
  return Concat(number, " (", CountOf(mean->rows, mean->total), ")");
}

void PrintVerdict(std::ostream& out, const Comparison& comparison) {
  const Verdict verdict = MakeVerdict(comparison);
  out << "Verdict\n";
  std::vector<Sentence> announced;
  for (const Award& award : verdict.awards) announced.push_back(Announce(comparison, award));
  PrintSentences(out, announced);
  PrintMeans(out, comparison);
  for (std::size_t row = 0; row < comparison.rows.size(); ++row) PrintRow(out, comparison, row);
  if (!verdict.caveats.empty()) {
    out << "\nTo bear in mind\n";
    PrintSentences(out, verdict.caveats);
  }
  if (comparison.dropped.empty()) return;
  out << "\nLeft out\n";
  for (const Dropped& dropped : comparison.dropped) {
    out << "  "
        << Wrapped(Concat(TerminalText(dropped.cell), ", ", TerminalText(dropped.variant), ": ",
                          dropped.state, ": ", TerminalText(dropped.reason)),
                   kWidth, "    ")
        << '\n';
  }
}

}  // namespace rubric
