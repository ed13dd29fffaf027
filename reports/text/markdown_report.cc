#include "reports/text/markdown_report.h"

#include <optional>
#include <string_view>
#include <vector>

#include "reports/results/concat.h"
#include "reports/results/names.h"
#include "reports/text/escape.h"
#include "reports/text/format.h"
#include "reports/text/text_table.h"
#include "reports/text/verdict.h"
#include "reports/text/verdict_table.h"

namespace rubric {
namespace {

constexpr std::string_view kNone = "–";

std::string VariantCode(const Variant& variant) {
  return MarkdownCode(variant.name) + (variant.is_control ? " (A/A control)" : "");
}

std::string Bullets(const std::vector<Sentence>& sentences) {
  std::string out;
  for (const Sentence& sentence : sentences) out += "- " + Markdown(sentence) + "\n";
  return out;
}

// A figure, and in brackets its ratio to the baseline's.
std::string WithRatio(const std::string& figure, const std::optional<Ratio>& ratio) {
  return ratio ? Concat(figure, " (", RatioWithInterval(*ratio), ")") : figure;
}

std::string MeansTable(const Comparison& comparison) {
  TextTable table({Concat("ratio to ", MarkdownCode(comparison.baseline().name)),
                   MetricTitle(kPeakMetric), MetricTitle(kCallsMetric),
                   MetricTitle(comparison.time_metric)});
  for (std::size_t v = 1; v < comparison.variants.size(); ++v) {
    table.Row({VariantCode(comparison.variants[v]), MeanText(comparison, v, kPeakMetric),
               MeanText(comparison, v, kCallsMetric),
               MeanText(comparison, v, comparison.time_metric)});
  }
  return table.ToMarkdown();
}

std::string ExactTable(const Comparison& comparison, std::size_t row,
                       const std::vector<std::string>& metrics) {
  std::vector<std::string> header = {"variant"};
  std::vector<std::string> shown;
  for (const std::string& metric : metrics) {
    for (const Cell& cell : comparison.rows[row].cells) {
      if (Find(cell.exact, metric) == nullptr) continue;
      shown.push_back(metric);
      header.push_back(MarkdownText(MetricTitle(metric)));
      break;
    }
  }
  TextTable table(header);
  for (std::size_t v = 0; v < comparison.variants.size(); ++v) {
    const Cell& cell = comparison.rows[row].cells[v];
    if (cell.state != CellState::kOk) continue;
    std::vector<std::string> line = {VariantCode(comparison.variants[v])};
    for (const std::string& metric : shown) {
      const ExactFigure* figure = Find(cell.exact, metric);
      if (figure == nullptr) {
        line.emplace_back(kNone);
      } else {
        line.push_back(
            WithRatio(Grouped(figure->value),
                      v == 0 ? std::nullopt : RatioToBaseline(comparison, row, v, metric)));
      }
    }
    table.Row(std::move(line));
  }
  return table.empty() ? "" : table.ToMarkdown() + "\n";
}

std::string NoisyTable(const Comparison& comparison, std::size_t row) {
  TextTable table({"variant", "metric", "median", "spread", "processes", "ratio [95 % interval]"});
  for (std::size_t v = 0; v < comparison.variants.size(); ++v) {
    for (const auto& [metric, figure] : comparison.rows[row].cells[v].noisy) {
      const auto ratio = v == 0 ? std::nullopt : RatioToBaseline(comparison, row, v, metric);
      table.Row({VariantCode(comparison.variants[v]), MarkdownText(MetricTitle(metric)),
                 Figure(figure.summary.median, figure.unit), SpreadText(figure.summary),
                 Concat(figure.samples.size()),
                 ratio ? RatioWithInterval(*ratio) : std::string(kNone)});
    }
  }
  return table.empty() ? "" : table.ToMarkdown() + "\n";
}

std::string SubsystemTable(const Comparison& comparison, std::size_t row) {
  TextTable table(
      {"variant", "subsystem", "malloc calls", "bytes asked for", "live bytes", "peak bytes"});
  for (std::size_t v = 0; v < comparison.variants.size(); ++v) {
    for (const auto& [name, use] : comparison.rows[row].cells[v].subsystems) {
      if (use == SubsystemUse{}) continue;
      table.Row({VariantCode(comparison.variants[v]), MarkdownText(name),
                 Grouped(static_cast<double>(use.malloc_calls)),
                 Grouped(static_cast<double>(use.bytes_requested)),
                 Grouped(static_cast<double>(use.live_bytes)),
                 Grouped(static_cast<double>(use.peak_bytes))});
    }
  }
  return table.empty() ? "" : table.ToMarkdown() + "\n";
}

std::string PartingLines(const Comparison& comparison, std::size_t row) {
  const std::vector<Cell>& cells = comparison.rows[row].cells;
  if (!cells[0].live_bytes) return "";
  std::string out;
  for (std::size_t v = 1; v < cells.size(); ++v) {
    if (!cells[v].live_bytes) continue;
    const auto parting = FindPartingPoint(*cells[0].live_bytes, *cells[v].live_bytes);
    if (!parting) continue;
    out += Concat("- ", VariantCode(comparison.variants[v]), " parts from ",
                  MarkdownCode(comparison.baseline().name), " at allocator call ",
                  Grouped(static_cast<double>(parting->call)), ": ",
                  Figure(static_cast<double>(parting->variant_bytes), "bytes"), " live against ",
                  Figure(static_cast<double>(parting->baseline_bytes), "bytes"), "\n");
  }
  return out.empty() ? "" : out + "\n";
}

std::string DroppedTable(const Comparison& comparison) {
  TextTable table({"cell", "variant", "state", "reason"});
  for (const Dropped& dropped : comparison.dropped) {
    table.Row({MarkdownCode(dropped.cell), MarkdownCode(dropped.variant),
               MarkdownText(dropped.state), MarkdownText(dropped.reason)});
  }
  return table.ToMarkdown();
}

std::string Environment(const Comparison& comparison) {
  std::string out;
  const auto line = [&out](std::string_view name, const std::string& text) {
    if (!text.empty()) out += Concat("- ", name, ": ", text, "\n");
  };
  for (const MachineInfo& machine : comparison.machines) {
    line("machine", MarkdownText(Concat(machine.cpu, ", ", machine.cores, " cores, ",
                                        machine.kernel, ", ", machine.libc)));
  }
  const BuildInfo& build = comparison.baseline().build;
  line("build", MarkdownText(Concat(build.compiler, ", ", build.mode, ", ", build.allocator,
                                    build.sanitizer.empty() ? "" : ", " + build.sanitizer)));
  line("commit", MarkdownText(build.commit + (build.dirty.value_or(false) ? " with changes" : "")));
  line("started", MarkdownText(comparison.started_at));
  std::string command;
  for (const std::string& word : comparison.command)
    command += (command.empty() ? "" : " ") + ShellWord(word);
  if (!command.empty()) line("command", MarkdownCode(command));
  for (const std::string& file : comparison.files) line("read", MarkdownCode(file));
  return out;
}

}  // namespace

std::string MarkdownReport(const Comparison& comparison) {
  const Verdict verdict = MakeVerdict(comparison);
  const std::vector<std::string> exact_metrics = MetricNames(comparison, /*exact=*/true);
  std::string out = "# Comparison of variants\n\n## Verdict\n\n";
  for (const Award& award : verdict.awards) {
    out += "- " + Markdown(Announce(comparison, award)) + "\n";
  }
  out += "\n";
  if (comparison.variants.size() > 1) {
    out +=
        Concat("Geometric means over the cells that both sides have; ",
               Counted(comparison.rows.size(), "cell", "cells"), " in all. Below 1 is less.\n\n");
    out += MeansTable(comparison) + "\n";
  }
  if (!verdict.variants.empty()) out += "### By variant\n\n" + Bullets(verdict.variants) + "\n";
  if (!verdict.caveats.empty()) out += "### To bear in mind\n\n" + Bullets(verdict.caveats) + "\n";
  for (std::size_t row = 0; row < comparison.rows.size(); ++row) {
    out += Concat("## ", MarkdownCode(comparison.rows[row].label), "\n\n");
    out += PartingLines(comparison, row);
    out += ExactTable(comparison, row, exact_metrics);
    out += NoisyTable(comparison, row);
    const std::string subsystems = SubsystemTable(comparison, row);
    if (!subsystems.empty()) {
      out += "<details><summary>Memory by subsystem</summary>\n\n" + subsystems + "</details>\n\n";
    }
  }
  if (!comparison.dropped.empty()) out += "## Left out\n\n" + DroppedTable(comparison) + "\n";
  out += "## Environment\n\n" + Environment(comparison);
  return out;
}

}  // namespace rubric
