#include "core/memory/allocate.h"

#include <malloc.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "core/base/build_mode.h"
#include "core/memory/counters.h"
#include "core/memory/counting_allocator.h"
#include "core/memory/subsystem.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

std::int64_t Usable(void* block) { return static_cast<std::int64_t>(malloc_usable_size(block)); }

TEST(AllocateTest, CountsOneAllocationAndOneFree) {
  RestartPeaks();
  const MemorySnapshot before = TakeSnapshot();
  void* block = Allocate(Subsystem::kStrings, 100);
  const std::int64_t usable = Usable(block);
  const MemorySnapshot held = TakeSnapshot() - before;
  const AllocatorCounters expected = {.malloc_calls = 1,
                                      .free_calls = 0,
                                      .bytes_requested = 100,
                                      .bytes_usable = static_cast<std::uint64_t>(usable),
                                      .live_bytes = usable,
                                      .peak_bytes = usable};
  EXPECT_EQ(held.total, expected);
  EXPECT_EQ(held[Subsystem::kStrings], expected);
  EXPECT_EQ(held[Subsystem::kArrays], AllocatorCounters{});

  Free(Subsystem::kStrings, block);
  const MemorySnapshot after = TakeSnapshot() - before;
  EXPECT_EQ(after.total.free_calls, 1u);
  EXPECT_EQ(after.total.live_bytes, 0);
  EXPECT_EQ(after.total.peak_bytes, usable) << "the peak outlives what made it";
}

TEST(AllocateTest, NullIsFreedWithoutBeingCounted) {
  const MemorySnapshot before = TakeSnapshot();
  Free(Subsystem::kVm, nullptr);
  EXPECT_EQ((TakeSnapshot() - before).total.free_calls, 0u);
}

TEST(AllocateTest, ZeroBytesGiveDistinctBlocks) {
  void* a = Allocate(Subsystem::kVm, 0);
  void* b = Allocate(Subsystem::kVm, 0);
  EXPECT_NE(a, nullptr);
  EXPECT_NE(a, b);
  Free(Subsystem::kVm, a);
  Free(Subsystem::kVm, b);
}

TEST(AllocateTest, ZeroedMemoryIsZeroAndCountsItsProduct) {
  // Dirty a block first, so that zeros do not come from a fresh page.
  void* dirty = Allocate(Subsystem::kVm, 640);
  std::memset(dirty, 0xff, 640);
  Free(Subsystem::kVm, dirty);
  const MemorySnapshot before = TakeSnapshot();
  auto* bytes = static_cast<unsigned char*>(AllocateZeroed(Subsystem::kVm, 16, 40));
  EXPECT_EQ((TakeSnapshot() - before).total.bytes_requested, 640u);
  EXPECT_TRUE(std::all_of(bytes, bytes + 640, [](unsigned char c) { return c == 0; }));
  Free(Subsystem::kVm, bytes);
}

TEST(AllocateTest, AlignsAsAsked) {
  for (std::size_t alignment = sizeof(void*); alignment <= 16384; alignment *= 2) {
    void* block = AllocateAligned(Subsystem::kHeapPages, alignment, 16384);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignment, 0u);
    Free(Subsystem::kHeapPages, block);
  }
}

TEST(AllocateTest, ReallocCountsAsOneAllocationAndOneFree) {
  auto* block = static_cast<char*>(Allocate(Subsystem::kArrays, 24));
  std::memcpy(block, "twenty-three characters", 24);
  RestartPeaks();
  const MemorySnapshot before = TakeSnapshot();
  const std::int64_t old_usable = Usable(block);
  block = static_cast<char*>(Reallocate(Subsystem::kArrays, block, 5000));
  EXPECT_STREQ(block, "twenty-three characters");
  const MemorySnapshot grown = TakeSnapshot() - before;
  EXPECT_EQ(grown.total.malloc_calls, 1u);
  EXPECT_EQ(grown.total.free_calls, 1u);
  EXPECT_EQ(grown.total.bytes_requested, 5000u);
  EXPECT_EQ(grown.total.live_bytes, Usable(block) - old_usable);
  EXPECT_EQ(grown.total.peak_bytes, Usable(block) - old_usable)
      << "the old and the new block are never both counted";
  Free(Subsystem::kArrays, block);
}

TEST(AllocateTest, ReallocOfNullIsAnAllocation) {
  const MemorySnapshot before = TakeSnapshot();
  void* block = Reallocate(Subsystem::kArrays, nullptr, 8);
  EXPECT_EQ((TakeSnapshot() - before).total.malloc_calls, 1u);
  EXPECT_EQ((TakeSnapshot() - before).total.free_calls, 0u);
  Free(Subsystem::kArrays, block);
}

TEST(AllocateDeathTest, ReallocToNothingIsRefused) {
  void* block = Allocate(Subsystem::kVm, 8);
  EXPECT_DEATH(static_cast<void>(Reallocate(Subsystem::kVm, block, 0)), "is a free");
  Free(Subsystem::kVm, block);
}

