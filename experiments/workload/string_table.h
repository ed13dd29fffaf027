// StringTable: the strings of a workload, by id, and the bytes that replay gives them.
//
// USE        The reader adds; users ask length, encoding, and Bytes(id), which are the text where it
//            was kept, else bytes made from the string's number among those of its length and
//            encoding: up to 3 bytes that number itself; from 4 on a byte 01, letters, and the
//            number at the end.
// LAYOUT     16 bytes a string, in one list; kept text in one block.
// COST       Memory: 16 bytes a string and the text kept, which is what a reader's memory grows by.
//            Bytes of a withheld string: O(length), into the caller's buffer.
// INVARIANTS Strings of different ids differ in bytes or encoding, as long as the file keeps to the
//            format: kept text has no byte 01 where contents are withheld.
// VALIDITY   What Bytes gives is valid until the next Add or the buffer's next use.
// TESTED BY  string_table_test.cc.
#ifndef RUBRIC_EXPERIMENTS_WORKLOAD_STRING_TABLE_H_
#define RUBRIC_EXPERIMENTS_WORKLOAD_STRING_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/workload/events.h"

namespace rubric {

enum class WorkloadEncoding : std::uint8_t { kBinary, kUtf8, kUsAscii };

class StringTable {
 public:
  static constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30;  // of one string

  // True, or false where there can be no more withheld strings of that length and encoding.
  // REQUIRES: bytes <= kMaxBytes.
  bool AddWithheld(std::uint64_t bytes, WorkloadEncoding encoding);
  void AddText(std::string_view text, WorkloadEncoding encoding);

  std::size_t size() const { return entries_.size(); }
  std::size_t Length(StringId id) const { return entries_[id].length; }
  bool IsWithheld(StringId id) const { return entries_[id].withheld; }
  WorkloadEncoding encoding(StringId id) const { return entries_[id].encoding; }

  // The string's bytes, perhaps in `buffer`.
  std::string_view Bytes(StringId id, std::string& buffer) const;

  std::size_t memory_bytes() const {
    return entries_.capacity() * sizeof(Entry) + text_.capacity();
  }

 private:
  struct Entry {
    std::uint64_t place;  // offset in text_, or the number among the withheld of its kind
    std::uint32_t length;
    WorkloadEncoding encoding;
    bool withheld;
  };
  static_assert(sizeof(Entry) == 16);

  std::vector<Entry> entries_;
  std::string text_;
  // Withheld strings so far, by length and encoding.
  std::map<std::pair<std::uint32_t, WorkloadEncoding>, std::uint64_t> numbers_;
};

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_WORKLOAD_STRING_TABLE_H_
