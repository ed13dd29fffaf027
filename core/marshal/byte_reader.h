// ByteReader: Marshal's numbers and byte strings out of bytes that nobody vouches for.
//
// USE        Byte, Long, Length and Bytes give nothing at the first error, and from then on;
//            status() has its offset, what was expected there and what was found.
// COST       No allocation until something is wrong.
// INVARIANTS offset() never passes the end; the first error stays.
// ERRORS     InvalidArgument: "marshal data, byte 17: expected …, found …".
// TESTED BY  byte_reader_test.cc, load_errors_test.cc.
#ifndef RUBRIC_CORE_MARSHAL_BYTE_READER_H_
#define RUBRIC_CORE_MARSHAL_BYTE_READER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace rubric {

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  std::size_t offset() const { return offset_; }
  std::size_t remaining() const { return bytes_.size() - offset_; }
  bool ok() const { return status_.ok(); }
  const absl::Status& status() const { return status_; }

  // `expected` is for the message: what the byte, number or string would have been.
  std::optional<char> Byte(std::string_view expected);
  std::optional<std::int64_t> Long(std::string_view expected);
  // A number of things of which each takes `least_bytes` or more of what remains.
  std::optional<std::size_t> Length(std::string_view expected, std::size_t least_bytes);
  std::optional<std::string_view> Bytes(std::string_view expected);
  // The next bytes. REQUIRES: count <= remaining().
  std::string_view Take(std::size_t count);

  // Records an error at `offset`, unless there was one. `found` empty: the byte there.
  void Fail(std::size_t offset, std::string_view expected, const std::string& found = {});
  void Fail(std::size_t offset, const absl::Status& status);

 private:
  const std::string_view bytes_;
  std::size_t offset_ = 0;
  absl::Status status_;
};

}  // namespace rubric

#endif  // RUBRIC_CORE_MARSHAL_BYTE_READER_H_
