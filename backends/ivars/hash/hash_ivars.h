// HashIvars: generic ivars in a hash table an object.
//
// LAYOUT     One global ChainedTable (core/table) from the object's address to the object's own
//            ChainedTable, from name to value: the pointer to its 48-byte header is the record.
// COST       Get, Set, Remove: one lookup in the global table, one in the object's (up to 6 ivars:
//            a scan of as many stored hashes). ForEach and Count O(ivars of the object). Copy clones
//            the table. Free O(ivars).
//            Memory: an entry of 48 bytes in the global table; 192 bytes up to 6 ivars (2 mallocs),
//            then 176 + 48 n: 512 at the 7th (7 mallocs and a realloc), 1 malloc an ivar from there;
//            a bin array doubled when ivars exceed 5 a bin. The last Remove gives the table back.
// INVARIANTS (1) An object has a table iff it has a set ivar. (2) Tables are not shared.
//            Checked by CheckInvariants().
// SOURCE     generic_iv_tbl of CRuby 1.8 to 2.2, variable.c; sizes as measured on r50677.
// TESTED BY  hash_ivars_test.cc with ivars_conformance.h, calibration_test.cc, ivars_fuzz.cc.
#ifndef RUBRIC_BACKENDS_IVARS_HASH_HASH_IVARS_H_
#define RUBRIC_BACKENDS_IVARS_HASH_HASH_IVARS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/check.h"
#include "core/base/keyed_hash.h"
#include "core/base/memory_use.h"
#include "core/ivars/ivars.h"
#include "core/ivars/object_table.h"
#include "core/memory/subsystem.h"
#include "core/table/chained_table.h"
#include "core/value/slot.h"
#include "core/value/value.h"

namespace rubric {

class HashIvars {
 public:
  static constexpr std::string_view kName = "hash";
  static constexpr IvarsTraits kTraits = {.insertion_ordered = true};

  HashIvars() = default;
  HashIvars(const HashIvars&) = delete;
  HashIvars& operator=(const HashIvars&) = delete;
  ~HashIvars() {
    objects_.ForEach([](const RBasic*, void* ivars) { IvarTable::Adopt(ivars); });
  }

  std::optional<Value> Get(const RBasic* object, Id name) const {
    void* const* ivars = objects_.Find(object);
    if (ivars == nullptr) return std::nullopt;
    const Borrowed table(*ivars);
    const Value* found = table->Find(Hash(name), Same(name));
    if (found == nullptr) return std::nullopt;
    return *found;
  }

  void Set(RBasic* object, Id name, Value value) {
    RUBRIC_DCHECK(!value.IsUndef());
    void* const* ivars = objects_.FindOrInsert(object, [] { return IvarTable().Release(); }).record;
    const Borrowed table(*ivars);
    const auto [stored, inserted] = table->FindOrInsert(
        Hash(name), Same(name), [&] { return std::pair<Id, Value>(name, value); });
    if (!inserted) *stored = value;
  }

  std::optional<Value> Remove(RBasic* object, Id name) {
    void* const* ivars = objects_.Find(object);
    if (ivars == nullptr) return std::nullopt;
    std::optional<Value> gone;
    bool is_last = false;
    {
      const Borrowed table(*ivars);
      if (const auto pair = table->Delete(Hash(name), Same(name))) gone = pair->record;
      is_last = table->empty();
    }
    if (is_last) Free(object);
    return gone;
  }

  template <typename Visit>
  void ForEach(const RBasic* object, Visit visit) const {
    void* const* ivars = objects_.Find(object);
    if (ivars == nullptr) return;
    const Borrowed table(*ivars);
    table->ForEach([&](Id name, Value value) { visit(name, value); });
  }

  template <typename Visit>
  void VisitReferences(const RBasic* object, Visit visit) const {
    ForEach(object, [&](Id, Value value) { visit(value); });
  }

  std::size_t Count(const RBasic* object) const {
    void* const* ivars = objects_.Find(object);
    return ivars == nullptr ? 0 : Borrowed(*ivars)->size();
  }

  void Copy(const RBasic* from, RBasic* to) {
    void* const* ivars = objects_.Find(from);
    if (ivars != nullptr) objects_.Insert(to, Borrowed(*ivars)->Clone().Release());
  }

  void Free(RBasic* object) {
    if (const auto ivars = objects_.Delete(object)) IvarTable::Adopt(*ivars);
  }

  std::size_t Memsize(const RBasic* object) const {
    void* const* ivars = objects_.Find(object);
    return ivars == nullptr ? 0 : Borrowed(*ivars)->memory_use().total();
  }

  std::size_t object_count() const { return objects_.size(); }

  // O(objects).
  MemoryUse memory_use() const {
    MemoryUse use = objects_.memory_use();
    objects_.ForEach(
        [&](const RBasic*, void* ivars) { use = use + Borrowed(ivars)->memory_use(); });
    return use;
  }

  void CheckInvariants() const {
    objects_.CheckInvariants();
    objects_.ForEach([](const RBasic*, void* ivars) {
      const Borrowed table(ivars);
      table->CheckInvariants();
      RUBRIC_CHECK(!table->empty(), "a table without ivars is given back");
      table->ForEach([](Id, Value value) { RUBRIC_CHECK(!value.IsUndef()); });
    });
  }

 private:
  using IvarTable = ChainedTable<Id, Value, Subsystem::kIvars>;

  // The table that a record of the global table stands for, which goes on owning it.
  class Borrowed {
   public:
    explicit Borrowed(void* ivars) : table_(IvarTable::Adopt(ivars)) {}
    ~Borrowed() { table_.Release(); }
    Borrowed(const Borrowed&) = delete;
    IvarTable* operator->() const { return &table_; }

   private:
    mutable IvarTable table_;
  };

  class Same {
   public:
    explicit Same(Id name) : name_(name) {}
    bool operator()(Id stored) const { return stored == name_; }

   private:
    Id name_;
  };

  static std::uint64_t Hash(Id name) { return MixInteger(name.number); }

  ObjectTable<void*> objects_;
};

static_assert(IvarsBackend<HashIvars>);

}  // namespace rubric

#endif  // RUBRIC_BACKENDS_IVARS_HASH_HASH_IVARS_H_
