// KhashInterning: klib's khash, open addressing with triangular probing and two flag bits a
// bucket.
//
// USE        --interning=khash. See interning.h for what a table does.
// LAYOUT     A block of 40 bytes (khash's own struct), an array of buckets {hash, record} of 16
//            bytes (24 for symbols), and 2 bits a bucket that say empty or deleted. khash keeps
//            no hash, and its integers are 32 bits wide: the bucket has the 64-bit hash, khash
//            sees its low half.
// COST       Find, FindOrInsert, Delete O(1) expected, at most 77 % of the buckets in use;
//            ForEach, EraseIf O(buckets). Memory: 40 + buckets x 16.25 (24.25 for symbols),
//            buckets a power of two from 4: 21 to 42 bytes a frozen string as a table doubles.
//            Growing reallocs the buckets and moves them in place, with a second flag array
//            meanwhile. Deleting gives nothing back: when 77 % are used or deleted, a table less
//            than half full is cleaned in place, another one doubled.
// INVARIANTS A bucket is reached from its hash before any empty one.  Checked by
//            CheckInvariants().
// SOURCE     Attractive Chaos, klib (khash.h 0.2.8, as htslib installs it), its allocation macros
//            bound to counted allocation. Ruby #10096 put it behind the frozen strings. At most
//            2^31 buckets.
// TESTED BY  khash_interning_test.cc by interning_conformance.h; interning_fuzz.cc.
#ifndef RUBRIC_BACKENDS_INTERNING_KHASH_KHASH_INTERNING_H_
#define RUBRIC_BACKENDS_INTERNING_KHASH_KHASH_INTERNING_H_

#include <htslib/khash.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/build_mode.h"
#include "core/base/check.h"
#include "core/base/memory_use.h"
#include "core/interning/intern_bucket.h"
#include "core/interning/interning.h"
#include "core/memory/allocate.h"
#include "core/memory/subsystem.h"
#include "core/object/layout.h"

namespace rubric {

// khash takes its memory through macros that are expanded where a table's functions are defined.
#pragma push_macro("kcalloc")
#pragma push_macro("kmalloc")
#pragma push_macro("krealloc")
#pragma push_macro("kfree")
#undef kcalloc
#undef kmalloc
#undef krealloc
#undef kfree
#define kcalloc(count, bytes) ::rubric::AllocateZeroed(Subsystem::kInterning, count, bytes)
#define kmalloc(bytes) ::rubric::Allocate(Subsystem::kInterning, bytes)
#define krealloc(block, bytes) ::rubric::Reallocate(Subsystem::kInterning, block, bytes)
#define kfree(block) ::rubric::Free(Subsystem::kInterning, block)
#define RUBRIC_KHASH_HASH(bucket) static_cast<khint_t>((bucket).hash)
#define RUBRIC_KHASH_EQUAL(stored, probe) (stored).Matches(ProbedKey(probe))

// The bare library: khash's struct and functions for buckets of one kind, as static members.
template <InternRecord Record>
struct KhashBuckets {
  using Bucket = InternBucket<Record>;

  // khash looks up by its own element type, so what it is asked for is a bucket whose String is
  // the key in disguise. Such a probe is never left in the table. It is valid as long as `key` is.
  static Bucket ProbeFor(const InternKey& key) {
    Bucket probe{key.hash, Record{}};
    probe.record.string = reinterpret_cast<RString*>(const_cast<InternKey*>(&key));
    return probe;
  }
  static const InternKey& ProbedKey(const Bucket& probe) {
    return *reinterpret_cast<const InternKey*>(probe.record.string);
  }

  KHASH_INIT2(buckets, static, Bucket, char, 0, RUBRIC_KHASH_HASH, RUBRIC_KHASH_EQUAL)
};

#undef RUBRIC_KHASH_EQUAL
#undef RUBRIC_KHASH_HASH
#pragma pop_macro("kfree")
#pragma pop_macro("krealloc")
#pragma pop_macro("kmalloc")
#pragma pop_macro("kcalloc")

struct KhashInterning {
  static constexpr std::string_view kName = "khash";
  static constexpr InterningTraits kTraits = {};

  template <InternRecord Record>
  class Table {
   public:
    explicit Table(std::size_t initial_size)
        : initial_size_(kHostile ? 0 : initial_size), khash_(Khash::kh_init_buckets()) {
      Reserve(initial_size_);
    }
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;
    ~Table() { Khash::kh_destroy_buckets(khash_); }

