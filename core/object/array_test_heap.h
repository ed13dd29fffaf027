// ArrayTestHeap: a heap of arrays and floats with its collector, for tests, fuzzers and benchmarks.
//
// USE        heap() to allocate, collector() to collect; everything kept is on the heap's root
//            stack. Its destructor frees every buffer, so that array memory is balanced around it.
// COST       As core/heap.
#ifndef RUBRIC_CORE_OBJECT_ARRAY_TEST_HEAP_H_
#define RUBRIC_CORE_OBJECT_ARRAY_TEST_HEAP_H_

#include <cstddef>

#include "core/heap/heap.h"
#include "core/heap/mark_sweep.h"
#include "core/heap/marker.h"
#include "core/object/array.h"
#include "core/object/layout.h"
#include "core/value/slot.h"
#include "core/value/value.h"

namespace rubric {

class ArrayTestHeap {
 public:
  struct Client {
    void MarkRoots(Marker&) {}
    void MarkChildren(Marker& marker, RBasic* slot) {
      marker.MarkSlot(slot->klass);
      if (slot->type() != Type::kArray) return;
      VisitArrayReferences(static_cast<RArray*>(slot), [&](Value v) { marker.Mark(v); });
    }
    void FinalizeSlot(RBasic* slot) {
      if (slot->type() == Type::kArray) FreeArrayBuffer(static_cast<RArray*>(slot));
    }
  };
  using Collector = MarkSweep<Client>;

  explicit ArrayTestHeap(std::size_t initial_pages = Heap::kInitialPages) : heap_(initial_pages) {
    array_class_ = static_cast<RClass*>(
        static_cast<RBasic*>(heap_.Allocate(static_cast<std::uint64_t>(Type::kClass), nullptr)));
    scope_.Keep(array_class_);
  }
  ~ArrayTestHeap() {
    heap_.ForEachSlot([this](RBasic* slot) { client_.FinalizeSlot(slot); });
  }

  Heap& heap() { return heap_; }
  Collector& collector() { return collector_; }
  RClass* array_class() const { return array_class_; }

  // A T_FLOAT: an element that only references keep alive. May collect.
  Value NewFloat(double number) {
    auto* slot = static_cast<RFloat*>(static_cast<RBasic*>(
        heap_.Allocate(static_cast<std::uint64_t>(Type::kFloat) | RBasic::kFrozen, nullptr)));
    slot->number = number;
    return Value(slot);
  }

  // Collects and sweeps all, so that what is dead is gone.
  void CollectNow() {
    collector_.Collect();
    collector_.FinishSweep();
  }

  // Checks every array there is, once all garbage is swept: a dead array's root may be gone.
  void CheckArrays() {
    collector_.FinishSweep();
    heap_.ForEachSlot([](RBasic* slot) {
      if (slot->type() == Type::kArray) CheckArray(static_cast<RArray*>(slot));
    });
  }

 private:
  Heap heap_;
  Client client_;
  Collector collector_{heap_, client_};
  HandleScope scope_{heap_.roots()};
  RClass* array_class_ = nullptr;
};

}  // namespace rubric

#endif  // RUBRIC_CORE_OBJECT_ARRAY_TEST_HEAP_H_
