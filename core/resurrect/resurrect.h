// The resurrect axis: what evaluating an array literal does with the literal's elements.
//
// USE        An instruction sequence owns a literal: a hidden, frozen array of exact size
//            (NewArrayLiteral). Each evaluation asks the backend for a new array with its elements.
//            A backend has no state and no memory of its own: what it decides shows in the arrays.
//              Resurrect(heap, literal, array_class)  the new array; may collect
// COST       A slot a result. Beyond 3 elements, and per result, with n the literal's length: where
//            !kTraits.shares_literal one malloc of 8 n bytes and a copy; else no malloc, until the
//            first write to it costs the same.
// INVARIANTS Every backend keeps these; resurrect_conformance.h tests them by number.
//            (1) A result is a new array of class `array_class`, neither hidden nor frozen, with
//                the literal's elements in their order.
//            (2) Writing to a result, by any mutator, changes neither the literal nor another
//                result, made before or after.
//            (3) A result of up to 3 elements is embedded: no malloc.
//            (4) A longer one costs one malloc, of exactly 8 bytes an element, where
//                !kTraits.shares_literal; where it shares, none, and the first write to it costs
//                that malloc.
//            (5) ArrayMemsize of a result, before it is written to, is what (4) says that it
//                malloc'd.
//            (6) A literal's memory is that of its elements, however often it is evaluated: 8 bytes
//                an element beyond 3, in one block.
//            (7) A result outlives the literal and a literal its results: each keeps alive what it
//                needs.
// VALIDITY   The result is held by nobody yet. REQUIRES: the caller keeps the literal alive.
// SOURCE     rb_ary_resurrect in CRuby's array.c; the question is Ruby #15349's.
// TESTED BY  resurrect_conformance.h over each backend and the model.
#ifndef RUBRIC_CORE_RESURRECT_RESURRECT_H_
#define RUBRIC_CORE_RESURRECT_RESURRECT_H_

#include <concepts>
#include <string_view>

#include "core/heap/heap.h"
#include "core/object/layout.h"

namespace rubric {

struct ResurrectTraits {
  bool shares_literal = false;  // results point into the literal's buffer until they are written to
};

template <typename B>
concept ResurrectBackend = requires(Heap& heap, RArray* literal, RClass* array_class) {
  { B::kName } -> std::convertible_to<std::string_view>;
  { B::kTraits } -> std::same_as<const ResurrectTraits&>;
  { B::Resurrect(heap, literal, array_class) } -> std::same_as<RArray*>;
};

}  // namespace rubric

#endif  // RUBRIC_CORE_RESURRECT_RESURRECT_H_
