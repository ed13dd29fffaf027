// Holds the lab's figures against valgrind, which watches malloc from outside.
//
// memcheck's --trace-malloc prints every call; between the two marks that the measurement prints it
// must be what the record says: as many calls, as many bytes, the same peak. What the harness
// itself allocates there is nothing, so no difference is allowed.

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "experiments/lab/lab_program.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

struct Traced {
  std::int64_t allocations = 0;
  std::int64_t frees = 0;
  std::int64_t bytes = 0;
  std::int64_t live = 0;
  std::int64_t peak = 0;
};

// Replays the trace. A line is one of
//   malloc(N) = 0xP   calloc(N,M) = 0xP   memalign(al A, size N) = 0xP
//   realloc(0xQ,N)malloc(N) = 0xP or realloc(0xQ,N) = 0xP   free(0xP)
class TraceReplay {
 public:
  void Line(const std::string& line) {
    if (line.find("rubric: measured part begins") != std::string::npos) {
      inside_ = true;
      return;
    }
    if (line.find("rubric: measured part ends") != std::string::npos) {
      inside_ = false;
      ++parts_;
      return;
    }
    if (const auto at = line.find(" realloc("); at != std::string::npos) {
      const std::uint64_t old_block = NumberAt(line, line.find("0x", at));
      const std::uint64_t bytes = NumberAt(line, line.find(',', at) + 1);
      if (old_block != 0) Freed(old_block);
      Allocated(line, bytes);
    } else if (const auto at = line.find(" malloc("); at != std::string::npos) {
      Allocated(line, NumberAt(line, at + 8));
    } else if (const auto at = line.find(" calloc("); at != std::string::npos) {
      Allocated(line, NumberAt(line, at + 8) * NumberAt(line, line.find(',', at) + 1));
    } else if (const auto at = line.find(" memalign("); at != std::string::npos) {
      Allocated(line, NumberAt(line, line.find("size", at) + 5));
    } else if (const auto at = line.find(" free("); at != std::string::npos) {
      Freed(NumberAt(line, at + 6));
    }
  }
  const Traced& traced() const { return traced_; }
  int parts() const { return parts_; }

 private:
  static std::uint64_t NumberAt(const std::string& line, std::size_t at) {
    if (at >= line.size()) return 0;
    return std::stoull(line.substr(at), nullptr, 0);
  }
  void Allocated(const std::string& line, std::uint64_t bytes) {
    const auto equals = line.rfind("= 0x");
    ASSERT_NE(equals, std::string::npos) << line;
    sizes_[NumberAt(line, equals + 2)] = bytes;
    if (!inside_) return;
    ++traced_.allocations;
    traced_.bytes += static_cast<std::int64_t>(bytes);
    traced_.live += static_cast<std::int64_t>(bytes);
    traced_.peak = std::max(traced_.peak, traced_.live);
  }
  void Freed(std::uint64_t block) {
    if (block == 0) return;
    if (inside_) {
      ++traced_.frees;
      traced_.live -= static_cast<std::int64_t>(sizes_[block]);
    }
    sizes_.erase(block);
  }

  bool inside_ = false;
  int parts_ = 0;
  std::map<std::uint64_t, std::uint64_t> sizes_;
  Traced traced_;
};

class ValgrindAgreementTest : public ::testing::TestWithParam<const char*> {};

TEST_P(ValgrindAgreementTest, CallsBytesAndPeakAreEqual) {
  const std::string log = ::testing::TempDir() + "/valgrind.log";
  const Record record =
      RunForRecord(GetParam(),
                   "valgrind --tool=memcheck --leak-check=no --undef-value-errors=no "
                   "--trace-malloc=yes --log-file=" +
                       log);
  TraceReplay replay;
  std::ifstream file(log);
  for (std::string line; std::getline(file, line);) replay.Line(line);
  ASSERT_EQ(replay.parts(), 1) << "the marks are not in valgrind's log";
  const Traced& traced = replay.traced();
  EXPECT_GT(traced.allocations, 0);
  EXPECT_EQ(static_cast<double>(traced.allocations), MetricOf(record, "malloc_calls"));
  EXPECT_EQ(static_cast<double>(traced.frees), MetricOf(record, "free_calls"));
  EXPECT_EQ(static_cast<double>(traced.bytes), MetricOf(record, "bytes_requested"));
  EXPECT_EQ(static_cast<double>(traced.peak), MetricOf(record, "peak_bytes"));
  EXPECT_EQ(static_cast<double>(traced.live), MetricOf(record, "live_bytes"));
}

INSTANTIATE_TEST_SUITE_P(Experiments, ValgrindAgreementTest,
                         ::testing::Values("require --features=200 --slashes=7",
                                           "array_literal --count=2000",
                                           "array_literal --count=500 --elements=110 --written=50",
                                           "intern --op=insert --size=3000",
                                           "intern --op=sweep --size=3000",
                                           "generic_ivars --objects=300"));

}  // namespace
}  // namespace rubric
