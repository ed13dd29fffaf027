// Holds both backends against what CRuby measured before (r50677) and after (r50678) Ruby #11170:
// the bytes of one object's ivars, and what 9992 objects save, in bytes and calls of the allocator.
//
// That the figures follow from the structures is the point: nothing here is fitted.

#include <malloc.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <ostream>
#include <string>
#include <vector>

#include "backends/ivars/hash/hash_ivars.h"
#include "backends/ivars/index/index_ivars.h"
#include "core/base/build_mode.h"
#include "core/ivars/test_objects.h"
#include "core/memory/counters.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

constexpr std::size_t kObjects = 9992;

// True iff malloc rounds as glibc's does on 64-bit machines: to 16 bytes, 8 of them its own.
bool MallocIsGlibcs() {
  void* block = std::malloc(16);
  const std::size_t usable = malloc_usable_size(block);
  std::free(block);
  return usable == 24;
}

template <typename Backend>
std::size_t MemsizeOfFirstObject(std::size_t ivars) {
  TestObjects objects(1);
  Backend storage;
  RBasic* object = objects.New(0);
  for (std::size_t n = 0; n < ivars; ++n) storage.Set(object, Name(n), Value::True());
  return storage.Memsize(object);
}

// Ruby's own figures: ObjectSpace.memsize_of with ivars less without, first object of its class.
TEST(IvarsCalibrationTest, OneObjectHoldsTheBytesThatRubysDoes) {
  if constexpr (kHostile) GTEST_SKIP() << "tables have other sizes";
  constexpr std::size_t kBefore[] = {192, 192, 192, 192, 192, 192, 512, 560,
                                     608, 656, 704, 752, 800, 848, 896, 944};
  constexpr std::size_t kAfter[] = {16, 24, 32,  48,  48,  64,  64,  88,
                                    88, 88, 112, 112, 112, 144, 144, 144};
  for (std::size_t ivars = 1; ivars <= 16; ++ivars) {
    EXPECT_EQ(MemsizeOfFirstObject<HashIvars>(ivars), kBefore[ivars - 1]) << ivars << " ivars";
    EXPECT_EQ(MemsizeOfFirstObject<IndexIvars>(ivars), kAfter[ivars - 1]) << ivars << " ivars";
  }
}

TEST(IvarsCalibrationTest, ALaterObjectIsCutToTheNamesOfItsClass) {
  TestObjects objects(1);
  IndexIvars storage;
  RBasic* first = objects.New(0);
  RBasic* later = objects.New(0);
  for (std::size_t n = 0; n < 16; ++n) storage.Set(first, Name(n), Value::True());
  for (std::size_t n = 0; n < 16; ++n) storage.Set(later, Name(n), Value::True());
  EXPECT_EQ(storage.Memsize(first), 144u);
  EXPECT_EQ(storage.Memsize(later), 136u);
}

// What setting `ivars` ivars on each of 9992 objects costs in ivar memory. `names_before` are ivars
// that another object of the class set earlier: one on String in a booted Ruby, none on Time.
template <typename Backend>
AllocatorCounters CostOf(std::size_t ivars, std::size_t names_before) {
  TestObjects objects(1);
  Backend storage;
  for (std::size_t n = 0; n < names_before; ++n) {
    storage.Set(objects.New(0), Name(1000 + n), Value::True());
  }
  std::vector<RBasic*> all;
  for (std::size_t i = 0; i < kObjects; ++i) all.push_back(objects.New(0));
  RestartPeaks();
  const MemorySnapshot before = TakeSnapshot();
  for (RBasic* object : all) {
    for (std::size_t n = 0; n < ivars; ++n) storage.Set(object, Name(n), Value::True());
  }
  return (TakeSnapshot() - before)[Subsystem::kIvars];
}

struct Saving {
  const char* type;
  std::size_t names_before;
  std::size_t ivars;
  std::int64_t peak_usable, bytes_requested, calls;  // an object, before less after
};

// The rows "9992 x K ivars", saved per object, rounded to whole bytes and calls: their fractions
// are what the rest of the process differed by.
constexpr Saving kMeasured[] = {
    {"String", 1, 1, 184, 168, 1}, {"String", 1, 2, 168, 136, 0}, {"String", 1, 3, 168, 96, -1},
    {"String", 1, 4, 152, 88, -1}, {"String", 1, 6, 136, 24, -2}, {"String", 1, 10, 664, 448, 7},
    {"Time", 0, 1, 184, 176, 1},   {"Time", 0, 3, 168, 120, -1},  {"Time", 0, 6, 152, 16, -3},
    {"Time", 0, 10, 680, 528, 7},
};

void PrintTo(const Saving& saving, std::ostream* out) {
  *out << saving.type << " with " << saving.ivars << " ivars";
}

class SavingTest : public testing::TestWithParam<Saving> {};

TEST_P(SavingTest, IsWhatRubyMeasured) {
  if constexpr (kHostile) GTEST_SKIP() << "tables have other sizes";
  const Saving& expected = GetParam();
  const AllocatorCounters before = CostOf<HashIvars>(expected.ivars, expected.names_before);
  const AllocatorCounters after = CostOf<IndexIvars>(expected.ivars, expected.names_before);
  const auto n = static_cast<std::int64_t>(kObjects);
  EXPECT_EQ(static_cast<std::int64_t>(before.malloc_calls - after.malloc_calls),
            n * expected.calls);
  // Exact for every object but the first, which is not cut to names that the class does not have
  // yet.
  constexpr std::int64_t kFirstObjectsSpare = 40;
  const auto requested = static_cast<std::int64_t>(before.bytes_requested) -
                         static_cast<std::int64_t>(after.bytes_requested);
  EXPECT_LE(std::abs(requested - n * expected.bytes_requested), kFirstObjectsSpare);
  if (!MallocIsGlibcs()) GTEST_SKIP() << "usable bytes are those of another malloc";
  // Blocks that earlier tests left free may be a little larger than asked for: a few hundred bytes
  // of some 1.5 million.
  const auto peak = static_cast<double>(before.peak_bytes - after.peak_bytes);
  EXPECT_EQ(std::llround(peak / static_cast<double>(n)), expected.peak_usable);
}

INSTANTIATE_TEST_SUITE_P(Ruby11170, SavingTest, testing::ValuesIn(kMeasured),
                         [](const testing::TestParamInfo<Saving>& info) {
                           return std::string(info.param.type) + std::to_string(info.param.ivars);
                         });

}  // namespace
}  // namespace rubric
