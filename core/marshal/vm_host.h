// VmMarshalHost: a VM as a MarshalHost. The one part of Marshal that is compiled per variant.
//
// USE        VmMarshalHost host(vm); MarshalDump(host, value); MarshalLoad(host, bytes).
// TESTED BY  marshal_test.cc, ruby_exchange_test.cc.
#ifndef RUBRIC_CORE_MARSHAL_VM_HOST_H_
#define RUBRIC_CORE_MARSHAL_VM_HOST_H_

#include "core/marshal/host.h"
#include "core/marshal/time_hook.h"

namespace rubric {

template <typename Vm>
class VmMarshalHost final : public MarshalHost {
 public:
  explicit VmMarshalHost(Vm& vm)
      : MarshalHost(vm.heap(),
                    {.object = vm.classes().object,
                     .klass = vm.classes().klass,
                     .string = vm.classes().string,
                     .symbol = vm.classes().symbol,
                     .array = vm.classes().array,
                     .hash = vm.classes().hash,
                     .floating = vm.classes().floating},
                    vm.hash_seed()),
        vm_(vm) {
    Register(vm.classes().time, kTimeHook);
  }

  Value ToSymbol(std::string_view name, Encoding encoding) override {
    return vm_.names().ToSymbol(name, encoding);
  }
  Id IdOf(Value symbol) override { return vm_.names().IdOf(symbol); }
  Value SymbolOf(Id id) override { return vm_.names().SymbolOf(id); }
  RString* NameOf(Value symbol) override {
    return symbol.IsStaticSymbol() ? vm_.names().NameOf(symbol.AsStaticSymbol())
                                   : As<RSymbol>(symbol)->name;
  }
  RString* Fstring(RString* string) override { return vm_.names().Fstring(string); }
  RClass* DefineClass(std::string_view name, RClass* superclass) override {
    return vm_.DefineClass(name, superclass);
  }
  std::optional<Value> IvarGet(const RBasic* object, Id name) override {
    return vm_.IvarGet(object, name);
  }
  void IvarSet(RBasic* object, Id name, Value value) override { vm_.IvarSet(object, name, value); }
  std::optional<Value> IvarRemove(RBasic* object, Id name) override {
    return vm_.IvarRemove(object, name);
  }
  std::size_t IvarCount(const RBasic* object) override { return vm_.IvarCount(object); }
  void IvarsForEach(const RBasic* object, absl::FunctionRef<void(Id, Value)> visit) override {
    vm_.IvarsForEach(object, visit);
  }
  void CopyGenericIvars(const RBasic* from, RBasic* to) override { vm_.CopyGenericIvars(from, to); }

 private:
  Vm& vm_;
};

}  // namespace rubric

#endif  // RUBRIC_CORE_MARSHAL_VM_HOST_H_
