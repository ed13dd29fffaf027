#include "core/marshal/host.h"

#include "core/object/class.h"
#include "core/value/slot.h"

namespace rubric {

const MarshalHook* MarshalHost::FindHook(const RClass* klass) const {
  for (; klass != nullptr; klass = klass->superclass) {
    for (auto entry = hooks_.rbegin(); entry != hooks_.rend(); ++entry) {
      if (entry->first == klass) return &entry->second;
    }
  }
  return nullptr;
}

RClass* MarshalHost::FindClass(Value name) {
  const Id id = IdOf(name);
  if (const Value* constant = classes_.object->extension->constants.Find(id)) {
    return IsType(*constant, Type::kClass) ? As<RClass>(*constant) : nullptr;
  }
  // The VM's own classes are no constants, as no program asks it for them.
  for (RClass* builtin : {classes_.object, classes_.klass, classes_.string, classes_.symbol,
                          classes_.array, classes_.hash, classes_.floating}) {
    if (builtin->extension->name == id) return builtin;
  }
  for (const auto& [klass, hook] : hooks_) {
    if (klass->extension->name == id) return klass;
  }
  return nullptr;
}

RClass* MarshalHost::IntegerClass() {
  if (integer_class_ != nullptr) return integer_class_;
  HandleScope scope(heap_.roots());
  const Value name = scope.Push(ToSymbol("Integer", Encoding::kUtf8));
  integer_class_ = FindClass(name);
  if (integer_class_ == nullptr) integer_class_ = DefineClass("Integer", nullptr);
  return integer_class_;
}

}  // namespace rubric
