#include "core/memory/malloc_log.h"

#include <fcntl.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/memory/allocate.h"
#include "core/memory/counters.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string TestPath(const std::string& name) { return ::testing::TempDir() + "/" + name; }

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void WriteFile(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::vector<MallocEvent> Events(const std::string& path) {
  std::vector<MallocEvent> events;
  const absl::StatusOr<std::uint64_t> read =
      ReadMallocLog(path, [&](const MallocEvent& e) { events.push_back(e); });
  EXPECT_TRUE(read.ok()) << read.status();
  if (read.ok()) {
    EXPECT_EQ(*read, events.size());
  }
  return events;
}

MallocEvent Event(MallocEventKind kind, Subsystem subsystem, void* block, std::size_t requested) {
  return {.kind = kind,
          .subsystem = subsystem,
          .address = reinterpret_cast<std::uint64_t>(block),
          .usable_bytes = malloc_usable_size(block),
          .requested_bytes = requested};
}

// Allocates, reallocates and frees at random, and says what a log of it must hold.
std::vector<MallocEvent> RunRandomly(unsigned seed, int steps) {
  std::mt19937 rng(seed);
  std::vector<MallocEvent> expected;
  std::vector<std::pair<void*, Subsystem>> blocks;
  const auto free_last = [&] {
    const auto [block, subsystem] = blocks.back();
    blocks.pop_back();
    expected.push_back(Event(MallocEventKind::kFree, subsystem, block, 0));
    Free(subsystem, block);
  };
  for (int i = 0; i < steps; ++i) {
    const auto subsystem = static_cast<Subsystem>(rng() % kSubsystemCount);
    const std::size_t bytes = rng() % (std::size_t{1} << (rng() % 21));  // to 1 MiB: mmapped ones
    switch (blocks.size() > 64 ? 2 : rng() % 4) {
      case 0:
        blocks.emplace_back(Allocate(subsystem, bytes), subsystem);
        expected.push_back(Event(MallocEventKind::kAlloc, subsystem, blocks.back().first, bytes));
        break;
      case 1: {
        if (blocks.empty()) break;
        auto& [block, owner] = blocks[rng() % blocks.size()];
        expected.push_back(Event(MallocEventKind::kReallocFree, owner, block, 0));
        block = Reallocate(owner, block, bytes + 1);
        expected.push_back(Event(MallocEventKind::kReallocAlloc, owner, block, bytes + 1));
        break;
      }
      case 2:
        if (blocks.empty()) break;
        std::swap(blocks[rng() % blocks.size()], blocks.back());
        free_last();
        break;
      default:
        blocks.emplace_back(AllocateZeroed(subsystem, bytes, 1), subsystem);
        expected.push_back(Event(MallocEventKind::kAlloc, subsystem, blocks.back().first, bytes));
    }
  }
  while (!blocks.empty()) free_last();
  return expected;
}

TEST(MallocLogTest, HoldsEveryEventInOrder) {
  // Long enough to fill the buffer several times over.
  const std::string path = TestPath("events.log");
  constexpr unsigned kSeed = 20260131;
  SCOPED_TRACE(kSeed);
  const MemorySnapshot before = TakeSnapshot();
  ASSERT_TRUE(OpenMallocLog(path).ok());
  const std::vector<MallocEvent> expected = RunRandomly(kSeed, 200'000);
  const MemorySnapshot counted = TakeSnapshot() - before;
  const absl::StatusOr<std::uint64_t> logged = CloseMallocLog();
  ASSERT_TRUE(logged.ok()) << logged.status();
  EXPECT_EQ(*logged, expected.size());
  EXPECT_EQ(*logged, counted.total.malloc_calls + counted.total.free_calls);
  ASSERT_GT(ReadFile(path).size(), 512u * 1024);

  const std::vector<MallocEvent> events = Events(path);
  ASSERT_EQ(events.size(), expected.size());
  for (std::size_t i = 0; i < events.size(); ++i)
    ASSERT_EQ(events[i], expected[i]) << "event " << i;
}

TEST(MallocLogTest, AgreesWithTheCountersEventByEvent) {
  // The counters after each event can be had from the log alone.
  const std::string path = TestPath("replay.log");
  RestartPeaks();
  const MemorySnapshot before = TakeSnapshot();
  ASSERT_TRUE(OpenMallocLog(path).ok());
  RunRandomly(7, 5'000);
  const MemorySnapshot counted = TakeSnapshot() - before;
  ASSERT_TRUE(CloseMallocLog().ok());
  MemorySnapshot replayed;
  for (const MallocEvent& e : Events(path)) {
    for (AllocatorCounters* c :
         {&replayed.total, &replayed.by_subsystem[static_cast<std::size_t>(e.subsystem)]}) {
      if (e.allocates()) {
        ++c->malloc_calls;
        c->bytes_requested += e.requested_bytes;
        c->bytes_usable += e.usable_bytes;
        c->live_bytes += static_cast<std::int64_t>(e.usable_bytes);
        c->peak_bytes = std::max(c->peak_bytes, c->live_bytes);
      } else {
        ++c->free_calls;
        c->live_bytes -= static_cast<std::int64_t>(e.usable_bytes);
      }
    }
  }
  EXPECT_EQ(replayed.total, counted.total);
  for (std::size_t i = 0; i < kSubsystemCount; ++i) {
    EXPECT_EQ(replayed.by_subsystem[i], counted.by_subsystem[i]) << kSubsystemNames[i];
  }
}

TEST(MallocLogTest, FreesNameTheSubsystemAndSizeOfTheirAllocation) {
  const std::string path = TestPath("subsystems.log");
  ASSERT_TRUE(OpenMallocLog(path).ok());
  RunRandomly(11, 5'000);
  ASSERT_TRUE(CloseMallocLog().ok());
  std::map<std::uint64_t, MallocEvent> live;
  for (const MallocEvent& e : Events(path)) {
    if (e.allocates()) {
      ASSERT_TRUE(live.emplace(e.address, e).second) << "a block is live once";
    } else {
      const auto found = live.find(e.address);
      ASSERT_NE(found, live.end()) << "what is freed was allocated";
      EXPECT_EQ(found->second.subsystem, e.subsystem);
      EXPECT_EQ(found->second.usable_bytes, e.usable_bytes);
      live.erase(found);
    }
  }
  EXPECT_TRUE(live.empty());
}

TEST(MallocLogTest, LogsNothingOutsideOfOpenAndClose) {
  const std::string path = TestPath("empty.log");
  Free(Subsystem::kVm, Allocate(Subsystem::kVm, 10));
  ASSERT_TRUE(OpenMallocLog(path).ok());
  const absl::StatusOr<std::uint64_t> logged = CloseMallocLog();
  Free(Subsystem::kVm, Allocate(Subsystem::kVm, 10));
  ASSERT_TRUE(logged.ok());
  EXPECT_EQ(*logged, 0u);
  EXPECT_TRUE(Events(path).empty());
  // Magic and version, end mark, count.
  EXPECT_EQ(ReadFile(path), std::string("RUBRICML\x01\xff\0\0\0\0\0\0\0\0", 18));
}

TEST(MallocLogTest, CanBeOpenedAgainAndReplacesTheFile) {
  const std::string path = TestPath("again.log");
  for (int round = 1; round <= 3; ++round) {
    ASSERT_TRUE(OpenMallocLog(path).ok());
    void* block = Allocate(Subsystem::kVm, 10);
    const absl::StatusOr<std::uint64_t> logged = CloseMallocLog();
    Free(Subsystem::kVm, block);
    ASSERT_TRUE(logged.ok()) << logged.status();
    EXPECT_EQ(*logged, 1u);
    EXPECT_EQ(Events(path).size(), 1u);
  }
}

TEST(MallocLogTest, TruncatedAtAnyByteIsAnErrorThatSaysSo) {
  const std::string path = TestPath("whole.log");
  ASSERT_TRUE(OpenMallocLog(path).ok());
  RunRandomly(3, 60);
  ASSERT_TRUE(CloseMallocLog().ok());
  const std::string whole = ReadFile(path);
  ASSERT_GT(whole.size(), 100u);
  const auto parse = [](const std::string& bytes) {
    return ParseMallocLog(bytes, "cut.log", [](const MallocEvent&) {});
  };
  ASSERT_TRUE(parse(whole).ok());
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const absl::StatusOr<std::uint64_t> read = parse(whole.substr(0, length));
    ASSERT_FALSE(read.ok()) << "cut at " << length;
    const std::string message(read.status().message());
    if (length < 9) {
      EXPECT_THAT(message, HasSubstr("cut.log: byte 0: not a malloc log of version 1"));
    } else {
      EXPECT_THAT(message, AllOf(HasSubstr("cut.log: byte "), HasSubstr("cut off or damaged"),
                                 HasSubstr("expected "), HasSubstr("record it again")));
    }
  }
  EXPECT_FALSE(parse(whole + "x").ok()) << "nothing follows the count";
}

TEST(MallocLogTest, DamageIsAnErrorThatSaysWhere) {
  const auto error_of = [](const std::string& events) {
    const absl::StatusOr<std::uint64_t> read =
        ParseMallocLog("RUBRICML\x01" + events, "damaged.log", [](const MallocEvent&) {});
    return read.ok() ? std::string("none") : std::string(read.status().message());
  };
  const std::string count_of_one("\x01\0\0\0\0\0\0\0", 8);
  EXPECT_EQ(error_of(std::string("\x00\x10\x18\x08\xff", 5) + count_of_one), "none");
  EXPECT_THAT(
      error_of(std::string("\xfb\x10\x18\x08\xff", 5) + count_of_one),
      HasSubstr("byte 9: the malloc log is cut off or damaged; expected a known subsystem"));
  EXPECT_THAT(error_of(std::string("\x00\x10\x18\x19\xff", 5) + count_of_one),
              HasSubstr("expected a request no larger than its block"));
  EXPECT_THAT(error_of("\xff" + count_of_one), HasSubstr("expected 1 events, found 0"));
  EXPECT_THAT(error_of('\0' + std::string(12, '\x80')), HasSubstr("expected the rest of an event"))
      << "a varint of more than 64 bits";
}

TEST(MallocLogTest, OtherFilesAreRefused) {
  const std::string path = TestPath("other.log");
  WriteFile(path, "RUBRICML\x02 of the future");
  const auto ignore = [](const MallocEvent&) {};
  EXPECT_THAT(std::string(ReadMallocLog(path, ignore).status().message()),
              AllOf(HasSubstr(path), HasSubstr("not a malloc log of version 1")));
  WriteFile(path, "");
  EXPECT_THAT(std::string(ReadMallocLog(path, ignore).status().message()),
              HasSubstr("not a malloc log of version 1"));
  EXPECT_THAT(std::string(ReadMallocLog(TestPath("missing.log"), ignore).status().message()),
              AllOf(HasSubstr("missing.log"), HasSubstr("No such file")));
  EXPECT_THAT(std::string(ReadMallocLog(::testing::TempDir(), ignore).status().message()),
              HasSubstr("expected a regular file"));
}

TEST(MallocLogTest, UnwritablePathIsAnErrorAndOpensNothing) {
  const std::string path = TestPath("no/such/folder/x.log");
  const absl::Status opened = OpenMallocLog(path);
  EXPECT_THAT(std::string(opened.message()),
              AllOf(HasSubstr(path), HasSubstr("could not be opened for writing"),
                    HasSubstr("No such file")));
  Free(Subsystem::kVm, Allocate(Subsystem::kVm, 10));
  // As none is open, the next can be.
  ASSERT_TRUE(OpenMallocLog(TestPath("x.log")).ok());
  EXPECT_TRUE(CloseMallocLog().ok());
}

// A limit on file sizes is a full disk that any user can have.
TEST(MallocLogTest, FullDiskIsReportedAtTheEndAndTheProgramGoesOn) {
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);  // write(2) then fails
  rlimit small = before;
  small.rlim_cur = 300'000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string path = TestPath("full.log");
  ASSERT_TRUE(OpenMallocLog(path).ok());
  const std::vector<MallocEvent> events = RunRandomly(5, 100'000);  // several failing flushes
  const absl::StatusOr<std::uint64_t> logged = CloseMallocLog();
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, old_handler);
  ASSERT_GT(events.size(), 50'000u);
  ASSERT_FALSE(logged.ok());
  EXPECT_THAT(
      std::string(logged.status().message()),
      AllOf(HasSubstr(path), HasSubstr("could not be written"), HasSubstr("File too large")));
  EXPECT_NE(access(path.c_str(), F_OK), 0) << "half a log is left";
  // The error does not stick to the next log.
  ASSERT_TRUE(OpenMallocLog(TestPath("next.log")).ok());
  EXPECT_TRUE(CloseMallocLog().ok());
}

TEST(MallocLogTest, OnlyARegularFileIsALog) {
  const std::string pipe = TestPath("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& path : {std::string("/dev/null"), ::testing::TempDir(), pipe}) {
    EXPECT_THAT(std::string(OpenMallocLog(path).message()), HasSubstr(path));
  }
  unlink(pipe.c_str());
  // A file stays whole until it is known to be one that may be replaced.
  const std::string path = TestPath("replaced.log");
  WriteFile(path, std::string(1000, 'x'));
  ASSERT_TRUE(OpenMallocLog(path).ok());
  ASSERT_TRUE(CloseMallocLog().ok());
  EXPECT_TRUE(Events(path).empty());
}

TEST(MallocLogTest, AnAbandonedLogLeavesNoFile) {
  const std::string path = TestPath("abandoned.log");
  ASSERT_TRUE(OpenMallocLog(path).ok());
  Free(Subsystem::kVm, Allocate(Subsystem::kVm, 10));
  AbandonMallocLog();
  EXPECT_NE(access(path.c_str(), F_OK), 0);
  ASSERT_TRUE(OpenMallocLog(path).ok());
  EXPECT_TRUE(CloseMallocLog().ok());
}

TEST(MallocLogDeathTest, OneLogAtATime) {
  EXPECT_DEATH(static_cast<void>(CloseMallocLog()), "no malloc log is open");
  ASSERT_TRUE(OpenMallocLog(TestPath("one.log")).ok());
  EXPECT_DEATH(static_cast<void>(OpenMallocLog(TestPath("two.log"))), "already open");
  ASSERT_TRUE(CloseMallocLog().ok());
}

// The curve of every call, from the events.
MallocLogCurve WholeCurve(const std::string& path) {
  MallocLogCurve whole;
  std::int64_t live = 0;
  for (const MallocEvent& e : Events(path)) {
    live += static_cast<std::int64_t>(e.usable_bytes) * (e.allocates() ? 1 : -1);
    if (!e.allocates()) continue;
    whole.call.push_back(++whole.calls_total);
    whole.bytes.push_back(live);
  }
  return whole;
}

class ThinLiveBytesTest : public ::testing::TestWithParam<std::size_t> {};

TEST_P(ThinLiveBytesTest, KeepsTheExtremesOfEachBucketAndTheEnd) {
  const std::size_t max_points = GetParam();
  const std::string path = TestPath("curve." + std::to_string(max_points) + ".log");
  ASSERT_TRUE(OpenMallocLog(path).ok());
  RunRandomly(static_cast<unsigned>(max_points), 9'973);
  void* last = Allocate(Subsystem::kVm, 77);
  ASSERT_TRUE(CloseMallocLog().ok());
  Free(Subsystem::kVm, last);

  const MallocLogCurve whole = WholeCurve(path);
  const absl::StatusOr<MallocLogCurve> thin = ThinLiveBytes(path, max_points);
  ASSERT_TRUE(thin.ok()) << thin.status();
  ASSERT_EQ(thin->call.size(), thin->bytes.size());
  EXPECT_LE(thin->call.size(), max_points);
  EXPECT_EQ(thin->calls_total, whole.calls_total);

  // Every point is one of the whole curve, in order, and the last is the last.
  std::map<std::uint64_t, std::int64_t> kept;
  for (std::size_t i = 0; i < thin->call.size(); ++i) {
    ASSERT_TRUE(i == 0 || thin->call[i - 1] < thin->call[i]);
    ASSERT_EQ(thin->bytes[i], whole.bytes[thin->call[i] - 1]);
    kept[thin->call[i]] = thin->bytes[i];
  }
  EXPECT_EQ(thin->call.back(), whole.calls_total);

  // Each bucket of consecutive calls keeps its lowest and its highest.
  const std::size_t buckets = (max_points - 1) / 2;
  const std::size_t width = (whole.call.size() + buckets - 1) / buckets;
  for (std::size_t from = 0; from < whole.call.size(); from += width) {
    const std::size_t to = std::min(from + width, whole.call.size());
    const auto [low, high] = std::minmax_element(whole.bytes.begin() + static_cast<long>(from),
                                                 whole.bytes.begin() + static_cast<long>(to));
    bool has_low = false, has_high = false;
    for (auto it = kept.lower_bound(from + 1); it != kept.end() && it->first <= to; ++it) {
      has_low |= it->second == *low;
      has_high |= it->second == *high;
    }
    EXPECT_TRUE(has_low && has_high) << "calls " << from + 1 << " to " << to;
  }
}

INSTANTIATE_TEST_SUITE_P(PointLimits, ThinLiveBytesTest,
                         ::testing::Values(4, 5, 64, 999, 2'000, 100'000));

TEST(ThinLiveBytesTest, OfALogWithoutAllocationsIsEmpty) {
  const std::string path = TestPath("frees.log");
  void* block = Allocate(Subsystem::kVm, 1);
  ASSERT_TRUE(OpenMallocLog(path).ok());
  Free(Subsystem::kVm, block);
  ASSERT_TRUE(CloseMallocLog().ok());
  const absl::StatusOr<MallocLogCurve> curve = ThinLiveBytes(path, 100);
  ASSERT_TRUE(curve.ok());
  EXPECT_TRUE(curve->call.empty());
  EXPECT_EQ(curve->calls_total, 0u);
}

TEST(ThinLiveBytesTest, ReportsADamagedLog) {
  const std::string path = TestPath("damaged.log");
  WriteFile(path, "RUBRICML\x01");
  EXPECT_THAT(std::string(ThinLiveBytes(path, 100).status().message()), HasSubstr("cut off"));
}

}  // namespace
}  // namespace rubric
