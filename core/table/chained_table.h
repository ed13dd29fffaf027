// ChainedTable: the ordered, chained hash table that was Ruby's `st` up to 2.3.
//
// USE        ChainedTable<RString*, Value, Subsystem::kInterning> maps words to words. The caller
//            computes the 64-bit hash of a key and says with `same(key)` whether a stored key is
//            meant; `same` is called only for keys whose stored hash is equal. The constructor's
//            `initial_size` is a number of entries; 0 gives the smallest, packed form.
// LAYOUT     The object is one pointer to a header block of 48 bytes:
//              0 initial size, 8 bins (0 iff packed), 16 entries, 24 packed block or bin array,
//              32 oldest entry, 40 newest entry
//            Packed, up to 6 entries: one block of 144 bytes, 6 x {hash, key, record}, in order
//            of insertion. Else: an array of 8-byte bins, each the head of a chain, and one block
//            of 48 bytes an entry:
//              0 hash, 8 key, 16 record, 24 next in chain, 32 newer, 40 older
// COST       Find, FindOrInsert, Delete O(chain), mean at most 5 entries; packed: at most 6
//            hashes compared. ForEach, EraseIf, Clear O(size). Memory: 192 bytes up to 6 entries,
//            then 48 + 8 x bins + 48 x size. 2 mallocs a table, 1 an entry beyond the packed
//            form, 1 realloc each time the bins double. Deleting gives entries back, never bins.
// INVARIANTS Checked by CheckInvariants():
//              (1) An entry is in the chain of bin `hash % bins`, once.
//              (2) The list from oldest to newest has all entries in order of insertion.
//              (3) bins is 0 (packed) or a power of two.
//              (4) size() is at most 5 x bins + 1: an insertion that finds more than 5 x bins
//                entries doubles the bins first.
//              (5) All memory is counted under kTag, and memory_use() is exact.
// VALIDITY   A pointer to a record is valid until the next change of the table: inserting the 7th
//            moves all, and what is deleted is freed. A moved-from table has no memory and may
//            only be assigned or destroyed.
// SOURCE     st.c of Ruby 1.8 to 2.3, after Peter Moore's public-domain st; sizes and growth as
//            measured on r56649. Differences: no type pointer (hash and equality come from the
//            caller; its word holds the initial size), and Clear() goes back to the initial size,
//            where Ruby keeps the bins.
// TESTED BY  table_test.cc (sizes, growth), table_differential_test.cc.
#ifndef RUBRIC_CORE_TABLE_CHAINED_TABLE_H_
#define RUBRIC_CORE_TABLE_CHAINED_TABLE_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
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
class ChainedTable {
 public:
  using Pair = TableEntry<Key, Record>;

  static constexpr std::size_t kPackedMax = kHostile ? 2 : 6;   // entries in the packed form
  static constexpr std::size_t kFirstBins = kHostile ? 2 : 16;  // bins when the packed form is left
  static constexpr std::size_t kLeastBins = kHostile ? 2 : 8;   // of a table with an initial size
  static constexpr std::size_t kMaxDensity = 5;                 // entries a bin, before bins double

  explicit ChainedTable(std::size_t initial_size = 0) : header_(NewHeader(initial_size)) {}

  ChainedTable(ChainedTable&& other) noexcept : header_(std::exchange(other.header_, nullptr)) {}

  ChainedTable& operator=(ChainedTable&& other) noexcept {
    if (this != &other) {
      FreeAll();
      header_ = std::exchange(other.header_, nullptr);
    }
    return *this;
  }

  ~ChainedTable() { FreeAll(); }

  // A table without memory, as a moved-from one: has_memory() is false and nothing else may be
  // asked of it.
  static ChainedTable WithoutMemory() { return ChainedTable(Adopted{nullptr}); }
  bool has_memory() const { return header_ != nullptr; }

  // The table as one word, which owns what it had and which Adopt() makes a table again: for
  // tables of tables. This object is as moved from.
  void* Release() { return std::exchange(header_, nullptr); }
  static ChainedTable Adopt(void* released) {
    return ChainedTable(Adopted{static_cast<Header*>(released)});
  }

