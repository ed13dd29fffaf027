// VirtualMachine: the runtime, composed of one backend an axis; the embedding API.
//
// USE        VirtualMachine<Axes> vm; then the operations a Ruby program would cause: strings,
//            symbols, array literals, ivars, require, GC. Slots that must survive an allocation are
//            kept with HandleScope scope(vm.roots()). One VM is used by one thread; several may
//            exist.
// COST       Every operation dispatches statically to its backend: a variant is a type, not a table
//            of function pointers.
// INVARIANTS CheckInvariants() checks the heap, the tables and the flags that tie them together.
// ERRORS     Input errors (a feature name with a NUL) are absl::Status; broken preconditions abort.
// SOURCE     mmtk's split of VM, policy and plan; CRuby's embedding API for the names.
// TESTED BY  vm_test.cc, for every variant; axes_archetype_test.cc proves that the VM needs no more
//            of a backend than the axes' concepts say.
#ifndef RUBRIC_CORE_VM_VM_H_
#define RUBRIC_CORE_VM_VM_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/keyed_hash.h"
#include "core/heap/heap.h"
#include "core/heap/marker.h"
#include "core/object/array.h"
#include "core/object/hash.h"
#include "core/object/iseq.h"
#include "core/object/layout.h"
#include "core/object/object_ivars.h"
#include "core/object/object_space.h"
#include "core/object/string.h"
#include "core/prelude/prelude.h"
#include "core/value/value.h"
#include "core/vm/axes.h"
#include "core/vm/loaded_features.h"
#include "core/vm/names.h"

namespace rubric {

struct VmOptions {
  std::uint64_t hash_seed = kDefaultHashSeed;
  bool gc_stress = kGcStressByDefault;
};

// ObjectSpace.count_objects: slots by type, kTypeNames names them; [0] is FREE.
struct ObjectCounts {
  std::array<std::size_t, kTypeCount> by_type{};
  std::size_t total = 0;  // slots, free ones included
};

template <VmAxes Axes>
class VirtualMachine {
 public:
  explicit VirtualMachine(const VmOptions& options = {})
      : options_(options),
        collector_(heap_, *this),
        names_(heap_, collector_, options.hash_seed),
        features_(heap_, options.hash_seed) {
    MakeClasses();
    heap_.set_stress(options.gc_stress);
  }
  ~VirtualMachine() {
    // In no order: nothing a slot owns refers to another slot's memory.
    heap_.ForEachSlot([this](RBasic* slot) {
      if (slot->Has(RBasic::kExivar)) ivars_.Free(slot);
      FreeOwned(slot);
    });
  }
  VirtualMachine(const VirtualMachine&) = delete;
  VirtualMachine& operator=(const VirtualMachine&) = delete;

  Heap& heap() { return heap_; }
  const Heap& heap() const { return heap_; }
  RootStack& roots() { return heap_.roots(); }
  std::uint64_t hash_seed() const { return options_.hash_seed; }

  // --- Classes
  // ---------------------------------------------------------------------------------------

  struct Classes {
    RClass* klass;  // Class
    RClass* object;
    RClass* string;
    RClass* symbol;
    RClass* array;
    RClass* hash;
    RClass* floating;
    RClass* time;
  };
  const Classes& classes() const { return classes_; }

  // Defines a class under Object; it lives as long as the VM. May collect.
  RClass* DefineClass(std::string_view name, RClass* superclass = nullptr) {
    const Id id = names_.IdOf(names_.Intern(name));
    RClass* made =
        NewClass(heap_, classes_.klass, superclass == nullptr ? classes_.object : superclass, id);
    classes_.object->extension->constants.Set(id, Value(made));
    heap_.WriteBarrier(classes_.object, Value(made));
    return made;
  }

  // Defines a method: its name is interned, its iseq made and put into the class. May collect.
  RImemo* DefineMethod(RClass* klass, std::string_view name, std::size_t code_words,
                       std::size_t line_entries) {
    const Id id = names_.IdOf(names_.Intern(name));
    RImemo* iseq = NewIseq(heap_, id, code_words, line_entries);
    klass->extension->methods.Set(id, Value(iseq));
    heap_.WriteBarrier(klass, Value(iseq));
    return iseq;
  }

  // --- Strings and symbols
  // ---------------------------------------------------------------------------

  RString* NewString(std::string_view bytes, Encoding encoding = Encoding::kUtf8) {
    return rubric::NewString(heap_, classes_.string, bytes, encoding);
  }
  auto& names() { return names_; }
  const auto& names() const { return names_; }

  // --- Arrays and their literals
  // ---------------------------------------------------------------------

  RArray* NewArray(std::size_t capa = 0) { return rubric::NewArray(heap_, classes_.array, capa); }

  // Adds an array literal to an iseq; gives its index there. REQUIRES: `iseq` is kept. May collect.
  std::size_t AddArrayLiteral(RImemo* iseq, std::span<const Value> elements) {
    RArray* literal = NewArrayLiteral(heap_, elements);
    iseq->iseq->literals.push_back(Value(literal));
    heap_.WriteBarrier(iseq, Value(literal));
    return iseq->iseq->literals.size() - 1;
  }

