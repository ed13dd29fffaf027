// Marker: the tracing half of a collector: mark bits and an explicit, growing mark stack.
//
// USE        Mark(v) for each root; then Drain(children), which calls children(slot) for every grey
//            slot until none is left; `children` marks what the slot refers to. A generational
//            collector says set_parent_is_old before it marks what an old slot refers to.
// LAYOUT     The mark stack is one growing array of slot pointers, Subsystem::kCollector.
// COST       Mark O(1), one touched cache line a page of 512 slots; depth of the object graph costs
//            stack entries, never machine stack.
// INVARIANTS White: mark bit 0. Grey: mark bit 1 and on the stack. Black: mark bit 1 and off it.
//            When Drain returns, no black slot refers to a white one. What is marked while the
//            parent is old becomes old, and grey again if it was not: so when Drain returns, an old
//            slot refers to old ones alone.
// TESTED BY  mark_sweep_test.cc, generational_collector_test.cc.
#ifndef RUBRIC_CORE_HEAP_MARKER_H_
#define RUBRIC_CORE_HEAP_MARKER_H_

#include <cstddef>
#include <cstdint>

#include "core/heap/page.h"
#include "core/memory/counting_allocator.h"
#include "core/value/value.h"

namespace rubric {

class Marker {
 public:
  Marker() = default;
  // Marks nothing: calls visit(context, slot) for each slot that it is asked to mark. For
  // ObjectSpace, which must see the references that a collector follows.
  Marker(void (*visit)(void* context, RBasic* slot), void* context)
      : visit_(visit), context_(context) {}

  void Mark(Value v) {
    if (v.IsPointer()) MarkSlot(v.AsSlot());
  }

  // As Mark, for a slot; null is allowed.
  void MarkSlot(RBasic* slot) {
    if (slot == nullptr) return;
    if (visit_ != nullptr) [[unlikely]] {
      visit_(context_, slot);
      return;
    }
    if (SetMark(slot)) {
      RUBRIC_DCHECK(slot->type() != Type::kNone, "a free slot is reachable");
      ++marked_;
    } else if (!parent_is_old_ || slot->Has(RBasic::kOld)) [[likely]] {
      return;
    }
    if (parent_is_old_) [[unlikely]]
      slot->Set(RBasic::kOld);
    stack_.push_back(slot);
  }

  void set_parent_is_old(bool is_old) { parent_is_old_ = is_old; }

  template <typename Children>
  void Drain(Children children) {
    while (!stack_.empty()) {
      RBasic* slot = stack_.back();
      stack_.pop_back();
      children(slot);
    }
  }

  std::uint64_t marked() const { return marked_; }  // slots marked since the last Reset()

  // REQUIRES: the stack is drained. Keeps the stack's memory, as the next collection will need it.
  void Reset() {
    RUBRIC_CHECK(stack_.empty());
    marked_ = 0;
  }

 private:
  CountedVector<RBasic*, Subsystem::kCollector> stack_;
  std::uint64_t marked_ = 0;
  bool parent_is_old_ = false;
  void (*visit_)(void*, RBasic*) = nullptr;
  void* context_ = nullptr;
};

}  // namespace rubric

#endif  // RUBRIC_CORE_HEAP_MARKER_H_