// Sanitizers replace malloc and report such a size in their own words.
#if !defined(__SANITIZE_ADDRESS__)
TEST(AllocateDeathTest, OutOfMemoryNamesSizeAndSubsystem) {
  const std::size_t too_much = std::size_t{1} << 62;
  EXPECT_DEATH(static_cast<void>(Allocate(Subsystem::kFeatures, too_much)),
               "out of memory: 4611686018427387904 bytes for features");
  EXPECT_DEATH(static_cast<void>(AllocateZeroed(Subsystem::kFeatures, too_much, 2)),
               "out of memory");
}
#endif

TEST(AllocateTest, PeakIsRestartedFromWhatIsLive) {
  void* kept = Allocate(Subsystem::kIseqs, 1000);
  Free(Subsystem::kIseqs, Allocate(Subsystem::kIseqs, 100'000));
  RestartPeaks();
  const MemorySnapshot now = TakeSnapshot();
  EXPECT_EQ(now.total.peak_bytes, now.total.live_bytes);
  EXPECT_EQ(now[Subsystem::kIseqs].peak_bytes, now[Subsystem::kIseqs].live_bytes);
  EXPECT_GE(now[Subsystem::kIseqs].live_bytes, 1000);
  Free(Subsystem::kIseqs, kept);
}

TEST(AllocateTest, TotalPeakIsNotTheSumOfSubsystemPeaks) {
  RestartPeaks();
  const MemorySnapshot before = TakeSnapshot();
  Free(Subsystem::kStrings, Allocate(Subsystem::kStrings, 5000));
  Free(Subsystem::kArrays, Allocate(Subsystem::kArrays, 5000));
  const MemorySnapshot d = TakeSnapshot() - before;
  EXPECT_EQ(d.total.peak_bytes,
            std::max(d[Subsystem::kStrings].peak_bytes, d[Subsystem::kArrays].peak_bytes));
}

TEST(AllocateTest, PagesAndTheCollectorDoNotMakeMallocIncrease) {
  ResetMallocIncrease();
  void* page = AllocateAligned(Subsystem::kHeapPages, 64, 16384);
  void* mark_stack = Allocate(Subsystem::kCollector, 4096);
  EXPECT_EQ(MallocIncrease(), 0u);
  void* string = Allocate(Subsystem::kStrings, 4096);
  EXPECT_EQ(MallocIncrease(), static_cast<std::size_t>(Usable(string)));
  Free(Subsystem::kHeapPages, page);
  Free(Subsystem::kCollector, mark_stack);
  EXPECT_EQ(MallocIncrease(), static_cast<std::size_t>(Usable(string)));
  ResetMallocIncrease();
  Free(Subsystem::kStrings, string);
  EXPECT_EQ(MallocIncrease(), 0u) << "never below 0";
}

TEST(AllocateTest, HostileBuildFillsWithJunk) {
  if constexpr (!kHostile) GTEST_SKIP() << "fresh memory is left as malloc gives it";
  auto* bytes = static_cast<unsigned char*>(Allocate(Subsystem::kVm, 64));
  EXPECT_TRUE(std::all_of(bytes, bytes + 64, [](unsigned char c) { return c == 0xa5; }));
  Free(Subsystem::kVm, bytes);
}

struct Tracked {
  explicit Tracked(int* alive) : alive(alive) { ++*alive; }
  ~Tracked() { --*alive; }
  int* alive;
};

TEST(AllocateTest, MakeAndDestroyConstructAndDestroy) {
  int alive = 0;
  const MemorySnapshot before = TakeSnapshot();
  Tracked* object = Make<Subsystem::kData, Tracked>(&alive);
  EXPECT_EQ(alive, 1);
  EXPECT_EQ((TakeSnapshot() - before)[Subsystem::kData].bytes_requested, sizeof(Tracked));
  Destroy<Subsystem::kData>(object);
  Destroy<Subsystem::kData>(static_cast<Tracked*>(nullptr));
  EXPECT_EQ(alive, 0);
  EXPECT_EQ((TakeSnapshot() - before).total.live_bytes, 0);
}

TEST(CountingAllocatorTest, ContainersAreCountedUnderTheirTag) {
  const MemorySnapshot before = TakeSnapshot();
  {
    CountedVector<std::uint64_t, Subsystem::kVm> numbers;
    numbers.reserve(100);
    CountedString<Subsystem::kFeatures> text(1000, 'x');
    struct alignas(64) Line {
      char bytes[64];
    };
    CountedVector<Line, Subsystem::kCollector> lines(3);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(lines.data()) % 64, 0u);
    const MemorySnapshot d = TakeSnapshot() - before;
    EXPECT_EQ(d[Subsystem::kVm].bytes_requested, 800u);
    EXPECT_EQ(d[Subsystem::kFeatures].bytes_requested, 1001u);
    EXPECT_EQ(d[Subsystem::kCollector].bytes_requested, 192u);
    EXPECT_EQ(d.total.malloc_calls, 3u);
    static_assert(sizeof(numbers) == sizeof(std::vector<std::uint64_t>));
  }
  EXPECT_EQ((TakeSnapshot() - before).total.live_bytes, 0);
}

// The counters as their header defines them, done the slow way.
struct Model {
  struct Block {
    Subsystem subsystem;
    std::int64_t usable;
  };
  std::map<void*, Block> live;
  AllocatorCounters total;
  std::array<AllocatorCounters, kSubsystemCount> by_subsystem;
  std::int64_t increase = 0;

  std::int64_t LiveBytes(const Subsystem* only) const {
    std::int64_t sum = 0;
    for (const auto& [address, block] : live) {
      if (only == nullptr || block.subsystem == *only) sum += block.usable;
    }
    return sum;
  }
  static bool Increases(Subsystem s) {
    return s != Subsystem::kHeapPages && s != Subsystem::kCollector && s != Subsystem::kTls;
  }
  void Allocated(Subsystem s, void* block, std::size_t requested) {
    live[block] = {s, Usable(block)};
    if (Increases(s)) increase += Usable(block);
    for (AllocatorCounters* c : {&total, &by_subsystem[static_cast<std::size_t>(s)]}) {
      ++c->malloc_calls;
      c->bytes_requested += requested;
      c->bytes_usable += static_cast<std::uint64_t>(Usable(block));
      c->live_bytes = LiveBytes(c == &total ? nullptr : &s);
      c->peak_bytes = std::max(c->peak_bytes, c->live_bytes);
    }
  }
  void Freed(void* block) {
    const Block gone = live.at(block);
    live.erase(block);
    if (Increases(gone.subsystem)) increase = std::max<std::int64_t>(0, increase - gone.usable);
    for (AllocatorCounters* c : {&total, &by_subsystem[static_cast<std::size_t>(gone.subsystem)]}) {
      ++c->free_calls;
      c->live_bytes = LiveBytes(c == &total ? nullptr : &gone.subsystem);
    }
  }
};

TEST(AllocateTest, CountersAgreeWithAModelUnderRandomUse) {
  constexpr unsigned kSeed = 20260131;
  SCOPED_TRACE(kSeed);
  std::mt19937 rng(kSeed);
  RestartPeaks();
  ResetMallocIncrease();
  const MemorySnapshot before = TakeSnapshot();
  Model model;
  std::vector<std::pair<void*, Subsystem>> blocks;
  for (int step = 0; step < 20'000; ++step) {
    const auto subsystem = static_cast<Subsystem>(rng() % kSubsystemCount);
    // Sizes of every order of magnitude, 0 included.
    const std::size_t bytes = rng() % (std::size_t{1} << (rng() % 15));
    void* block = nullptr;
    switch (blocks.size() > 200 ? 4 : rng() % 6) {
      case 0:
        block = Allocate(subsystem, bytes);
        break;
      case 1:
        block = AllocateZeroed(subsystem, bytes, 1);
        break;
      case 2:
        block = AllocateAligned(subsystem, std::size_t{16} << (rng() % 6), bytes);
        break;
      case 3: {
        if (blocks.empty()) break;
        auto& [address, owner] = blocks[rng() % blocks.size()];
        model.Freed(address);
        address = Reallocate(owner, address, bytes + 1);
        model.Allocated(owner, address, bytes + 1);
        break;
      }
      default: {
        if (blocks.empty()) break;
        std::swap(blocks[rng() % blocks.size()], blocks.back());
        model.Freed(blocks.back().first);
        Free(blocks.back().second, blocks.back().first);
        blocks.pop_back();
      }
    }
    if (block != nullptr) {
      blocks.emplace_back(block, subsystem);
      model.Allocated(subsystem, block, bytes);
    }
    const MemorySnapshot d = TakeSnapshot() - before;
    ASSERT_EQ(d.total, model.total) << "step " << step;
    ASSERT_EQ(MallocIncrease(), static_cast<std::size_t>(model.increase)) << "step " << step;
    AllocatorCounters sum;
    for (std::size_t i = 0; i < kSubsystemCount; ++i) {
      const AllocatorCounters& c = d.by_subsystem[i];
      ASSERT_EQ(c, model.by_subsystem[i]) << kSubsystemNames[i] << " at step " << step;
      sum.malloc_calls += c.malloc_calls;
      sum.free_calls += c.free_calls;
      sum.bytes_requested += c.bytes_requested;
      sum.bytes_usable += c.bytes_usable;
      sum.live_bytes += c.live_bytes;
    }
    sum.peak_bytes = d.total.peak_bytes;  // the one that is no sum
    ASSERT_EQ(d.total, sum) << "step " << step;
    ASSERT_EQ(d.total.malloc_calls - d.total.free_calls, blocks.size());
  }
  for (const auto& [block, subsystem] : blocks) Free(subsystem, block);
  EXPECT_EQ((TakeSnapshot() - before).total.live_bytes, 0);
}

}  // namespace
}  // namespace rubric
