// IvarIndex: the index table of a class: its instances' ivar names, numbered from 0.
//
// USE        Arrays of ivar values (core/object/object_ivars.h, the `index` backend of the ivars
//            axis) are indexed by it. GrownSlots says how long such an array becomes.
// LAYOUT     An IdTable from ID to index: nothing while empty, 192 bytes up to 6 names, then 48
//            bytes a name and 8 a bin.
// COST       Find and FindOrAdd as an IdTable's; ForEach O(size()). Names are never forgotten.
// INVARIANTS (1) Indexes are dense: the n-th name added has index n - 1, and keeps it.
//            (2) ForEach visits in the order of indexes. (3) All memory is Subsystem::kClasses.
//            Checked by CheckInvariants().
// SOURCE     iv_index_tbl of CRuby 1.9 to 3.1, a numtable a class; a superclass's is not shared.
//            Growth as measured on r50678 (iv_index_tbl_newsize).
// TESTED BY  ivar_index_test.cc.
#ifndef RUBRIC_CORE_OBJECT_IVAR_INDEX_H_
#define RUBRIC_CORE_OBJECT_IVAR_INDEX_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/base/check.h"
#include "core/base/memory_use.h"
#include "core/memory/subsystem.h"
#include "core/table/id_table.h"
#include "core/value/value.h"

namespace rubric {

class IvarIndex {
 public:
  struct Addition {
    std::uint32_t index;
    bool added;  // the name is new to the class
  };

  // The index of `name`, or nothing.
  std::optional<std::uint32_t> Find(Id name) const {
    const std::uint64_t* found = table_.Find(name);
    if (found == nullptr) return std::nullopt;
    return static_cast<std::uint32_t>(*found);
  }

  // The index of `name`, which gets the next one if it had none.
  Addition FindOrAdd(Id name) {
    if (const std::optional<std::uint32_t> found = Find(name)) return {*found, false};
    const std::size_t next = table_.size();
    RUBRIC_CHECK(next < UINT32_MAX, "an index is 32 bits");
    table_.Set(name, next);
    return {static_cast<std::uint32_t>(next), true};
  }

  // Slots of an array that must reach the index just found or added: a quarter more than needed,
  // but no more than there are names, unless this name is new: then more are likely to come.
  std::size_t GrownSlots(Addition addition) const {
    const std::size_t needed = std::size_t{addition.index} + 1;
    const std::size_t grown = needed + needed / 4;
    return addition.added ? grown : std::min(grown, size());
  }

  std::size_t size() const { return table_.size(); }

  // Calls visit(name, index) for each name, index ascending. REQUIRES: visit adds no name.
  template <typename Visit>
  void ForEach(Visit visit) const {
    table_.ForEach(
        [&](Id name, std::uint64_t index) { visit(name, static_cast<std::uint32_t>(index)); });
  }

  // Bytes asked for and held now, this object not included.
  MemoryUse memory_use() const { return table_.memory_use(); }

  void CheckInvariants() const {
    table_.CheckInvariants();
    std::uint64_t expected = 0;
    table_.ForEach([&](Id, std::uint64_t index) {
      RUBRIC_CHECK(index == expected++, "indexes are dense and visited in order");
    });
    RUBRIC_CHECK(expected == size());
  }

 private:
  IdTable<std::uint64_t, Subsystem::kClasses> table_;
};

}  // namespace rubric

#endif  // RUBRIC_CORE_OBJECT_IVAR_INDEX_H_
