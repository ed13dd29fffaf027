#include "reports/results/json_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace rubric {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";    // U+FFFD
constexpr double kLargestExactInteger = 9007199254740992.0;  // 2^53

void AppendUnicodeEscape(std::string& out, unsigned code) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kHex[(code >> shift) & 0xF];
}

}  // namespace

int Utf8SequenceLength(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  // The second byte's range depends on the first: that is what keeps out overlong forms (E0, F0),
  // surrogates (ED) and code points above U+10FFFF (F4).
  std::size_t length = 0;
  unsigned low = 0x80;
  unsigned high = 0xBF;
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  } else {
    return 0;
  }
  if (text.size() < length || byte(1) < low || byte(1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  return static_cast<int>(length);
}

std::string ValidUtf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const int length = Utf8SequenceLength(text);
    out += length == 0 ? kReplacement : text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

void AppendJsonString(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const int length = Utf8SequenceLength(text);
    const char first = text[0];
    if (length == 0) {
      out += kReplacement;
    } else if (first == '"' || first == '\\') {
      out += '\\';
      out += first;
    } else if (first == '\n') {
      out += "\\n";
    } else if (first == '\t') {
      out += "\\t";
    } else if (length == 1 && (static_cast<unsigned char>(first) < 0x20 || first == 0x7F)) {
      AppendUnicodeEscape(out, static_cast<unsigned char>(first));
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  out += '"';
}

void AppendJsonNumber(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  std::array<char, 32> buffer;
  char* const begin = buffer.data();
  char* const end = begin + buffer.size();
  const bool integer = value == std::trunc(value) && std::fabs(value) <= kLargestExactInteger;
  // Without the detour over an integer, 1e9 would be written with its exponent.
  const auto written = integer ? std::to_chars(begin, end, static_cast<std::int64_t>(value))
                               : std::to_chars(begin, end, value);
  out.append(begin, written.ptr);
}

std::string JsonString(std::string_view text) {
  std::string out;
  AppendJsonString(out, text);
  return out;
}

std::string JsonNumber(double value) {
  std::string out;
  AppendJsonNumber(out, value);
  return out;
}

std::string JsonForScript(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '<' || c == '>' || c == '&') {
      AppendUnicodeEscape(out, static_cast<unsigned char>(c));
    } else if (json.substr(i, 3) == "\xE2\x80\xA8" || json.substr(i, 3) == "\xE2\x80\xA9") {
      AppendUnicodeEscape(out, json[i + 2] == '\xA8' ? 0x2028 : 0x2029);
      i += 2;
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace rubric
