#include "core/marshal/float_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

namespace rubric {
namespace {

// Digits and place of the point: the number is 0.DIGITS times ten to the power of `point`.
struct Decimal {
  std::array<char, 20> digits;
  int count = 0;
  int point = 0;
};

Decimal ShortestDecimal(double positive) {
  std::array<char, 32> text;
  const char* end =
      std::to_chars(text.data(), text.data() + text.size(), positive, std::chars_format::scientific)
          .ptr;
  const char* exponent = std::find<const char*>(text.data(), end, 'e');
  Decimal decimal;
  for (const char* c = text.data(); c != exponent; ++c) {
    if (*c != '.') decimal.digits[static_cast<std::size_t>(decimal.count++)] = *c;
  }
  int power = 0;
  std::from_chars(exponent + (exponent[1] == '+' ? 2 : 1), end, power);
  decimal.point = power + 1;
  return decimal;
}

class Appender {
 public:
  explicit Appender(FloatTextBuffer& buffer) : buffer_(buffer) {}
  void Append(char c) { buffer_[length_++] = c; }
  void Append(const char* from, int count) {
    for (int i = 0; i < count; ++i) Append(from[i]);
  }
  void AppendNumber(int n) {
    char* end = std::to_chars(buffer_.data() + length_, buffer_.data() + buffer_.size(), n).ptr;
    length_ = static_cast<std::size_t>(end - buffer_.data());
  }
  std::string_view text() const { return {buffer_.data(), length_}; }

 private:
  FloatTextBuffer& buffer_;
  std::size_t length_ = 0;
};

}  // namespace

std::string_view FloatText(double d, FloatTextBuffer& buffer) {
  if (std::isnan(d)) return "nan";
  if (std::isinf(d)) return d < 0 ? "-inf" : "inf";
  if (d == 0) return std::signbit(d) ? "-0" : "0";
  Appender out(buffer);
  if (d < 0) out.Append('-');
  const Decimal decimal = ShortestDecimal(std::fabs(d));
  const char* digits = decimal.digits.data();
  if (decimal.point < -3 || decimal.point > decimal.count) {
    out.Append(digits[0]);
    if (decimal.count > 1) out.Append('.');
    out.Append(digits + 1, decimal.count - 1);
    out.Append('e');
    out.AppendNumber(decimal.point - 1);
  } else if (decimal.point > 0) {
    out.Append(digits, decimal.point);
    if (decimal.count > decimal.point) out.Append('.');
    out.Append(digits + decimal.point, decimal.count - decimal.point);
  } else {
    out.Append("0.000", 2 - decimal.point);
    out.Append(digits, decimal.count);
  }
  return out.text();
}

std::optional<double> ParseFloatText(std::string_view text) {
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  // from_chars takes "infinity" and its like, which Marshal does not.
  if (sign == text.size() || text[sign] < '0' || text[sign] > '9') return std::nullopt;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace rubric