  // The instruction `duparray`: a writable array equal to the literal. May collect.
  RArray* EvaluateArrayLiteral(RImemo* iseq, std::size_t index) {
    return Axes::Resurrect::Resurrect(heap_, As<RArray>(iseq->iseq->literals[index]),
                                      classes_.array);
  }

  // --- Instance variables, of every type
  // -------------------------------------------------------------
  // Those of a T_OBJECT lie in it, those of a class in its extension, as in CRuby; all others in the
  // ivars backend.

  std::optional<Value> IvarGet(const RBasic* object, Id name) const {
    if (object->type() == Type::kObject)
      return GetObjectIvar(static_cast<const RObject*>(object), name);
    if (object->type() == Type::kClass) {
      const Value* found = static_cast<const RClass*>(object)->extension->ivars.Find(name);
      return found == nullptr ? std::nullopt : std::optional(*found);
    }
    if (!object->Has(RBasic::kExivar)) return std::nullopt;
    return ivars_.Get(object, name);
  }
  bool IvarDefined(const RBasic* object, Id name) const {
    return IvarGet(object, name).has_value();
  }
  // REQUIRES: not frozen.
  void IvarSet(RBasic* object, Id name, Value value) {
    RUBRIC_CHECK(!object->frozen(), "an ivar of a frozen object is set");
    if (object->type() == Type::kObject) {
      SetObjectIvar(static_cast<RObject*>(object), name, value);
    } else if (object->type() == Type::kClass) {
      static_cast<RClass*>(object)->extension->ivars.Set(name, value);
    } else {
      ivars_.Set(object, name, value);
    }
    heap_.WriteBarrier(object, value);
  }
  std::optional<Value> IvarRemove(RBasic* object, Id name) {
    RUBRIC_CHECK(!object->frozen(), "an ivar of a frozen object is removed");
    if (object->type() == Type::kObject)
      return RemoveObjectIvar(static_cast<RObject*>(object), name);
    if (object->type() == Type::kClass) {
      return static_cast<RClass*>(object)->extension->ivars.Remove(name);
    }
    if (!object->Has(RBasic::kExivar)) return std::nullopt;
    return ivars_.Remove(object, name);
  }
  template <typename Visit>
  void IvarsForEach(const RBasic* object, Visit visit) const {
    if (object->type() == Type::kObject) {
      ForEachObjectIvar(static_cast<const RObject*>(object), visit);
    } else if (object->type() == Type::kClass) {
      static_cast<const RClass*>(object)->extension->ivars.ForEach(visit);
    } else if (object->Has(RBasic::kExivar)) {
      ivars_.ForEach(object, visit);
    }
  }
  std::size_t IvarCount(const RBasic* object) const {
    if (object->type() == Type::kObject)
      return ObjectIvarCount(static_cast<const RObject*>(object));
    if (object->type() == Type::kClass) {
      return static_cast<const RClass*>(object)->extension->ivars.size();
    }
    return object->Has(RBasic::kExivar) ? ivars_.Count(object) : 0;
  }
  // As dup does with generic ivars. REQUIRES: `to` has none.
  void CopyGenericIvars(const RBasic* from, RBasic* to) {
    if (!from->Has(RBasic::kExivar)) return;
    ivars_.Copy(from, to);
    ivars_.VisitReferences(to, [&](Value value) { heap_.WriteBarrier(to, value); });
  }
  const auto& generic_ivars() const { return ivars_; }

  // --- Features
  // --------------------------------------------------------------------------------------

  // `require name`, as a program calls it: what finds no file may need the prelude, and is asked
  // again when that was loaded just now. May collect; for the rest see LoadedFeatures::Require.
  absl::StatusOr<RequireResult> Require(std::string_view name, FileProbe exists, LoadBody load) {
    const absl::StatusOr<RequireResult> first = features_.Require(name, exists, load);
    if (!first.ok() || *first != RequireResult::kNotFound) return first;
    const absl::StatusOr<bool> loaded = prelude_.Need(PreludeNeed::kMissed);
    if (!loaded.ok()) return loaded.status();
    return *loaded ? features_.Require(name, exists, load) : first;
  }
  auto& features() { return features_; }
  const auto& features() const { return features_; }

  // --- The prelude
  // ---------------------------------------------------------------------------------------

  // The program is about to run: `body` loads the prelude into this VM, at the time that the axis
  // says. A VM that is not booted has no prelude. REQUIRES: called at most once. May collect.
  absl::Status Boot(PreludeBody body) { return prelude_.Boot(std::move(body)); }
  // The program names a constant of the prelude's.
  absl::Status MentionPrelude() { return prelude_.Need(PreludeNeed::kMention).status(); }
  bool prelude_loaded() const { return prelude_.loaded(); }

  // --- Garbage collection and ObjectSpace
  // ------------------------------------------------------------

