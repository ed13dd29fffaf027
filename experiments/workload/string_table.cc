#include "experiments/workload/string_table.h"

#include "core/base/check.h"

namespace rubric {
namespace {

constexpr std::string_view kDigits =
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

// How many withheld strings of `length` bytes there can be.
std::uint64_t Capacity(std::uint64_t length) {
  if (length <= 3) return std::uint64_t{1} << (8 * length);
  std::uint64_t capacity = 1;
  for (std::uint64_t i = 1; i < length && capacity < (std::uint64_t{1} << 40); ++i) {
    capacity *= kDigits.size();
  }
  return capacity;
}

}  // namespace

bool StringTable::AddWithheld(std::uint64_t bytes, WorkloadEncoding encoding) {
  RUBRIC_CHECK(bytes <= kMaxBytes);
  const auto length = static_cast<std::uint32_t>(bytes);
  std::uint64_t& number = numbers_[{length, encoding}];
  if (number >= Capacity(length)) return false;
  entries_.push_back({number++, length, encoding, true});
  return true;
}

void StringTable::AddText(std::string_view text, WorkloadEncoding encoding) {
  entries_.push_back({text_.size(), static_cast<std::uint32_t>(text.size()), encoding, false});
  text_ += text;
}

std::string_view StringTable::Bytes(StringId id, std::string& buffer) const {
  const Entry& entry = entries_[id];
  if (!entry.withheld) return std::string_view(text_).substr(entry.place, entry.length);
  std::uint64_t number = entry.place;
  if (entry.length <= 3) {
    buffer.resize(entry.length);
    for (std::size_t i = entry.length; i-- > 0; number >>= 8) {
      buffer[i] = static_cast<char>(number & 0xff);
    }
    return buffer;
  }
  buffer.assign(entry.length, kDigits[0]);
  buffer[0] = '\x01';
  for (std::size_t i = entry.length; number > 0; number /= kDigits.size()) {
    buffer[--i] = kDigits[number % kDigits.size()];
  }
  return buffer;
}

}  // namespace rubric
