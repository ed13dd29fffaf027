// IdTable: an ordered map from names (IDs) that costs nothing while it is empty.
//
// USE        IdTable<Value, Subsystem::kClasses>: methods and constants of a class, the ivars of
//            an object.
// LAYOUT     One pointer: null, or a ChainedTable keyed by MixInteger of the ID.
// COST       ChainedTable's (chained_table.h); no memory before the first Set and after Clear().
// VALIDITY   A pointer from Find is valid until the next change of the table.
// SOURCE     CRuby's method and constant tables, st numtables up to 2.2.
// TESTED BY  id_table_test.cc.
#ifndef RUBRIC_CORE_TABLE_ID_TABLE_H_
#define RUBRIC_CORE_TABLE_ID_TABLE_H_

#include <cstddef>
#include <optional>
#include <utility>

#include "core/base/keyed_hash.h"
#include "core/base/memory_use.h"
#include "core/memory/subsystem.h"
#include "core/table/chained_table.h"
#include "core/table/table_entry.h"
#include "core/value/value.h"

namespace rubric {

template <TableWord Record, Subsystem kTag>
class IdTable {
 public:
  IdTable() : table_(Table::WithoutMemory()) {}

  // The record of `name`, or null.
  Record* Find(Id name) {
    return table_.has_memory() ? table_.Find(Hash(name), Is(name)) : nullptr;
  }
  const Record* Find(Id name) const {
    return table_.has_memory() ? table_.Find(Hash(name), Is(name)) : nullptr;
  }

  // Sets the record of `name`. A name that had one keeps its place in the order. True iff it had
  // none.
  bool Set(Id name, Record record) {
    if (!table_.has_memory()) table_ = Table();
    const auto [stored, inserted] = table_.FindOrInsert(
        Hash(name), Is(name), [&] { return std::pair<Id, Record>(name, record); });
    if (!inserted) *stored = record;
    return inserted;
  }

  // The record that went, or nothing.
  std::optional<Record> Remove(Id name) {
    if (!table_.has_memory()) return std::nullopt;
    const auto gone = table_.Delete(Hash(name), Is(name));
    if (!gone) return std::nullopt;
    return gone->record;
  }

  // Removes everything and gives the memory back.
  void Clear() { table_ = Table::WithoutMemory(); }

  // Calls visit(name, record) in the order of first setting. REQUIRES: visit does not change the
  // table.
  template <typename Visit>
  void ForEach(Visit visit) const {
    if (table_.has_memory()) table_.ForEach(visit);
  }

  std::size_t size() const { return table_.has_memory() ? table_.size() : 0; }
  bool empty() const { return size() == 0; }

  // Bytes asked for and held now, this object not included; all 0 before the first Set.
  MemoryUse memory_use() const { return table_.has_memory() ? table_.memory_use() : MemoryUse{}; }

  void CheckInvariants() const {
    if (table_.has_memory()) table_.CheckInvariants();
  }

 private:
  using Table = ChainedTable<Id, Record, kTag>;

  static std::uint64_t Hash(Id name) { return MixInteger(name.number); }
  static auto Is(Id name) {
    return [name](const Id& stored) { return stored == name; };
  }

  Table table_;
};

}  // namespace rubric

#endif  // RUBRIC_CORE_TABLE_ID_TABLE_H_