  // GC.start: a full mark and a full sweep, at once.
  void CollectGarbage() {
    collector_.Collect();
    collector_.FinishSweep();
  }
  // GC.start(full_mark: false): the young slots alone, where the collector knows generations.
  void CollectYoungGarbage() {
    collector_.CollectMinor();
    collector_.FinishSweep();
  }
  const GcStats& gc_stats() const { return heap_.stats(); }
  auto& collector() { return collector_; }

  ObjectCounts CountObjects() const {
    ObjectCounts counts;
    counts.total = heap_.pages().size() * kSlotsPerPage;
    std::size_t used = 0;
    heap_.ForEachSlot([&](const RBasic* slot) {
      ++counts.by_type[static_cast<std::size_t>(slot->type())];
      ++used;
    });
    counts.by_type[0] = counts.total - used;
    return counts;
  }

  // ObjectSpace.memsize_of: the slot and what it owns, in bytes; 0 for what is not a slot.
  std::size_t MemsizeOf(Value v) const {
    if (!v.IsPointer()) return 0;
    const RBasic* slot = v.AsSlot();
    return kSlotBytes + OwnMemsize(slot) + (slot->Has(RBasic::kExivar) ? ivars_.Memsize(slot) : 0);
  }

  void CheckInvariants() const {
    heap_.CheckInvariants();
    names_.CheckInvariants();
    ivars_.CheckInvariants();
    features_.CheckInvariants();
    collector_.CheckInvariants();
    std::size_t fstrs = 0, exivars = 0;
    heap_.ForEachSlot([&](const RBasic* slot) {
      fstrs += slot->Has(RBasic::kFstr) ? 1 : 0;
      exivars += slot->Has(RBasic::kExivar) ? 1 : 0;
    });
    RUBRIC_CHECK(fstrs == names_.fstring_count());
    RUBRIC_CHECK(exivars == ivars_.object_count());
  }

  // --- For the collector
  // -----------------------------------------------------------------------------

  void MarkRoots(Marker& marker) {
    MarkFewRoots(marker);
    names_.MarkRoots(marker);
  }
  // Where there are many names, most are old; of the rest there are few, or it is not known which
  // are.
  void MarkYoungRoots(Marker& marker) {
    MarkFewRoots(marker);
    names_.MarkYoungRoots(marker);
  }

  void MarkChildren(Marker& marker, RBasic* slot) {
    MarkReferences(marker, slot);
    if (slot->Has(RBasic::kExivar)) {
      ivars_.VisitReferences(slot, [&](Value value) { marker.Mark(value); });
    }
  }

  void FinalizeSlot(RBasic* slot) {
    if (slot->Has(RBasic::kFstr)) names_.FstrDied(static_cast<RString*>(slot));
    if (slot->type() == Type::kSymbol) names_.SymbolDied(static_cast<RSymbol*>(slot));
    if (slot->Has(RBasic::kExivar)) ivars_.Free(slot);
    FreeOwned(slot);
  }

 private:
  using Collector = typename Axes::Collector::template For<VirtualMachine>;

  void MarkFewRoots(Marker& marker) {
    for (RClass* klass : {classes_.klass, classes_.object, classes_.string, classes_.symbol,
                          classes_.array, classes_.hash, classes_.floating, classes_.time}) {
      marker.MarkSlot(klass);
    }
    features_.VisitReferences([&](Value v) { marker.Mark(v); });
  }

  void MakeClasses() {
    // Until Class and String exist, slots have no class: they are given theirs at the end.
    const auto make = [this](std::string_view name) {
      const Id id = names_.IdOf(names_.Intern(name));
      return NewClass(heap_, classes_.klass, classes_.object, id);
    };
    classes_.object = make("Object");
    classes_.klass = make("Class");
    for (RClass* klass : {classes_.object, classes_.klass}) GiveClass(klass, classes_.klass);
    classes_.string = make("String");
    classes_.symbol = make("Symbol");
    classes_.array = make("Array");
    classes_.hash = make("Hash");
    classes_.floating = make("Float");
    classes_.time = make("Time");
    heap_.ForEachSlot([this](RBasic* slot) {
      if (slot->type() == Type::kString) GiveClass(slot, classes_.string);
    });
    names_.SetClasses(classes_.string, classes_.symbol);
    features_.SetClasses(classes_.string, classes_.array);
    features_.SetIntern([this](RString* path) { return names_.Fstring(path); });
  }

  void GiveClass(RBasic* slot, RClass* klass) {
    slot->klass = klass;
    slot->Clear(RBasic::kHidden);
    heap_.WriteBarrier(slot, Value(klass));
  }

  const VmOptions options_;
  Heap heap_;
  Collector collector_;
  Classes classes_{};
  Names<typename Axes::Interning, Collector, Axes::Collector::kTraits.generational> names_;
  typename Axes::Ivars ivars_;
  LoadedFeatures<typename Axes::FeatureKeys> features_;
  typename Axes::Prelude prelude_;
};

}  // namespace rubric

#endif  // RUBRIC_CORE_VM_VM_H_
