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
  const Value* constant = classes_.object->extension->constants.Find(IdOf(name));
  return constant == nullptr || !IsType(*constant, Type::kClass) ? nullptr : As<RClass>(*constant);
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
