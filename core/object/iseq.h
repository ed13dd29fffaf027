// Iseq: an instruction sequence as far as memory is concerned: code, line table, and its literals.
//
// LAYOUT     Owned by a T_IMEMO slot; Subsystem::kIseqs: this header, one block of 8 bytes an
//            instruction word, one of 8 bytes a line-table entry, and one of 8 bytes a literal.
//            CRuby's compiled methods have the same three arrays beside their header.
// INVARIANTS Literals are kept alive by the iseq; array literals are hidden, frozen arrays.
// SOURCE     rb_iseq_constant_body of CRuby 2.x, reduced to what is malloc'd whatever the method
//            does.
// TESTED BY  vm_test.cc.
#ifndef RUBRIC_CORE_OBJECT_ISEQ_H_
#define RUBRIC_CORE_OBJECT_ISEQ_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/memory/counting_allocator.h"
#include "core/value/value.h"

namespace rubric {

struct Iseq {
  Id name;
  CountedVector<std::uint64_t, Subsystem::kIseqs> code;
  CountedVector<std::uint64_t, Subsystem::kIseqs> lines;
  CountedVector<Value, Subsystem::kIseqs> literals;

  std::size_t memsize() const {  // bytes outside the slot
    return sizeof(*this) + 8 * (code.capacity() + lines.capacity() + literals.capacity());
  }
};

}  // namespace rubric

#endif  // RUBRIC_CORE_OBJECT_ISEQ_H_
