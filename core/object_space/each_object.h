// EachObject: ObjectSpace.each_object.
//
// USE        EachObject(vm, klass, visit) calls visit(slot) for each object that a program could hold
//            whose class is `klass` or descends from it, all of them if `klass` is null; gives their
//            number. In order of address within a page. `visit` must not allocate.
// COST       O(heap), and the depth of the class tree for each slot.
// INVARIANTS Hidden slots, instruction sequences and what the last collection found dead are not
//            shown.
// SOURCE     ObjectSpace.each_object as Ruby documents it.
// TESTED BY  heap_dump_test.cc.
#ifndef RUBRIC_CORE_OBJECT_SPACE_EACH_OBJECT_H_
#define RUBRIC_CORE_OBJECT_SPACE_EACH_OBJECT_H_

#include <cstddef>

#include "core/object/layout.h"
#include "core/value/slot.h"

namespace rubric {

// As Object#kind_of?.
inline bool IsKindOf(const RBasic* slot, const RClass* klass) {
  for (const RClass* each = slot->klass; each != nullptr; each = each->superclass) {
    if (each == klass) return true;
  }
  return false;
}

template <typename Vm, typename Visit>
std::size_t EachObject(Vm& vm, const RClass* klass, Visit visit) {
  std::size_t count = 0;
  vm.heap().ForEachSlot([&](RBasic* slot) {
    if (slot->type() == Type::kImemo || slot->Has(RBasic::kHidden) || slot->klass == nullptr ||
        vm.collector().IsGarbage(slot) || (klass != nullptr && !IsKindOf(slot, klass))) {
      return;
    }
    ++count;
    visit(slot);
  });
  return count;
}

}  // namespace rubric

#endif  // RUBRIC_CORE_OBJECT_SPACE_EACH_OBJECT_H_
