// The feature_keys axis: the loaded-features index, from every way to name a feature to its
// positions.
//
// USE        A VM has one index, over its array of loaded features. The keys of "/a/b/c.rb" are
//            each suffix that follows a '/', and the whole, each with and without the extension:
//              c.rb  c  b/c.rb  b/c  a/b/c.rb  a/b/c  /a/b/c.rb  /a/b/c
//            A feature without an extension gives each suffix once (feature_suffixes.h).
//            Positions are indexes into the array.
//              Add(features, position)   indexes features[position], a frozen RString; may collect
//              ForEachPosition(features, key, visit)
//                                        visit(position) -> bool for each feature that `key` names,
//                                        ascending; stops when visit says false
//              Clear()                   forgets everything
//              key_count()               distinct keys; where !kTraits.keys_are_exact, distinct
//                                        hash sums of keys
//              VisitReferences(visit)    visit(Value) for each slot that the index keeps alive
//              memory_use(), CheckInvariants(features)
// COST       Add: 2 x (slashes + 1) insertions, half of that without an extension.
//            ForEachPosition: one lookup, no allocation.
// INVARIANTS Every backend keeps these; feature_keys_conformance.h tests them by number.
//            (1) ForEachPosition visits p iff features[p] was added since Clear() and `key` is one
//                of its keys; each p once, in ascending order.
//            (2) Several features may have a key in common, and one feature may stand at several
//                positions: all of them are visited.
//            (3) Paths are bytes: any encoding, any length, no NUL (the VM refuses those).
//            (4) All memory is counted as Subsystem::kFeatures, but for the Strings that Add makes;
//                a cleared index holds what a fresh one holds; the destructor gives all back.
//            (5) memory_use().total() is the bytes asked for that the index holds now, Strings not
//                included.
//            (6) The index stays right through collections: what it points into is kept alive by
//                the features array or shown by VisitReferences.
//            (7) kTraits tell what one Add costs: Strings and mallocs (feature_key_counts.h).
// VALIDITY   REQUIRES, of the VM: positions are added in ascending order; until Clear(), every
//            added feature stays alive, unchanged, at its position of the array that is passed.
// SOURCE     load.c's loaded-features index; the question is Ruby #14460's, the hashed answer
//            #8158's.
// TESTED BY  feature_keys_conformance.h over each backend and the model.
#ifndef RUBRIC_CORE_FEATURE_KEYS_FEATURE_KEYS_H_
#define RUBRIC_CORE_FEATURE_KEYS_FEATURE_KEYS_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/base/memory_use.h"
#include "core/feature_keys/feature_positions.h"
#include "core/heap/heap.h"
#include "core/object/layout.h"
#include "core/value/value.h"

namespace rubric {

struct FeatureKeysTraits {
  bool keys_are_exact = true;      // a key found is the key asked for; else hits are verified
  bool makes_strings = false;      // Add makes a String, soon garbage, for each key but the whole
  bool allocates_per_key = false;  // one malloc a key
  bool keeps_stems = false;        // Add makes and keeps a String, the feature less its extension
};

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
