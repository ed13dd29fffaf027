// The ivars axis: generic ivars, those of objects that are not T_OBJECT.
//
// USE        One storage a VM. The VM asks it only about slots whose kExivar flag is set, sets
//            values, lets the marker see them, and frees an object's ivars when its slot is swept.
//              Get(object, name)         the value, or nothing
//              Set(object, name, value)  sets, and flags the slot kExivar; REQUIRES: not undef
//              Remove(object, name)      the value that went, or nothing; with the last one a
//                                        backend may give up the entry, and then clears the flag
//              ForEach(object, visit)    visit(name, value) for each ivar that is set
//              VisitReferences(object, visit)  visit(value) likewise: the marker needs no names
//              Count(object)             how many are set
//              Copy(from, to)            `to` gets the ivars of `from`, as dup does, and no entry
//                                        if there are none; REQUIRES: `to` has no entry
//              Free(object)              forgets the object's ivars and clears kExivar
//              Memsize(object)           bytes that ObjectSpace.memsize_of adds for its ivars
//              object_count()            objects that have an entry
//            No visit may change the storage. Set, Get, Remove, ForEach and Copy look at the
//            object's class; the others do not, since at sweep it may be gone.
// COST       Each backend's header says; no operation allocates a slot, so none can collect.
// INVARIANTS Every backend keeps these; ivars_conformance.h tests them by number.
//            (1) Get after Set gives that value, until Remove, Free or the next Set of that name.
//            (2) ForEach visits exactly the set ivars, each once, and Count is their number.
//            (3) Objects do not see each other's ivars; Copy makes an independent copy.
//            (4) A slot has an entry iff it is flagged kExivar. After Free it is as if it never had
//                ivars.
//            (5) If kTraits.insertion_ordered, ForEach visits in the order in which they were set
//                first; one that was removed and set again counts from its last setting.
//            (6) All memory is counted as Subsystem::kIvars, but for the class-wide index tables,
//                which are the class's (Subsystem::kClasses) and used by T_OBJECT too. The
//                destructor gives everything back.
//            (7) memory_use().total() is the bytes asked for that the storage holds now.
// SOURCE     variable.c's generic ivar functions; the question is Eric Wong's, Ruby #11170.
// TESTED BY  ivars_conformance.h over each backend and the model.
#ifndef RUBRIC_CORE_IVARS_IVARS_H_
#define RUBRIC_CORE_IVARS_IVARS_H_

#include <concepts>
#include <cstddef>
#include <optional>
#include <string_view>

#include "core/base/memory_use.h"
#include "core/value/slot.h"
#include "core/value/value.h"

namespace rubric {

struct IvarsTraits {
  bool insertion_ordered = false;       // ForEach visits in the order of first setting
  bool uses_class_index_table = false;  // names are numbered once a class
};

template <typename B>
concept IvarsBackend =
    std::default_initializable<B> && !std::copy_constructible<B> &&
    requires(B storage, const B& cstorage, RBasic* object, const RBasic* cobject, Id name,
             Value value, void (*visit)(Id, Value), void (*see)(Value)) {
  { B::kName } -> std::convertible_to<std::string_view>;
  { B::kTraits } -> std::same_as<const IvarsTraits&>;
  { cstorage.Get(cobject, name) } -> std::same_as<std::optional<Value>>;
  { storage.Set(object, name, value) } -> std::same_as<void>;
  { storage.Remove(object, name) } -> std::same_as<std::optional<Value>>;
  { cstorage.ForEach(cobject, visit) } -> std::same_as<void>;
  { cstorage.VisitReferences(cobject, see) } -> std::same_as<void>;
  { cstorage.Count(cobject) } -> std::same_as<std::size_t>;
  { storage.Copy(cobject, object) } -> std::same_as<void>;
  { storage.Free(object) } -> std::same_as<void>;
  { cstorage.Memsize(cobject) } -> std::same_as<std::size_t>;
  { cstorage.object_count() } -> std::same_as<std::size_t>;
  { cstorage.memory_use() } -> std::same_as<MemoryUse>;
  { cstorage.CheckInvariants() } -> std::same_as<void>;
};

}  // namespace rubric

#endif  // RUBRIC_CORE_IVARS_IVARS_H_
