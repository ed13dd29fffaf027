#include "experiments/claim/claim_text.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "nlohmann/json.hpp"
#include "reports/results/concat.h"
#include "reports/text/escape.h"
#include "reports/text/format.h"
#include "reports/text/text_table.h"

namespace rubric {
namespace {

constexpr std::size_t kWidth = 100;
constexpr std::array<Verdict, 4> kVerdicts = {Verdict::kSameSize, Verdict::kSameDirection,
                                              Verdict::kNotReproduced, Verdict::kNotMeasured};

std::string Change(Comparing compare, const BeforeAfter& pair,
                   const std::optional<RatioEstimate>& ratio) {
  if (compare == Comparing::kRatio) {
    if (pair.before == 0) return "";
    const double value = ratio ? ratio->ratio : pair.after / pair.before;
    return Concat("x ", RatioWithInterval({value, ratio ? ratio->interval : std::nullopt, false}));
  }
  const double change = pair.after - pair.before;
  return Concat(change > 0 ? "+" : "", Grouped(change));
}

// A calibrated figure's unit beside ours: bytes are shown as bytes, KiB as KiB.
std::string Amount(double value, const std::string& unit) {
  if (unit == "s") return Figure(value, "s");
  const double rounded = std::fabs(value) >= 1000 ? std::round(value) : value;
  return Concat(Grouped(rounded), unit.empty() ? "" : " ", unit);
}

std::vector<std::string> RowOf(const std::string& who, Comparing compare, const BeforeAfter& pair,
                               const std::optional<RatioEstimate>& ratio) {
  return {who, Amount(pair.before, pair.unit), Amount(pair.after, pair.unit),
          Change(compare, pair, ratio)};
}

TextTable TableOf(const Judged& judged) {
  const Statement& statement = judged.statement;
  TextTable table({Concat(judged.cell, ": ", statement.metric), SideName(statement.before),
                   SideName(statement.after), "change"});
  if (statement.published) {
    table.Row(RowOf("published", statement.compare, *statement.published, std::nullopt));
  }
  if (judged.cruby) {
    table.Row(
        RowOf(Concat("CRuby, ", statement.calibrated->change, ", ", statement.calibrated->metric),
              statement.compare, *judged.cruby, std::nullopt));
  }
  if (judged.ours) table.Row(RowOf("Rubric", statement.compare, *judged.ours, judged.ratio));
  return table;
}

std::string VerdictText(const Judged& judged) {
  const std::string name(VerdictName(judged.verdict));
  if (!judged.reason.empty()) return Concat(name, ": ", judged.reason);
  if (!judged.published_verdict) return name;
  return Concat(name, " as CRuby; as published: ", VerdictName(*judged.published_verdict));
}

// Circumstances of the published and the calibrated figure.
std::string NotesOf(const Judged& judged) {
  std::string notes;
  if (judged.statement.published && !judged.statement.published->note.empty()) {
    notes = Concat("Published: ", judged.statement.published->note, ".");
  }
  if (judged.cruby && !judged.cruby->note.empty()) {
    notes += Concat(notes.empty() ? "" : " ", "CRuby: ", judged.cruby->note, ".");
  }
  return notes;
}

bool ShowsWhy(const Judged& judged) { return !judged.agrees() && !judged.statement.why.empty(); }

nlohmann::ordered_json PairJson(const BeforeAfter& pair) {
  nlohmann::ordered_json json = {
      {"before", pair.before}, {"after", pair.after}, {"unit", pair.unit}};
  if (!pair.note.empty()) json["note"] = pair.note;
  return json;
}

nlohmann::ordered_json JudgedJson(const Judged& judged) {
  const Statement& statement = judged.statement;
  nlohmann::ordered_json json = {
      {"says", statement.says},
      {"cell", judged.cell},
      {"metric", statement.metric},
      {"before", SideName(statement.before)},
      {"after", SideName(statement.after)},
      {"compare", statement.compare == Comparing::kRatio ? "ratio" : "difference"}};
  if (statement.published) json["published"] = PairJson(*statement.published);
  if (judged.cruby) {
    json["cruby"] = PairJson(*judged.cruby);
    json["cruby"]["change"] = statement.calibrated->change;
    json["cruby"]["experiment"] = statement.calibrated->experiment;
    json["cruby"]["metric"] = statement.calibrated->metric;
    json["cruby"]["without_pages"] = statement.calibrated->without_pages;
  }
  if (judged.ours) {
    json["rubric"] = PairJson(*judged.ours);
    json["rubric"]["exact"] = judged.exact;
    if (judged.ratio) json["rubric"]["ratio"] = judged.ratio->ratio;
    if (judged.ratio && judged.ratio->interval) {
      json["rubric"]["interval"] = {judged.ratio->interval->low, judged.ratio->interval->high};
    }
  }
  json["verdict"] = VerdictName(judged.verdict);
  if (judged.published_verdict) {
    json["published_verdict"] = VerdictName(*judged.published_verdict);
  }
  if (!judged.reason.empty()) json["reason"] = judged.reason;
  if (!statement.why.empty()) json["why"] = statement.why;
  return json;
}

}  // namespace

std::string CountVerdicts(const std::vector<Judged>& judged) {
  std::string text = Concat(Counted(judged.size(), "statement", "statements"), ":");
  const char* separator = " ";
  for (const Verdict verdict : kVerdicts) {
    std::size_t count = 0;
    for (const Judged& each : judged) count += each.verdict == verdict ? 1 : 0;
    if (count == 0) continue;
    text += Concat(separator, count, " ", VerdictName(verdict));
    separator = ", ";
  }
  return text;
}

std::string ClaimTerminal(const Claim& claim, const std::vector<Judged>& judged) {
  std::string text = Concat("#", claim.id, ": ", claim.title, "\n");
  for (std::size_t i = 0; i < judged.size(); ++i) {
    const Judged& each = judged[i];
    text += Concat("\n", i + 1, ". ", Wrapped(each.statement.says, kWidth, "   "), "\n",
                   TableOf(each).ToTerminal("   "), "   -> ",
                   Wrapped(TerminalText(VerdictText(each)), kWidth, "      "), "\n");
    if (const std::string notes = NotesOf(each); !notes.empty()) {
      text += Concat("   ", Wrapped(notes, kWidth, "   "), "\n");
    }
    if (ShowsWhy(each)) {
      text += Concat("   ", Wrapped(Concat("Why: ", each.statement.why), kWidth, "   "), "\n");
    }
  }
  return Concat(text, "\n", CountVerdicts(judged), "\n");
}

std::string ClaimMarkdown(const Claim& claim, const std::vector<Judged>& judged) {
  std::string text =
      Concat("# #", claim.id, ": ", MarkdownText(claim.title), "\n\n", CountVerdicts(judged), "\n");
  for (const Judged& each : judged) {
    text += Concat("\n## ", MarkdownText(each.statement.says), "\n\n", TableOf(each).ToMarkdown(),
                   "\n**", MarkdownText(VerdictText(each)), "**\n");
    if (const std::string notes = NotesOf(each); !notes.empty()) {
      text += Concat("\n", MarkdownText(notes), "\n");
    }
    if (ShowsWhy(each)) text += Concat("\n", MarkdownText(each.statement.why), "\n");
  }
  return text;
}

std::string ClaimJson(const Claim& claim, const std::vector<Judged>& judged) {
  nlohmann::ordered_json json = {{"claim", claim.id}, {"title", claim.title}};
  json["statements"] = nlohmann::ordered_json::array();
  for (const Judged& each : judged) json["statements"].push_back(JudgedJson(each));
  return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace rubric
