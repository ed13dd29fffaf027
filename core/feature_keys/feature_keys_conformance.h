// FeatureKeysConformance: the tests that every backend of the feature_keys axis passes, and the
// model.
//
// USE        INSTANTIATE_TYPED_TEST_SUITE_P(Copied, FeatureKeysConformance, CopiedFeatureKeys);
//            Numbers in names are those of feature_keys.h's invariants.
#ifndef RUBRIC_CORE_FEATURE_KEYS_FEATURE_KEYS_CONFORMANCE_H_
#define RUBRIC_CORE_FEATURE_KEYS_FEATURE_KEYS_CONFORMANCE_H_

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/build_mode.h"
#include "core/feature_keys/feature_key_counts.h"
#include "core/feature_keys/feature_keys.h"
#include "core/feature_keys/feature_keys_oracle.h"
#include "core/feature_keys/feature_test_paths.h"
#include "core/feature_keys/feature_world.h"
#include "core/memory/counters.h"
#include "core/memory/counting_allocator.h"
#include "core/memory/malloc_log.h"
#include "core/memory/subsystem.h"
#include "core/table/open_table.h"

namespace rubric {

template <typename Keys>
class FeatureKeysConformance : public testing::Test {
 protected:
  static_assert(FeatureKeysBackend<Keys>);
  static constexpr FeatureKeysTraits kTraits = Keys::kTraits;

  FeatureWorld<Keys>& world() { return *world_; }

  void Provide(const std::string& path) {
    const FeaturePosition position = world().Provide(path);
    paths_.push_back(path);
    oracle_.Add(path, position);
  }

  void ExpectSame(const std::string& key) {
    EXPECT_EQ(world().Positions(key), oracle_.Positions(key)) << "key " << key;
  }

  void ExpectSameForAllKeys() {
    oracle_.ForEach([&](const std::string& key, const std::vector<FeaturePosition>& positions) {
      EXPECT_EQ(world().Positions(key), positions) << "key " << key;
    });
    if (kTraits.keys_are_exact) {
      EXPECT_EQ(world().keys().key_count(), oracle_.key_count());
    } else {
      EXPECT_LE(world().keys().key_count(), oracle_.key_count());
    }
    world().CheckInvariants();
  }

  static AllocatorCounters Counters(Subsystem subsystem = Subsystem::kFeatures) {
    return TakeSnapshot()[subsystem];
  }

  // What kFeatures asked for in `run` and did not give back, in bytes asked for.
  template <typename Run>
  static std::uint64_t BytesAskedAndHeld(Run run) {
    const std::string path = testing::TempDir() + "/feature_keys.malloc_log";
    EXPECT_TRUE(OpenMallocLog(path).ok());
    run();
    EXPECT_TRUE(CloseMallocLog().ok());
    std::unordered_map<std::uint64_t, std::uint64_t> live;
    const auto read = ReadMallocLog(path, [&](const MallocEvent& event) {
      if (event.subsystem != Subsystem::kFeatures) return;
      if (event.allocates()) {
        live[event.address] = event.requested_bytes;
      } else {
        live.erase(event.address);
      }
    });
    EXPECT_TRUE(read.ok()) << read.status().ToString();
    std::uint64_t bytes = 0;
    for (const auto& [address, requested] : live) bytes += requested;
    return bytes;
  }

  // The mallocs and bytes of the table that all backends have, when it has taken this many keys.
  static AllocatorCounters CostOfTable(std::size_t keys) {
    const AllocatorCounters before = Counters();
    OpenTable<std::uint64_t, std::uint64_t, Subsystem::kFeatures> table;
    for (std::uint64_t key = 0; key < keys; ++key) {
      table.FindOrInsert(
          key, [key](std::uint64_t stored) { return stored == key; },
          [key] { return std::pair(key, key); });
    }
    return Difference(before);
  }
  // Those of a list that grows to this many slots.
  static AllocatorCounters CostOfList(std::size_t slots) {
    const AllocatorCounters before = Counters();
    CountedVector<void*, Subsystem::kFeatures> list;
    for (std::size_t i = 0; i < slots; ++i) list.push_back(nullptr);
    return Difference(before);
  }
  static AllocatorCounters Difference(const AllocatorCounters& before,
                                      Subsystem subsystem = Subsystem::kFeatures) {
    const AllocatorCounters now = Counters(subsystem);
    return {.malloc_calls = now.malloc_calls - before.malloc_calls,
            .bytes_requested = now.bytes_requested - before.bytes_requested};
  }