  // A table with the same entries in the same order, of the smallest size that they need.
  ChainedTable Clone() const {
    ChainedTable copy(header_->initial_size);
    VisitAll([&](std::uint64_t hash, Pair& pair) { copy.Append(hash, pair); });
    return copy;
  }

  // The record of the key, or null.
  template <TableSame<Key> Same>
  Record* Find(std::uint64_t hash, Same same) {
    Pair* found = FindPair(hash, same);
    return found == nullptr ? nullptr : &found->record;
  }
  template <TableSame<Key> Same>
  const Record* Find(std::uint64_t hash, Same same) const {
    const Pair* found = FindPair(hash, same);
    return found == nullptr ? nullptr : &found->record;
  }

  // The stored key and record, or null.
  template <TableSame<Key> Same>
  const Pair* FindEntry(std::uint64_t hash, Same same) const {
    return FindPair(hash, same);
  }

  // The key's record; if there was none, make()'s. REQUIRES: make() does not touch this table.
  template <TableSame<Key> Same, TableMake<Key, Record> Make>
  TableInsertion<Record> FindOrInsert(std::uint64_t hash, Same same, Make make) {
    const auto [entry, inserted] = FindOrInsertEntry(hash, same, make);
    return {&entry->record, inserted};
  }
  template <TableSame<Key> Same, TableMake<Key, Record> Make>
  TableEntryInsertion<Key, Record> FindOrInsertEntry(std::uint64_t hash, Same same, Make make) {
    if (Pair* found = FindPair(hash, same)) return {found, false};
    const std::pair<Key, Record> made = make();
    return {Append(hash, Pair{made.first, made.second}), true};
  }

  // Removes the key; gives back what was stored, or nothing.
  template <TableSame<Key> Same>
  std::optional<Pair> Delete(std::uint64_t hash, Same same) {
    if (is_packed()) {
      for (std::size_t i = 0; i < header_->size; ++i) {
        PackedEntry& entry = header_->packed[i];
        if (entry.hash != hash || !same(std::as_const(entry.pair.key))) continue;
        const Pair gone = entry.pair;
        std::memmove(&entry, &entry + 1, (header_->size - i - 1) * sizeof(PackedEntry));
        --header_->size;
        return gone;
      }
      return std::nullopt;
    }
    for (Entry** link = BinOf(hash); *link != nullptr; link = &(*link)->next) {
      Entry* entry = *link;
      if (entry->hash != hash || !same(std::as_const(entry->pair.key))) continue;
      const Pair gone = entry->pair;
      *link = entry->next;
      Unlist(entry);
      return gone;
    }
    return std::nullopt;
  }

  // Calls visit(key, record) for each entry, oldest first. REQUIRES: visit does not change the
  // table (the record itself may be written to).
  template <typename Visit>
  void ForEach(Visit visit) {
    VisitAll([&](std::uint64_t, Pair& pair) { visit(std::as_const(pair.key), pair.record); });
  }
  template <typename Visit>
  void ForEach(Visit visit) const {
    VisitAll([&](std::uint64_t, const Pair& pair) { visit(pair.key, pair.record); });
  }

  // Removes each entry for which dead(key, record), asking once an entry, oldest first.
  template <typename Dead>
  void EraseIf(Dead dead) {
    if (is_packed()) {
      std::size_t kept = 0;
      for (std::size_t i = 0; i < header_->size; ++i) {
        const PackedEntry entry = header_->packed[i];
        if (!dead(entry.pair.key, entry.pair.record)) header_->packed[kept++] = entry;
      }
      header_->size = kept;
      return;
    }
    for (Entry *entry = header_->oldest, *newer; entry != nullptr; entry = newer) {
      newer = entry->newer;
      if (!dead(std::as_const(entry->pair.key), std::as_const(entry->pair.record))) continue;
      Entry** link = BinOf(entry->hash);
      while (*link != entry) link = &(*link)->next;
      *link = entry->next;
      Unlist(entry);
    }
  }

  // Removes everything; the table is as it was made.
  void Clear() {
    const std::size_t initial_size = header_->initial_size;
    FreeAll();
    header_ = NewHeader(initial_size);
  }

