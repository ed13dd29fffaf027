// StringKeyTable: positions by NUL-terminated key, for backends whose keys are the bytes
// themselves.
//
// USE        Add(key, position, make_key): make_key() gives the pointer to store if the key is new;
//            who owns its bytes is the backend's business.
// LAYOUT     An open table (core/table/open_table.h) of 24-byte entries {hash, address of the key,
//            FeaturePositions}; keys are compared byte by byte once their hashes are equal.
// COST       Add: two hashes and two lookups for a new key, as CRuby's index does, one for a known
//            one. 24 bytes an entry, and bins.
// SOURCE     CRuby's index is an st table of C strings: looked up first, inserted then.
// TESTED BY  feature_keys_conformance.h.
#ifndef RUBRIC_CORE_FEATURE_KEYS_STRING_KEY_TABLE_H_
#define RUBRIC_CORE_FEATURE_KEYS_STRING_KEY_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

#include "core/base/check.h"
#include "core/base/keyed_hash.h"
#include "core/base/memory_use.h"
#include "core/feature_keys/feature_positions.h"
#include "core/feature_keys/feature_suffixes.h"
#include "core/memory/subsystem.h"
#include "core/object/layout.h"
#include "core/table/open_table.h"

namespace rubric {

class StringKeyTable {
 public:
  explicit StringKeyTable(std::uint64_t seed) : seed_(seed) {}
  ~StringKeyTable() { FreePositions(); }
  StringKeyTable(const StringKeyTable&) = delete;
  StringKeyTable& operator=(const StringKeyTable&) = delete;

  template <typename MakeKey>
  void Add(std::string_view key, FeaturePosition position, MakeKey make_key) {
    if (FeaturePositions* known = table_.Find(KeyedHash(key, seed_), Is{key})) {
      known->Append(position);
      return;
    }
    const char* made = make_key();
    table_.FindOrInsert(KeyedHash(key, seed_), Is{key}, [&] {
      return std::pair<const char*, FeaturePositions>(made, FeaturePositions::One(position));
    });
  }

  // The positions of the key, or null.
  const FeaturePositions* Find(std::string_view key) const {
    return table_.Find(KeyedHash(key, seed_), Is{key});
  }

  // Calls visit(key) for each key, oldest first.
  template <typename Visit>
  void ForEachKey(Visit visit) const {
    table_.ForEach([&](const char* key, const FeaturePositions&) { visit(key); });
  }

  // Forgets everything; looks at no key.
  void Clear() {
    FreePositions();
    table_.Clear();
  }

  std::size_t size() const { return table_.size(); }

  // The table and the lists, the bytes of keys not included.
  MemoryUse memory_use() const {
    MemoryUse use = table_.memory_use();
    table_.ForEach([&](const char*, const FeaturePositions& positions) {
      use = use + positions.memory_use();
    });
    return use;
  }

  // Each position's feature has the key.
  void CheckInvariants(const RArray* features) const {
    table_.CheckInvariants();
    table_.ForEach([&](const char* key, const FeaturePositions& positions) {
      positions.CheckInvariants(features->length());
      positions.ForEach([&](FeaturePosition position) {
        RUBRIC_CHECK(IsKeyOf(As<RString>(features->elements()[position])->bytes(), key),
                     "a key names a feature that does not have it");
        return true;
      });
      RUBRIC_CHECK(Find(key) == &positions);
    });
  }

 private:
  // Whether a stored key is `key`. REQUIRES: `key` has no NUL.
  struct Is {
    std::string_view key;
    bool operator()(const char* stored) const {
      return std::strncmp(stored, key.data(), key.size()) == 0 && stored[key.size()] == '\0';
    }
  };

  void FreePositions() {
    table_.ForEach([](const char*, FeaturePositions& positions) { positions.Free(); });
  }

  std::uint64_t seed_;
  OpenTable<const char*, FeaturePositions, Subsystem::kFeatures> table_;
};

}  // namespace rubric

#endif  // RUBRIC_CORE_FEATURE_KEYS_STRING_KEY_TABLE_H_