  std::unique_ptr<FeatureWorld<Keys>> world_ = std::make_unique<FeatureWorld<Keys>>();
  FeatureKeysOracle oracle_;
  std::vector<std::string> paths_;
};

TYPED_TEST_SUITE_P(FeatureKeysConformance);

TYPED_TEST_P(FeatureKeysConformance, Invariant1_EverySuffixNamesItsFeature) {
  this->Provide("/a/b/c.rb");
  for (const char* key :
       {"c.rb", "c", "b/c.rb", "b/c", "a/b/c.rb", "a/b/c", "/a/b/c.rb", "/a/b/c"}) {
    EXPECT_EQ(this->world().Positions(key), std::vector<FeaturePosition>{0}) << key;
  }
  for (const char* key :
       {"", "rb", ".rb", "c.", "/c.rb", "/c", "b", "a/b", "/b/c", "c.rb.rb", "a"}) {
    EXPECT_TRUE(this->world().Positions(key).empty()) << key;
  }
  this->ExpectSameForAllKeys();
}

TYPED_TEST_P(FeatureKeysConformance, Invariant1_NothingIsFoundBeforeItIsAddedOrAfterClear) {
  EXPECT_TRUE(this->world().Positions("set").empty());
  EXPECT_EQ(this->world().keys().key_count(), 0u);
  this->world().Push("/lib/set.rb");  // in the array, but not added
  EXPECT_TRUE(this->world().Positions("set").empty());
  this->world().Provide("/lib/set.rb");
  EXPECT_EQ(this->world().Positions("set"), std::vector<FeaturePosition>{1});
  this->world().keys().Clear();
  EXPECT_TRUE(this->world().Positions("set").empty());
  EXPECT_EQ(this->world().keys().key_count(), 0u);
  this->world().keys().Add(this->world().features(), 0);
  EXPECT_EQ(this->world().Positions("set"), std::vector<FeaturePosition>{0});
}

TYPED_TEST_P(FeatureKeysConformance, Invariant1_AVisitStopsWhenItSaysSo) {
  for (int i = 0; i < 10; ++i) this->Provide("/lib/set.rb");
  std::vector<FeaturePosition> visited;
  this->world().keys().ForEachPosition(this->world().features(), "set",
                                       [&](FeaturePosition position) {
                                         visited.push_back(position);
                                         return visited.size() < 4;
                                       });
  EXPECT_EQ(visited, (std::vector<FeaturePosition>{0, 1, 2, 3}));
}

TYPED_TEST_P(FeatureKeysConformance, Invariant2_PositionsOfCommonKeysAreAllVisited) {
  // Through every size at which a list of positions changes its form: 1, 2, 3, 4, 20, 37, 56.
  for (int i = 0; i < 100; ++i) {
    this->Provide("/gems/gem" + std::to_string(i) + "/version.rb");
    this->ExpectSame("version");
    this->ExpectSame("version.rb");
  }
  EXPECT_EQ(this->world().Positions("version").size(), 100u);
  EXPECT_EQ(this->world().Positions("gem42/version"), std::vector<FeaturePosition>{42});
  // A key of one feature with extension that is one of another without.
  this->Provide("/bin/version");
  EXPECT_EQ(this->world().Positions("version").size(), 101u);
  EXPECT_EQ(this->world().Positions("version.rb").size(), 100u);
  this->ExpectSameForAllKeys();
}

TYPED_TEST_P(FeatureKeysConformance, Invariant3_HostilePaths) {
  // Twice: the second time, every key is there.
  for (int round = 0; round < 2; ++round) {
    for (const std::string& path : HostilePaths()) this->Provide(path);
    this->ExpectSameForAllKeys();
  }
  // What is no key of any, but nearly.
  for (const std::string& path : HostilePaths()) {
    for (const std::string& key : {path + "/", "/" + path, path + ".rb", path + ".", path + "x",
                                   path.substr(0, path.size() / 2), path.substr(path.size() / 2)}) {
      this->ExpectSame(key);
    }
  }
}

TYPED_TEST_P(FeatureKeysConformance, Invariant4_ClearAndDestroyGiveEverythingBack) {
  const std::int64_t before_index = this->Counters().live_bytes;
  auto world = std::make_unique<FeatureWorld<TypeParam>>();
  const std::int64_t fresh = this->Counters().live_bytes;
  const std::uint64_t fresh_blocks = this->Counters().malloc_calls - this->Counters().free_calls;
  for (int round = 0; round < 3; ++round) {
    for (const std::string& path : HostilePaths()) world->Provide(path);
    EXPECT_GT(this->Counters().live_bytes, fresh);
    world->Clear();
    EXPECT_EQ(this->Counters().live_bytes, fresh);
    EXPECT_EQ(this->Counters().malloc_calls - this->Counters().free_calls, fresh_blocks);
  }
  for (const std::string& path : HostilePaths()) world->Provide(path);
  world.reset();
  EXPECT_EQ(this->Counters().live_bytes, before_index);
}

TYPED_TEST_P(FeatureKeysConformance, Invariant5_MemoryUseIsWhatWasAskedForAndIsHeld) {
  std::optional<FeatureWorld<TypeParam>> world;
  for (std::size_t features : {0, 1, 2, 3, 5, 40, 200}) {
    const std::uint64_t held = this->BytesAskedAndHeld([&] {
      world.emplace();
      for (std::size_t i = 0; i < features; ++i) {
        world->Provide("/lib/x" + std::to_string(i) + "/version.rb");
      }
    });
    EXPECT_EQ(world->keys().memory_use().total(), held) << features << " features";
    world.reset();
  }
}

TYPED_TEST_P(FeatureKeysConformance, Invariant6_CollectionsChangeNothing) {
  this->world().heap().set_stress(true);  // at every String on the way
  for (const std::string& path : HostilePaths()) {
    // The deep one makes a thousand Strings, at a collection each.
    if (path.size() < 1'000) this->Provide(path);
  }
  this->world().heap().set_stress(false);
  for (int i = 0; i < 3; ++i) {
    // What is free is used, so that a freed key would be overwritten.
    for (int n = 0; n < 1'000; ++n) {
      NewString(this->world().heap(), nullptr, std::string(30 + n % 30, '#'));
      NewString(this->world().heap(), nullptr, std::string(n % 20, '#'));
    }
    this->world().CollectNow();
    this->ExpectSameForAllKeys();
  }
}

TYPED_TEST_P(FeatureKeysConformance, Invariant7_CostsWhatTheFormulaSays) {
  if (TypeParam::kName == "model") GTEST_SKIP() << "the model has no table";
  constexpr std::size_t kFeatures = 300;
  for (const char* extension : {".rb", ".so", ".tar", ""}) {
    for (std::size_t slashes : {0, 1, 3, 7, 12, 30}) {
      FeatureWorld<TypeParam> world;
      world.heap().set_stress(false);
      FeatureKeyCounts counts;
      AllocatorCounters features, strings;
      const std::uint64_t slots = world.heap().stats().total_allocated_slots;
      const AllocatorCounters fresh = this->CostOfTable(0);
      for (std::size_t i = 0; i < kFeatures; ++i) {
        const std::string path = DistinctPath(i, slashes, extension);
        const FeaturePosition position = world.Push(path);
        const AllocatorCounters features_before = this->Counters();
        const AllocatorCounters strings_before = this->Counters(Subsystem::kStrings);
        world.keys().Add(world.features(), position);
        const AllocatorCounters f = this->Difference(features_before);
        const AllocatorCounters s = this->Difference(strings_before, Subsystem::kStrings);
        features.malloc_calls += f.malloc_calls;
        features.bytes_requested += f.bytes_requested;
        strings.malloc_calls += s.malloc_calls;
        strings.bytes_requested += s.bytes_requested;
        counts.Add(path);
      }
      EXPECT_EQ(counts.keys, kFeatures * (*extension == '\0' ? 1 : 2) * (slashes + 1));
      if (world.keys().key_count() != counts.keys)
        GTEST_SKIP() << "keys collide: " << TypeParam::kName;

      AllocatorCounters expected = this->CostOfTable(counts.keys);
      expected.malloc_calls -= fresh.malloc_calls;
      expected.bytes_requested -= fresh.bytes_requested;
      const std::size_t kept =
          this->kTraits.keeps_stems && *extension != '\0' ? kFeatures : std::size_t{0};
      const AllocatorCounters list = this->CostOfList(kept);
      expected.malloc_calls += list.malloc_calls + counts.MallocsForKeys(this->kTraits);
      expected.bytes_requested += list.bytes_requested + counts.BytesForKeys(this->kTraits);
      SCOPED_TRACE(std::to_string(slashes) + " slashes, extension " + extension);
      EXPECT_EQ(features.malloc_calls + strings.malloc_calls, expected.malloc_calls);
      EXPECT_EQ(features.bytes_requested + strings.bytes_requested, expected.bytes_requested);
      EXPECT_EQ(world.heap().stats().total_allocated_slots - slots,
                kFeatures + kept + (this->kTraits.makes_strings ? counts.strings : 0));
    }
  }
}

TYPED_TEST_P(FeatureKeysConformance, AgreesWithTheOracleUnderAMillionOperations) {
  constexpr int kOperations = kDchecks ? 100'000 : 1'000'000;  // checking builds are slow
  std::mt19937 rng(20260131);
  this->world().heap().set_stress(false);
  std::uint64_t provided = 0, hits = 0, misses = 0;
  const std::vector<std::string> hostile = HostilePaths();
  for (int step = 0; step < kOperations; ++step) {
    const std::uint32_t choice = rng() % 100'000;
    if (choice < 5'000) {
      this->Provide(RandomPath(rng));
      ++provided;
    } else if (choice < 5'050) {
      this->Provide(hostile[rng() % hostile.size()]);
      ++provided;
    } else if (choice < 5'070) {
      this->world().CollectNow();
    } else if (choice < 5'170) {
      this->world().CheckInvariants();
      this->world().Clear();
      this->oracle_.Clear();
      this->paths_.clear();
    } else {
      // A key of a feature, cut from it anywhere or after a '/', or any path.
      std::string key = choice % 4 == 0 || this->paths_.empty()
                            ? RandomPath(rng)
                            : this->paths_[rng() % this->paths_.size()];
      if (choice % 4 == 1) key = key.substr(rng() % (key.size() + 1));
      if (choice % 4 == 2) key = key.substr(key.find('/', rng() % (key.size() + 1)) + 1);
      if (choice % 8 >= 4) key = key.substr(0, key.find_last_of('.'));
      const std::vector<FeaturePosition> expected = this->oracle_.Positions(key);
      ++(expected.empty() ? misses : hits);
      ASSERT_EQ(this->world().Positions(key), expected) << "key " << key << " at step " << step;
    }
  }
  // The walk went everywhere.
  EXPECT_GT(provided, kOperations / 100u);
  EXPECT_GT(hits, kOperations / 10u);
  EXPECT_GT(misses, kOperations / 10u);
}

REGISTER_TYPED_TEST_SUITE_P(FeatureKeysConformance, Invariant1_EverySuffixNamesItsFeature,
                            Invariant1_NothingIsFoundBeforeItIsAddedOrAfterClear,
                            Invariant1_AVisitStopsWhenItSaysSo,
                            Invariant2_PositionsOfCommonKeysAreAllVisited, Invariant3_HostilePaths,
                            Invariant4_ClearAndDestroyGiveEverythingBack,
                            Invariant5_MemoryUseIsWhatWasAskedForAndIsHeld,
                            Invariant6_CollectionsChangeNothing, Invariant7_CostsWhatTheFormulaSays,
                            AgreesWithTheOracleUnderAMillionOperations);

}  // namespace rubric

#endif  // RUBRIC_CORE_FEATURE_KEYS_FEATURE_KEYS_CONFORMANCE_H_
