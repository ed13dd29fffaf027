// DescribeWorkload: what is in a recorded workload: counts, sizes, distributions.
//
// USE        `lab describe FILE`: TextOf for a person, JsonOf for a program.
// COST       Reads the file once; memory is the reader's, some hundred bytes a mark, and a word a
//            power of two for each distribution.
// ERRORS     The reader's.
// TESTED BY  describe_test.cc.
#ifndef RUBRIC_EXPERIMENTS_WORKLOAD_DESCRIBE_H_
#define RUBRIC_EXPERIMENTS_WORKLOAD_DESCRIBE_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "experiments/workload/events.h"
#include "experiments/workload/gzip_lines.h"

namespace rubric {

// How often each size occurs, by powers of two: 0, 1, 2-3, 4-7, …
class Distribution {
 public:
  void Add(std::uint64_t size, std::uint64_t times = 1);

  std::uint64_t count() const { return count_; }
  std::uint64_t total() const { return total_; }  // of the sizes
  std::uint64_t max() const { return max_; }
  static constexpr std::size_t kBuckets = 65;
  std::uint64_t in_bucket(std::size_t i) const { return buckets_[i]; }
  static std::uint64_t FirstOf(std::size_t bucket) {
    return bucket == 0 ? 0 : std::uint64_t{1} << (bucket - 1);
  }
  static std::uint64_t LastOf(std::size_t bucket) {
    return bucket == 0 ? 0 : FirstOf(bucket) + (FirstOf(bucket) - 1);
  }

 private:
  std::uint64_t count_ = 0, total_ = 0, max_ = 0;
  std::array<std::uint64_t, kBuckets> buckets_{};
};

struct WorkloadDescription {
  struct Figure {
    std::string name;
    std::uint64_t value;
    std::string unit;
  };
  struct NamedDistribution {
    std::string name;
    std::string unit;
    Distribution sizes;
  };
  struct Mark {
    std::string name;
    std::vector<Figure> figures;
  };
  WorkloadHeader header;
  std::vector<Figure> figures;
  std::vector<NamedDistribution> distributions;
  std::vector<Mark> marks;
};

absl::StatusOr<WorkloadDescription> DescribeWorkload(const WorkloadSource& source);

std::string TextOf(const WorkloadDescription& description);
std::string JsonOf(const WorkloadDescription& description);  // one line, without its line feed

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_WORKLOAD_DESCRIBE_H_
