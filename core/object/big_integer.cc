#include "core/object/big_integer.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/memory/allocate.h"
#include "core/value/slot.h"

namespace rubric {
namespace {

struct Digits {
  std::size_t length;
  bool negative;
  char bytes[];  // the magnitude, `length` bytes

  std::string_view magnitude() const { return {bytes, length}; }
};

constexpr std::size_t kHeaderBytes = offsetof(Digits, bytes);

constexpr DataType kBigIntegerType = {
    .name = "Integer",
    .mark = nullptr,
    .free = [](void* data) { Free(Subsystem::kData, data); },
    .memsize = [](const void* data) -> std::size_t {
      return data == nullptr ? 0 : kHeaderBytes + static_cast<const Digits*>(data)->length;
    }};

const Digits& DigitsOf(const RData* integer) { return *static_cast<const Digits*>(integer->data); }

}  // namespace

Value NewInteger(Heap& heap, RClass* klass, bool negative, std::string_view magnitude) {
  while (!magnitude.empty() && magnitude.back() == '\0') magnitude.remove_suffix(1);
  if (magnitude.size() <= sizeof(std::uint64_t)) {
    std::uint64_t absolute = 0;
    for (std::size_t i = 0; i < magnitude.size(); ++i) {
      absolute |= std::uint64_t{static_cast<unsigned char>(magnitude[i])} << (8 * i);
    }
    const std::uint64_t limit = static_cast<std::uint64_t>(Value::kFixnumMax) + (negative ? 1 : 0);
    if (absolute <= limit) {
      const auto number = static_cast<std::int64_t>(absolute);
      return Value::Fixnum(negative ? -number : number);
    }
  }
  const std::uint64_t flags = static_cast<std::uint64_t>(Type::kData) | RBasic::kFrozen |
                              (klass == nullptr ? RBasic::kHidden : 0);
  auto* slot = static_cast<RData*>(static_cast<RBasic*>(heap.Allocate(flags, klass)));
  slot->data_type = &kBigIntegerType;
  auto* digits = static_cast<Digits*>(Allocate(Subsystem::kData, kHeaderBytes + magnitude.size()));
  digits->length = magnitude.size();
  digits->negative = negative;
  std::memcpy(digits->bytes, magnitude.data(), magnitude.size());
  slot->data = digits;
  return Value(slot);
}

const RData* AsBigInteger(Value v) {
  if (!IsType(v, Type::kData)) return nullptr;
  const RData* data = As<RData>(v);
  return data->data_type == &kBigIntegerType ? data : nullptr;
}

bool BigIsNegative(const RData* integer) { return DigitsOf(integer).negative; }

std::string_view BigMagnitude(const RData* integer) { return DigitsOf(integer).magnitude(); }

bool EqualBigIntegers(const RData* a, const RData* b) {
  return BigIsNegative(a) == BigIsNegative(b) && BigMagnitude(a) == BigMagnitude(b);
}

}  // namespace rubric
