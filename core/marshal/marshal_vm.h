// MarshalVm: a VM with Marshal, the classes that the tests' dumps name, and their hooks.
//
// USE        MarshalVm m; m.Load(bytes), m.Dump(value). UserDefined and UserText are classes of 'u',
//            their objects holding in @data what _dump gives; UserMarshal is one of 'U', likewise.
// INVARIANTS The ivar names that the tests use are known to class String in the order that
//            testdata/classes.rb gives them there, which the index backend dumps by.
#ifndef RUBRIC_CORE_MARSHAL_MARSHAL_VM_H_
#define RUBRIC_CORE_MARSHAL_MARSHAL_VM_H_

#include <string>

#include "core/marshal/dump.h"
#include "core/marshal/load.h"
#include "core/marshal/vm_host.h"
#include "core/object/object_space.h"
#include "core/object/string.h"
#include "core/object/time.h"
#include "core/vm/selected.h"

namespace rubric {

inline const UserDefinedHook kDataHook = {
    [](MarshalHost& host, RBasic* object) -> absl::StatusOr<RString*> {
      const auto data = host.IvarGet(object, host.IdNamed("@data"));
      if (!data || !IsType(*data, Type::kString)) {
        return absl::InvalidArgumentError("_dump() must return string");
      }
      return As<RString>(*data);
    },
    [](MarshalHost& host, RClass* klass, RString* data) -> absl::StatusOr<RBasic*> {
      HandleScope scope(host.heap().roots());
      RObject* object = scope.Keep(NewObject(host.heap(), klass));
      host.IvarSet(object, host.IdNamed("@data"), Value(data));
      return object;
    }};

inline const UserMarshalHook kValueHook = {
    [](MarshalHost& host, RBasic* object) -> absl::StatusOr<Value> {
      return host.IvarGet(object, host.IdNamed("@data")).value_or(Value::Nil());
    },
    [](MarshalHost& host, RClass* klass) -> RBasic* { return NewObject(host.heap(), klass); },
    [](MarshalHost& host, RBasic* object, Value data) {
      host.IvarSet(object, host.IdNamed("@data"), data);
      return absl::OkStatus();
    }};

class MarshalVm {
 public:
  explicit MarshalVm(const VmOptions& options = {}) : vm_(options), host_(vm_) {
    host_.Register(vm_.DefineClass("UserDefined"), kDataHook);
    host_.Register(vm_.DefineClass("UserText"), kDataHook);
    host_.Register(vm_.DefineClass("UserMarshal"), kValueHook);
    for (const char* name : {"Point", "Empty", "Deep::Name"}) vm_.DefineClass(name);
    vm_.DefineClass("Name", vm_.classes().string);
    vm_.DefineClass("List", vm_.classes().array);
    vm_.DefineClass("Table", vm_.classes().hash);
    HandleScope scope(vm_.roots());
    RString* string = scope.Keep(vm_.NewString("names"));
    for (const char* name :
         {"@a", "@b", "@c", "nano_num", "nano_den", "submicro", "offset", "zone"}) {
      host_.IvarSet(string, host_.IdNamed(name), Value::Nil());
    }
  }

  Vm& vm() { return vm_; }
  MarshalHost& host() { return host_; }

  absl::StatusOr<Value> Load(std::string_view bytes, const MarshalLoadOptions& options = {}) {
    return MarshalLoad(host_, bytes, options);
  }
  absl::StatusOr<std::string> Dump(Value value, const MarshalDumpOptions& options = {}) {
    const absl::StatusOr<RString*> bytes = MarshalDump(host_, value, options);
    if (!bytes.ok()) return bytes.status();
    return std::string((*bytes)->bytes());
  }

 private:
  Vm vm_;
  VmMarshalHost<Vm> host_;
};

}  // namespace rubric

#endif  // RUBRIC_CORE_MARSHAL_MARSHAL_VM_H_
