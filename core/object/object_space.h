// The types of slots as one table: making them, what they refer to, what they own, what they weigh.
//
// USE        New…() make slots of the types that have no file of their own. MarkReferences,
//            FreeOwned and OwnMemsize are the three switches over types that a collector and
//            ObjectSpace need; generic ivars and the frozen-string table are not theirs: core/vm
//            adds those.
// COST       One switch on the type, then O(what the slot refers to).
// INVARIANTS Every type is handled in all three; an unknown one aborts.
// SOURCE     gc_mark_children, obj_free and rb_obj_memsize_of in CRuby's gc.c.
// TESTED BY  object_space_test.cc.
#ifndef RUBRIC_CORE_OBJECT_OBJECT_SPACE_H_
#define RUBRIC_CORE_OBJECT_OBJECT_SPACE_H_

#include <cstddef>

#include "core/heap/heap.h"
#include "core/heap/marker.h"
#include "core/object/class.h"
#include "core/object/iseq.h"
#include "core/object/layout.h"
#include "core/value/value.h"

namespace rubric {

// All of them may collect; a null class makes a hidden slot.
RClass* NewClass(Heap& heap, RClass* meta, RClass* superclass, Id name);
RObject* NewObject(Heap& heap, RClass* klass);                   // embedded, all ivars undef
Value NewFloat(Heap& heap, RClass* klass, double number);        // a flonum where one fits
RFloat* NewFloatSlot(Heap& heap, RClass* klass, double number);  // always a T_FLOAT
RData* NewData(Heap& heap, RClass* klass, const DataType* type,
               void* data);  // owns `data` from now on
RHash* NewHash(Heap& heap, RClass* klass);
RImemo* NewIseq(Heap& heap, Id name, std::size_t code_words, std::size_t line_entries);

// Marks everything that `slot` refers to, but for generic ivars.
void MarkReferences(Marker& marker, RBasic* slot);

// Frees every block that `slot` owns. Looks at no other slot.
void FreeOwned(RBasic* slot);

// Bytes that `slot` owns outside its 40.
std::size_t OwnMemsize(const RBasic* slot);

}  // namespace rubric

#endif  // RUBRIC_CORE_OBJECT_OBJECT_SPACE_H_
