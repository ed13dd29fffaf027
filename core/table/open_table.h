// OpenTable: the ordered, open-addressing hash table that is Ruby's `st` from 2.4 on.
//
// USE        OpenTable<RString*, Value, Subsystem::kInterning>; the interface is ChainedTable's
//            (chained_table.h).
// LAYOUT     The object is one pointer to a header block of 64 bytes:
//              0 initial size, 8 capacity, 16 live entries, 24 first and 32 end of the used
//                entries,
//              40 entries, 48 bins (null up to 16 entries), 56 bytes a bin
//            Entries: `capacity` (a power of two, at least 4) x 24 bytes {hash, key, record}, in
//            order of insertion; a deleted one stays as a tombstone until the array is compacted.
//            Bins: 2 x capacity numbers of 1 byte (capacity below 256), 2 (below 65,536), 4 or 8:
//            0 is empty, 1 is deleted, n + 2 is entry n.
// COST       Find, FindOrInsert, Delete O(1) expected: bins are at most half full; without bins
//            up to 16 hashes are compared in order. ForEach, EraseIf O(used entries). Clear O(1)
//            and the allocator. Memory: 64 + 24 x capacity + 2 x capacity x bin width: 160 bytes
//            to 4 entries, 256 to 8, 448 to 16, 896 to 32, 1728 to 64. 2 mallocs a table, 3 with
//            bins; growing allocates a whole new table, takes its arrays and frees its header.
//            Deleting gives nothing back.
// INVARIANTS Checked by CheckInvariants():
//              (1) Live entries lie between first and end, in order of insertion.
//              (2) With bins, each live entry is named by one bin, found from its hash before
//                any empty bin; no bin names a tombstone.
//              (3) At most as many bins are not empty as entries are used, so that every probe
//                ends.
//              (4) A full array is compacted in place if more than a quarter and at most half
//                of it lives, or fewer than 4 entries do; else it is replaced by the smallest one
//                that takes twice the live entries.
//              (5) All memory is counted under kTag, and memory_use() is exact.
// VALIDITY   As ChainedTable's: a pointer to a record is valid until the next change.
// SOURCE     st.c of Ruby 2.4 (r56650; Vladimir Makarov, Feature #12142); sizes as measured on
//            that revision. The probe sequence i' = 5i + 1 + perturbation is that of CPython's
//            dict. Differences: no type pointer (its word holds the initial size), no retry when
//            a key changes while compared, and Clear() goes back to the initial size, where Ruby
//            keeps the arrays.
// TESTED BY  table_test.cc (sizes, growth), table_differential_test.cc.
#ifndef RUBRIC_CORE_TABLE_OPEN_TABLE_H_
#define RUBRIC_CORE_TABLE_OPEN_TABLE_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "core/base/build_mode.h"
#include "core/base/check.h"
#include "core/base/memory_use.h"
#include "core/memory/allocate.h"
#include "core/memory/subsystem.h"
#include "core/table/table_entry.h"

namespace rubric {

template <TableWord Key, TableWord Record, Subsystem kTag>
class OpenTable {
 public:
  using Pair = TableEntry<Key, Record>;

  static constexpr std::size_t kLeastCapacity = kHostile ? 2 : 4;
  static constexpr std::size_t kMaxWithoutBins = kHostile ? 2 : 16;  // capacity that needs no bins

  explicit OpenTable(std::size_t initial_size = 0)
      : header_(NewHeader(initial_size, CapacityAbove(kHostile ? 0 : initial_size))) {}

  OpenTable(OpenTable&& other) noexcept : header_(std::exchange(other.header_, nullptr)) {}

  OpenTable& operator=(OpenTable&& other) noexcept {
    if (this != &other) {
      FreeAll();
      header_ = std::exchange(other.header_, nullptr);
    }
    return *this;
  }

  ~OpenTable() { FreeAll(); }

  // A table without memory, as a moved-from one: has_memory() is false and nothing else may be
  // asked of it.
  static OpenTable WithoutMemory() { return OpenTable(Adopted{nullptr}); }
  bool has_memory() const { return header_ != nullptr; }

  // A table with the same entries in the same order, of the smallest size that they need.
  OpenTable Clone() const {
    OpenTable copy(header_->initial_size);
    copy.Reserve(size());
    VisitAll([&](const Entry& entry) { copy.Append(entry.hash, entry.pair); });
    return copy;
  }

