// TableEntry, TableInsertion: what the tables of core/table give back.
//
// VALIDITY   Pointers point into the table and are valid until its next change.
#ifndef RUBRIC_CORE_TABLE_TABLE_ENTRY_H_
#define RUBRIC_CORE_TABLE_TABLE_ENTRY_H_

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace rubric {

// A machine word, as CRuby's st_data_t: what a table's keys and records are.
template <typename T>
concept TableWord = sizeof(T) == 8 && alignof(T) <= 8 && std::is_trivially_copyable_v<T>;

// `same(key)`: whether a stored key is the one that is looked for.
template <typename F, typename Key>
concept TableSame = std::predicate<F&, const Key&>;

// `make()`: the key and the record to insert.
template <typename F, typename Key, typename Record>
concept TableMake = requires(F make) {
  { make() } -> std::convertible_to<std::pair<Key, Record>>;
};

template <TableWord Key, TableWord Record>
struct TableEntry {
  Key key;
  Record record;
};

// What FindOrInsert found or put in.
template <TableWord Record>
struct TableInsertion {
  Record* record;
  bool inserted;
};

// The same with the key.
template <TableWord Key, TableWord Record>
struct TableEntryInsertion {
  TableEntry<Key, Record>* entry;
  bool inserted;
};

}  // namespace rubric

#endif  // RUBRIC_CORE_TABLE_TABLE_ENTRY_H_