  // Makes the bins that a table of initial size `count` has, if these are more than now.
  void Reserve(std::size_t count) {
    const std::size_t bins = BinsFor(count);
    if (bins <= header_->bins) return;
    if (is_packed()) {
      Unpack(bins);
    } else {
      Rebin(bins);
    }
  }

  std::size_t size() const { return header_->size; }
  bool empty() const { return size() == 0; }
  bool is_packed() const { return header_->bins == 0; }
  std::size_t bins() const { return header_->bins; }  // 0 iff packed

  // Bytes asked for and held now.
  MemoryUse memory_use() const {
    const std::size_t n = size();
    if (is_packed()) {
      return {.payload = n * sizeof(Pair),
              .metadata = sizeof(Header) + n * (sizeof(PackedEntry) - sizeof(Pair)),
              .slack = kPackedBytes - n * sizeof(PackedEntry)};
    }
    return {
        .payload = n * sizeof(Pair),
        .metadata = sizeof(Header) + bins() * sizeof(Entry*) + n * (sizeof(Entry) - sizeof(Pair)),
        .slack = 0};
  }

  void CheckInvariants() const {
    if (is_packed()) {
      RUBRIC_CHECK(size() <= kPackedMax);
      return;
    }
    RUBRIC_CHECK(std::has_single_bit(bins()));
    RUBRIC_CHECK(size() <= kMaxDensity * bins() + 1);
    std::size_t listed = 0;
    const Entry* older = nullptr;
    for (const Entry* entry = header_->oldest; entry != nullptr; entry = entry->newer) {
      RUBRIC_CHECK(entry->older == older, "the list is linked both ways");
      older = entry;
      ++listed;
    }
    RUBRIC_CHECK(header_->newest == older);
    RUBRIC_CHECK(listed == size());
    std::size_t chained = 0;
    for (std::size_t bin = 0; bin < bins(); ++bin) {
      for (const Entry* entry = header_->chains[bin]; entry != nullptr; entry = entry->next) {
        RUBRIC_CHECK((entry->hash & (bins() - 1)) == bin, "an entry is in its hash's bin");
        RUBRIC_CHECK(++chained <= size(), "chains have no cycle and nothing unlisted");
      }
    }
    RUBRIC_CHECK(chained == size());
  }

 private:
  struct PackedEntry {
    std::uint64_t hash;
    Pair pair;
  };

  struct Entry {
    std::uint64_t hash;
    Pair pair;
    Entry* next;   // in the chain of its bin
    Entry* newer;  // in order of insertion
    Entry* older;
  };

  struct Header {
    std::size_t initial_size;
    std::size_t bins;
    std::size_t size;
    union {
      PackedEntry* packed;  // iff bins == 0
      Entry** chains;
    };
    Entry* oldest;
    Entry* newest;
  };

  static constexpr std::size_t kPackedBytes = kPackedMax * sizeof(PackedEntry);

  static_assert(sizeof(Header) == 48);
  static_assert(sizeof(Entry) == 48);
  static_assert(kHostile || kPackedBytes == 144);

  // A type of its own, so that ChainedTable(0) means a size.
  struct Adopted {
    Header* header;
  };

  explicit ChainedTable(Adopted adopted) : header_(adopted.header) {}

  // Bins of a table for `count` entries: a power of two above `count`; 0, the packed form, if they
  // fit it.
  static constexpr std::size_t BinsFor(std::size_t count) {
    if (count <= kPackedMax) return 0;
    if (kHostile) return kLeastBins;
    const std::size_t above = std::bit_ceil(count + 1);
    return above < kLeastBins ? kLeastBins : above;
  }

  static Header* NewHeader(std::size_t initial_size) {
    Header* header = Make<kTag, Header>();
    header->initial_size = initial_size;
    header->bins = BinsFor(initial_size);
    header->size = 0;
    header->oldest = nullptr;
    header->newest = nullptr;
    if (header->bins == 0) {
      header->packed = static_cast<PackedEntry*>(Allocate(kTag, kPackedBytes));
    } else {
      header->chains = static_cast<Entry**>(AllocateZeroed(kTag, header->bins, sizeof(Entry*)));
    }
    return header;
  }