  // The record of the key, or null.
  template <TableSame<Key> Same>
  Record* Find(std::uint64_t hash, Same same) {
    Entry* found = Locate(Stored(hash), same);
    return found == nullptr ? nullptr : &found->pair.record;
  }
  template <TableSame<Key> Same>
  const Record* Find(std::uint64_t hash, Same same) const {
    const Entry* found = Locate(Stored(hash), same);
    return found == nullptr ? nullptr : &found->pair.record;
  }

  // The stored key and record, or null.
  template <TableSame<Key> Same>
  const Pair* FindEntry(std::uint64_t hash, Same same) const {
    const Entry* found = Locate(Stored(hash), same);
    return found == nullptr ? nullptr : &found->pair;
  }

  // The key's record; if there was none, make()'s. REQUIRES: make() does not touch this table.
  template <TableSame<Key> Same, TableMake<Key, Record> Make>
  TableInsertion<Record> FindOrInsert(std::uint64_t hash, Same same, Make make) {
    const auto [entry, inserted] = FindOrInsertEntry(hash, same, make);
    return {&entry->record, inserted};
  }
  template <TableSame<Key> Same, TableMake<Key, Record> Make>
  TableEntryInsertion<Key, Record> FindOrInsertEntry(std::uint64_t hash, Same same, Make make) {
    if (Entry* found = Locate(Stored(hash), same)) return {&found->pair, false};
    const std::pair<Key, Record> made = make();
    return {Append(Stored(hash), Pair{made.first, made.second}), true};
  }

  // Removes the key; gives back what was stored, or nothing.
  template <TableSame<Key> Same>
  std::optional<Pair> Delete(std::uint64_t hash, Same same) {
    Entry* found = Locate(Stored(hash), same);
    if (found == nullptr) return std::nullopt;
    const Pair gone = found->pair;
    Bury(found);
    TrimFirst();
    return gone;
  }

  // Calls visit(key, record) for each entry, oldest first. REQUIRES: visit does not change the
  // table (the record itself may be written to).
  template <typename Visit>
  void ForEach(Visit visit) {
    VisitAll([&](Entry& entry) { visit(std::as_const(entry.pair.key), entry.pair.record); });
  }
  template <typename Visit>
  void ForEach(Visit visit) const {
    VisitAll([&](const Entry& entry) { visit(entry.pair.key, entry.pair.record); });
  }

  // Removes each entry for which dead(key, record), asking once an entry, oldest first.
  template <typename Dead>
  void EraseIf(Dead dead) {
    VisitAll([&](Entry& entry) {
      if (dead(std::as_const(entry.pair.key), std::as_const(entry.pair.record))) Bury(&entry);
    });
    TrimFirst();
  }

  // Removes everything; the table is as it was made.
  void Clear() {
    const std::size_t initial_size = header_->initial_size;
    FreeAll();
    *this = OpenTable(initial_size);
  }

  // Makes the arrays that a table of initial size `count` has, if these are larger than now.
  void Reserve(std::size_t count) {
    const std::size_t capacity = CapacityAbove(count);
    if (capacity > header_->capacity) MoveTo(capacity);
  }

  std::size_t size() const { return header_->size; }
  bool empty() const { return size() == 0; }
  std::size_t capacity() const { return header_->capacity; }
  std::size_t bins() const { return header_->bins == nullptr ? 0 : header_->capacity * 2; }

  // Bytes asked for and held now.
  MemoryUse memory_use() const {
    const std::size_t n = size();
    return {.payload = n * sizeof(Pair),
            .metadata =
                sizeof(Header) + n * (sizeof(Entry) - sizeof(Pair)) + bins() * header_->bin_bytes,
            .slack = (capacity() - n) * sizeof(Entry)};
  }

