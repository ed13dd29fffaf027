// RBasic: the first 16 bytes of every slot, and the meaning of its flags word.
//
// LAYOUT     A slot is 40 bytes: flags (8), class (8), and 24 bytes that depend on the type
//            (core/object/layout.h). Flags, by bit:
//              0-4    type; kNone iff the slot is free
//              5      frozen
//              6      exivar: has generic ivars, in the ivars backend
//              7      fstr: a String that the frozen-string table holds
//              8      noembed: content is in a buffer, not in the slot
//              9      shared: the buffer belongs to a shared root, which field `shared` names
//              10     shared root: others may point into this one's buffer
//              11     hidden: internal, never shown to a program (Ruby: class 0)
//              12-16  length of embedded content (String 0-23 bytes, Array 0-3 elements)
//              17-24  encoding of a String
//              25-31  free for the type
//              32     old: a minor collection takes it for live without looking
//              33     guarded: a store into it must be remembered (Heap::WriteBarrier)
//              34     unprotected: stores into it call no write barrier (CRuby: shady)
//              35-36  age: collections survived, up to 3
//              37-63  free for the collector
//            Bits 32 to 36 are the collector's; mark and sweep leaves all but 34 clear.
// SOURCE     The fields and their names are those of CRuby's RBasic and FL_ flags in the 2.x
//            series; bit positions are our own.
#ifndef RUBRIC_CORE_VALUE_SLOT_H_
#define RUBRIC_CORE_VALUE_SLOT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/base/check.h"
#include "core/value/value.h"

namespace rubric {

enum class Type : std::uint8_t {
  kNone,  // a free slot
  kObject,
  kClass,
  kFloat,
  kString,
  kArray,
  kHash,
  kSymbol,
  kData,
  kImemo,
};

inline constexpr std::size_t kTypeCount = 10;

// As ObjectSpace.count_objects names them.
inline constexpr std::array<std::string_view, kTypeCount> kTypeNames = {
    "FREE",    "T_OBJECT", "T_CLASS",  "T_FLOAT", "T_STRING",
    "T_ARRAY", "T_HASH",   "T_SYMBOL", "T_DATA",  "T_IMEMO"};

inline constexpr std::size_t kSlotBytes = 40;

struct RClass;

struct RBasic {
  std::uint64_t flags;
  RClass* klass;

  static constexpr std::uint64_t kTypeMask = 0x1f;
  static constexpr std::uint64_t kFrozen = 1 << 5;
  static constexpr std::uint64_t kExivar = 1 << 6;
  static constexpr std::uint64_t kFstr = 1 << 7;
  static constexpr std::uint64_t kNoembed = 1 << 8;
  static constexpr std::uint64_t kShared = 1 << 9;
  static constexpr std::uint64_t kSharedRoot = 1 << 10;
  static constexpr std::uint64_t kHidden = 1 << 11;
  static constexpr int kEmbedLengthShift = 12;
  static constexpr std::uint64_t kEmbedLengthMask = std::uint64_t{0x1f} << kEmbedLengthShift;
  static constexpr int kEncodingShift = 17;
  static constexpr std::uint64_t kEncodingMask = std::uint64_t{0xff} << kEncodingShift;
  static constexpr int kTypeShift = 25;  // first of 7 bits that a type may use
  static constexpr std::uint64_t kOld = std::uint64_t{1} << 32;
  static constexpr std::uint64_t kGuarded = std::uint64_t{1} << 33;
  static constexpr std::uint64_t kUnprotected = std::uint64_t{1} << 34;
  static constexpr int kAgeShift = 35;
  static constexpr std::uint64_t kAgeMask = std::uint64_t{3} << kAgeShift;

  Type type() const { return static_cast<Type>(flags & kTypeMask); }
  bool Has(std::uint64_t flag) const { return (flags & flag) != 0; }
  void Set(std::uint64_t flag) { flags |= flag; }
  void Clear(std::uint64_t flag) { flags &= ~flag; }
  bool frozen() const { return Has(kFrozen); }

  std::size_t embed_length() const { return (flags & kEmbedLengthMask) >> kEmbedLengthShift; }
  void set_embed_length(std::size_t n) {
    flags = (flags & ~kEmbedLengthMask) | static_cast<std::uint64_t>(n) << kEmbedLengthShift;
  }
};

static_assert(sizeof(RBasic) == 16);

// True iff `v` points to a slot of type `type`.
inline bool IsType(Value v, Type type) { return v.IsPointer() && v.AsSlot()->type() == type; }

// The slot of `v` as a T, whose kType says which type it must have. REQUIRES: IsType(v, T::kType).
template <typename T>
T* As(Value v) {
  RUBRIC_DCHECK(IsType(v, T::kType));
  return static_cast<T*>(v.AsSlot());
}

}  // namespace rubric

#endif  // RUBRIC_CORE_VALUE_SLOT_H_
