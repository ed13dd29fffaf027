// InternBucket: what the open-addressing backends store: the hash and the record, side by side.
//
// USE        The libraries behind these backends keep no hash of their own that is 64 bits wide,
//            or none at all, so the bucket has it: 16 bytes for a frozen string, 24 for a symbol.
//            Libraries that look up by their own element type get a probe (Probe(key)), a bucket
//            whose String is the key in disguise; those that look up by any type get the key
//            itself (BucketHash, BucketEqual).
// INVARIANTS A probe is never left in a table: who inserts one writes the record over it at once.
// TESTED BY  interning_conformance.h.
#ifndef RUBRIC_CORE_INTERNING_INTERN_BUCKET_H_
#define RUBRIC_CORE_INTERNING_INTERN_BUCKET_H_

#include <cstddef>
#include <cstdint>

#include "core/interning/interning.h"
#include "core/object/layout.h"

namespace rubric {

template <InternRecord Record>
struct InternBucket {
  std::uint64_t hash;
  Record record;

  // A bucket that is looked for in place of `key`; valid as long as `key` is.
  static InternBucket Probe(const InternKey& key) {
    InternBucket probe{key.hash, Record{}};
    // A pointer that only Probed() looks at, and as what it is.
    probe.record.string = reinterpret_cast<RString*>(const_cast<InternKey*>(&key));
    return probe;
  }

  // The key that this probe stands for. REQUIRES: it was made by Probe().
  const InternKey& Probed() const { return *reinterpret_cast<const InternKey*>(record.string); }

  bool Matches(const InternKey& key) const {
    return hash == key.hash && SameName(record.string, key);
  }
};

static_assert(sizeof(InternBucket<FstringRecord>) == 16);
static_assert(sizeof(InternBucket<SymbolRecord>) == 24);

// Names a bucket by the identity of its String, for CheckInvariants(): finds it without reading any
// bytes.
struct BucketIdentity {
  std::uint64_t hash;
  const RString* string;
};

struct BucketHash {
  using is_transparent = void;

  template <typename Named>
  std::size_t operator()(const Named& named) const {
    return named.hash;
  }
};

// Compares a stored bucket (first) with what is looked for (second): a probe, a key, an identity.
struct BucketEqual {
  using is_transparent = void;

  template <typename Record>
  bool operator()(const InternBucket<Record>& stored, const InternBucket<Record>& probe) const {
    return stored.Matches(probe.Probed());
  }
  template <typename Record>
  bool operator()(const InternBucket<Record>& stored, const InternKey& key) const {
    return stored.Matches(key);
  }
  template <typename Record>
  bool operator()(const InternBucket<Record>& stored, const BucketIdentity& identity) const {
    return stored.record.string == identity.string;
  }
};

}  // namespace rubric

#endif  // RUBRIC_CORE_INTERNING_INTERN_BUCKET_H_