  void CheckInvariants() const {
    RUBRIC_CHECK(std::has_single_bit(capacity()) && capacity() >= kLeastCapacity);
    RUBRIC_CHECK(header_->first <= header_->end && header_->end <= capacity());
    RUBRIC_CHECK((header_->bins != nullptr) == (capacity() > kMaxWithoutBins));
    std::size_t live = 0;
    for (std::size_t i = header_->first; i < header_->end; ++i) {
      const Entry& entry = header_->entries[i];
      if (entry.hash == kTombstone) continue;
      ++live;
      if (header_->bins == nullptr) continue;
      WithBins([&](auto* bins) {
        const std::size_t bin = BinOf(bins, entry);
        RUBRIC_CHECK(bins[bin] == i + kFirstEntry, "a live entry is reached from its hash");
      });
    }
    RUBRIC_CHECK(live == size());
    if (header_->bins == nullptr) return;
    WithBins([&](auto* bins) {
      std::size_t used = 0, named = 0;
      for (std::size_t i = 0; i < this->bins(); ++i) {
        if (bins[i] != kEmpty) ++used;
        if (bins[i] >= kFirstEntry) ++named;
      }
      RUBRIC_CHECK(named == size(), "each live entry has one bin, no tombstone has any");
      RUBRIC_CHECK(used <= header_->end, "an entry uses up at most one bin");
    });
  }

 private:
  struct Entry {
    std::uint64_t hash;  // kTombstone iff deleted
    Pair pair;
  };

  struct Header {
    std::size_t initial_size;
    std::size_t capacity;
    std::size_t size;
    std::size_t first;  // entries before it are tombstones
    std::size_t end;    // entries from it on were never used
    Entry* entries;
    void* bins;
    std::size_t bin_bytes;
  };

  static_assert(sizeof(Header) == 64);
  static_assert(sizeof(Entry) == 24);

  // What a bin says; from kFirstEntry on it is the number of an entry plus kFirstEntry.
  static constexpr std::size_t kEmpty = 0;
  static constexpr std::size_t kDeleted = 1;
  static constexpr std::size_t kFirstEntry = 2;

  static constexpr std::uint64_t kTombstone = std::numeric_limits<std::uint64_t>::max();

  // How much of the hash each probe mixes in.
  static constexpr int kPerturbShift = 11;

  // A type of its own, so that OpenTable(0) means a size.
  struct Adopted {
    Header* header;
  };

  explicit OpenTable(Adopted adopted) : header_(adopted.header) {}

  // The hash as it is stored: never the tombstone's.
  static constexpr std::uint64_t Stored(std::uint64_t hash) {
    return hash == kTombstone ? ~kTombstone : hash;
  }

  static constexpr std::size_t CapacityAbove(std::size_t count) {
    return std::max(kLeastCapacity, std::bit_ceil(count + 1));
  }

  static constexpr std::size_t BinBytes(std::size_t capacity) {
    if (capacity < (std::size_t{1} << 8)) return 1;
    if (capacity < (std::size_t{1} << 16)) return 2;
    return capacity < (std::size_t{1} << 32) ? 4 : 8;
  }

  static Header* NewHeader(std::size_t initial_size, std::size_t capacity) {
    Header* header = Make<kTag, Header>();
    header->initial_size = initial_size;
    header->capacity = capacity;
    header->size = header->first = header->end = 0;
    header->bin_bytes = BinBytes(capacity);
    header->bins = capacity <= kMaxWithoutBins
                       ? nullptr
                       : AllocateZeroed(kTag, capacity * 2, header->bin_bytes);
    header->entries = static_cast<Entry*>(Allocate(kTag, capacity * sizeof(Entry)));
    return header;
  }

  void FreeAll() {
    if (header_ == nullptr) return;
    Free(kTag, header_->entries);
    Free(kTag, header_->bins);
    Free(kTag, header_);
    header_ = nullptr;
  }

  // use(bins), the bins as an array of their width. REQUIRES: there are bins.
  template <typename Use>
  decltype(auto) WithBins(Use use) const {
    switch (header_->bin_bytes) {
      case 1:
        return use(static_cast<std::uint8_t*>(header_->bins));
      case 2:
        return use(static_cast<std::uint16_t*>(header_->bins));
      case 4:
        return use(static_cast<std::uint32_t*>(header_->bins));
      default:
        return use(static_cast<std::uint64_t*>(header_->bins));
    }
  }

  // The bins that a hash is looked for in, in order. Sooner or later all of them.
  class Probe {
   public:
    Probe(std::uint64_t hash, std::size_t mask)
        : bin_(hash & mask), perturbation_(hash), mask_(mask) {}
    std::size_t bin() const { return bin_; }
    void Next() {
      perturbation_ >>= kPerturbShift;
      bin_ = (bin_ * 5 + perturbation_ + 1) & mask_;
    }

   private:
    std::size_t bin_;
    std::uint64_t perturbation_;
    std::size_t mask_;
  };

