// Holds the counters against valgrind's own, which watch malloc from outside: the program
// allocation_script is run under memcheck and under massif, once with random steps and once with
// none, so that what a process allocates before it begins (libstdc++'s pool for exceptions: 72,704
// bytes) can be taken off. What remains must be equal to the byte.

#include <sys/wait.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include "gtest/gtest.h"

namespace rubric {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kMallocIsReplaced = true;  // such a program cannot run under valgrind
#else
constexpr bool kMallocIsReplaced = false;
#endif

constexpr const char* kScript = "core/memory/allocation_script";
constexpr const char* kSteps = "5000";

std::string RunCommand(const std::string& command) {
  std::string output;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return "popen failed";
  std::array<char, 4096> chunk;
  while (const std::size_t n = fread(chunk.data(), 1, chunk.size(), pipe)) {
    output.append(chunk.data(), n);
  }
  EXPECT_EQ(pclose(pipe), 0) << command << "\n" << output;
  return output;
}

// The number after `label`, which may have commas in it.
std::uint64_t NumberAfter(const std::string& text, const std::string& label, std::size_t from = 0) {
  const std::size_t at = text.find(label, from);
  EXPECT_NE(at, std::string::npos) << "no '" << label << "' in\n" << text;
  if (at == std::string::npos) return 0;
  std::uint64_t number = 0;
  for (std::size_t i = at + label.size(); i < text.size(); ++i) {
    if (text[i] == ',') continue;
    if (text[i] < '0' || text[i] > '9') break;
    number = number * 10 + static_cast<std::uint64_t>(text[i] - '0');
  }
  return number;
}

// What the program says of itself.
struct OwnCounts {
  std::uint64_t malloc_calls = 0, free_calls = 0, bytes_requested = 0, peak_bytes = 0;
};

OwnCounts ParseOwnCounts(const std::string& output) {
  // Its line is the only one that starts with a digit: valgrind's start with '='.
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] < '0' || line[0] > '9') continue;
    OwnCounts counts;
    std::istringstream(line) >> counts.malloc_calls >> counts.free_calls >>
        counts.bytes_requested >> counts.peak_bytes;
    return counts;
  }
  ADD_FAILURE() << "no counts in\n" << output;
  return {};
}

class ValgrindAgreementTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (kMallocIsReplaced) GTEST_SKIP() << "the sanitizer's malloc does not run under valgrind";
    ASSERT_EQ(std::system("valgrind --version >/dev/null 2>&1"), 0)
        << "Debian package valgrind is missing: run third_party/setup";
  }
};

TEST_F(ValgrindAgreementTest, MemcheckCountsTheSameCallsAndBytes) {
  const auto run = [](const std::string& steps) {
    return RunCommand("valgrind --tool=memcheck --leak-check=no --undef-value-errors=no " +
               std::string(kScript) + " " + steps);
  };
  const std::string idle = run("0");
  const std::string busy = run(kSteps);
  const OwnCounts own = ParseOwnCounts(busy);
  ASSERT_GT(own.malloc_calls, 1'000u);
  const auto difference = [&](const std::string& label) {
    const std::string line = "total heap usage: ";
    const auto in = [&](const std::string& text) {
      const std::size_t at = text.find(line);
      if (label == line) return NumberAfter(text, line);
      return NumberAfter(text, label, at);
    };
    return in(busy)-in(idle);
  };
  EXPECT_EQ(difference("total heap usage: "), own.malloc_calls);
  EXPECT_EQ(difference("allocs, "), own.free_calls);
  EXPECT_EQ(difference("frees, "), own.bytes_requested);
}

TEST_F(ValgrindAgreementTest, MassifSeesTheSamePeak) {
  // With no administration counted, its heap and "extra" bytes are what was asked for and what its
  // malloc rounded that up by: together what malloc_usable_size tells the program.
  const auto run = [](const std::string& steps) {
    const std::string file = ::testing::TempDir() + "/massif." + steps;
    const std::string output =
        RunCommand("valgrind --tool=massif --heap-admin=0 --peak-inaccuracy=0 --massif-out-file=" + file +
            " " + kScript + " " + steps);
    std::ifstream stream(file);
    std::stringstream text;
    text << stream.rdbuf();
    const std::string massif = text.str();
    const std::size_t peak = massif.find("heap_tree=peak");
    EXPECT_NE(peak, std::string::npos) << massif;
    const std::size_t snapshot = massif.rfind("snapshot=", peak);
    const std::uint64_t bytes = NumberAfter(massif, "mem_heap_B=", snapshot) +
                                NumberAfter(massif, "mem_heap_extra_B=", snapshot);
    return std::pair(bytes, ParseOwnCounts(output));
  };
  const auto [idle_peak, idle] = run("0");
  const auto [busy_peak, busy] = run(kSteps);
  EXPECT_EQ(idle.peak_bytes, 0u);
  ASSERT_GT(busy.peak_bytes, 100'000u);
  EXPECT_EQ(busy_peak - idle_peak, busy.peak_bytes);
}

}  // namespace
}  // namespace rubric
