#include "reports/comparison/regression.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "reports/results/command_line.h"
#include "reports/results/concat.h"

namespace rubric {
namespace {

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

absl::StatusOr<RegressionRule> ParseRule(std::string_view text) {
  const std::size_t sign = text.find_first_of("<>");
  RegressionRule rule;
  rule.text = text;
  if (sign != std::string_view::npos) {
    rule.metric = Trimmed(text.substr(0, sign));
    rule.above = text[sign] == '>';
    const std::string_view number = Trimmed(text.substr(sign + 1));
    const auto [end, error] =
        std::from_chars(number.data(), number.data() + number.size(), rule.limit);
    const bool whole = error == std::errc() && end == number.data() + number.size();
    if (whole && !rule.metric.empty() && std::isfinite(rule.limit) && rule.limit > 0) return rule;
  }
  return absl::InvalidArgumentError(Concat(
      "expected a metric, > or <, and a ratio above 0, as in peak_bytes>1.05; found '", text, "'"));
}

}  // namespace

absl::StatusOr<std::vector<RegressionRule>> ParseRegressionRules(std::string_view text) {
  std::vector<RegressionRule> rules;
  if (!text.empty() && Trimmed(text).empty()) return ParseRule("").status();
  while (!Trimmed(text).empty()) {
    const std::size_t comma = text.find(',');
    absl::StatusOr<RegressionRule> rule = ParseRule(Trimmed(text.substr(0, comma)));
    if (!rule.ok()) return rule.status();
    rules.push_back(*std::move(rule));
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  return rules;
}

absl::StatusOr<std::vector<Regression>> FindRegressions(const Comparison& comparison,
                                                        const std::vector<RegressionRule>& rules) {
  std::vector<std::string> metrics = MetricNames(comparison, /*exact=*/true);
  for (std::string& name : MetricNames(comparison, /*exact=*/false)) metrics.push_back(name);
  std::vector<Regression> regressions;
  if (metrics.empty()) return regressions;
  for (const RegressionRule& rule : rules) {
    if (std::find(metrics.begin(), metrics.end(), rule.metric) == metrics.end()) {
      std::string message = Concat("no cell has a metric ", rule.metric, ".",
                                   DidYouMean(rule.metric, metrics), " Metrics:");
      for (const std::string& metric : metrics) message += " " + metric;
      return absl::InvalidArgumentError(message);
    }
    for (std::size_t row = 0; row < comparison.rows.size(); ++row) {
      for (std::size_t variant = 1; variant < comparison.variants.size(); ++variant) {
        if (comparison.variants[variant].is_control) continue;
        const auto ratio = RatioToBaseline(comparison, row, variant, rule.metric);
        if (!ratio || !ratio->is_difference()) continue;
        if (rule.above ? ratio->ratio > rule.limit : ratio->ratio < rule.limit) {
          regressions.push_back({rule, row, variant, *ratio});
        }
      }
    }
  }
  return regressions;
}

std::string Describe(const Comparison& comparison, const Regression& regression) {
  const Ratio& ratio = regression.ratio;
  const std::string how =
      ratio.figures
          ? Concat(ratio.figures->variant, " where the baseline's is ", ratio.figures->baseline)
          : Concat(ratio.ratio, " of the baseline's");
  return Concat(comparison.rows[regression.row].label, ": ", regression.rule.metric, " of ",
                comparison.variants[regression.variant].name, " is ", how, " (",
                regression.rule.text, ")");
}

}  // namespace rubric