  void FreeAll() {
    if (header_ == nullptr) return;
    if (is_packed()) {
      Free(kTag, header_->packed);
    } else {
      for (Entry *entry = header_->oldest, *newer; entry != nullptr; entry = newer) {
        newer = entry->newer;
        Free(kTag, entry);
      }
      Free(kTag, header_->chains);
    }
    Free(kTag, header_);
    header_ = nullptr;
  }

  Entry** BinOf(std::uint64_t hash) const { return &header_->chains[hash & (header_->bins - 1)]; }

  template <typename Same>
  Pair* FindPair(std::uint64_t hash, Same& same) const {
    if (is_packed()) {
      for (std::size_t i = 0; i < header_->size; ++i) {
        PackedEntry& entry = header_->packed[i];
        if (entry.hash == hash && same(std::as_const(entry.pair.key))) return &entry.pair;
      }
      return nullptr;
    }
    for (Entry* entry = *BinOf(hash); entry != nullptr; entry = entry->next) {
      if (entry->hash == hash && same(std::as_const(entry->pair.key))) return &entry->pair;
    }
    return nullptr;
  }

  // Puts in a pair whose key is not there yet.
  Pair* Append(std::uint64_t hash, Pair pair) {
    if (is_packed()) {
      if (header_->size < kPackedMax) {
        return &std::construct_at(&header_->packed[header_->size++], PackedEntry{hash, pair})->pair;
      }
      Unpack(kFirstBins);
    } else if (header_->size > kMaxDensity * header_->bins) {
      Rebin(header_->bins * 2);
    }
    return &AppendChained(hash, pair)->pair;
  }

  Entry* AppendChained(std::uint64_t hash, Pair pair) {
    Entry** bin = BinOf(hash);
    Entry* entry = new (Allocate(kTag, sizeof(Entry)))
        Entry{hash, pair, /*next=*/*bin, /*newer=*/nullptr, /*older=*/header_->newest};
    *bin = entry;
    (header_->newest == nullptr ? header_->oldest : header_->newest->newer) = entry;
    header_->newest = entry;
    ++header_->size;
    return entry;
  }

  // Takes an entry that is in no chain any more out of the list and frees it.
  void Unlist(Entry* entry) {
    (entry->older == nullptr ? header_->oldest : entry->older->newer) = entry->newer;
    (entry->newer == nullptr ? header_->newest : entry->newer->older) = entry->older;
    --header_->size;
    Free(kTag, entry);
  }

  // From the packed form to `bins` bins. The packed block becomes the bin array, by realloc as in
  // Ruby.
  void Unpack(std::size_t bins) {
    PackedEntry saved[kPackedMax > 0 ? kPackedMax : 1];
    const std::size_t count = std::exchange(header_->size, 0);
    std::memcpy(static_cast<void*>(saved), header_->packed, count * sizeof(PackedEntry));
    ResizeBins(header_->packed, bins);
    for (std::size_t i = 0; i < count; ++i) AppendChained(saved[i].hash, saved[i].pair);
  }

  // To `bins` bins, entries chained anew in order of insertion.
  void Rebin(std::size_t bins) {
    ResizeBins(header_->chains, bins);
    for (Entry* entry = header_->oldest; entry != nullptr; entry = entry->newer) {
      Entry** bin = BinOf(entry->hash);
      entry->next = *bin;
      *bin = entry;
    }
  }

  void ResizeBins(void* block, std::size_t bins) {
    const std::size_t bytes = bins * sizeof(Entry*);
    header_->chains = static_cast<Entry**>(Reallocate(kTag, block, bytes));
    std::memset(static_cast<void*>(header_->chains), 0, bytes);
    header_->bins = bins;
  }

  // visit(hash, pair), oldest first.
  template <typename Visit>
  void VisitAll(Visit visit) const {
    if (is_packed()) {
      for (std::size_t i = 0; i < header_->size; ++i) {
        visit(header_->packed[i].hash, header_->packed[i].pair);
      }
      return;
    }
    for (Entry* entry = header_->oldest; entry != nullptr; entry = entry->newer) {
      visit(entry->hash, entry->pair);
    }
  }

  Header* header_;
};

}  // namespace rubric

#endif  // RUBRIC_CORE_TABLE_CHAINED_TABLE_H_
