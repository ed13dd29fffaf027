// RootStack, HandleScope: the precise roots of running code.
//
// USE        HandleScope scope(heap.roots()); RString* s = scope.Keep(NewString(…)); keeps `s`
//            alive until the scope ends. A function that allocates twice must keep its first slot
//            before the second allocation. A VM's own stack frame is a HandleScope too: Push gives
//            a register.
// LAYOUT     128 Ki Values in one zeroed block of 1 MiB (Subsystem::kCollector), as large as
//            CRuby's VM stack; it never moves.
// COST       Keep: one store. A scope: one load and one store. Marking: one visit a live Value.
// INVARIANTS Scopes nest. Slots do not move, so a kept pointer stays valid as it is.
// VALIDITY   The reference from Push is valid until its scope ends. Overflow aborts.
// SOURCE     V8's handle scopes; ours keep, but do not indirect.
// TESTED BY  mark_sweep_test.cc.
#ifndef RUBRIC_CORE_HEAP_ROOT_STACK_H_
#define RUBRIC_CORE_HEAP_ROOT_STACK_H_

#include <cstddef>

#include "core/base/check.h"
#include "core/memory/allocate.h"
#include "core/value/value.h"

namespace rubric {

class RootStack {
 public:
  static constexpr std::size_t kCapacity = 128 * 1024;  // Values

  RootStack()
      : base_(static_cast<Value*>(AllocateZeroed(Subsystem::kCollector, kCapacity, sizeof(Value)))),
        top_(base_) {}
  ~RootStack() { Free(Subsystem::kCollector, base_); }
  RootStack(const RootStack&) = delete;
  RootStack& operator=(const RootStack&) = delete;

  template <typename Visit>
  void ForEach(Visit visit) const {
    for (const Value* v = base_; v != top_; ++v) visit(*v);
  }
  std::size_t size() const { return static_cast<std::size_t>(top_ - base_); }

 private:
  friend class HandleScope;

  Value* base_;
  Value* top_;
};

class HandleScope {
 public:
  explicit HandleScope(RootStack& stack) : stack_(stack), saved_top_(stack.top_) {}
  ~HandleScope() { stack_.top_ = saved_top_; }
  HandleScope(const HandleScope&) = delete;
  HandleScope& operator=(const HandleScope&) = delete;

  // A root of this scope, holding `v`; may be assigned to.
  Value& Push(Value v) {
    RUBRIC_CHECK(stack_.size() < RootStack::kCapacity, "the root stack is full");
    *stack_.top_ = v;
    return *stack_.top_++;
  }

  // Keeps `slot` alive until the scope ends; gives it back.
  template <typename T>
  T* Keep(T* slot) {
    Push(Value(slot));
    return slot;
  }

 private:
  RootStack& stack_;
  Value* saved_top_;
};

}  // namespace rubric

#endif  // RUBRIC_CORE_HEAP_ROOT_STACK_H_
