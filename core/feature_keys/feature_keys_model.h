// ModelFeatureKeys: the obvious index, which the conformance suite checks itself with.
//
// USE        Sorted keys, each with its positions. Not selectable in a build.
// LAYOUT     One array of {key, positions}, ordered by key; Subsystem::kFeatures.
// COST       Add O(keys) a key; ForEachPosition O(log keys).
// TESTED BY  feature_keys_model_test.cc (feature_keys_conformance.h).
#ifndef RUBRIC_CORE_FEATURE_KEYS_FEATURE_KEYS_MODEL_H_
#define RUBRIC_CORE_FEATURE_KEYS_FEATURE_KEYS_MODEL_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/base/check.h"
#include "core/base/memory_use.h"
#include "core/feature_keys/feature_keys.h"
#include "core/feature_keys/feature_suffixes.h"
#include "core/heap/heap.h"
#include "core/memory/counting_allocator.h"
#include "core/object/layout.h"
#include "core/value/slot.h"

namespace rubric {

class ModelFeatureKeys {
 public:
  static constexpr std::string_view kName = "model";
  static constexpr FeatureKeysTraits kTraits = {};

  ModelFeatureKeys(Heap&, std::uint64_t) {}
  ModelFeatureKeys(const ModelFeatureKeys&) = delete;
  ModelFeatureKeys& operator=(const ModelFeatureKeys&) = delete;

  void Add(const RArray* features, FeaturePosition position) {
    const std::string_view path = As<RString>(features->elements()[position])->bytes();
    ForEachKey(path, [&](std::size_t from, std::size_t length) {
      const std::string_view key = path.substr(from, length);
      const auto at = std::lower_bound(keys_.begin(), keys_.end(), key, Less);
      if (at != keys_.end() && at->bytes == key) {
        at->positions.push_back(position);
      } else {
        keys_.insert(at, Key{CountedString<Subsystem::kFeatures>(key), Positions{position}});
      }
    });
  }

  template <typename Visit>
  void ForEachPosition(const RArray*, std::string_view key, Visit visit) const {
    const auto at = std::lower_bound(keys_.begin(), keys_.end(), key, Less);
    if (at == keys_.end() || at->bytes != key) return;
    for (FeaturePosition position : at->positions) {
      if (!visit(position)) return;
    }
  }

  void Clear() { keys_ = Keys(); }
  std::size_t key_count() const { return keys_.size(); }

  template <typename Visit>
  void VisitReferences(Visit) const {}

  MemoryUse memory_use() const {
    MemoryUse use{.metadata = keys_.size() * sizeof(Key),
                  .slack = (keys_.capacity() - keys_.size()) * sizeof(Key)};
    for (const Key& key : keys_) {
      // Short strings lie in their objects.
      static const std::size_t kInObject = CountedString<Subsystem::kFeatures>().capacity();
      if (key.bytes.capacity() > kInObject) use.payload += key.bytes.capacity() + 1;
      use.payload += key.positions.capacity() * sizeof(FeaturePosition);
    }
    return use;
  }

  void CheckInvariants(const RArray* features) const {
    for (const Key& key : keys_) {
      RUBRIC_CHECK(std::is_sorted(key.positions.begin(), key.positions.end()));
      for (FeaturePosition position : key.positions) {
        RUBRIC_CHECK(IsKeyOf(As<RString>(features->elements()[position])->bytes(), key.bytes));
      }
    }
  }

 private:
  using Positions = CountedVector<FeaturePosition, Subsystem::kFeatures>;
  struct Key {
    CountedString<Subsystem::kFeatures> bytes;
    Positions positions;
  };
  using Keys = CountedVector<Key, Subsystem::kFeatures>;

  static bool Less(const Key& key, std::string_view bytes) {
    return std::string_view(key.bytes) < bytes;
  }

  Keys keys_;
};
static_assert(FeatureKeysBackend<ModelFeatureKeys>);

}  // namespace rubric

#endif  // RUBRIC_CORE_FEATURE_KEYS_FEATURE_KEYS_MODEL_H_
