// The interning axis: the tables behind frozen strings and symbols.
//
// USE        A backend is a struct with a name, traits and a class template Table<Record>. The VM
//            makes two of them: Table<FstringRecord>, the weak set of frozen strings, and
//            Table<SymbolRecord>, from names to symbols. A record always names its String, whose
//            bytes and encoding are its key.
//              Table(n)                a table that can take n records; the VM starts with
//                1,000
//              Find(key)               the record, or nothing
//              FindOrInsert(key, make) the record that was there, or make()'s, and which of the
//                two; REQUIRES: make() does not touch this table and yields `key`
//              Delete(key)             the record that went, or nothing
//              ForEach(visit)          visit(record) for each, once; visit does not change the
//                table
//              EraseIf(dead)           deletes each record for which dead(record), called once
//                a record
//              Clear(), Reserve(n), size(), memory_use(), CheckInvariants()
// COST       Hash and length of a key are computed by the caller, once; a table compares the stored
//            64-bit hash before it looks at bytes. Each backend's header says what it costs.
// INVARIANTS Every backend keeps these; interning_conformance.h tests them by number.
//            (1) At most one record a key: equal bytes (NULs count) and equal encoding.
//            (2) Find(k) after FindOrInsert(k) and before Delete(k) gives the same record, through
//                any growth.
//            (3) size() is the number of records; ForEach visits just those, each once.
//            (4) If kTraits.insertion_ordered, ForEach visits in the order of insertion; a key that
//                was deleted and inserted again counts from its last insertion.
//            (5) EraseIf leaves the records for which `dead` was false, findable and in order.
//            (6) All memory is counted as Subsystem::kInterning; a table after Clear() holds no
//                more than a fresh one; the destructor gives everything back.
//            (7) memory_use().total() is the bytes asked for that the table holds now.
//            (8) The table never dereferences a record's String except to compare a key with it, so
//                that a sweep may delete a record whose String is about to be freed.
// VALIDITY   Records are values; no pointer into a table is handed out.
// SOURCE     The operations are those that CRuby's string.c and symbol.c need of st.c; the question
//            is Ruby #10096's.
// TESTED BY  interning_conformance.h over each backend and the model.
#ifndef RUBRIC_CORE_INTERNING_INTERNING_H_
#define RUBRIC_CORE_INTERNING_INTERNING_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include "core/base/memory_use.h"
#include "core/object/layout.h"
#include "core/value/value.h"

namespace rubric {

// What a name is looked up by. Does not own its bytes; `hash` is their KeyedHash under the VM's
// seed.
struct InternKey {
  std::string_view bytes;
  Encoding encoding;
  std::uint64_t hash;
};

// A frozen string: the table is a set of them.
struct FstringRecord {
  RString* string;
  friend bool operator==(const FstringRecord&, const FstringRecord&) = default;
};

// A symbol: its name, an fstr, and itself, a static symbol or a T_SYMBOL.
struct SymbolRecord {
  RString* string;
  Value symbol;
  friend bool operator==(const SymbolRecord&, const SymbolRecord&) = default;
};

// What Find gives: a record or nothing, as a std::optional (into which it converts) but no larger
// than the record, nothing being a null String. Not a std::optional, because gcc 12 builds one in
// memory byte by byte and waits to read it back as a whole: 10 ns a lookup, where a hit takes 20.
template <typename Record>
class Found {
 public:
  constexpr Found() : record_{} {}
  constexpr Found(std::nullopt_t) : record_{} {}              // NOLINT: as std::optional
  constexpr Found(const Record& record) : record_(record) {}  // NOLINT: likewise

  constexpr bool has_value() const { return record_.string != nullptr; }
  constexpr explicit operator bool() const { return has_value(); }
  // REQUIRES: has_value().
  constexpr const Record& operator*() const { return record_; }
  constexpr const Record* operator->() const { return &record_; }

  constexpr operator std::optional<Record>() const {  // NOLINT: likewise
    return has_value() ? std::optional<Record>(record_) : std::optional<Record>();
  }
  friend constexpr bool operator==(const Found& found, const std::optional<Record>& other) {
    return std::optional<Record>(found) == other;
  }

 private:
  Record record_;
};

template <typename Record>
struct Insertion {
  Record record;
  bool inserted;
};

// True iff `string` has the key's bytes and encoding. The caller has compared hashes already.
inline bool SameName(const RString* string, const InternKey& key) {
  return string->encoding() == key.encoding && string->bytes() == key.bytes;
}

struct InterningTraits {
  bool insertion_ordered = false;    // ForEach visits in the order of insertion
  bool allocates_per_entry = false;  // one malloc a record, rather than a block for many
};

template <typename R>
concept InternRecord = std::is_trivially_copyable_v<R> && requires(const R& record) {
  { record.string } -> std::convertible_to<RString*>;
};

template <typename T, typename Record>
concept InternTable =
    std::constructible_from<T, std::size_t> && !std::copy_constructible<T> &&
    requires(T table, const T& ctable, const InternKey& key, Record (*make)(),
             void (*visit)(const Record&), bool (*dead)(const Record&), std::size_t n) {
  { ctable.Find(key) } -> std::same_as<Found<Record>>;
  { table.FindOrInsert(key, make) } -> std::same_as<Insertion<Record>>;
  { table.Delete(key) } -> std::same_as<std::optional<Record>>;
  { ctable.ForEach(visit) } -> std::same_as<void>;
  { table.EraseIf(dead) } -> std::same_as<void>;
  { table.Clear() } -> std::same_as<void>;
  { table.Reserve(n) } -> std::same_as<void>;
  { ctable.size() } -> std::same_as<std::size_t>;
  { ctable.memory_use() } -> std::same_as<MemoryUse>;
  { ctable.CheckInvariants() } -> std::same_as<void>;
};

template <typename B>
concept InterningBackend = requires {
  { B::kName } -> std::convertible_to<std::string_view>;
  { B::kTraits } -> std::same_as<const InterningTraits&>;
}
&&InternTable<typename B::template Table<FstringRecord>, FstringRecord>&&
    InternTable<typename B::template Table<SymbolRecord>, SymbolRecord>;

}  // namespace rubric

#endif  // RUBRIC_CORE_INTERNING_INTERNING_H_
