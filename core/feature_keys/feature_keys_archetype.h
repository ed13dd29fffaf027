// FeatureKeysArchetype: has what the concept asks for and nothing else, and does nothing.
//
// USE        What is generic over the axis must compile with it (loaded_features_test.cc). The
//            negative ones show that the concept refuses what lacks a member.
#ifndef RUBRIC_CORE_FEATURE_KEYS_FEATURE_KEYS_ARCHETYPE_H_
#define RUBRIC_CORE_FEATURE_KEYS_FEATURE_KEYS_ARCHETYPE_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/base/memory_use.h"
#include "core/feature_keys/feature_keys.h"
#include "core/heap/heap.h"
#include "core/object/layout.h"

namespace rubric {

struct FeatureKeysArchetype {
  static constexpr std::string_view kName = "archetype";
  static constexpr FeatureKeysTraits kTraits = {};

  FeatureKeysArchetype(Heap&, std::uint64_t) {}
  FeatureKeysArchetype(const FeatureKeysArchetype&) = delete;
  FeatureKeysArchetype& operator=(const FeatureKeysArchetype&) = delete;
  void Add(const RArray*, FeaturePosition) {}
  template <typename Visit>
  void ForEachPosition(const RArray*, std::string_view, Visit) const {}
  void Clear() {}
  std::size_t key_count() const { return 0; }
  template <typename Visit>
  void VisitReferences(Visit) const {}
  MemoryUse memory_use() const { return {}; }
  void CheckInvariants(const RArray*) const {}
};
static_assert(FeatureKeysBackend<FeatureKeysArchetype>);

// An index that could be copied would free its keys twice.
struct CopyableFeatureKeys : FeatureKeysArchetype {
  using FeatureKeysArchetype::FeatureKeysArchetype;
  CopyableFeatureKeys(const CopyableFeatureKeys& other);
};
static_assert(!FeatureKeysBackend<CopyableFeatureKeys>);

// An index that does not say what it keeps alive cannot be collected around.
struct FeatureKeysWithoutReferences : FeatureKeysArchetype {
  using FeatureKeysArchetype::FeatureKeysArchetype;
  void VisitReferences() const;  // hides the template
};
static_assert(!FeatureKeysBackend<FeatureKeysWithoutReferences>);

struct FeatureKeysWithoutHeap : FeatureKeysArchetype {
  explicit FeatureKeysWithoutHeap(std::uint64_t seed);
};
static_assert(!FeatureKeysBackend<FeatureKeysWithoutHeap>);

}  // namespace rubric

#endif  // RUBRIC_CORE_FEATURE_KEYS_FEATURE_KEYS_ARCHETYPE_H_
