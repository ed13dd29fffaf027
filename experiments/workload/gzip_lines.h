// GzipLines: the lines of a gzipped file or block of memory, one by one.
//
// USE        Open, then Next until it gives no line. crc32() and line_number() are those of the
//            lines given so far.
// COST       Inflating, one search for line feeds and one CRC. Memory: 64 KiB of input, 256 KiB of
//            output, and the line at hand, at most kMaxLineBytes.
// VALIDITY   A line is valid until the next call.
// ERRORS     NotFound or InvalidArgument: a file that cannot be read, that is no gzip, is damaged or
//            cut off, has an empty line, a line that is too long or has no end, or anything after
//            its gzip stream. Each says file, line, what was expected and what was there.
// TESTED BY  reader_test.cc, workload_fuzz.cc.
#ifndef RUBRIC_EXPERIMENTS_WORKLOAD_GZIP_LINES_H_
#define RUBRIC_EXPERIMENTS_WORKLOAD_GZIP_LINES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace rubric {

// Where a workload is: a file, or bytes in memory. May be opened more than once.
struct WorkloadSource {
  std::string name;        // the file's path, or what stands for it in errors
  bool in_memory = false;  // then `bytes` are it; they must outlive every reader
  std::string_view bytes;

  static WorkloadSource File(std::string path) { return {std::move(path), false, {}}; }
  static WorkloadSource Memory(std::string name, std::string_view bytes) {
    return {std::move(name), true, bytes};
  }
};

class GzipLines {
 public:
  static constexpr std::size_t kMaxLineBytes = std::size_t{16} << 20;

  // Without `with_crc` crc32_before() is 0, and reading a little faster.
  static absl::StatusOr<GzipLines> Open(const WorkloadSource& source, bool with_crc = true);
  GzipLines(GzipLines&&) noexcept;
  GzipLines& operator=(GzipLines&&) = delete;
  ~GzipLines();

  // True and a line, without its line feed; false at the end.
  absl::StatusOr<bool> Next(std::string_view* line);

  std::uint64_t line_number() const;   // of the last line given; from 1
  std::uint32_t crc32_before() const;  // of all lines before it, line feeds included

 private:
  struct State;
  explicit GzipLines(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_WORKLOAD_GZIP_LINES_H_
