// Sharing between arrays: one buffer, several arrays, copied at the first write.
//
// USE        SharedCopy, Slice and Replace (array_mutation.h) make arrays share; every mutator
//            begins with Unshare or with what does its work. A program cannot tell a shared array
//            from another, but by ArrayMemsize.
// LAYOUT     A shared root is a hidden, frozen slot that took over the buffer; a frozen array, such
//            as a literal, becomes the root of its own buffer instead. The root counts its
//            occupants: the arrays that began to share its buffer, less those that stopped.
// COST       Sharing: O(1), no malloc but one realloc where a frozen array had spare room; one slot
//            for the root, the first time. Unshare: one malloc of exactly the array's length, and
//            one copy; no malloc where the array is embedded by it (up to 3 elements), nor where it
//            is the only occupant and fills more than half of the buffer: then it takes the buffer.
// INVARIANTS (1) Occupants that died are still counted, so the count is never too low: where it is
//                one, no other array sees the buffer.
//            (2) A frozen array that became a root counts itself, so that its buffer stays.
//            (3) A root that the last occupant left has given its buffer back; the collector finds
//                its slot.
// SOURCE     CRuby's array.c: shared roots and their occupants (ARY_SHARED_OCCUPIED); sharing
//            literals is Ruby #15349. CRuby also recycles the root's slot at once, which we leave
//            to the sweep, lest a handle or a remembered set still names it.
// TESTED BY  array_sharing_test.cc, array_model_test.cc.
#ifndef RUBRIC_CORE_OBJECT_ARRAY_SHARING_H_
#define RUBRIC_CORE_OBJECT_ARRAY_SHARING_H_

#include <cstddef>
#include <optional>

#include "core/heap/heap.h"
#include "core/object/layout.h"

namespace rubric {

// An array of class `klass` with the elements of `source`: embedded up to 3, else sharing the
// buffer of `source`. May collect.
RArray* SharedCopy(Heap& heap, RArray* source, RClass* klass);

// source[begin, length] as Array#slice does: of the class of `source`, cut to what there is, shared
// where it has more than 3 elements. A negative `begin` counts from the end; nothing iff `begin`
// lies outside [-source->length(), source->length()]. May collect.
std::optional<RArray*> Slice(Heap& heap, RArray* source, std::ptrdiff_t begin, std::size_t length);

// Makes the array the owner of its content, before a write.
void Unshare(Heap& heap, RArray* array);

// True iff both are shared, from one root, and are equally long: so iff neither was changed since
// one became a copy of the other, but for changes that kept the length.
bool SharesWith(const RArray* a, const RArray* b);

// Occupants of a shared root's buffer. REQUIRES: root->Has(RBasic::kSharedRoot).
std::size_t Occupants(const RArray* root);

namespace array_internal {

// The shared root of `array`, which becomes its occupant if it was not shared, or its own root if
// it is frozen. May collect. REQUIRES: noembed; more than 3 elements if frozen.
RArray* MakeShared(Heap& heap, RArray* array);

// True iff `array`, a shared one, is its root's only occupant: then it may write to the root's
// buffer.
inline bool IsSoleOccupant(const RArray* array) { return array->heap.shared->heap.capa == 1; }

// Makes `array`, which has no content of its own (MakeEmpty), occupy [from, from + length) of the
// root's buffer.
void Occupy(Heap& heap, RArray* array, RArray* root, Value* from, std::size_t length);

// An occupant left `root`.
void LeaveRoot(RArray* root);

// Gives the array's content up: its own buffer is freed, a root is left. It is empty and embedded
// after.
void DropContent(RArray* array);

}  // namespace array_internal
}  // namespace rubric

#endif  // RUBRIC_CORE_OBJECT_ARRAY_SHARING_H_
