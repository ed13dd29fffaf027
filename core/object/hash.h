// T_HASH: Ruby's Hash, on the ordered open-addressing table of Ruby 2.4.
//
// USE        HashStore, HashFetch, HashDelete, ForEachPair over an RHash. Keys compare by eql?: the
//            same object, Strings of equal bytes and encoding, Floats of the same bits, big
//            Integers of the same value. A String key is stored frozen, as Ruby does: the caller
//            passes a frozen one.
// COST       One lookup an operation; an empty hash is a bare slot. Subsystem::kHashes.
// INVARIANTS Pairs keep their order of insertion; storing to a key that is there keeps its place.
// SOURCE     CRuby's hash.c; core/table/open_table.h.
// TESTED BY  hash_test.cc.
#ifndef RUBRIC_CORE_OBJECT_HASH_H_
#define RUBRIC_CORE_OBJECT_HASH_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/heap/heap.h"
#include "core/object/layout.h"
#include "core/table/open_table.h"
#include "core/value/value.h"

namespace rubric {

class HashTable : public OpenTable<Value, Value, Subsystem::kHashes> {
 public:
  using OpenTable::OpenTable;
};

// REQUIRES: not frozen; a String key is frozen. No slot is allocated.
void HashStore(Heap& heap, RHash* hash, Value key, Value value, std::uint64_t seed);
std::optional<Value> HashFetch(const RHash* hash, Value key, std::uint64_t seed);
std::optional<Value> HashDelete(RHash* hash, Value key, std::uint64_t seed);
std::size_t HashSize(const RHash* hash);

// visit(key, value) in order of insertion; must not change the hash.
template <typename Visit>
void ForEachPair(const RHash* hash, Visit visit) {
  if (hash->table == nullptr) return;
  hash->table->ForEach([&](Value key, Value value) { visit(key, value); });
}

// Hash#default=. REQUIRES: not frozen.
void SetHashDefault(Heap& heap, RHash* hash, Value value);

template <typename Visit>
void VisitHashReferences(const RHash* hash, Visit visit) {
  visit(hash->default_value);
  ForEachPair(hash, [&](Value key, Value value) {
    visit(key);
    visit(value);
  });
}

void FreeHashTable(RHash* hash);
std::size_t HashMemsize(const RHash* hash);  // bytes outside the slot

}  // namespace rubric

#endif  // RUBRIC_CORE_OBJECT_HASH_H_
