// Value: a 64-bit tagged reference, the thing that Ruby variables hold.
//
// LAYOUT     By the low bits, the rest being the payload:
//              ...xxx1   fixnum, 63-bit two's complement
//              ...xx10   flonum, a double whose exponent fits (see Flonum)
//              ...x000   pointer to a slot (slots are 8-byte aligned), or one of the constants
//              0x00 false   0x08 nil   0x14 true   0x34 undef
//              ...0x0c   static symbol, its ID in bits 8-63
// COST       Every function is a few instructions.
// INVARIANTS (1) Truthy iff not false and not nil. (2) Two Values are the same object iff their
//                bits are.
// VALIDITY   A pointer Value is valid as long as its slot is reachable from a root
//            (core/heap/root_stack.h).
// SOURCE     The encoding is that of CRuby on 64-bit machines since 2.0, as its documentation of
//            VALUE describes; flonums are Koichi Sasada's, Ruby #6763.
// TESTED BY  value_test.cc.
#ifndef RUBRIC_CORE_VALUE_VALUE_H_
#define RUBRIC_CORE_VALUE_VALUE_H_

#include <bit>
#include <cstdint>
#include <optional>

#include "core/base/check.h"

namespace rubric {

struct RBasic;

// An ID: the number of an interned name. 0 is no name.
struct Id {
  std::uint64_t number = 0;
  friend constexpr auto operator<=>(Id, Id) = default;
};

class Value {
 public:
  constexpr Value() : bits_(kNilBits) {}
  Value(RBasic* slot) : bits_(reinterpret_cast<std::uint64_t>(slot)) {  // NOLINT: a slot is a value
    RUBRIC_DCHECK(IsPointer());
  }

  static constexpr Value False() { return Value(kFalseBits, 0); }
  static constexpr Value Nil() { return Value(kNilBits, 0); }
  static constexpr Value True() { return Value(kTrueBits, 0); }
  static constexpr Value Undef() { return Value(kUndefBits, 0); }
  static constexpr Value Bool(bool b) { return b ? True() : False(); }
  static constexpr Value FromBits(std::uint64_t bits) { return Value(bits, 0); }

  static constexpr std::int64_t kFixnumMax = INT64_MAX / 2;
  static constexpr std::int64_t kFixnumMin = INT64_MIN / 2;
  static constexpr bool FitsFixnum(std::int64_t n) { return n >= kFixnumMin && n <= kFixnumMax; }
  // REQUIRES: FitsFixnum(n).
  static constexpr Value Fixnum(std::int64_t n) {
    return Value(static_cast<std::uint64_t>(n) << 1 | 1, 0);
  }
  // The flonum of `d`, or nothing iff its exponent does not fit: then a T_FLOAT slot is needed.
  static std::optional<Value> Flonum(double d);
  static constexpr Value StaticSymbol(Id id) { return Value(id.number << 8 | kSymbolTag, 0); }

  constexpr std::uint64_t bits() const { return bits_; }
  constexpr bool IsNil() const { return bits_ == kNilBits; }
  constexpr bool IsUndef() const { return bits_ == kUndefBits; }
  constexpr bool IsTruthy() const { return (bits_ & ~kNilBits) != 0; }
  constexpr bool IsFixnum() const { return (bits_ & 1) != 0; }
  constexpr bool IsFlonum() const { return (bits_ & 3) == 2; }
  constexpr bool IsStaticSymbol() const { return (bits_ & 0xff) == kSymbolTag; }
  constexpr bool IsPointer() const { return (bits_ & 7) == 0 && (bits_ & ~kNilBits) != 0; }

  constexpr std::int64_t AsFixnum() const {  // REQUIRES: IsFixnum()
    return static_cast<std::int64_t>(bits_) >> 1;
  }
  double AsFlonum() const;               // REQUIRES: IsFlonum()
  constexpr Id AsStaticSymbol() const {  // REQUIRES: IsStaticSymbol()
    return Id{bits_ >> 8};
  }
  RBasic* AsSlot() const {  // REQUIRES: IsPointer()
    RUBRIC_DCHECK(IsPointer());
    return reinterpret_cast<RBasic*>(bits_);
  }

  friend constexpr bool operator==(Value, Value) = default;

 private:
  static constexpr std::uint64_t kFalseBits = 0x00;
  static constexpr std::uint64_t kNilBits = 0x08;
  static constexpr std::uint64_t kTrueBits = 0x14;
  static constexpr std::uint64_t kUndefBits = 0x34;
  static constexpr std::uint64_t kSymbolTag = 0x0c;

  constexpr Value(std::uint64_t bits, int) : bits_(bits) {}

  std::uint64_t bits_;
};

static_assert(sizeof(Value) == 8);

// Flonum: the double's bits rotated left by 3, the exponent's two high bits folded into the tag. Of
// the doubles, those whose exponent's top three bits are 011 or 100 fit: magnitudes from about
// 1e-77 to 1e77; and +0.0, which has a pattern of its own.
inline constexpr std::uint64_t kFlonumZeroBits = 0x8000000000000002;

inline std::optional<Value> Value::Flonum(double d) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(d);
  if (bits == 0) return FromBits(kFlonumZeroBits);
  const unsigned top = static_cast<unsigned>(bits >> 60) & 7;
  // 1.72...e-77, whose rotated form would be +0.0's pattern, goes to a slot.
  if ((top != 3 && top != 4) || bits == 0x3000000000000000) return std::nullopt;
  return FromBits((std::rotl(bits, 3) & ~std::uint64_t{3}) | 2);
}

inline double Value::AsFlonum() const {
  RUBRIC_DCHECK(IsFlonum());
  if (bits_ == kFlonumZeroBits) return 0.0;
  // Bit 63 is the exponent's low kept bit, which is 1 iff the dropped top bits were 011.
  const std::uint64_t dropped = 2 - (bits_ >> 63);
  return std::bit_cast<double>(std::rotr((bits_ & ~std::uint64_t{3}) | dropped, 3));
}

}  // namespace rubric

#endif  // RUBRIC_CORE_VALUE_VALUE_H_
