#include "core/marshal/byte_reader.h"

#include "absl/strings/str_cat.h"

namespace rubric {
namespace {

std::string Describe(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (byte > ' ' && byte < 0x7f) return absl::StrCat("'", std::string(1, c), "'");
  return absl::StrCat("byte 0x", absl::Hex(byte, absl::kZeroPad2));
}

}  // namespace

void ByteReader::Fail(std::size_t offset, std::string_view expected, const std::string& found) {
  if (!status_.ok()) return;
  const std::string what = !found.empty()           ? found
                           : offset < bytes_.size() ? Describe(bytes_[offset])
                                                    : "the end of the data";
  status_ = absl::InvalidArgumentError(absl::StrCat("marshal data, byte ", offset, ": expected ",
                                                    std::string(expected), ", found ", what));
}

void ByteReader::Fail(std::size_t offset, const absl::Status& status) {
  if (!status_.ok()) return;
  status_ = absl::Status(status.code(), absl::StrCat("marshal data, byte ", offset, ": ",
                                                     std::string(status.message())));
}

std::optional<char> ByteReader::Byte(std::string_view expected) {
  if (!ok()) return std::nullopt;
  if (remaining() == 0) {
    Fail(offset_, expected);
    return std::nullopt;
  }
  return bytes_[offset_++];
}

std::optional<std::int64_t> ByteReader::Long(std::string_view expected) {
  const std::optional<char> first = Byte(expected);
  if (!first) return std::nullopt;
  const int head = static_cast<signed char>(*first);
  if (head == 0) return 0;
  if (head > 4) return head - 5;
  if (head < -4) return head + 5;
  const std::size_t count = static_cast<std::size_t>(head < 0 ? -head : head);
  if (remaining() < count) {
    Fail(bytes_.size(), absl::StrCat(count, " bytes of ", std::string(expected)));
    return std::nullopt;
  }
  std::uint64_t number = head < 0 ? ~std::uint64_t{0} << (8 * count) : 0;
  for (std::size_t i = 0; i < count; ++i) {
    number |= std::uint64_t{static_cast<unsigned char>(bytes_[offset_++])} << (8 * i);
  }
  return static_cast<std::int64_t>(number);
}

std::optional<std::size_t> ByteReader::Length(std::string_view expected, std::size_t least_bytes) {
  const std::size_t at = offset_;
  const std::optional<std::int64_t> length = Long(expected);
  if (!length) return std::nullopt;
  if (*length < 0 || static_cast<std::uint64_t>(*length) > remaining() / least_bytes) {
    Fail(at, absl::StrCat(std::string(expected), " of 0 to ", remaining() / least_bytes),
         absl::StrCat(*length));
    return std::nullopt;
  }
  return static_cast<std::size_t>(*length);
}

std::optional<std::string_view> ByteReader::Bytes(std::string_view expected) {
  const std::optional<std::size_t> length = Length(expected, 1);
  if (!length) return std::nullopt;
  return Take(*length);
}

std::string_view ByteReader::Take(std::size_t count) {
  const std::string_view bytes = bytes_.substr(offset_, count);
  offset_ += count;
  return bytes;
}

}  // namespace rubric
