// KeptSlots: slots that a program holds on to, each by a number, as elements of hidden arrays.
//
// USE        Add gives a slot a place; Drop takes it away, so that the next collection finds the
//            slot dead unless something else refers to it.
// LAYOUT     A hidden array of hidden arrays of 1,000 elements, each written with its barrier: what a
//            collector sees is an ordinary heap of medium arrays, not a thousand roots. Places that
//            became free are taken again, the last one first.
// COST       Add and Drop O(1). Memory: 8 bytes a place, Subsystem::kArrays, and 4 bytes of the
//            harness a free place.
// VALIDITY   Alive as long as the scope that it was made in.
// TESTED BY  kept_slots_test.cc.
#ifndef RUBRIC_EXPERIMENTS_REPLAY_KEPT_SLOTS_H_
#define RUBRIC_EXPERIMENTS_REPLAY_KEPT_SLOTS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/heap/heap.h"
#include "core/heap/root_stack.h"
#include "core/object/layout.h"
#include "core/value/value.h"

namespace rubric {

class KeptSlots {
 public:
  using Place = std::uint32_t;
  static constexpr std::size_t kChunk = 1000;  // elements

  // `scope` must outlive this. May collect.
  KeptSlots(Heap& heap, HandleScope& scope);
  KeptSlots(const KeptSlots&) = delete;
  KeptSlots& operator=(const KeptSlots&) = delete;

  // May collect; keeps `value` meanwhile.
  Place Add(Value value);
  Value At(Place place) const;
  void Drop(Place place);

  std::size_t size() const { return places_ - free_.size(); }

 private:
  RArray* Chunk(Place place) const;

  Heap& heap_;
  RArray* chunks_;
  std::size_t places_ = 0;
  std::vector<Place> free_;
};

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_REPLAY_KEPT_SLOTS_H_
