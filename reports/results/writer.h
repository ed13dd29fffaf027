// ResultsWriter: appends records to a results.jsonl so that a kill at any moment loses at most the
// record being written, and never damages one that was there.
//
// USE        Open, then Append each record as its process ends. One writer a file: a second Open
//            fails while the first lives (advisory flock).
// COST       Append: one write(2) and one fsync.
// INVARIANTS (1) Between calls the file is whole lines.
//            (2) Open makes a file that was cut off whole again: a last line without newline stays
//                (with its newline added) iff it is a whole record, else it is cut away.
//            (3) A failed Append leaves the file as it was before, where the file system lets it.
// VALIDITY   Movable; a moved-from writer may only be destroyed or assigned to.
// TESTED BY  files_test.cc.

#ifndef RUBRIC_REPORTS_RESULTS_WRITER_H_
#define RUBRIC_REPORTS_RESULTS_WRITER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "reports/results/record.h"

namespace rubric {

class ResultsWriter {
 public:
  // Opens or makes `file`; its folder must exist.
  static absl::StatusOr<ResultsWriter> Open(const std::string& file);

  ResultsWriter(ResultsWriter&& other) noexcept;
  ResultsWriter& operator=(ResultsWriter&& other) noexcept;
  ResultsWriter(const ResultsWriter&) = delete;
  ResultsWriter& operator=(const ResultsWriter&) = delete;
  ~ResultsWriter();

  absl::Status Append(const Record& record);

  // Bytes of a cut-off last line that Open removed; 0 if the file was whole.
  std::int64_t bytes_cut() const { return bytes_cut_; }

 private:
  ResultsWriter(std::string file, int descriptor)
      : file_(std::move(file)), descriptor_(descriptor) {}

  absl::Status Repair();
  absl::Status WriteLine(std::string_view line);

  std::string file_;
  int descriptor_ = -1;  // owned; -1 = moved from
  std::int64_t bytes_cut_ = 0;
};

// Replaces `file` by `content` in one step: a temporary beside it, fsync, rename. A reader sees the
// old content or the new one. The temporary is removed where anything fails.
absl::Status WriteFileAtomically(const std::string& file, std::string_view content);

// The same for several files, (name, content) each: none is replaced before all are written out, so
// that a full disk leaves what was there before. They are then replaced in their order.
absl::Status WriteFilesAtomically(const std::vector<std::pair<std::string, std::string>>& contents);

}  // namespace rubric

#endif  // RUBRIC_REPORTS_RESULTS_WRITER_H_
