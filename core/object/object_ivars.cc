#include "core/object/object_ivars.h"

#include <algorithm>
#include <cstring>

#include "core/base/check.h"
#include "core/memory/allocate.h"

namespace rubric {
namespace {

Value* Slots(RObject* object) {
  return object->Has(RBasic::kNoembed) ? object->heap.ivars : object->embed;
}

// Makes the object's slots `count`, those that are new undef. REQUIRES: there are fewer now.
void Grow(RObject* object, std::size_t count) {
  const std::size_t had = ObjectIvarSlots(object).size();
  RUBRIC_DCHECK(count > had);
  Value* ivars;
  if (object->Has(RBasic::kNoembed)) {
    ivars = static_cast<Value*>(
        Reallocate(Subsystem::kObjects, object->heap.ivars, count * sizeof(Value)));
  } else {
    ivars = static_cast<Value*>(Allocate(Subsystem::kObjects, count * sizeof(Value)));
    std::memcpy(static_cast<void*>(ivars), object->embed, sizeof(object->embed));
    object->Set(RBasic::kNoembed);
  }
  std::fill(ivars + had, ivars + count, Value::Undef());
  object->heap.count = count;
  object->heap.ivars = ivars;
}

}  // namespace

std::optional<Value> GetObjectIvar(const RObject* object, Id name) {
  const std::optional<std::uint32_t> index = object->klass->extension->ivar_index.Find(name);
  if (!index) return std::nullopt;
  const std::span<const Value> slots = ObjectIvarSlots(object);
  if (*index >= slots.size() || slots[*index].IsUndef()) return std::nullopt;
  return slots[*index];
}

void SetObjectIvar(RObject* object, Id name, Value value) {
  RUBRIC_DCHECK(!value.IsUndef());
  IvarIndex& names = object->klass->extension->ivar_index;
  const IvarIndex::Addition name_index = names.FindOrAdd(name);
  if (name_index.index >= ObjectIvarSlots(object).size()) {
    Grow(object, names.GrownSlots(name_index));
  }
  Slots(object)[name_index.index] = value;
}

std::optional<Value> RemoveObjectIvar(RObject* object, Id name) {
  const std::optional<Value> gone = GetObjectIvar(object, name);
  if (gone) Slots(object)[*object->klass->extension->ivar_index.Find(name)] = Value::Undef();
  return gone;
}

std::size_t ObjectIvarCount(const RObject* object) {
  std::size_t count = 0;
  VisitObjectReferences(object, [&](Value) { ++count; });
  return count;
}

void FreeObjectIvars(RObject* object) {
  if (object->Has(RBasic::kNoembed)) Free(Subsystem::kObjects, object->heap.ivars);
  object->Clear(RBasic::kNoembed);
  std::fill(std::begin(object->embed), std::end(object->embed), Value::Undef());
}

std::size_t ObjectIvarsMemsize(const RObject* object) {
  return object->Has(RBasic::kNoembed) ? object->heap.count * sizeof(Value) : 0;
}

}  // namespace rubric