    Found<Record> Find(const InternKey& key) const {
      const khint_t at = Locate(key);
      if (at == khash_->n_buckets) return std::nullopt;
      return khash_->keys[at].record;
    }

    template <typename Make>
    Insertion<Record> FindOrInsert(const InternKey& key, Make make) {
      int added = 0;
      const khint_t at = Khash::kh_put_buckets(khash_, Khash::ProbeFor(key), &added);
      Bucket& bucket = khash_->keys[at];
      if (added != 0) bucket.record = make();  // over the probe
      return {bucket.record, added != 0};
    }

    std::optional<Record> Delete(const InternKey& key) {
      const khint_t at = Locate(key);
      if (at == khash_->n_buckets) return std::nullopt;
      Khash::kh_del_buckets(khash_, at);
      return khash_->keys[at].record;
    }

    template <typename Visit>
    void ForEach(Visit visit) const {
      ForEachUsed([&](khint_t at) { visit(std::as_const(khash_->keys[at].record)); });
    }

    template <typename Dead>
    void EraseIf(Dead dead) {
      ForEachUsed([&](khint_t at) {
        if (dead(std::as_const(khash_->keys[at].record))) Khash::kh_del_buckets(khash_, at);
      });
    }

    // khash's own clear keeps the buckets: invariant (6) asks for a fresh table.
    void Clear() {
      Khash::kh_destroy_buckets(khash_);
      khash_ = Khash::kh_init_buckets();
      Reserve(initial_size_);
    }

    void Reserve(std::size_t count) {
      if (count == 0) return;
      std::size_t buckets = std::bit_ceil(count);
      if (UpperBound(buckets) < count) buckets *= 2;
      RUBRIC_CHECK(buckets <= kMostBuckets, "khash counts buckets in 32 bits");
      if (buckets > khash_->n_buckets) {
        Khash::kh_resize_buckets(khash_, static_cast<khint_t>(buckets));
      }
    }

    std::size_t size() const { return khash_->size; }

    MemoryUse memory_use() const {
      const std::size_t n = size(), buckets = khash_->n_buckets;
      const std::size_t flag_bytes = buckets == 0 ? 0 : __ac_fsize(buckets) * sizeof(khint32_t);
      return {.payload = n * sizeof(Record),
              .metadata = sizeof(*khash_) + flag_bytes + n * (sizeof(Bucket) - sizeof(Record)),
              .slack = (buckets - n) * sizeof(Bucket)};
    }

    void CheckInvariants() const {
      std::size_t used = 0;
      ForEachUsed([&](khint_t at) {
        ++used;
        const khint_t mask = khash_->n_buckets - 1;
        khint_t probe = static_cast<khint_t>(khash_->keys[at].hash) & mask;
        for (khint_t step = 1; probe != at; probe = (probe + step++) & mask) {
          RUBRIC_CHECK(!__ac_isempty(khash_->flags, probe), "a bucket is reached from its hash");
        }
      });
      RUBRIC_CHECK(used == size());
      RUBRIC_CHECK(khash_->size <= khash_->n_occupied);
      RUBRIC_CHECK(khash_->n_occupied <= khash_->n_buckets);
    }

   private:
    using Khash = KhashBuckets<Record>;
    using Bucket = InternBucket<Record>;

    static constexpr std::size_t kMostBuckets = std::size_t{1} << 31;

    // Buckets that khash lets be occupied, of so many.
    static constexpr std::size_t UpperBound(std::size_t buckets) {
      return static_cast<std::size_t>(static_cast<double>(buckets) * __ac_HASH_UPPER + 0.5);
    }

    // The key's bucket, or n_buckets.
    khint_t Locate(const InternKey& key) const {
      return Khash::kh_get_buckets(khash_, Khash::ProbeFor(key));
    }

    template <typename Use>
    void ForEachUsed(Use use) const {
      for (khint_t at = 0; at != khash_->n_buckets; ++at) {
        if (!__ac_iseither(khash_->flags, at)) use(at);
      }
    }

    std::size_t initial_size_;
    typename Khash::kh_buckets_t* khash_;
  };
};

static_assert(InterningBackend<KhashInterning>);

}  // namespace rubric

#endif  // RUBRIC_BACKENDS_INTERNING_KHASH_KHASH_INTERNING_H_
