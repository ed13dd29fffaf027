// SwissInterning: absl::flat_hash_set, control bytes of 7 hash bits that are compared 16 at a
// time.
//
// USE        --interning=swiss. See interning.h for what a table does.
// LAYOUT     One block: a control byte a slot, 16 more, then slots {hash, record} of 16 bytes (24
//            for symbols); the number of slots is 2^k - 1.
// COST       Find, FindOrInsert, Delete O(1) expected, at most 7/8 of the slots in use; ForEach,
//            EraseIf O(slots). Memory: slots x 17 (25) + 16, rounded up to 8: 20 to 39 bytes a
//            frozen string as a table doubles. Growing allocates the new block beside the old.
//            Deleting gives nothing back.
// INVARIANTS Each record is found from its hash.  Checked by CheckInvariants(). Where a record
//            lies depends on the block's address: the library mixes the page number into the
//            hash. So the order of visits differs between processes, and so may the number of
//            tombstones that deletions leave, hence which insertion after deletions cleans or
//            doubles a table that is near its limit. Tables that are only inserted into and swept
//            allocate alike everywhere.
// SOURCE     Abseil LTS 20220623, absl/container/flat_hash_set.h; Matt Kulukundis, "Designing a
//            Fast, Efficient, Cache-friendly Hash Table, Step by Step", CppCon 2017.
// TESTED BY  swiss_interning_test.cc by interning_conformance.h; interning_fuzz.cc.
#ifndef RUBRIC_BACKENDS_INTERNING_SWISS_SWISS_INTERNING_H_
#define RUBRIC_BACKENDS_INTERNING_SWISS_SWISS_INTERNING_H_

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "core/base/build_mode.h"
#include "core/base/check.h"
#include "core/base/memory_use.h"
#include "core/interning/intern_bucket.h"
#include "core/interning/interning.h"
#include "core/memory/counting_allocator.h"
#include "core/memory/subsystem.h"

namespace rubric {

// The bare library.
template <InternRecord Record>
using SwissBuckets =
    absl::flat_hash_set<InternBucket<Record>, BucketHash, BucketEqual,
                        CountingAllocator<InternBucket<Record>, Subsystem::kInterning>>;

struct SwissInterning {
  static constexpr std::string_view kName = "swiss";
  static constexpr InterningTraits kTraits = {};

  template <InternRecord Record>
  class Table {
   public:
    explicit Table(std::size_t initial_size) : initial_size_(kHostile ? 0 : initial_size) {
      Reserve(initial_size_);
    }
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;

    Found<Record> Find(const InternKey& key) const {
      const auto found = set_.find(key, key.hash);
      if (found == set_.end()) return std::nullopt;
      return found->record;
    }

    template <typename Make>
    Insertion<Record> FindOrInsert(const InternKey& key, Make make) {
      bool inserted = false;
      const auto place = set_.lazy_emplace(key, [&](const auto& construct) {
        construct(Bucket{key.hash, make()});
        inserted = true;
      });
      return {place->record, inserted};
    }

    std::optional<Record> Delete(const InternKey& key) {
      const auto found = set_.find(key, key.hash);
      if (found == set_.end()) return std::nullopt;
      const Record gone = found->record;
      set_.erase(found);
      return gone;
    }

    template <typename Visit>
    void ForEach(Visit visit) const {
      for (const Bucket& bucket : set_) visit(bucket.record);
    }

    template <typename Dead>
    void EraseIf(Dead dead) {
      for (auto place = set_.begin(); place != set_.end();) {
        const auto here = place++;
        if (dead(here->record)) set_.erase(here);
      }
    }

    void Clear() {
      set_ = Set();
      Reserve(initial_size_);
    }

    void Reserve(std::size_t count) {
      if (count > size()) set_.reserve(count);
    }

    std::size_t size() const { return set_.size(); }

    MemoryUse memory_use() const {
      const std::size_t n = size(), slots = set_.capacity();
      const std::size_t total =
          absl::container_internal::hashtable_debug_internal::HashtableDebugAccess<
              Set>::AllocatedByteSize(set_);
      return {.payload = n * sizeof(Record),
              .metadata = total - slots * sizeof(Bucket) + n * (sizeof(Bucket) - sizeof(Record)),
              .slack = (slots - n) * sizeof(Bucket)};
    }

    void CheckInvariants() const {
      std::size_t visited = 0;
      for (const Bucket& bucket : set_) {
        ++visited;
        const BucketIdentity identity{bucket.hash, bucket.record.string};
        const auto found = set_.find(identity, identity.hash);
        RUBRIC_CHECK(found != set_.end() && &*found == &bucket, "a record is found from its hash");
      }
      RUBRIC_CHECK(visited == size());
    }

   private:
    using Bucket = InternBucket<Record>;
    using Set = SwissBuckets<Record>;

    std::size_t initial_size_;
    Set set_;
  };
};

static_assert(InterningBackend<SwissInterning>);

}  // namespace rubric

#endif  // RUBRIC_BACKENDS_INTERNING_SWISS_SWISS_INTERNING_H_
