// The 40-byte slots of every type: what lies where, and who owns what a slot points to.
//
// LAYOUT     Offsets in bytes; 0 flags, 8 class (core/value/slot.h), then
//              RString   embedded: 16 bytes[24], the length in the flags, always followed by a NUL
//                        noembed:  16 length, 24 buffer, 32 capa (own buffer) or shared root
//                        (shared)
//              RArray    embedded: 16 elements[3], the length in the flags
//                        noembed:  16 length, 24 capa or shared root, 32 buffer
//              RObject   embedded: 16 ivars[3]; noembed: 16 number of slots, 24 ivars
//              RFloat    16 double
//              RSymbol   16 name (an fstr), 24 ID (0 until it is asked for)
//              RData     16 type, 24 data
//              RHash     16 table, 24 default
//              RClass    16 extension, 24 superclass
//              RImemo    16 kind, 24 data
// INVARIANTS (1) A buffer is freed with its slot iff noembed and not shared.
//            (2) A shared slot's root is a frozen slot of the same type that is not itself shared:
//                a hidden one, made for it, or one that was frozen before it was shared.
//            (3) Nothing here has a constructor: slots are made by core/object's factories.
// SOURCE     Sizes and embed limits as CRuby 2.x documents them in include/ruby/ruby.h.
// TESTED BY  the static_asserts below; core/object's tests.
#ifndef RUBRIC_CORE_OBJECT_LAYOUT_H_
#define RUBRIC_CORE_OBJECT_LAYOUT_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/value/slot.h"
#include "core/value/value.h"

namespace rubric {

enum class Encoding : std::uint8_t { kBinary, kUtf8, kUsAscii };

struct RString : RBasic {
  static constexpr Type kType = Type::kString;
  static constexpr std::size_t kEmbedMax = 23;  // bytes, the closing NUL not counted

  union {
    struct {
      std::size_t length;
      char* buffer;  // NUL after `length` bytes, but not where a shared string ends before its root
                     // does
      union {
        std::size_t capa;  // bytes the buffer can hold, the NUL not counted
        RString* shared;   // the root that owns the buffer
      };
    } heap;
    char embed[kEmbedMax + 1];
  };

  std::size_t length() const { return Has(kNoembed) ? heap.length : embed_length(); }
  const char* data() const { return Has(kNoembed) ? heap.buffer : embed; }
  std::string_view bytes() const {
    return Has(kNoembed) ? std::string_view(heap.buffer, heap.length)
                         : std::string_view(embed, embed_length());
  }
  Encoding encoding() const {
    return static_cast<Encoding>((flags & kEncodingMask) >> kEncodingShift);
  }
};

struct RArray : RBasic {
  static constexpr Type kType = Type::kArray;
  static constexpr std::size_t kEmbedMax = 3;  // elements

  union {
    struct {
      std::size_t length;
      union {
        std::size_t capa;  // elements
        RArray* shared;    // the root that owns the buffer
      };
      Value* buffer;  // may point into the middle of the root's
    } heap;
    Value embed[kEmbedMax];
  };

  std::size_t length() const { return Has(kNoembed) ? heap.length : embed_length(); }
  const Value* data() const { return Has(kNoembed) ? heap.buffer : embed; }
  std::span<const Value> elements() const { return {data(), length()}; }
};

struct RObject : RBasic {
  static constexpr Type kType = Type::kObject;
  static constexpr std::size_t kEmbedMax = 3;  // ivars

  union {
    struct {
      std::size_t count;  // slots of `ivars`; unset ones are undef
      Value* ivars;
    } heap;
    Value embed[kEmbedMax];  // unset ones are undef
  };
};

struct RFloat : RBasic {
  static constexpr Type kType = Type::kFloat;
  double number;
};

struct RSymbol : RBasic {
  static constexpr Type kType = Type::kSymbol;
  RString* name;
  Id id;
};

class Marker;

// What a T_DATA's owner tells the VM about its data; each function may be null.
struct DataType {
  const char* name;
  void (*mark)(void* data, Marker& marker);  // marks every Value that `data` holds
  void (*free)(void* data);                  // at sweep; must not touch other slots
  std::size_t (*memsize)(const void* data);  // bytes held outside the slot
};

struct RData : RBasic {
  static constexpr Type kType = Type::kData;
  const DataType* data_type;
  void* data;
};

class HashTable;  // core/object/hash.h

struct RHash : RBasic {
  static constexpr Type kType = Type::kHash;
  HashTable* table;     // null while empty
  Value default_value;  // what a missing key gives, nil unless set
};

struct ClassExtension;  // core/object/class.h

struct RClass : RBasic {
  static constexpr Type kType = Type::kClass;
  ClassExtension* extension;
  RClass* superclass;  // null at the root
};

struct Iseq;  // core/object/iseq.h

struct RImemo : RBasic {
  static constexpr Type kType = Type::kImemo;
  Iseq* iseq;
};

static_assert(sizeof(RString) == kSlotBytes && sizeof(RArray) == kSlotBytes);
static_assert(sizeof(RObject) == kSlotBytes && sizeof(RSymbol) <= kSlotBytes);
static_assert(sizeof(RData) <= kSlotBytes && sizeof(RHash) <= kSlotBytes);
static_assert(sizeof(RClass) <= kSlotBytes && sizeof(RImemo) <= kSlotBytes);

}  // namespace rubric

#endif  // RUBRIC_CORE_OBJECT_LAYOUT_H_
