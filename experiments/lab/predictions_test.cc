// Holds what the experiments' READMEs predict against what the variants' programs do, call for
// call.

#include <bit>
#include <cstdint>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "core/feature_keys/feature_key_counts.h"
#include "core/feature_keys/feature_suffixes.h"
#include "experiments/lab/lab_program.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

const std::string kBaseline = "experiments/lab/lab_baseline";
const std::string kSharedLiterals = "experiments/lab/lab_resurrect_shared";
const std::string kSharedKeys = "experiments/lab/lab_feature_keys_shared";
const std::string kHashedKeys = "experiments/lab/lab_feature_keys_hashed";
const std::string kGenerational = "experiments/lab/lab_collector_generational";
const std::string kIndexIvars = "experiments/lab/lab_ivars_index";

Record RunVariant(const std::string& program, const std::string& arguments) {
  return RunForRecord(arguments, "", program);
}

// Calls and bytes of the subsystems that hold the keys and what is made on the way to them.
struct KeyUse {
  std::int64_t calls = 0;
  std::int64_t bytes = 0;
};
KeyUse KeyUseOf(const Record& record) {
  KeyUse use;
  for (const char* name : {"features", "strings"}) {
    if (const SubsystemUse* found = Find(record.subsystems, name)) {
      use.calls += found->malloc_calls;
      use.bytes += found->bytes_requested;
    }
  }
  return use;
}

double BytesOf(const Record& record, const char* subsystem) {
  const SubsystemUse* found = Find(record.subsystems, subsystem);
  return found == nullptr ? 0 : static_cast<double>(found->bytes_requested);
}

// The list of n extension-less copies is a vector, which doubles: 1, 2, 4, … elements.
std::int64_t GrowthsOfAList(std::int64_t n) {
  return n == 0 ? 0 : std::bit_width(static_cast<std::uint64_t>(n - 1)) + 1;
}

TEST(PredictionsTest, SharedLiteralsSaveOneMallocAnArrayAndItsElements) {
  for (std::int64_t elements : {0, 3, 4, 110}) {
    SCOPED_TRACE(elements);
    const std::string run = "array_literal --elements=" + std::to_string(elements);
    const Record copying = RunVariant(kBaseline, run);
    const Record shared = RunVariant(kSharedLiterals, run);
    const double arrays = elements > 3 ? 10'000 : 0;
    EXPECT_EQ(MetricOf(copying, "malloc_calls") - MetricOf(shared, "malloc_calls"), arrays);
    EXPECT_EQ(MetricOf(copying, "bytes_requested") - MetricOf(shared, "bytes_requested"),
              arrays * 8 * static_cast<double>(elements));
    EXPECT_EQ(MetricOf(copying, "slots_allocated"), MetricOf(shared, "slots_allocated"));
    EXPECT_EQ(MetricOf(shared, "memsize_last"), 40);
    EXPECT_EQ(MetricOf(copying, "memsize_last"),
              40 + (elements > 3 ? 8 * static_cast<double>(elements) : 0));
  }
}

TEST(PredictionsTest, FeatureKeysCostWhatTheFormulaSays) {
  for (std::int64_t slashes : {1, 2, 3, 7, 12}) {
    SCOPED_TRACE(slashes);
    const std::string run = "require --features=1000 --slashes=" + std::to_string(slashes);
    const KeyUse copied = KeyUseOf(RunVariant(kBaseline, run));
    const KeyUse shared = KeyUseOf(RunVariant(kSharedKeys, run));
    const KeyUse hashed = KeyUseOf(RunVariant(kHashedKeys, run));
    // At 7 slashes: "/dir1/dir2/dir3/dir4/benchmark/bm_require.data/c1.rb".
    std::string folder;
    for (std::int64_t i = 1; i < slashes; ++i) {
      const std::int64_t from_end = slashes - i;
      folder += slashes > 3 && from_end == 2   ? "/benchmark"
                : slashes > 3 && from_end == 1 ? "/bm_require.data"
                                               : "/dir" + std::to_string(i);
    }
    FeatureKeyCounts counts;
    for (int i = 1; i <= 1000; ++i) counts.Add(folder + "/c" + std::to_string(i) + ".rb");
    EXPECT_EQ(counts.keys, 1000u * 2 * static_cast<std::size_t>(slashes + 1));
    const auto in_all = static_cast<std::int64_t>(counts.keys + counts.copied_strings);
    EXPECT_EQ(copied.calls - hashed.calls, in_all);
    EXPECT_EQ(copied.calls - shared.calls,
              in_all - static_cast<std::int64_t>(counts.stems) - GrowthsOfAList(1000));
    EXPECT_EQ(copied.bytes - hashed.bytes,
              static_cast<std::int64_t>(counts.key_bytes + counts.keys + counts.copied_bytes));
  }
}

