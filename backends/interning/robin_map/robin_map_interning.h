// RobinMapInterning: tsl::robin_set, linear probing in which the entry farther from home stays.
//
// USE        --interning=robin_map. See interning.h for what a table does.
// LAYOUT     One array of buckets {distance from home, hash, record} of 24 bytes (32 for
//            symbols): 2 bytes of distance, a flag, 4 bytes of the hash that the library puts
//            into the padding to rehash by, and the {hash, record} that is compared.
// COST       Find, FindOrInsert O(1) expected, at most half of the buckets in use; Delete shifts
//            what follows back, so that there are no tombstones. ForEach O(buckets); EraseIf
//            O(buckets), in two passes if anything is dead. Memory: buckets x 24 (32), buckets a
//            power of two: 48 to 96 bytes a frozen string as a table doubles. Growing allocates
//            the new array beside the old. Deleting gives nothing back.
// INVARIANTS Each record is found from its hash.  Checked by CheckInvariants(). The library
//            doubles its array whenever a record would lie more than 8,192 buckets from home:
//            more than that many records of one hash make it double until memory runs out.
// SOURCE     Tessil, robin-map 1.2.1, its defaults: growth by 2, load factor 0.5. Robin Hood
//            hashing is Celis, Larson and Munro, FOCS 1985; the backward shift is Emmanuel
//            Goossaert's, 2013.
// TESTED BY  robin_map_interning_test.cc by interning_conformance.h; interning_fuzz.cc.
#ifndef RUBRIC_BACKENDS_INTERNING_ROBIN_MAP_ROBIN_MAP_INTERNING_H_
#define RUBRIC_BACKENDS_INTERNING_ROBIN_MAP_ROBIN_MAP_INTERNING_H_

#include <tsl/robin_set.h>

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

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
using RobinBuckets = tsl::robin_set<InternBucket<Record>, BucketHash, BucketEqual,
                                    CountingAllocator<InternBucket<Record>, Subsystem::kInterning>>;

struct RobinMapInterning {
  static constexpr std::string_view kName = "robin_map";
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

    // Found first, then inserted: the library has no insertion that makes its element at need. The
    // second probe finds its buckets in the cache; a disguised key in one probe was slower, since
    // it is written as two words and read back by the library as one.
    template <typename Make>
    Insertion<Record> FindOrInsert(const InternKey& key, Make make) {
      const auto found = set_.find(key, key.hash);
      if (found != set_.end()) return {found->record, false};
      const Record made = make();
      set_.insert(Bucket{key.hash, made});
      return {made, true};
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

    // An erase shifts buckets back, over the end of the array too, where a loop that erases as it
    // goes would ask about them a second time: so first all are asked, then the dead are erased,
    // named by a null String.
    template <typename Dead>
    void EraseIf(Dead dead) {
      bool any = false;
      for (const Bucket& bucket : set_) {
        if (!dead(bucket.record)) continue;
        Writable(bucket).record.string = nullptr;
        any = true;
      }
      if (!any) return;
      for (auto place = set_.begin(); place != set_.end();) {
        if (place->record.string == nullptr) {
          place = set_.erase(place);
        } else {
          ++place;
        }
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
      const std::size_t n = size();
      return {.payload = n * sizeof(Record),
              .metadata = n * (sizeof(LibraryBucket) - sizeof(Record)),
              .slack = (set_.bucket_count() - n) * sizeof(LibraryBucket)};
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
    using Set = RobinBuckets<Record>;
    // What the library's array is made of; it is as large with its part of the hash as without.
    using LibraryBucket = tsl::detail_robin_hash::bucket_entry<Bucket, true>;

    // The set shows its elements as const, since they lie where their keys say. A dead record has
    // no say in that: the hash stays.
    static Bucket& Writable(const Bucket& bucket) { return const_cast<Bucket&>(bucket); }

    std::size_t initial_size_;
    Set set_;
  };
};

static_assert(InterningBackend<RobinMapInterning>);

}  // namespace rubric

#endif  // RUBRIC_BACKENDS_INTERNING_ROBIN_MAP_ROBIN_MAP_INTERNING_H_
