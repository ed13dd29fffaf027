#include "experiments/replay/kept_slots.h"

#include "core/base/check.h"
#include "core/object/array.h"
#include "core/object/array_mutation.h"

namespace rubric {

KeptSlots::KeptSlots(Heap& heap, HandleScope& scope)
    : heap_(heap), chunks_(scope.Keep(NewArray(heap, nullptr))) {}

RArray* KeptSlots::Chunk(Place place) const {
  return As<RArray>(chunks_->elements()[place / kChunk]);
}

KeptSlots::Place KeptSlots::Add(Value value) {
  if (!free_.empty()) {
    const Place place = free_.back();
    free_.pop_back();
    Store(heap_, Chunk(place), static_cast<std::ptrdiff_t>(place % kChunk), value);
    return place;
  }
  RUBRIC_CHECK(places_ < UINT32_MAX, "a place is 32 bits");
  if (places_ % kChunk == 0) {
    HandleScope scope(heap_.roots());
    scope.Push(value);
    Push(heap_, chunks_, Value(NewArray(heap_, nullptr, kChunk)));
  }
  const auto place = static_cast<Place>(places_++);
  Push(heap_, Chunk(place), value);
  return place;
}

Value KeptSlots::At(Place place) const { return Chunk(place)->elements()[place % kChunk]; }

void KeptSlots::Drop(Place place) {
  Store(heap_, Chunk(place), static_cast<std::ptrdiff_t>(place % kChunk), Value::Nil());
  free_.push_back(place);
}

}  // namespace rubric