TEST(PredictionsTest, TheRailsListCostsWhatTheFormulaSays) {
  const std::string list = "experiments/workloads/rails61-production-boot.features";
  const KeyUse copied = KeyUseOf(RunVariant(kBaseline, "require --feature_list=" + list));
  const KeyUse shared = KeyUseOf(RunVariant(kSharedKeys, "require --feature_list=" + list));
  const KeyUse hashed = KeyUseOf(RunVariant(kHashedKeys, "require --feature_list=" + list));
  std::ifstream file(list);
  ASSERT_TRUE(file);
  FeatureKeyCounts counts;
  std::set<std::string> keys;
  std::int64_t with_extension = 0;
  for (std::string path; std::getline(file, path);) {
    counts.Add(path);
    with_extension += StemLength(path) < path.size() ? 1 : 0;
    ForEachKey(path, [&](std::size_t from, std::size_t length) {
      keys.insert(path.substr(from, length));
    });
  }
  // A key that is there already is not allocated again; the String for it is made all the same.
  const auto in_all = static_cast<std::int64_t>(keys.size() + counts.copied_strings);
  EXPECT_EQ(copied.calls - hashed.calls, in_all);
  EXPECT_EQ(copied.calls - shared.calls,
            in_all - static_cast<std::int64_t>(counts.stems) - GrowthsOfAList(with_extension));
}

TEST(PredictionsTest, GenericIvarsFallOffACliffAtTheSeventh) {
  // Bytes an object and calls an object that the index saves on Strings, whose class has numbered
  // one ivar already: as CRuby measured before and after r50678.
  struct Row {
    int ivars;
    double bytes;
    double calls;
  };
  for (const Row& row : {Row{1, 184, 1}, Row{3, 168, -1}, Row{6, 136, -2}, Row{10, 664, 7}}) {
    SCOPED_TRACE(row.ivars);
    const std::string run = "generic_ivars --objects=9992 --ivars=" + std::to_string(row.ivars);
    const Record hash = RunVariant(kBaseline, run);
    const Record index = RunVariant(kIndexIvars, run);
    EXPECT_NEAR((MetricOf(hash, "live_bytes") - MetricOf(index, "live_bytes")) / 9992, row.bytes,
                0.05 * row.bytes);
    EXPECT_NEAR((MetricOf(hash, "malloc_calls") - MetricOf(index, "malloc_calls")) / 9992,
                row.calls, 0.01);
  }
  const Record hash = RunVariant(kBaseline, "generic_ivars --type=object");
  const Record index = RunVariant(kIndexIvars, "generic_ivars --type=object");
  EXPECT_EQ(MetricOf(hash, "bytes_requested"), MetricOf(index, "bytes_requested"));
}

TEST(PredictionsTest, TlsClientsSaveTheirIvarsAndNothingElse) {
  // Bytes asked for a client that the index saves, by the number of ivars.
  struct Row {
    const char* flags;
    double bytes;
  };
  for (const Row& row : {Row{"", 608 - 80}, Row{" --library=ruby31", 512 - 64},
                         Row{" --max_ivars=7", 512 - 64}, Row{" --max_ivars=6", 192 - 56}}) {
    SCOPED_TRACE(row.flags);
    const std::string run = std::string("tls_clients --clients=100") + row.flags;
    const Record hash = RunVariant(kBaseline, run);
    const Record index = RunVariant(kIndexIvars, run);
    EXPECT_NEAR((MetricOf(hash, "ivars_bytes") - MetricOf(index, "ivars_bytes")) / 100, row.bytes,
                1);
    const SubsystemUse* hash_tls = Find(hash.subsystems, "tls");
    const SubsystemUse* index_tls = Find(index.subsystems, "tls");
    ASSERT_TRUE(hash_tls != nullptr && index_tls != nullptr);
    EXPECT_GT(hash_tls->malloc_calls, 100);
    EXPECT_EQ(hash_tls->malloc_calls, index_tls->malloc_calls);
    EXPECT_EQ(hash_tls->bytes_requested, index_tls->bytes_requested);
  }
}

TEST(PredictionsTest, OnlyMarkSweepMarksAllThatLivesEachTime) {
  for (std::int64_t live : {0, 2500, 8000, 50'000}) {
    SCOPED_TRACE(live);
    const std::string run = "gc_tempfile --reads=8000 --live=" + std::to_string(live);
    const Record mark_sweep = RunVariant(kBaseline, run);
    const Record generational = RunVariant(kGenerational, run);
    const double collections = MetricOf(mark_sweep, "gc_count");
    // And the String that was read last.
    const double marked = MetricOf(mark_sweep, "objects_at_start") + 1;
    EXPECT_GE(collections, 49);
    EXPECT_EQ(MetricOf(mark_sweep, "gc_marked_slots"), collections * marked);
    EXPECT_EQ(MetricOf(mark_sweep, "gc_major_count"), collections);
    EXPECT_EQ(MetricOf(generational, "gc_count"), collections) << "of one kind or another";
    EXPECT_LE(MetricOf(generational, "gc_major_count"), 3);
    EXPECT_LE(MetricOf(generational, "gc_marked_slots"), 4 * marked + 2 * collections);
    EXPECT_EQ(MetricOf(generational, "bytes_requested"), MetricOf(mark_sweep, "bytes_requested") +
                                                             BytesOf(generational, "collector") -
                                                             BytesOf(mark_sweep, "collector"));
  }
}

}  // namespace
}  // namespace rubric
