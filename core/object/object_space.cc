#include "core/object/object_space.h"

#include "core/base/check.h"
#include "core/memory/allocate.h"
#include "core/object/array.h"
#include "core/object/hash.h"
#include "core/object/object_ivars.h"
#include "core/object/string.h"

namespace rubric {
namespace {

template <typename T>
T* AllocateSlot(Heap& heap, RClass* klass) {
  const std::uint64_t flags =
      static_cast<std::uint64_t>(T::kType) | (klass == nullptr ? RBasic::kHidden : 0);
  return static_cast<T*>(static_cast<RBasic*>(heap.Allocate(flags, klass)));
}

[[noreturn]] void UnknownType() { CheckFailed(__FILE__, __LINE__, "a slot has a known type"); }

}  // namespace

RClass* NewClass(Heap& heap, RClass* meta, RClass* superclass, Id name) {
  RClass* klass = AllocateSlot<RClass>(heap, meta);
  klass->extension = Make<Subsystem::kClasses, ClassExtension>();
  klass->extension->name = name;
  klass->superclass = superclass;
  if (superclass != nullptr) heap.WriteBarrier(klass, Value(superclass));
  return klass;
}

RObject* NewObject(Heap& heap, RClass* klass) {
  RObject* object = AllocateSlot<RObject>(heap, klass);
  for (Value& ivar : object->embed) ivar = Value::Undef();
  return object;
}

Value NewFloat(Heap& heap, RClass* klass, double number) {
  if (const std::optional<Value> flonum = Value::Flonum(number)) return *flonum;
  return NewFloatSlot(heap, klass, number);
}

RFloat* NewFloatSlot(Heap& heap, RClass* klass, double number) {
  RFloat* slot = AllocateSlot<RFloat>(heap, klass);
  slot->number = number;
  slot->Set(RBasic::kFrozen);
  return slot;
}

RData* NewData(Heap& heap, RClass* klass, const DataType* type, void* data) {
  RData* slot = AllocateSlot<RData>(heap, klass);
  // Its owner stores into its data as it likes, and knows no write barrier.
  if (type->mark != nullptr) slot->Set(RBasic::kUnprotected);
  slot->data_type = type;
  slot->data = data;
  return slot;
}

RHash* NewHash(Heap& heap, RClass* klass) {
  RHash* hash = AllocateSlot<RHash>(heap, klass);
  hash->default_value = Value::Nil();
  return hash;
}

RImemo* NewIseq(Heap& heap, Id name, std::size_t code_words, std::size_t line_entries) {
  RImemo* slot = AllocateSlot<RImemo>(heap, nullptr);
  slot->iseq = Make<Subsystem::kIseqs, Iseq>();
  slot->iseq->name = name;
  slot->iseq->code.resize(code_words);
  slot->iseq->lines.resize(line_entries);
  return slot;
}

void MarkReferences(Marker& marker, RBasic* slot) {
  const auto mark = [&marker](Value v) { marker.Mark(v); };
  marker.MarkSlot(slot->klass);
  switch (slot->type()) {
    case Type::kObject:
      VisitObjectReferences(static_cast<RObject*>(slot), mark);
      return;
    case Type::kClass:
      VisitClassReferences(static_cast<RClass*>(slot), mark);
      return;
    case Type::kString:
      VisitStringReferences(static_cast<RString*>(slot), mark);
      return;
    case Type::kArray:
      VisitArrayReferences(static_cast<RArray*>(slot), mark);
      return;
    case Type::kHash:
      VisitHashReferences(static_cast<RHash*>(slot), mark);
      return;
    case Type::kSymbol:
      marker.MarkSlot(static_cast<RSymbol*>(slot)->name);
      return;
    case Type::kData: {
      auto* data = static_cast<RData*>(slot);
      if (data->data_type->mark != nullptr) data->data_type->mark(data->data, marker);
      return;
    }
    case Type::kImemo:
      if (const Iseq* iseq = static_cast<RImemo*>(slot)->iseq; iseq != nullptr) {
        for (Value literal : iseq->literals) marker.Mark(literal);
      }
      return;
    case Type::kFloat:
      return;
    case Type::kNone:
      break;
  }
  UnknownType();
}

void FreeOwned(RBasic* slot) {
  switch (slot->type()) {
    case Type::kObject:
      FreeObjectIvars(static_cast<RObject*>(slot));
      return;
    case Type::kClass:
      Destroy<Subsystem::kClasses>(static_cast<RClass*>(slot)->extension);
      return;
    case Type::kString:
      FreeStringBuffer(static_cast<RString*>(slot));
      return;
    case Type::kArray:
      FreeArrayBuffer(static_cast<RArray*>(slot));
      return;
    case Type::kHash:
      FreeHashTable(static_cast<RHash*>(slot));
      return;
    case Type::kData: {
      auto* data = static_cast<RData*>(slot);
      if (data->data_type->free != nullptr) data->data_type->free(data->data);
      return;
    }
    case Type::kImemo:
      Destroy<Subsystem::kIseqs>(static_cast<RImemo*>(slot)->iseq);
      return;
    case Type::kSymbol:
    case Type::kFloat:
      return;
    case Type::kNone:
      break;
  }
  UnknownType();
}

std::size_t OwnMemsize(const RBasic* slot) {
  switch (slot->type()) {
    case Type::kObject:
      return ObjectIvarsMemsize(static_cast<const RObject*>(slot));
    case Type::kClass: {
      const ClassExtension* extension = static_cast<const RClass*>(slot)->extension;
      return extension == nullptr ? 0 : extension->memsize();
    }
    case Type::kString:
      return StringMemsize(static_cast<const RString*>(slot));
    case Type::kArray:
      return ArrayMemsize(static_cast<const RArray*>(slot));
    case Type::kHash:
      return HashMemsize(static_cast<const RHash*>(slot));
    case Type::kData: {
      const auto* data = static_cast<const RData*>(slot);
      return data->data_type->memsize == nullptr ? 0 : data->data_type->memsize(data->data);
    }
    case Type::kImemo: {
      const Iseq* iseq = static_cast<const RImemo*>(slot)->iseq;
      return iseq == nullptr ? 0 : iseq->memsize();
    }
    case Type::kSymbol:
    case Type::kFloat:
      return 0;
    case Type::kNone:
      break;
  }
  UnknownType();
}

}  // namespace rubric
