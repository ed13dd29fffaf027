// FeatureKeyCounts: what adding a feature costs, by formula.
//
// USE        FeatureKeyCounts counts; for each path counts.Add(path); then counts.MallocsForKeys(T)
//            is the number of mallocs that a backend of traits T spends on keys and Strings for
//            those paths, if no two of them have a key in common. What all backends spend alike
//            comes on top: the table, which grows with the number of keys, and lists of positions.
// LAYOUT     With s the slashes of a path, and L(k) the number of its extension-less keys that are
//            longer than 23 bytes:
//              keys            2 (s + 1), or s + 1 without an extension
//              copied strings  L, 0 without an extension: a tail of the path shares, a middle
//              copies stems           1 iff there is an extension and the path less it is over 23
//              bytes
//            copied: keys + copied strings; shared: stems; hashed: 0. For a path of 7 slashes whose
//            two shortest extension-less keys fit 23 bytes: 16 + 6 = 22; 1; 0.
// SOURCE     Counted on CRuby: 22.0 calls a file saved by hash sums and 21.0 by shared keys at 7
//            slashes.
// TESTED BY  feature_key_counts_test.cc; feature_keys_conformance.h (7) holds each backend to it.
#ifndef RUBRIC_CORE_FEATURE_KEYS_FEATURE_KEY_COUNTS_H_
#define RUBRIC_CORE_FEATURE_KEYS_FEATURE_KEY_COUNTS_H_

#include <cstddef>
#include <string_view>

#include "core/feature_keys/feature_keys.h"
#include "core/feature_keys/feature_suffixes.h"
#include "core/object/layout.h"

namespace rubric {

struct FeatureKeyCounts {
  std::size_t keys = 0;            // keys of all paths
  std::size_t key_bytes = 0;       // their bytes
  std::size_t strings = 0;         // Strings made where kTraits.makes_strings
  std::size_t copied_strings = 0;  // those of them that malloc
  std::size_t copied_bytes = 0;    // and what they ask for
  std::size_t stems = 0;           // extension-less copies that malloc
  std::size_t stem_bytes = 0;      // and what they ask for

  void Add(std::string_view path) {
    const std::size_t stem = StemLength(path);
    ForEachKey(path, [&](std::size_t from, std::size_t length) {
      ++keys;
      key_bytes += length;
      strings += length == path.size() ? 0 : 1;
      if (from + length == path.size() || length <= RString::kEmbedMax) return;
      ++copied_strings;
      copied_bytes += length + 1;
    });
    if (stem < path.size() && stem > RString::kEmbedMax) {
      ++stems;
      stem_bytes += stem + 1;
    }
  }

  std::size_t MallocsForKeys(const FeatureKeysTraits& traits) const {
    return (traits.allocates_per_key ? keys : 0) + (traits.makes_strings ? copied_strings : 0) +
           (traits.keeps_stems ? stems : 0);
  }
  // Bytes asked for by those mallocs: keys have a NUL.
  std::size_t BytesForKeys(const FeatureKeysTraits& traits) const {
    return (traits.allocates_per_key ? key_bytes + keys : 0) +
           (traits.makes_strings ? copied_bytes : 0) + (traits.keeps_stems ? stem_bytes : 0);
  }
};

}  // namespace rubric

#endif  // RUBRIC_CORE_FEATURE_KEYS_FEATURE_KEY_COUNTS_H_
