// The feature_keys axis: the loaded-features index, from every way to name a feature to its
// position.
//
// USE        One index a VM, over its array of loaded features. For a feature "/a/b/c.rb" the keys
// are each
//            suffix that follows a '/', and the whole, each with and without the extension: "c.rb",
//            "c", "b/c.rb", "b/c", "a/b/c.rb", "a/b/c", "/a/b/c.rb", "/a/b/c". A feature without an
//            extension gives each suffix once. An extension is what follows the last '.' of the
//            last component, the dot included; positions are indexes into the features array.
//              Add(features, position)            indexes features[position], a frozen RString
//              ForEachPosition(features, key, visit)   visit(position) -> bool for each feature
//              that `key`
//                                                 names, ascending; stops when visit says false
//              Clear()                            forgets everything
//              key_count()                        distinct keys
//              VisitReferences(visit)             shows the slots that the index itself keeps alive
//              memory_use(), CheckInvariants(features)
// COST       Add: about 2 x (slashes + 1) insertions. ForEachPosition: one lookup.
// INVARIANTS Every backend keeps these; feature_keys_conformance.h tests them by number.
//            (1) ForEachPosition visits p iff features[p] was added since Clear() and `key` is one
//            of its
//                keys, each p once, in ascending order.
//            (2) Positions are added in ascending order. The same feature may stand at several
//            positions. (3) Paths are bytes: no encoding, no NUL (the VM refuses those). (4) All
//            memory is counted as Subsystem::kFeatures but for Strings that Add makes on the way.
//            (5) memory_use().total() is the bytes asked for that the index holds now.
//            (6) The index stays right through collections: what it points into is either kept
//            alive by
//                the features array or shown by VisitReferences.
// VALIDITY   REQUIRES, of the VM: until Clear(), every added feature stays alive, unchanged, at its
// position. SOURCE     load.c's features_index; the question is Ruby #14460's, the hashed answer
// #8158's. TESTED BY  feature_keys_conformance.h over each backend and the model.
#ifndef RUBRIC_CORE_FEATURE_KEYS_FEATURE_KEYS_H_
#define RUBRIC_CORE_FEATURE_KEYS_FEATURE_KEYS_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/base/memory_use.h"
#include "core/heap/heap.h"
#include "core/object/layout.h"
#include "core/value/value.h"

namespace rubric {

struct FeatureKeysTraits {
  bool keys_are_exact = true;      // a key found is the key asked for; else hits are verified
  bool makes_strings = false;      // Add makes a String object for each key but the whole path
  bool allocates_per_key = false;  // one malloc a key
};

using FeaturePosition = std::uint32_t;

template <typename B>
concept FeatureKeysBackend =
    std::constructible_from<B, Heap&, std::uint64_t> && !std::copy_constructible<B> &&
    requires(B index, const B& cindex, const RArray* features, FeaturePosition position,
             std::string_view key, bool (*visit)(FeaturePosition), void (*reference)(Value)) {
  { B::kName } -> std::convertible_to<std::string_view>;
  { B::kTraits } -> std::same_as<const FeatureKeysTraits&>;
  { index.Add(features, position) } -> std::same_as<void>;
  { cindex.ForEachPosition(features, key, visit) } -> std::same_as<void>;
  { index.Clear() } -> std::same_as<void>;
  { cindex.key_count() } -> std::same_as<std::size_t>;
  { cindex.VisitReferences(reference) } -> std::same_as<void>;
  { cindex.memory_use() } -> std::same_as<MemoryUse>;
  { cindex.CheckInvariants(features) } -> std::same_as<void>;
};

}  // namespace rubric

#endif  // RUBRIC_CORE_FEATURE_KEYS_FEATURE_KEYS_H_
