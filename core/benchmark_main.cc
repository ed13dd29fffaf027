// The main() of a benchmark program: google-benchmark's own, but it exits 1 where a benchmark
// reported an error (SkipWithError) or where the filter left none, both of which the library's
// main() calls success.

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdio>
#include <vector>

namespace rubric {
namespace {

// Prints what the console reporter prints, and remembers whether anything failed.
class FailureCountingReporter : public benchmark::ConsoleReporter {
 public:
  using benchmark::ConsoleReporter::ConsoleReporter;

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) failures_ += run.error_occurred ? 1 : 0;
    ConsoleReporter::ReportRuns(runs);
  }

  std::size_t failures() const { return failures_; }

 private:
  std::size_t failures_ = 0;
};

int RunBenchmarks() {
  FailureCountingReporter reporter(benchmark::ConsoleReporter::OO_Tabular);
  const std::size_t benchmarks = benchmark::RunSpecifiedBenchmarks(&reporter);
  if (benchmarks == 0) {
    std::fprintf(stderr, "no benchmark matches --benchmark_filter\n");
    return 1;
  }
  if (reporter.failures() > 0) {
    std::fprintf(stderr, "%zu benchmarks failed\n", reporter.failures());
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace rubric

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const int status = rubric::RunBenchmarks();
  benchmark::Shutdown();
  return status;
}
