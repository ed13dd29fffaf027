// SharedFeatureKeys: the loaded-features index whose keys point into the features themselves.
//
// USE        As core/feature_keys/feature_keys.h says.
// LAYOUT     An open table of C strings (string_key_table.h). Keys with the extension are tails of
//            the feature's own bytes. Keys without are tails of its stem: a hidden, frozen String,
//            the feature less its extension, which the index keeps in a list of slots.
// COST       Add: a slot for the stem, with one malloc where it is over 23 bytes; none without an
//            extension. No allocation a key. For a path of 7 slashes: 1 malloc, where copied keys
//            cost 22. Memory: 24 bytes an entry, the bins, 8 bytes a stem in the list, and the
//            stems: 40 bytes and, over 23 bytes, length + 1.
// INVARIANTS (1) Every key points into a feature of the array or into a stem; both end with a NUL.
//            (2) There is one stem for each Add of a feature that has an extension.
//            Checked by CheckInvariants(), with the axis's own.
// VALIDITY   Bytes do not move: a String's are in its slot or in its buffer, and a frozen one keeps
//            both.
// SOURCE     Proposed in Ruby #14460: shared substrings. That the extension-less copy is a String
//            held by a hidden array is how its saving was measured: 21 calls a file at 7 slashes, 8
//            at 3, where it fits its slot.
// TESTED BY  shared_feature_keys_test.cc (feature_keys_conformance.h), shared_feature_keys_fuzz.cc.
#ifndef RUBRIC_BACKENDS_FEATURE_KEYS_SHARED_SHARED_FEATURE_KEYS_H_
#define RUBRIC_BACKENDS_FEATURE_KEYS_SHARED_SHARED_FEATURE_KEYS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/base/check.h"
#include "core/base/memory_use.h"
#include "core/feature_keys/feature_keys.h"
#include "core/feature_keys/feature_suffixes.h"
#include "core/feature_keys/string_key_table.h"
#include "core/heap/heap.h"
#include "core/memory/counting_allocator.h"
#include "core/object/layout.h"
#include "core/object/string.h"
#include "core/value/value.h"

namespace rubric {

class SharedFeatureKeys {
 public:
  static constexpr std::string_view kName = "shared";
  static constexpr FeatureKeysTraits kTraits = {.keeps_stems = true};

  SharedFeatureKeys(Heap& heap, std::uint64_t seed) : heap_(heap), table_(seed) {}
  SharedFeatureKeys(const SharedFeatureKeys&) = delete;
  SharedFeatureKeys& operator=(const SharedFeatureKeys&) = delete;

  void Add(const RArray* features, FeaturePosition position) {
    const RString* feature = As<RString>(features->elements()[position]);
    const std::string_view path = feature->bytes();
    const std::size_t stem_length = StemLength(path);
    const char* stem = nullptr;
    if (stem_length < path.size()) {
      stems_.push_back(NewString(heap_, nullptr, path.substr(0, stem_length), feature->encoding()));
      FreezeString(stems_.back());
      stem = stems_.back()->data();
    }
    rubric::ForEachKey(path, [&](std::size_t from, std::size_t length) {
      const char* key = (from + length == path.size() ? path.data() : stem) + from;
      table_.Add({key, length}, position, [&] { return key; });
    });
  }

  template <typename Visit>
  void ForEachPosition(const RArray*, std::string_view key, Visit&& visit) const {
    if (const FeaturePositions* found = table_.Find(key)) found->ForEach(visit);
  }

  void Clear() {
    table_.Clear();
    stems_ = Stems();
  }

  std::size_t key_count() const { return table_.size(); }

  template <typename Visit>
  void VisitReferences(Visit&& visit) const {
    for (RString* stem : stems_) visit(Value(stem));
  }

  MemoryUse memory_use() const {
    return table_.memory_use() +
           MemoryUse{.metadata = stems_.size() * sizeof(RString*),
                     .slack = (stems_.capacity() - stems_.size()) * sizeof(RString*)};
  }

  void CheckInvariants(const RArray* features) const {
    table_.CheckInvariants(features);
    for (const RString* stem : stems_) CheckString(stem);
    table_.ForEachKey([&](const char* key) {
      const auto holds = [key](const RString* string) {
        return key >= string->data() && key <= string->data() + string->length();
      };
      // Slow, and so only where checks are wanted at any price.
      RUBRIC_DCHECK(std::any_of(stems_.begin(), stems_.end(), holds) ||
                        std::any_of(features->elements().begin(), features->elements().end(),
                                    [&](Value v) { return holds(As<RString>(v)); }),
                    "a key points to no feature");
    });
  }

 private:
  using Stems = CountedVector<RString*, Subsystem::kFeatures>;

  Heap& heap_;
  StringKeyTable table_;
  Stems stems_;
};
static_assert(FeatureKeysBackend<SharedFeatureKeys>);

}  // namespace rubric

#endif  // RUBRIC_BACKENDS_FEATURE_KEYS_SHARED_SHARED_FEATURE_KEYS_H_
