// Big integers: those that do not fit a fixnum, as T_DATA of an Integer class.
//
// USE        NewInteger gives the fixnum or the big integer of a sign and a magnitude; AsBigInteger
//            tells big integers from other values. There is no arithmetic: they are carried.
// LAYOUT     One malloc'd block an integer, Subsystem::kData: 0 length, 8 negative, 9 magnitude,
//            little-endian bytes, as many as `length`.
// INVARIANTS (1) The last byte of the magnitude is not 0. (2) The value does not fit a fixnum.
//            (3) The slot is frozen.
// COST       NewInteger: nothing for a fixnum, else a slot and one malloc of 9 bytes more than the
//            magnitude.
// SOURCE     CRuby's T_BIGNUM, of which this keeps sign and magnitude.
// TESTED BY  big_integer_test.cc.
#ifndef RUBRIC_CORE_OBJECT_BIG_INTEGER_H_
#define RUBRIC_CORE_OBJECT_BIG_INTEGER_H_

#include <string_view>

#include "core/heap/heap.h"
#include "core/object/layout.h"
#include "core/value/value.h"

namespace rubric {

// The integer of this little-endian magnitude, which may end in zero bytes. A null `klass` makes
// hidden big integers. May collect.
Value NewInteger(Heap& heap, RClass* klass, bool negative, std::string_view magnitude);

// The slot of a big integer, or null where `v` is none.
const RData* AsBigInteger(Value v);

bool BigIsNegative(const RData* integer);

// Little-endian, without zero bytes at its end. Valid as long as the slot is.
std::string_view BigMagnitude(const RData* integer);

bool EqualBigIntegers(const RData* a, const RData* b);

}  // namespace rubric

#endif  // RUBRIC_CORE_OBJECT_BIG_INTEGER_H_