  Probe ProbeFor(std::uint64_t hash) const { return Probe(hash, header_->capacity * 2 - 1); }

  template <typename Same>
  Entry* Locate(std::uint64_t hash, Same& same) const {
    if (header_->bins == nullptr) {
      for (std::size_t i = header_->first; i < header_->end; ++i) {
        Entry& entry = header_->entries[i];
        if (entry.hash == hash && same(std::as_const(entry.pair.key))) return &entry;
      }
      return nullptr;
    }
    return WithBins([&](const auto* bins) -> Entry* {
      for (Probe probe = ProbeFor(hash);; probe.Next()) {
        const std::size_t content = bins[probe.bin()];
        if (content == kEmpty) return nullptr;
        if (content == kDeleted) continue;
        Entry& entry = header_->entries[content - kFirstEntry];
        if (entry.hash == hash && same(std::as_const(entry.pair.key))) return &entry;
      }
    });
  }

  // The bin that names a live entry.
  template <typename Bin>
  std::size_t BinOf(const Bin* bins, const Entry& entry) const {
    const std::size_t content = static_cast<std::size_t>(&entry - header_->entries) + kFirstEntry;
    for (Probe probe = ProbeFor(entry.hash);; probe.Next()) {
      if (bins[probe.bin()] == content) return probe.bin();
      RUBRIC_CHECK(bins[probe.bin()] != kEmpty, "a live entry has a bin");
    }
  }

  // Puts in a pair whose key is not there yet.
  Pair* Append(std::uint64_t hash, Pair pair) {
    if (header_->end == header_->capacity) MakeRoom();
    const std::size_t index = header_->end++;
    ++header_->size;
    Entry* entry = std::construct_at(&header_->entries[index], Entry{hash, pair});
    NameInBins(hash, index);
    return &entry->pair;
  }

  // Lets a bin that is free, the first of the hash's probes, name entry `index`.
  void NameInBins(std::uint64_t hash, std::size_t index) {
    if (header_->bins == nullptr) return;
    WithBins([&](auto* bins) {
      Probe probe = ProbeFor(hash);
      while (bins[probe.bin()] >= kFirstEntry) probe.Next();
      bins[probe.bin()] =
          static_cast<std::remove_reference_t<decltype(*bins)>>(index + kFirstEntry);
    });
  }

  // Makes a tombstone of a live entry.
  void Bury(Entry* entry) {
    if (header_->bins != nullptr) {
      WithBins([&](auto* bins) { bins[BinOf(bins, *entry)] = kDeleted; });
    }
    entry->hash = kTombstone;
    --header_->size;
  }

  // Moves `first` past tombstones.
  void TrimFirst() {
    while (header_->first < header_->end && header_->entries[header_->first].hash == kTombstone) {
      ++header_->first;
    }
  }

  // Invariant (4). REQUIRES: the entry array is full.
  void MakeRoom() {
    const std::size_t live = header_->size;
    if (live < kLeastCapacity || (live * 2 <= capacity() && live * 4 > capacity())) {
      if (live < capacity()) return Compact();
    }
    MoveTo(CapacityAbove(live * 2 - 1));
  }

  void Compact() {
    if (header_->bins != nullptr) {
      std::memset(header_->bins, 0, bins() * header_->bin_bytes);
    }
    std::size_t kept = 0;
    VisitAll([&](const Entry& entry) {
      const Entry moved = entry;
      header_->entries[kept] = moved;
      NameInBins(moved.hash, kept++);
    });
    header_->first = 0;
    header_->end = kept;
  }

  // Into arrays for `capacity` entries. REQUIRES: the live entries fit.
  void MoveTo(std::size_t capacity) {
    OpenTable larger(Adopted{NewHeader(header_->initial_size, capacity)});
    VisitAll([&](const Entry& entry) { larger.Append(entry.hash, entry.pair); });
    std::swap(*header_, *larger.header_);
  }

  // visit(entry) for each live entry, oldest first.
  template <typename Visit>
  void VisitAll(Visit visit) const {
    for (std::size_t i = header_->first; i < header_->end; ++i) {
      Entry& entry = header_->entries[i];
      if (entry.hash != kTombstone) visit(entry);
    }
  }

  Header* header_;
};

}  // namespace rubric

#endif  // RUBRIC_CORE_TABLE_OPEN_TABLE_H_
