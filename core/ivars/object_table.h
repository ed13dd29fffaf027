// ObjectTable: from an object to one word, its ivars: the global table of both Ruby backends.
//
// USE        Keyed by the object's address; the record is a pointer that the backend owns. Objects do
//            not move.
// LAYOUT     A ChainedTable (core/table) under Subsystem::kIvars.
// COST       A ChainedTable's: 48 bytes and 1 malloc an object, beyond 6.
// INVARIANTS An object with an entry is flagged kExivar: Insert and Delete keep the flag.
// SOURCE     generic_iv_tbl of CRuby's variable.c, a numtable to 2.3.
// TESTED BY  ivars_conformance.h, through the backends.
#ifndef RUBRIC_CORE_IVARS_OBJECT_TABLE_H_
#define RUBRIC_CORE_IVARS_OBJECT_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "core/base/check.h"
#include "core/base/keyed_hash.h"
#include "core/base/memory_use.h"
#include "core/memory/subsystem.h"
#include "core/table/chained_table.h"
#include "core/table/table_entry.h"
#include "core/value/slot.h"

namespace rubric {

template <TableWord Record>
class ObjectTable {
 public:
  // The object's record, or null. Valid until the next change of the table.
  Record* Find(const RBasic* object) const {
    // The table is as const as its records are the backend's to write.
    return const_cast<Record*>(table_.Find(Hash(object), Same(object)));
  }

  // The object's record; if it had none, make()'s, and the object is flagged.
  template <typename Make>
  TableInsertion<Record> FindOrInsert(RBasic* object, Make make) {
    const auto found = table_.FindOrInsert(Hash(object), Same(object), [&] {
      return std::pair<const RBasic*, Record>(object, make());
    });
    if (found.inserted) object->Set(RBasic::kExivar);
    return found;
  }

  // REQUIRES: the object has no entry.
  void Insert(RBasic* object, Record record) {
    const bool inserted = FindOrInsert(object, [record] { return record; }).inserted;
    RUBRIC_CHECK(inserted, "the object has no ivars yet");
  }

  // Removes the entry and the flag; gives back the record, or nothing.
  std::optional<Record> Delete(RBasic* object) {
    object->Clear(RBasic::kExivar);
    const auto gone = table_.Delete(Hash(object), Same(object));
    if (!gone) return std::nullopt;
    return gone->record;
  }

  // Calls visit(object, record) for each entry, oldest first.
  template <typename Visit>
  void ForEach(Visit visit) const {
    table_.ForEach(visit);
  }

  std::size_t size() const { return table_.size(); }

  // Bytes held by the table itself. All are metadata or slack: what a client stored is in what the
  // records point to.
  MemoryUse memory_use() const {
    MemoryUse use = table_.memory_use();
    use.metadata += std::exchange(use.payload, 0);
    return use;
  }

  void CheckInvariants() const {
    table_.CheckInvariants();
    table_.ForEach([](const RBasic* object, Record) {
      RUBRIC_CHECK(object->Has(RBasic::kExivar), "an object with an entry is flagged");
    });
  }

 private:
  class Same {
   public:
    explicit Same(const RBasic* object) : object_(object) {}
    bool operator()(const RBasic* stored) const { return stored == object_; }

   private:
    const RBasic* object_;
  };

  static std::uint64_t Hash(const RBasic* object) {
    return MixInteger(reinterpret_cast<std::uintptr_t>(object));
  }

  ChainedTable<const RBasic*, Record, Subsystem::kIvars> table_;
};

}  // namespace rubric

#endif  // RUBRIC_CORE_IVARS_OBJECT_TABLE_H_
