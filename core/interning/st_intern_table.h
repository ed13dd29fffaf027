// StInternTable: the interning axis on top of a table of core/table.
//
// USE        StInternTable<FstringRecord, ChainedTable> is all that a backend over an `st` is.
//            The key is the String, the record of the table is one word, as in CRuby: a symbol's
//            is the symbol, a frozen string's is the String again.
// COST       The table's; one comparison of bytes on a hit, and on a miss one only where all 64
//            bits of a hash are equal. Memory is the table's. The word that repeats the String
//            counts as metadata.
// SOURCE     rb_fstring of string.c and the symbol tables of symbol.c, Ruby 2.x.
// TESTED BY  interning_conformance.h.
#ifndef RUBRIC_CORE_INTERNING_ST_INTERN_TABLE_H_
#define RUBRIC_CORE_INTERNING_ST_INTERN_TABLE_H_

#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

#include "core/base/check.h"
#include "core/base/memory_use.h"
#include "core/interning/interning.h"
#include "core/memory/subsystem.h"
#include "core/object/layout.h"
#include "core/value/value.h"

namespace rubric {

// How a record is stored as the word beside its String.
struct FstringWord {
  using Word = RString*;
  static Word Of(const FstringRecord& record) { return record.string; }
  static FstringRecord Record(RString* string, Word) { return {string}; }
};
struct SymbolWord {
  using Word = Value;
  static Word Of(const SymbolRecord& record) { return record.symbol; }
  static SymbolRecord Record(RString* string, Word symbol) { return {string, symbol}; }
};
template <InternRecord Record>
using RecordWord =
    std::conditional_t<std::is_same_v<Record, FstringRecord>, FstringWord, SymbolWord>;

template <InternRecord Record, template <typename, typename, Subsystem> typename StTable>
class StInternTable {
 public:
  explicit StInternTable(std::size_t initial_size) : table_(initial_size) {}

  Found<Record> Find(const InternKey& key) const {
    const auto* found = table_.FindEntry(key.hash, Names(key));
    if (found == nullptr) return std::nullopt;
    return As::Record(found->key, found->record);
  }

  template <typename Make>
  Insertion<Record> FindOrInsert(const InternKey& key, Make make) {
    const auto [entry, inserted] = table_.FindOrInsertEntry(key.hash, Names(key), [&] {
      const Record made = make();
      return std::pair<RString*, typename As::Word>(made.string, As::Of(made));
    });
    return {As::Record(entry->key, entry->record), inserted};
  }

  std::optional<Record> Delete(const InternKey& key) {
    const auto gone = table_.Delete(key.hash, Names(key));
    if (!gone) return std::nullopt;
    return As::Record(gone->key, gone->record);
  }

  template <typename Visit>
  void ForEach(Visit visit) const {
    table_.ForEach(
        [&](RString* string, typename As::Word word) { visit(As::Record(string, word)); });
  }

  template <typename Dead>
  void EraseIf(Dead dead) {
    table_.EraseIf(
        [&](RString* string, typename As::Word word) { return dead(As::Record(string, word)); });
  }

  void Clear() { table_.Clear(); }
  void Reserve(std::size_t count) { table_.Reserve(count); }
  std::size_t size() const { return table_.size(); }

  MemoryUse memory_use() const {
    MemoryUse use = table_.memory_use();
    const std::size_t payload = size() * sizeof(Record);
    use.metadata += use.payload - payload;
    use.payload = payload;
    return use;
  }

  void CheckInvariants() const {
    table_.CheckInvariants();
    table_.ForEach([](RString* string, typename As::Word) { RUBRIC_CHECK(string != nullptr); });
  }

 private:
  using As = RecordWord<Record>;

  static auto Names(const InternKey& key) {
    return [&key](RString* const& string) { return SameName(string, key); };
  }

  StTable<RString*, typename As::Word, Subsystem::kInterning> table_;
};

}  // namespace rubric

#endif  // RUBRIC_CORE_INTERNING_ST_INTERN_TABLE_H_
