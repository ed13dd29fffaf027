// ParseRecord: one JSON line to a Record, refusing what is not a record and saying why.
//
// USE        The suite parses what `lab run --json` printed; the reader parses every line of a
//            file.
// COST       O(line); refuses a line over kMaxRecordBytes, over kMaxRecordFields fields, or nested
//            deeper than kMaxRecordDepth, so that hostile input costs neither memory nor stack.
// INVARIANTS (1) An accepted record satisfies every comment in record.h (finite figures, a reason
//                iff not ok, curves of equal length…), and no figure in it is impossible: none of
//                the known metrics has another unit, a fraction of a call, fewer than no bytes; and
//                its variant's name does not contradict its backends.
//            (2) Fields that this version does not know are kept and written back. A record of a
//                schema newer than kRecordSchema is refused, not half understood.
//            (3) Errors are absl::InvalidArgumentError and read "path.to.field: expected …, found
//            …".
// TESTED BY  parse_record_test.cc, parse_record_fuzz.cc.

#ifndef RUBRIC_REPORTS_RESULTS_PARSE_RECORD_H_
#define RUBRIC_REPORTS_RESULTS_PARSE_RECORD_H_

#include <cstddef>
#include <string_view>

#include "absl/status/statusor.h"
#include "reports/results/record.h"

namespace rubric {

// A record with a full curve of 2,000 points is some 50 KB.
inline constexpr std::size_t kMaxRecordBytes = std::size_t{4} << 20;
inline constexpr std::size_t kMaxRecordFields = 10'000;
inline constexpr int kMaxRecordDepth = 32;

absl::StatusOr<Record> ParseRecord(std::string_view line);

}  // namespace rubric

#endif  // RUBRIC_REPORTS_RESULTS_PARSE_RECORD_H_
