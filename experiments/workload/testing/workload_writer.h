// WorkloadWriter: writes a workload, whole or wrong on purpose, for tests and generators.
//
// USE        Line(json) for each line but the first and the last; Finish() gives the gzipped bytes.
// LAYOUT     experiments/workloads/README.md.
#ifndef RUBRIC_EXPERIMENTS_WORKLOAD_TESTING_WORKLOAD_WRITER_H_
#define RUBRIC_EXPERIMENTS_WORKLOAD_TESTING_WORKLOAD_WRITER_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace rubric {

// `plain`, gzipped.
std::string Gzip(std::string_view plain);

class WorkloadWriter {
 public:
  explicit WorkloadWriter(bool text = false);

  WorkloadWriter& Line(std::string_view json);

  // The last line is added, unless `with_end` is false.
  std::string Plain(bool with_end = true) const;
  std::string Finish() const { return Gzip(Plain()); }

 private:
  std::string plain_;
  std::uint64_t lines_ = 0;
};

// A mark with the least that it must have, `more` among its fields: ",\"iseqs\":1".
std::string MarkLine(std::string_view name, std::string_view slots, std::uint64_t features,
                     std::uint64_t symbols, std::uint64_t fstrings, std::string_view more = "");

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_WORKLOAD_TESTING_WORKLOAD_WRITER_H_
