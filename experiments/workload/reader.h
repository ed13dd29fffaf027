// WorkloadReader: a recorded workload, event by event.
//
// USE        Open, then Next until it gives null. `header()` is the first line; `strings()` what was
//            defined so far. With kMarksOnly it gives `mark`, `allocated` and `evaluated` events
//            alone, faster: for a look ahead; ids and checksum are
//            not checked then, and strings() stays empty.
// COST       Inflating, and parsing each line once; some 50 MB of JSON a second. Memory: that of the
//            line at hand (GzipLines, JsonTape), of the string table, and 4 bytes for each file that
//            is being loaded; never the whole.
// INVARIANTS What it gives satisfies the format: ids are defined, parents come before children,
//            lengths add up, `required` has its `require`. The file was whole iff it gave null.
// VALIDITY   An event is valid until the next call.
// ERRORS     InvalidArgument or NotFound: file, line, what was expected, what was there.
// TESTED BY  reader_test.cc, workload_fuzz.cc.
#ifndef RUBRIC_EXPERIMENTS_WORKLOAD_READER_H_
#define RUBRIC_EXPERIMENTS_WORKLOAD_READER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "experiments/workload/events.h"
#include "experiments/workload/gzip_lines.h"
#include "experiments/workload/string_table.h"

namespace rubric {

class EventParser;

class WorkloadReader {
 public:
  static constexpr std::uint64_t kVersion = 1;

  enum class Mode { kAll, kMarksOnly };

  static absl::StatusOr<WorkloadReader> Open(const WorkloadSource& source, Mode mode = Mode::kAll);
  WorkloadReader(WorkloadReader&&) noexcept;
  WorkloadReader& operator=(WorkloadReader&&) = delete;
  ~WorkloadReader();

  const WorkloadHeader& header() const { return header_; }
  const StringTable& strings() const;

  // The next event, or nothing after the last.
  absl::StatusOr<std::optional<WorkloadEvent>> Next();

  std::uint64_t line_number() const { return lines_.line_number(); }  // of the event
  std::uint64_t literals() const;                                     // numbered so far

  // An error at the line of the last event.
  absl::Status Error(std::string_view message) const;

 private:
  WorkloadReader(GzipLines lines, std::string name, Mode mode);
  absl::Status ReadHeader();
  absl::Status ReadEnd();
  absl::Status CheckNothingFollows();

  GzipLines lines_;
  std::string name_;
  Mode mode_;
  WorkloadHeader header_;
  std::unique_ptr<EventParser> parser_;
};

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_WORKLOAD_READER_H_
