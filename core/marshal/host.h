// MarshalHost: what Marshal needs of a VM, so that dump and load are compiled once, not per variant.
//
// USE        VmMarshalHost<Vm> host(vm) (vm_host.h); then MarshalDump(host, value) and
//            MarshalLoad(host, bytes). Register(klass, hook) says how instances of a class of T_DATA
//            or T_OBJECT, and of its subclasses, are dumped and loaded; Time's hook is there.
// COST       A virtual call for each symbol and each ivar; everything else goes to the heap itself.
// ERRORS     Hooks give absl::Status: what is wrong with the object or the data. Dump and load add
//            the byte offset.
// VALIDITY   The VM outlives its host. Registered classes must live as long as the host.
// SOURCE     Ruby's Marshal documentation: _dump and _load, marshal_dump and marshal_load.
// TESTED BY  marshal_test.cc, marshal_hooks_test.cc.
#ifndef RUBRIC_CORE_MARSHAL_HOST_H_
#define RUBRIC_CORE_MARSHAL_HOST_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/heap/heap.h"
#include "core/object/layout.h"
#include "core/value/value.h"

namespace rubric {

class MarshalHost;

// As _dump and _load, type 'u': an object is a String, whose ivars are written as well.
struct UserDefinedHook {
  // May collect; `object` is kept by the caller.
  absl::StatusOr<RString*> (*dump)(MarshalHost& host, RBasic* object);
  // May collect; `data`, with the ivars that were read, is kept by the caller.
  absl::StatusOr<RBasic*> (*load)(MarshalHost& host, RClass* klass, RString* data);
};

// As marshal_dump and marshal_load, type 'U': an object is another object, which may refer to it.
struct UserMarshalHook {
  absl::StatusOr<Value> (*dump)(MarshalHost& host, RBasic* object);
  RBasic* (*allocate)(MarshalHost& host, RClass* klass);
  absl::Status (*load)(MarshalHost& host, RBasic* object, Value data);
};

using MarshalHook = std::variant<UserDefinedHook, UserMarshalHook>;

class MarshalHost {
 public:
  struct Classes {
    RClass* object;
    RClass* klass;  // Class
    RClass* string;
    RClass* symbol;
    RClass* array;
    RClass* hash;
    RClass* floating;
  };

  MarshalHost(Heap& heap, const Classes& classes, std::uint64_t hash_seed)
      : heap_(heap), classes_(classes), hash_seed_(hash_seed) {}
  virtual ~MarshalHost() = default;
  MarshalHost(const MarshalHost&) = delete;
  MarshalHost& operator=(const MarshalHost&) = delete;

  Heap& heap() { return heap_; }
  const Classes& classes() const { return classes_; }
  std::uint64_t hash_seed() const { return hash_seed_; }

  // The last hook registered for a class counts.
  void Register(RClass* klass, const MarshalHook& hook) { hooks_.emplace_back(klass, hook); }
  // The hook of the class or of its nearest ancestor that has one, or null.
  const MarshalHook* FindHook(const RClass* klass) const;

  // The class of this name: a constant of Object, one of the VM's own, one with a hook; or null.
  RClass* FindClass(Value name);
  // The class of big Integers, defined when it is first asked for. May collect.
  RClass* IntegerClass();

  // As the VM's functions of these names. Those that make something may collect.
  virtual Value ToSymbol(std::string_view name, Encoding encoding) = 0;
  virtual Id IdOf(Value symbol) = 0;
  virtual Value SymbolOf(Id id) = 0;
  virtual RString* NameOf(Value symbol) = 0;
  virtual RString* Fstring(RString* string) = 0;
  virtual RClass* DefineClass(std::string_view name, RClass* superclass) = 0;
  virtual std::optional<Value> IvarGet(const RBasic* object, Id name) = 0;
  virtual void IvarSet(RBasic* object, Id name, Value value) = 0;
  virtual std::optional<Value> IvarRemove(RBasic* object, Id name) = 0;
  virtual std::size_t IvarCount(const RBasic* object) = 0;
  virtual void IvarsForEach(const RBasic* object, absl::FunctionRef<void(Id, Value)> visit) = 0;
  virtual void CopyGenericIvars(const RBasic* from, RBasic* to) = 0;

  // The ID of an ASCII name. May collect.
  Id IdNamed(std::string_view name) { return IdOf(ToSymbol(name, Encoding::kUtf8)); }

 private:
  Heap& heap_;
  const Classes classes_;
  const std::uint64_t hash_seed_;
  RClass* integer_class_ = nullptr;
  std::vector<std::pair<RClass*, MarshalHook>> hooks_;
};

}  // namespace rubric

#endif  // RUBRIC_CORE_MARSHAL_HOST_H_
