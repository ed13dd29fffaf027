// SlotMaker: a slot of a given shape, with what it owns; ivars are the VM's to set.
//
// USE        Make(shape, klass, sibling): `sibling` is one of the same shape that is kept, or undef:
//            shared strings and arrays point into its buffer.
// COST       What the runtime's own factories take. A string is filled with one letter, an array with
//            small integers, a hash has the integers from 0 as keys.
// TESTED BY  replay_test.cc.
#ifndef RUBRIC_EXPERIMENTS_REPLAY_SLOT_MAKER_H_
#define RUBRIC_EXPERIMENTS_REPLAY_SLOT_MAKER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/heap/heap.h"
#include "core/object/layout.h"
#include "core/value/value.h"
#include "experiments/replay/shape.h"

namespace rubric {

struct MakerClasses {
  RClass* klass;
  RClass* object;
  RClass* string;
  RClass* array;
  RClass* hash;
  RClass* floating;
};

class SlotMaker {
 public:
  SlotMaker(Heap& heap, const MakerClasses& classes, std::uint64_t hash_seed)
      : heap_(heap), classes_(classes), hash_seed_(hash_seed) {}

  // May collect. A null `klass` is the type's own. REQUIRES: the type is not T_SYMBOL.
  RBasic* Make(const Shape& shape, RClass* klass, Value sibling);

 private:
  RString* MakeString(const Shape& shape, RClass* klass, Value sibling);
  RArray* MakeArray(const Shape& shape, RClass* klass, Value sibling);
  RHash* MakeHash(const Shape& shape, RClass* klass);

  Heap& heap_;
  const MakerClasses classes_;
  const std::uint64_t hash_seed_;
  std::string filler_;
  std::vector<Value> elements_;
};

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_REPLAY_SLOT_MAKER_H_
