// What counting and logging cost: an allocate and free pair, and the allocations of the
// array_literal experiment, each with malloc alone, counted, and counted with a log open (into a
// file of /tmp).

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "core/memory/allocate.h"
#include "core/memory/counters.h"
#include "core/memory/malloc_log.h"

namespace rubric {
namespace {

enum Mode : std::int64_t { kBareMalloc, kCounted, kLogged };

constexpr const char* kModeNames[] = {"malloc", "counted", "logged"};

// Opens a log for as long as it lives, if the mode asks for one, and checks that nothing was lost.
class ModeScope {
 public:
  explicit ModeScope(benchmark::State& state) : state_(state) {
    state.SetLabel(kModeNames[state.range(0)]);
    if (state.range(0) != kLogged) return;
    const absl::Status opened = OpenMallocLog(path_);
    if (!opened.ok()) state.SkipWithError(std::string(opened.message()).c_str());
    open_ = opened.ok();
    before_ = TakeSnapshot();
  }
  ~ModeScope() {
    if (!open_) return;
    const AllocatorCounters counted = (TakeSnapshot() - before_).total;
    const absl::StatusOr<std::uint64_t> events = CloseMallocLog();
    unlink(path_.c_str());
    if (!events.ok()) {
      state_.SkipWithError(std::string(events.status().message()).c_str());
    } else if (*events != counted.malloc_calls + counted.free_calls) {
      state_.SkipWithError("the log lost events");
    }
  }

 private:
  benchmark::State& state_;
  const std::string path_ = "/tmp/malloc_log_benchmark." + std::to_string(getpid());
  bool open_ = false;
  MemorySnapshot before_;
};

void* Get(std::int64_t mode, Subsystem subsystem, std::size_t bytes) {
  return mode == kBareMalloc ? std::malloc(bytes) : Allocate(subsystem, bytes);
}

void GiveBack(std::int64_t mode, Subsystem subsystem, void* block) {
  mode == kBareMalloc ? std::free(block) : Free(subsystem, block);
}

void BM_AllocateAndFree(benchmark::State& state) {
  ModeScope scope(state);
  std::size_t bytes = 16;
  for (auto _ : state) {
    void* block = Get(state.range(0), Subsystem::kStrings, bytes);
    benchmark::DoNotOptimize(block);
    GiveBack(state.range(0), Subsystem::kStrings, block);
    bytes = bytes % 256 + 16;
  }
}
BENCHMARK(BM_AllocateAndFree)->DenseRange(kBareMalloc, kLogged);

// 10,000 arrays of 4: a slot of 40 bytes from a page and a buffer of 4 Values from malloc, all
// kept, then all swept.
void BM_ArrayLiteral(benchmark::State& state) {
  constexpr std::size_t kArrays = 10'000;
  constexpr std::uint64_t kElements[4] = {3, 5, 7, 9};
  struct Slot {
    std::uint64_t words[5];
  };
  ModeScope scope(state);
  std::vector<Slot> page(kArrays);
  for (auto _ : state) {
    std::uint64_t sum = 0;
    for (Slot& slot : page) {
      void* buffer = Get(state.range(0), Subsystem::kArrays, sizeof(kElements));
      std::memcpy(buffer, kElements, sizeof(kElements));
      slot = {.words = {5, 0, 4, 4, reinterpret_cast<std::uint64_t>(buffer)}};
    }
    for (Slot& slot : page) {
      auto* buffer = reinterpret_cast<std::uint64_t*>(slot.words[4]);
      sum += buffer[3];
      GiveBack(state.range(0), Subsystem::kArrays, buffer);
      slot.words[0] = 0;
    }
    if (sum != 9 * kArrays) state.SkipWithError("a buffer lost its elements");
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kArrays));
}
BENCHMARK(BM_ArrayLiteral)->DenseRange(kBareMalloc, kLogged)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace rubric
