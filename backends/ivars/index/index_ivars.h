// IndexIvars: generic ivars in an array an object, indexed by a table that its class has.
//
// LAYOUT     One global ChainedTable (core/table) from the object's address to one malloc'd block:
//              0 number of slots (8 bytes), 8 values, unset ones undef
//            Slot i holds the ivar that the class's IvarIndex numbers i (core/object/ivar_index.h),
//            which T_OBJECT uses as well.
// COST       Get, Set, Remove: one lookup in the class's table, one in the global table, a load or
//            store; a Set may realloc. ForEach O(names of the class); VisitReferences, Count and
//            Memsize O(slots); Free O(1).
//            Memory: an entry of 48 bytes in the global table; 8 + 8 x slots in one block, grown in
//            place to the slots that IvarIndex::GrownSlots gives: 1, 2, 3, 5, 7, 10, 13, 17 for the
//            first object of a class, cut to the names that the class has for later ones. A class
//            whose objects set different ivars pays for all of them in each. Removing gives nothing
//            back. The class: 192 bytes up to 6 names, then 48 a name and 8 a bin.
// INVARIANTS (1) Slots that no name of the class has are undef. (2) A block has at least one slot.
//            Checked by CheckInvariants().
// SOURCE     gen_ivtbl of CRuby 2.3 to 3.1, variable.c: Eric Wong, Ruby #11170, r50678; sizes and
//            growth as measured there.
// TESTED BY  index_ivars_test.cc with ivars_conformance.h, calibration_test.cc, ivars_fuzz.cc.
#ifndef RUBRIC_BACKENDS_IVARS_INDEX_INDEX_IVARS_H_
#define RUBRIC_BACKENDS_IVARS_INDEX_INDEX_IVARS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/check.h"
#include "core/base/memory_use.h"
#include "core/ivars/ivars.h"
#include "core/ivars/object_table.h"
#include "core/memory/allocate.h"
#include "core/memory/subsystem.h"
#include "core/object/class.h"
#include "core/object/ivar_index.h"
#include "core/object/layout.h"
#include "core/value/slot.h"
#include "core/value/value.h"

namespace rubric {

class IndexIvars {
 public:
  static constexpr std::string_view kName = "index";
  static constexpr IvarsTraits kTraits = {.uses_class_index_table = true};

  IndexIvars() = default;
  IndexIvars(const IndexIvars&) = delete;
  IndexIvars& operator=(const IndexIvars&) = delete;
  ~IndexIvars() {
    objects_.ForEach([](const RBasic*, Block* block) { rubric::Free(Subsystem::kIvars, block); });
  }

  std::optional<Value> Get(const RBasic* object, Id name) const {
    const Value* slot = FindSlot(object, name);
    if (slot == nullptr || slot->IsUndef()) return std::nullopt;
    return *slot;
  }

  void Set(RBasic* object, Id name, Value value) {
    RUBRIC_DCHECK(!value.IsUndef());
    IvarIndex& names = object->klass->extension->ivar_index;
    const IvarIndex::Addition at = names.FindOrAdd(name);
    const auto [block, inserted] =
        objects_.FindOrInsert(object, [&] { return Resized(nullptr, names.GrownSlots(at)); });
    if (at.index >= (*block)->count) *block = Resized(*block, names.GrownSlots(at));
    (*block)->slots()[at.index] = value;
  }

  std::optional<Value> Remove(RBasic* object, Id name) {
    Value* slot = FindSlot(object, name);
    if (slot == nullptr || slot->IsUndef()) return std::nullopt;
    return std::exchange(*slot, Value::Undef());
  }

  template <typename Visit>
  void ForEach(const RBasic* object, Visit visit) const {
    Block* const* block = objects_.Find(object);
    if (block != nullptr) VisitNamed(object, **block, visit);
  }

  template <typename Visit>
  void VisitReferences(const RBasic* object, Visit visit) const {
    Block* const* block = objects_.Find(object);
    if (block != nullptr) (*block)->VisitSet(visit);
  }

  std::size_t Count(const RBasic* object) const {
    Block* const* block = objects_.Find(object);
    return block == nullptr ? 0 : (*block)->CountSet();
  }

