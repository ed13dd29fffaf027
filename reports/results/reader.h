// ReadResults: every record of any number of results folders and files.
//
// USE        ReadResults({"results/20260131-101500", "more.jsonl"}). A folder stands for its
//            results.jsonl and, if there is one, its run.json.
// COST       O(bytes); one line in memory at a time besides the records themselves.
// INVARIANTS (1) A bad line is an error that names file, line, and what was expected; with one
//                exception: a last line without a newline that is not a whole record is what a
//                killed run leaves behind, and becomes a warning.
//            (2) A file given twice (by whatever path) is read once, with a warning.
//            (3) Success means at least one record.
// TESTED BY  files_test.cc.

#ifndef RUBRIC_REPORTS_RESULTS_READER_H_
#define RUBRIC_REPORTS_RESULTS_READER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "reports/results/record.h"
#include "reports/results/run_plan.h"

namespace rubric {

struct SourcedRecord {
  Record record;
  std::string file;       // as the user named it, or folder + "/results.jsonl"
  std::int64_t line = 0;  // 1-based
};

struct Results {
  std::vector<SourcedRecord> records;  // in the order given, then by line
  std::vector<RunPlan> plans;          // of the folders that have one
  std::vector<std::string> files;      // read, in order
  std::vector<std::string> warnings;   // one sentence each, with file and line
};

absl::StatusOr<Results> ReadResults(const std::vector<std::string>& paths);

// The records of one file, no plan. Unlike ReadResults an empty file is no error here: it is
// what a run that has not finished its first process has.
absl::StatusOr<Results> ReadRecordsFile(const std::string& file);

// The folder's run.json. NotFoundError if there is none.
absl::StatusOr<RunPlan> ReadRunPlan(const std::string& folder);

}  // namespace rubric

#endif  // RUBRIC_REPORTS_RESULTS_READER_H_
