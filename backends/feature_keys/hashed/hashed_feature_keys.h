// HashedFeatureKeys: the loaded-features index that stores hash sums of keys instead of keys.
//
// USE        As core/feature_keys/feature_keys.h says. BasicHashedFeatureKeys takes the hash as a
//            parameter, so that tests can make keys collide.
// LAYOUT     An open table (core/table/open_table.h) of 24-byte entries {hash, hash sum, record}:
//            the 64-bit hash of the suffix is the key, and there is no other trace of the suffix.
//            Features whose keys fall together share a record, as those do that have a key in
//            common; a lookup tells them apart by reading the features that the record names.
// COST       Add: one hash a key over the suffix itself, O(path x slashes) bytes in all; no String,
//            and no malloc but the table's. ForEachPosition: one hash, one lookup, and for each
//            position in the record one comparison with its feature. Memory: 24 bytes an entry, and
//            the bins; nothing a byte of path. CheckInvariants: one hash a key, and a binary search
//            an entry.
// INVARIANTS (1) A record holds p iff a key of features[p] has its hash sum.
//            Checked by CheckInvariants(), with the axis's own.
// SOURCE     Ruby 2.6 on: load.c's feature_key, merged for #14460 after an idea of #8158. There the
//            caller verifies a hit, while it looks for the extension and the load path; here the
//            index does, so that all backends answer alike.
// TESTED BY  hashed_feature_keys_test.cc (feature_keys_conformance.h, with weak hashes too),
//            hashed_feature_keys_fuzz.cc.
#ifndef RUBRIC_BACKENDS_FEATURE_KEYS_HASHED_HASHED_FEATURE_KEYS_H_
#define RUBRIC_BACKENDS_FEATURE_KEYS_HASHED_HASHED_FEATURE_KEYS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/base/keyed_hash.h"
#include "core/base/memory_use.h"
#include "core/feature_keys/feature_keys.h"
#include "core/feature_keys/feature_suffixes.h"
#include "core/heap/heap.h"
#include "core/memory/subsystem.h"
#include "core/object/layout.h"
#include "core/table/open_table.h"
#include "core/value/value.h"

namespace rubric {

// The hash sum of a key: all 64 bits of the runtime's hash.
struct KeyedHashSum {
  static std::uint64_t Of(std::string_view key, std::uint64_t seed) { return KeyedHash(key, seed); }
};

template <typename HashSum>
class BasicHashedFeatureKeys {
 public:
  static constexpr std::string_view kName = "hashed";
  static constexpr FeatureKeysTraits kTraits = {.keys_are_exact = false};

  BasicHashedFeatureKeys(Heap&, std::uint64_t seed) : seed_(seed) {}
  ~BasicHashedFeatureKeys() { FreePositions(); }
  BasicHashedFeatureKeys(const BasicHashedFeatureKeys&) = delete;
  BasicHashedFeatureKeys& operator=(const BasicHashedFeatureKeys&) = delete;

  void Add(const RArray* features, FeaturePosition position) {
    const std::string_view path = PathAt(features, position);
    ForEachKey(path, [&](std::size_t from, std::size_t length) {
      const std::uint64_t sum = HashSum::Of(path.substr(from, length), seed_);
      if (FeaturePositions* known = table_.Find(sum, Is(sum))) {
        known->Append(position);
        return;
      }
      table_.FindOrInsert(sum, Is(sum), [&] {
        return std::pair<std::uint64_t, FeaturePositions>(sum, FeaturePositions::One(position));
      });
    });
  }

  template <typename Visit>
  void ForEachPosition(const RArray* features, std::string_view key, Visit&& visit) const {
    const std::uint64_t sum = HashSum::Of(key, seed_);
    const FeaturePositions* found = table_.Find(sum, Is(sum));
    if (found == nullptr) return;
    found->ForEach([&](FeaturePosition position) {
      return !IsKeyOf(PathAt(features, position), key) || visit(position);
    });
  }

  void Clear() {
    FreePositions();
    table_.Clear();
  }

  std::size_t key_count() const { return table_.size(); }

  template <typename Visit>
  void VisitReferences(Visit&&) const {}

  MemoryUse memory_use() const {
    MemoryUse use = table_.memory_use();
    table_.ForEach([&](std::uint64_t, const FeaturePositions& positions) {
      use = use + positions.memory_use();
    });
    return use;
  }

  void CheckInvariants(const RArray* features) const {
    table_.CheckInvariants();
    // Every key's sum once: asked for each entry, a path of many slashes would take their cube.
    using Entry = std::pair<std::uint64_t, FeaturePosition>;
    std::vector<Entry> expected;
    for (std::size_t i = 0; i < features->length(); ++i) {
      const auto position = static_cast<FeaturePosition>(i);
      const std::string_view path = PathAt(features, position);
      ForEachKey(path, [&](std::size_t from, std::size_t length) {
        expected.emplace_back(HashSum::Of(path.substr(from, length), seed_), position);
      });
    }
    std::sort(expected.begin(), expected.end());
    table_.ForEach([&](std::uint64_t sum, const FeaturePositions& positions) {
      positions.CheckInvariants(features->length());
      positions.ForEach([&](FeaturePosition position) {
        RUBRIC_CHECK(std::binary_search(expected.begin(), expected.end(), Entry(sum, position)),
                     "a hash sum names a feature that has no key of it");
        return true;
      });
    });
  }

 private:
  static auto Is(std::uint64_t sum) {
    return [sum](const std::uint64_t& stored) { return stored == sum; };
  }
  static std::string_view PathAt(const RArray* features, FeaturePosition position) {
    return As<RString>(features->elements()[position])->bytes();
  }

  void FreePositions() {
    table_.ForEach([](std::uint64_t, FeaturePositions& positions) { positions.Free(); });
  }

  std::uint64_t seed_;
  OpenTable<std::uint64_t, FeaturePositions, Subsystem::kFeatures> table_;
};

using HashedFeatureKeys = BasicHashedFeatureKeys<KeyedHashSum>;
static_assert(FeatureKeysBackend<HashedFeatureKeys>);

}  // namespace rubric

#endif  // RUBRIC_BACKENDS_FEATURE_KEYS_HASHED_HASHED_FEATURE_KEYS_H_
