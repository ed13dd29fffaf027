// Ivars of T_OBJECT: in the slot up to three, else in an array; numbered by the class's index
// table.
//
// USE        core/vm calls these for slots of Type::kObject; ivars of all others are the ivars
//            axis's. An ivar that is not set is undef.
// LAYOUT     Embedded: ivar i of the class's index table at embed[i], i < 3. The first index of 3
//            or more moves all to one malloc'd array (Subsystem::kObjects) of heap.count slots,
//            which grows in place, to the lengths that IvarIndex::GrownSlots gives: 5, 7, 10, 13,
//            17 as ivars are added to the first object of a class, 4, 5, 6 … (cut to the names the
//            class has) on later ones.
// COST       Get, Set, Remove: one lookup in the class's index table and one load or store; a Set
//            may realloc. ForEach O(names of the class); Count and VisitObjectReferences O(slots).
// INVARIANTS (1) Index i of the class is slot i of the object. (2) Slots beyond the class's names
//            are undef. (3) An embedded object owns no memory. Removing never gives memory back.
// VALIDITY   FreeObjectIvars, ObjectIvarsMemsize, ObjectIvarCount and VisitObjectReferences do not
//            look at the class, which at sweep may be gone.
// SOURCE     rb_ivar_set and its kin for T_OBJECT in CRuby 1.9.2 to 2.7's variable.c.
// TESTED BY  object_ivars_test.cc.
#ifndef RUBRIC_CORE_OBJECT_OBJECT_IVARS_H_
#define RUBRIC_CORE_OBJECT_OBJECT_IVARS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/object/class.h"
#include "core/object/layout.h"
#include "core/value/value.h"

namespace rubric {

// The slots of `object`, unset ones undef. Valid until its next Set.
inline std::span<const Value> ObjectIvarSlots(const RObject* object) {
  if (object->Has(RBasic::kNoembed)) return {object->heap.ivars, object->heap.count};
  return {object->embed, RObject::kEmbedMax};
}

// The value, or nothing.
std::optional<Value> GetObjectIvar(const RObject* object, Id name);

// Sets the ivar, new or not. REQUIRES: not frozen; `value` is not undef.
void SetObjectIvar(RObject* object, Id name, Value value);

// The value that went, or nothing.
std::optional<Value> RemoveObjectIvar(RObject* object, Id name);

// How many are set.
std::size_t ObjectIvarCount(const RObject* object);

// Gives the array back, if there is one; all ivars are unset then.
void FreeObjectIvars(RObject* object);

// Bytes held outside the slot.
std::size_t ObjectIvarsMemsize(const RObject* object);

// Calls visit(name, value) for each ivar that is set, in the order of the class's index table.
// REQUIRES: visit sets and removes no ivar of an object of this class.
template <typename Visit>
void ForEachObjectIvar(const RObject* object, Visit visit) {
  const std::span<const Value> slots = ObjectIvarSlots(object);
  object->klass->extension->ivar_index.ForEach([&](Id name, std::uint32_t index) {
    if (index < slots.size() && !slots[index].IsUndef()) visit(name, slots[index]);
  });
}

// Calls visit(value) for each ivar that is set.
template <typename Visit>
void VisitObjectReferences(const RObject* object, Visit visit) {
  for (Value value : ObjectIvarSlots(object)) {
    if (!value.IsUndef()) visit(value);
  }
}

}  // namespace rubric

#endif  // RUBRIC_CORE_OBJECT_OBJECT_IVARS_H_
