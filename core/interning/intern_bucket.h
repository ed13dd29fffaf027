// InternBucket: what the open-addressing backends store: the hash and the record, side by side.
//
// USE        The libraries behind these backends keep no hash of their own that is 64 bits wide,
//            or none at all, so the bucket has it: 16 bytes for a frozen string, 24 for a symbol.
//            BucketHash and BucketEqual are what a library is given; they take a key in place of
//            a bucket, so that a lookup makes none.
// TESTED BY  interning_test.cc, interning_conformance.h.
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

// Compares a stored bucket (first) with what is looked for (second): a bucket, a key, an identity.
struct BucketEqual {
  using is_transparent = void;

  template <typename Record>
  bool operator()(const InternBucket<Record>& stored, const InternBucket<Record>& other) const {
    const RString* name = other.record.string;
    return stored.Matches(InternKey{name->bytes(), name->encoding(), other.hash});
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
