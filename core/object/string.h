// Strings: making, sharing, growing and freeing RStrings.
//
// USE        Free functions over a Heap. `klass` null makes a hidden string, which no program sees.
//            What may collect says so; keep your slots with a HandleScope across such calls.
// LAYOUT     core/object/layout.h: up to 23 bytes embedded, else an own buffer of capa + 1 bytes
//            (Subsystem::kStrings), else a pointer into a shared root's buffer.
// COST       NewString: a slot, and beyond 23 bytes one malloc of length + 1. SubString that
//            reaches the end of a long string: a slot and, the first time, a slot for the root; no
//            malloc.
// INVARIANTS (1) An own buffer has a NUL after its last byte. (2) A shared string always ends where
//                its root ends, so that it is NUL-terminated too: middles are copied. (3) A frozen
//                string's bytes never change. (4) An fstr is never shared: it can be hashed while
//                it is being swept.
// SOURCE     CRuby's string.c of the 2.x series, whose middle substrings are copied by default.
// TESTED BY  string_test.cc.
#ifndef RUBRIC_CORE_OBJECT_STRING_H_
#define RUBRIC_CORE_OBJECT_STRING_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/heap/heap.h"
#include "core/object/layout.h"
#include "core/value/value.h"

namespace rubric {

// A string of these bytes. May collect; `bytes` must not lie in a slot that only the caller holds.
RString* NewString(Heap& heap, RClass* klass, std::string_view bytes,
                   Encoding encoding = Encoding::kUtf8);

// The same, but only when a slot is ensured (Heap::EnsureFreeSlot), and so without a collection.
RString* NewStringWithoutCollecting(Heap& heap, RClass* klass, std::string_view bytes,
                                    Encoding encoding);

// str[from, length] of `source`, as rb_str_subseq: embedded if it fits, shared if it reaches the
// end, else copied. May collect. REQUIRES: from + length <= source->length(); source is kept by the
// caller.
RString* SubString(Heap& heap, RString* source, std::size_t from, std::size_t length);

// A frozen string with the content of `source` that will not change when `source` does: `source`
// itself if it is frozen and not shared with anything writable, else one that shares its buffer.
// May collect.
RString* FrozenCopy(Heap& heap, RString* source);

// Appends in place: grows an own buffer to twice what is needed. REQUIRES: not frozen.
void AppendToString(RString* string, std::string_view bytes);

// Makes `string` own its bytes. REQUIRES: not embedded is allowed; does nothing unless shared.
void UnshareString(RString* string);

inline void FreezeString(RString* string) { string->Set(RBasic::kFrozen); }

// String#force_encoding. REQUIRES: not frozen.
inline void SetStringEncoding(RString* string, Encoding encoding) {
  RUBRIC_DCHECK(!string->frozen(), "the encoding of a frozen string is set");
  string->flags = (string->flags & ~RBasic::kEncodingMask) |
                  static_cast<std::uint64_t>(encoding) << RBasic::kEncodingShift;
}

// For the sweep: frees an own buffer.
void FreeStringBuffer(RString* string);

// Calls visit(Value) for what the string refers to: its root if it is shared.
template <typename Visit>
void VisitStringReferences(const RString* string, Visit visit) {
  if (string->Has(RBasic::kShared)) visit(Value(string->heap.shared));
}

// Bytes outside the slot: capa + 1 of an own buffer, 0 else.
std::size_t StringMemsize(const RString* string);

// Structural check; aborts when an invariant is broken.
void CheckString(const RString* string);

}  // namespace rubric

#endif  // RUBRIC_CORE_OBJECT_STRING_H_
