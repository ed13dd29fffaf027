#include "reports/text/format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "reports/results/concat.h"

namespace rubric {
namespace {

constexpr std::string_view kMinus = "\xE2\x88\x92";  // U+2212

std::string Fixed(double value, int digits) {
  std::array<char, 400> buffer;  // a double of 308 digits and a fraction
  const int length = std::snprintf(buffer.data(), buffer.size(), "%.*f", digits, value);
  return std::string(buffer.data(), static_cast<std::size_t>(length));
}

// Three significant digits, or all of those before the point.
std::string ThreeDigits(double value) {
  const double size = std::fabs(value);
  return Fixed(value, size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
}

}  // namespace

std::string Grouped(double value) {
  std::string digits = Fixed(std::fabs(value), value == std::trunc(value) ? 0 : 3);
  std::size_t point = digits.find('.');
  if (point != std::string::npos) {
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.pop_back();
  }
  point = std::min(digits.find('.'), digits.size());
  for (std::size_t i = point; i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return (value < 0 ? "-" : "") + digits;
}

std::string Figure(double value, std::string_view unit) {
  if (unit == "bytes") {
    constexpr std::string_view kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    double scaled = value;
    std::size_t scale = 0;
    // 1023.6 KiB would round to 1024.
    while (std::fabs(scaled) >= 1023.5 && scale + 1 < std::size(kUnits)) {
      scaled /= 1024;
      ++scale;
    }
    return Concat(scale == 0 ? Grouped(scaled) : ThreeDigits(scaled), " ", kUnits[scale]);
  }
  if (unit == "s") {
    const double size = std::fabs(value);
    if (size >= 0.9995) return ThreeDigits(value) + " s";
    if (size >= 0.0009995) return ThreeDigits(value * 1e3) + " ms";
    if (size >= 0.0000009995) return ThreeDigits(value * 1e6) + " µs";
    return ThreeDigits(value * 1e9) + " ns";
  }
  return Grouped(value);
}

std::string RatioNumber(double ratio) {
  if (ratio >= 10) return ThreeDigits(ratio);
  for (int digits = 3; digits < 9; ++digits) {
    std::string text = Fixed(ratio, digits);
    if (ratio == 1 || std::stod(text) != 1) return text;
  }
  return ratio < 1 ? "just below 1" : "just above 1";
}

std::string RatioText(const Ratio& ratio) {
  if (ratio.figures) {
    return Concat(Figure(ratio.figures->baseline, ratio.figures->unit), " → ",
                  Figure(ratio.figures->variant, ratio.figures->unit));
  }
  return ratio.exact && ratio.ratio == 1 ? "=" : RatioNumber(ratio.ratio);
}

std::string RatioWithInterval(const Ratio& ratio) {
  if (ratio.figures) {
    return RatioText(ratio) + (ratio.is_difference() ? "" : " (not sure)");
  }
  if (!ratio.interval) return RatioText(ratio);
  // Three digits for the ends: they are estimates, and the row must stay readable.
  return Concat(RatioText(ratio), " [", Fixed(ratio.interval->low, 3), ", ",
                Fixed(ratio.interval->high, 3), "]");
}

std::string ChangeText(double ratio) {
  if (ratio == 1) return "±0 %";
  const double change = std::fabs(ratio - 1) * 100;
  int digits = change >= 99.95 ? 0 : change >= 0.1 ? 1 : 2;
  std::string text = Fixed(change, digits);
  // Nor may a remainder of a thousandth become none.
  const auto hides = [&] {
    const double shown = std::stod(text);
    return shown == 0 || (ratio > 0 && ratio < 1 && shown == 100);
  };
  while (hides() && digits < 9) text = Fixed(change, ++digits);
  return Concat(ratio < 1 ? kMinus : "+", text, " %");
}

std::string ChangeText(const Ratio& ratio) {
  return ratio.figures ? RatioText(ratio) : ChangeText(ratio.ratio);
}

std::string PercentText(double share) { return Concat(Fixed(share * 100, 1), " %"); }

std::string SpreadText(const Summary& summary) {
  if (summary.count < 2) return "–";
  return Concat("± ", PercentText(summary.relative_spread()));
}

std::string MetricTitle(std::string_view metric) {
  constexpr std::pair<std::string_view, std::string_view> kTitles[] = {
      {"cpu_s", "CPU time"},
      {"wall_s", "wall time"},
      {"gc_s", "GC time"},
      {"rss_bytes", "RSS"},
      {"vm_hwm_bytes", "highest RSS"},
      {"gc_count", "collections"},
      {"minor_faults", "page faults"},
  };
  for (const auto& [name, title] : kTitles) {
    if (name == metric) return std::string(title);
  }
  std::string title(metric);
  std::replace(title.begin(), title.end(), '_', ' ');
  return title;
}

std::string CountOf(std::size_t count, std::size_t total) { return Concat(count, " of ", total); }

std::string Counted(std::size_t count, std::string_view singular, std::string_view plural) {
  return Concat(count, " ", count == 1 ? singular : plural);
}

}  // namespace rubric