  // The copy has as many slots as the original, or more if its class numbers the names otherwise.
  void Copy(const RBasic* from, RBasic* to) {
    Block* const* found = objects_.Find(from);
    if (found == nullptr || (*found)->CountSet() == 0) return;
    Block* original = *found;  // which, unlike the entry, stays where it is
    RUBRIC_DCHECK(objects_.Find(to) == nullptr, "the object has no ivars yet");
    Block* copy = Resized(nullptr, original->count);
    if (from->klass == to->klass) {
      std::copy_n(original->slots(), original->count, copy->slots());
    } else {
      VisitNamed(from, *original, [&](Id name, Value value) {
        IvarIndex& index = to->klass->extension->ivar_index;
        const IvarIndex::Addition slot = index.FindOrAdd(name);
        if (slot.index >= copy->count) copy = Resized(copy, index.GrownSlots(slot));
        copy->slots()[slot.index] = value;
      });
    }
    objects_.Insert(to, copy);
  }

  void Free(RBasic* object) {
    if (const auto block = objects_.Delete(object)) rubric::Free(Subsystem::kIvars, *block);
  }

  std::size_t Memsize(const RBasic* object) const {
    Block* const* block = objects_.Find(object);
    return block == nullptr ? 0 : Block::Bytes((*block)->count);
  }

  std::size_t object_count() const { return objects_.size(); }

  // O(slots of all objects). The names are the class's and not counted here.
  MemoryUse memory_use() const {
    MemoryUse use = objects_.memory_use();
    objects_.ForEach([&](const RBasic*, Block* block) {
      const std::size_t set = block->CountSet();
      use = use + MemoryUse{.payload = set * sizeof(Value),
                            .metadata = Block::Bytes(0),
                            .slack = (block->count - set) * sizeof(Value)};
    });
    return use;
  }

  void CheckInvariants() const {
    objects_.CheckInvariants();
    objects_.ForEach([](const RBasic* object, Block* block) {
      RUBRIC_CHECK(block->count > 0);
      const std::size_t names = object->klass->extension->ivar_index.size();
      for (std::size_t i = names; i < block->count; ++i) {
        RUBRIC_CHECK(block->slots()[i].IsUndef(), "a slot without a name is not set");
      }
    });
  }

 private:
  // The head of an object's block; the slots follow it.
  struct Block {
    std::size_t count;

    Value* slots() { return reinterpret_cast<Value*>(this + 1); }

    static constexpr std::size_t Bytes(std::size_t count) {
      return sizeof(Block) + count * sizeof(Value);
    }
    template <typename Visit>
    void VisitSet(Visit visit) {
      for (std::size_t i = 0; i < count; ++i) {
        if (!slots()[i].IsUndef()) visit(slots()[i]);
      }
    }
    std::size_t CountSet() {
      std::size_t set = 0;
      VisitSet([&](Value) { ++set; });
      return set;
    }
  };
  static_assert(sizeof(Block) == 8);

  // `block`, or a fresh one if null, with `count` slots; those that are new are undef.
  static Block* Resized(Block* block, std::size_t count) {
    const std::size_t had = block == nullptr ? 0 : block->count;
    RUBRIC_DCHECK(count > had);
    block = static_cast<Block*>(Reallocate(Subsystem::kIvars, block, Block::Bytes(count)));
    block->count = count;
    std::fill(block->slots() + had, block->slots() + count, Value::Undef());
    return block;
  }

  // visit(name, value) for what is set in `block`, the ivars of `object`, in the order of its
  // class.
  template <typename Visit>
  static void VisitNamed(const RBasic* object, Block& block, Visit visit) {
    object->klass->extension->ivar_index.ForEach([&](Id name, std::uint32_t index) {
      if (index < block.count && !block.slots()[index].IsUndef()) {
        visit(name, block.slots()[index]);
      }
    });
  }

  // The object's slot for `name`, or null if it or its class has none.
  Value* FindSlot(const RBasic* object, Id name) const {
    const std::optional<std::uint32_t> index = object->klass->extension->ivar_index.Find(name);
    if (!index) return nullptr;
    Block* const* block = objects_.Find(object);
    return block == nullptr || *index >= (*block)->count ? nullptr : (*block)->slots() + *index;
  }

  ObjectTable<Block*> objects_;
};

static_assert(IvarsBackend<IndexIvars>);

}  // namespace rubric

#endif  // RUBRIC_BACKENDS_IVARS_INDEX_INDEX_IVARS_H_
