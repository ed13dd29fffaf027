// FeatureKeysArchetype: declares what the concept asks for and nothing else.
//
// USE        What is generic over the axis must compile with it; it is never linked. The negative
//            ones show that the concept refuses what lacks a member.
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

  FeatureKeysArchetype(Heap& heap, std::uint64_t seed);
  FeatureKeysArchetype(const FeatureKeysArchetype&) = delete;
  FeatureKeysArchetype& operator=(const FeatureKeysArchetype&) = delete;
  void Add(const RArray* features, FeaturePosition position);
  template <typename Visit>
  void ForEachPosition(const RArray* features, std::string_view key, Visit visit) const;
  void Clear();
  std::size_t key_count() const;
  template <typename Visit>
  void VisitReferences(Visit visit) const;
  MemoryUse memory_use() const;
  void CheckInvariants(const RArray* features) const;
};
static_assert(FeatureKeysBackend<FeatureKeysArchetype>);

// An index that could be copied would free its keys twice.
struct CopyableFeatureKeys : FeatureKeysArchetype {
  using FeatureKeysArchetype::FeatureKeysArchetype;
  CopyableFeatureKeys(const CopyableFeatureKeys&);
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
