// CopiedFeatureKeys: the loaded-features index in which each key is an allocation of its own.
//
// USE        As core/feature_keys/feature_keys.h says.
// LAYOUT     An open table of C strings (string_key_table.h). Each key is a block of length + 1
//            bytes, NUL-terminated, Subsystem::kFeatures.
// COST       Add, per key: one malloc if it is new, and, for each key but the whole path, a String
//            on the way: a slot, garbage at once. The one with the extension is a tail of the
//            feature and shares its bytes; the one without is a middle, so it copies them, with one
//            more malloc where it is over 23 bytes. For a path of 7 slashes: 16 keys, 15 Strings,
//            at most 8 copies (6 where the two shortest fit a slot). Memory: 24 bytes an entry, the
//            bins, and every key's bytes + 1.
// INVARIANTS (1) Each key is owned by its entry. Checked by CheckInvariants(), with the axis's own.
// SOURCE     load.c of Ruby up to 2.5 (features_index_add, ruby_strdup).
// TESTED BY  copied_feature_keys_test.cc (feature_keys_conformance.h), copied_feature_keys_fuzz.cc.
#ifndef RUBRIC_BACKENDS_FEATURE_KEYS_COPIED_COPIED_FEATURE_KEYS_H_
#define RUBRIC_BACKENDS_FEATURE_KEYS_COPIED_COPIED_FEATURE_KEYS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/base/check.h"
#include "core/base/memory_use.h"
#include "core/feature_keys/feature_keys.h"
#include "core/feature_keys/feature_suffixes.h"
#include "core/feature_keys/string_key_table.h"
#include "core/heap/heap.h"
#include "core/memory/allocate.h"
#include "core/object/layout.h"
#include "core/object/string.h"

namespace rubric {

class CopiedFeatureKeys {
 public:
  static constexpr std::string_view kName = "copied";
  static constexpr FeatureKeysTraits kTraits = {.makes_strings = true, .allocates_per_key = true};

  CopiedFeatureKeys(Heap& heap, std::uint64_t seed) : heap_(heap), table_(seed) {}
  ~CopiedFeatureKeys() { FreeKeys(); }
  CopiedFeatureKeys(const CopiedFeatureKeys&) = delete;
  CopiedFeatureKeys& operator=(const CopiedFeatureKeys&) = delete;

  void Add(const RArray* features, FeaturePosition position) {
    RString* feature = As<RString>(features->elements()[position]);
    const std::size_t whole = feature->length();
    rubric::ForEachKey(feature->bytes(), [&](std::size_t from, std::size_t length) {
      // Nothing is allocated on the heap between making the String and copying its bytes.
      const RString* key = length == whole ? feature : SubString(heap_, feature, from, length);
      table_.Add(key->bytes(), position, [&] { return Copy(key->bytes()); });
    });
  }

  template <typename Visit>
  void ForEachPosition(const RArray*, std::string_view key, Visit&& visit) const {
    if (const FeaturePositions* found = table_.Find(key)) found->ForEach(visit);
  }

  void Clear() {
    FreeKeys();
    table_.Clear();
    key_bytes_ = 0;
  }

  std::size_t key_count() const { return table_.size(); }

  template <typename Visit>
  void VisitReferences(Visit&&) const {}

  MemoryUse memory_use() const {
    return table_.memory_use() + MemoryUse{.payload = key_bytes_, .metadata = key_count()};
  }

  void CheckInvariants(const RArray* features) const {
    table_.CheckInvariants(features);
    std::size_t bytes = 0;
    table_.ForEachKey([&](const char* key) { bytes += std::strlen(key); });
    RUBRIC_CHECK(bytes == key_bytes_, "the bytes of keys are counted");
  }

 private:
  const char* Copy(std::string_view key) {
    auto* copy = static_cast<char*>(Allocate(Subsystem::kFeatures, key.size() + 1));
    std::memcpy(copy, key.data(), key.size());
    copy[key.size()] = '\0';
    key_bytes_ += key.size();
    return copy;
  }

  void FreeKeys() {
    table_.ForEachKey([](const char* key) { Free(Subsystem::kFeatures, const_cast<char*>(key)); });
  }

  Heap& heap_;
  StringKeyTable table_;
  std::size_t key_bytes_ = 0;  // of all keys, their NULs not counted
};
static_assert(FeatureKeysBackend<CopiedFeatureKeys>);

}  // namespace rubric

#endif  // RUBRIC_BACKENDS_FEATURE_KEYS_COPIED_COPIED_FEATURE_KEYS_H_
