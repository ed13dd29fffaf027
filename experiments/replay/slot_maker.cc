#include "experiments/replay/slot_maker.h"

#include "core/base/check.h"
#include "core/memory/allocate.h"
#include "core/object/array.h"
#include "core/object/array_sharing.h"
#include "core/object/hash.h"
#include "core/object/object_space.h"
#include "core/object/string.h"

namespace rubric {
namespace {

// The data of a stand-in for a T_DATA: a block that begins with its own size.
constexpr DataType kStandIn = {
    "stand-in", nullptr, [](void* data) { Free(Subsystem::kData, data); },
    [](const void* data) {
      return data == nullptr ? std::size_t{0} : *static_cast<const std::size_t*>(data);
    }};

void* NewBlock(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  bytes = std::max(bytes, sizeof(std::size_t));
  void* block = Allocate(Subsystem::kData, bytes);
  *static_cast<std::size_t*>(block) = bytes;
  return block;
}

}  // namespace

RBasic* SlotMaker::Make(const Shape& shape, RClass* klass, Value sibling) {
  const auto class_or = [klass](RClass* own) { return klass == nullptr ? own : klass; };
  switch (shape.type) {
    case Type::kObject:
      return NewObject(heap_, class_or(classes_.object));
    case Type::kClass:
      return NewClass(heap_, classes_.klass, class_or(classes_.object), Id{});
    case Type::kFloat:
      return NewFloatSlot(heap_, class_or(classes_.floating), 1e-300);
    case Type::kString:
      return MakeString(shape, class_or(classes_.string), sibling);
    case Type::kArray:
      return MakeArray(shape, class_or(classes_.array), sibling);
    case Type::kHash:
      return MakeHash(shape, class_or(classes_.hash));
    case Type::kData:
      return NewData(heap_, class_or(classes_.object), &kStandIn, NewBlock(shape.size));
    case Type::kImemo:
      return heap_.Allocate(static_cast<std::uint64_t>(Type::kImemo) | RBasic::kHidden, nullptr);
    case Type::kSymbol:
    case Type::kNone:
      break;
  }
  CheckFailed(__FILE__, __LINE__, "a shape's type is one that can be made without a name");
}

RString* SlotMaker::MakeString(const Shape& shape, RClass* klass, Value sibling) {
  if (shape.shared && shape.size > RString::kEmbedMax && sibling.IsPointer()) {
    return SubString(heap_, As<RString>(sibling), 0, shape.size);
  }
  if (filler_.size() < shape.size) filler_.resize(shape.size, 'a');
  RString* string = NewString(heap_, klass, std::string_view(filler_).substr(0, shape.size));
  // The first of those that share is the root of the others, so that there is no further slot.
  if (shape.shared) FreezeString(string);
  return string;
}

RArray* SlotMaker::MakeArray(const Shape& shape, RClass* klass, Value sibling) {
  if (shape.shared && shape.size > RArray::kEmbedMax && sibling.IsPointer()) {
    return SharedCopy(heap_, As<RArray>(sibling), klass);
  }
  for (std::size_t i = elements_.size(); i < shape.size; ++i) {
    elements_.push_back(Value::Fixnum(static_cast<std::int64_t>(i)));
  }
  return NewArrayFrom(heap_, klass, std::span(elements_).first(shape.size));
}

RHash* SlotMaker::MakeHash(const Shape& shape, RClass* klass) {
  RHash* hash = NewHash(heap_, klass);
  for (std::uint64_t i = 0; i < shape.size; ++i) {
    HashStore(heap_, hash, Value::Fixnum(static_cast<std::int64_t>(i)), Value::Nil(), hash_seed_);
  }
  return hash;
}

}  // namespace rubric
