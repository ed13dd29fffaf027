// ClassExtension: what a class holds outside its slot.
//
// LAYOUT     One malloc'd block a class, Subsystem::kClasses, owned by the RClass slot and freed
//            with it.
// INVARIANTS The tables hold Values that the class's slot keeps alive: VisitClassReferences shows
//            them to the marker.
// SOURCE     rb_classext_struct of CRuby 2.x; one ivar index table a class, superclass's entries
//            not shared.
// TESTED BY  object_space_test.cc.
#ifndef RUBRIC_CORE_OBJECT_CLASS_H_
#define RUBRIC_CORE_OBJECT_CLASS_H_

#include <cstddef>

#include "core/memory/subsystem.h"
#include "core/object/ivar_index.h"
#include "core/object/layout.h"
#include "core/table/id_table.h"
#include "core/value/value.h"

namespace rubric {

struct ClassExtension {
  Id name;                                      // 0 for an anonymous class
  IvarIndex ivar_index;                         // names that instances have set, numbered
  IdTable<Value, Subsystem::kClasses> methods;  // name to iseq or nil
  IdTable<Value, Subsystem::kClasses> constants;
  IdTable<Value, Subsystem::kClasses> ivars;  // the class's own, in the order of first setting

  // Bytes outside the slot, as memsize_of counts them.
  std::size_t memsize() const {
    return sizeof(*this) + ivar_index.memory_use().total() + methods.memory_use().total() +
           constants.memory_use().total() + ivars.memory_use().total();
  }
};

// Calls visit(Value) for each Value that the class refers to, its superclass included.
template <typename Visit>
void VisitClassReferences(const RClass* klass, Visit visit) {
  if (klass->superclass != nullptr) visit(Value(klass->superclass));
  if (klass->extension == nullptr) return;  // a class whose creation is under way
  klass->extension->methods.ForEach([&](Id, Value method) { visit(method); });
  klass->extension->constants.ForEach([&](Id, Value constant) { visit(constant); });
  klass->extension->ivars.ForEach([&](Id, Value ivar) { visit(ivar); });
}

}  // namespace rubric

#endif  // RUBRIC_CORE_OBJECT_CLASS_H_
