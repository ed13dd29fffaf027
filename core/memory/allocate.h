// Counted allocation: the only way in which the runtime and its backends get memory.
//
// USE        Allocate(Subsystem::kStrings, n) … Free(Subsystem::kStrings, p). Containers of the
//            standard library take a CountingAllocator. Sizes are in bytes.
// COST       One malloc and some 5 ns of counting; with a log open (malloc_log.h) about 10 ns more.
// INVARIANTS Every call counts once and, if a log is open, is logged once, in order (counters.h).
// VALIDITY   As malloc's. Out of memory aborts with the size and the subsystem: a testbed has
//            nothing better to do, and CRuby's NoMemoryError is not what is studied here.
// TESTED BY  allocate_test.cc, malloc_log_test.cc, valgrind_agreement_test.cc.
#ifndef RUBRIC_CORE_MEMORY_ALLOCATE_H_
#define RUBRIC_CORE_MEMORY_ALLOCATE_H_

#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/memory/subsystem.h"

namespace rubric {

// `bytes` of uninitialized memory (junk-filled in the hostile build). Zero bytes give a unique
// pointer.
[[nodiscard]] void* Allocate(Subsystem subsystem, std::size_t bytes);

// count * size bytes of zeros, by one calloc.
[[nodiscard]] void* AllocateZeroed(Subsystem subsystem, std::size_t count, std::size_t size);

// As aligned_alloc. REQUIRES: alignment is a power of two.
[[nodiscard]] void* AllocateAligned(Subsystem subsystem, std::size_t alignment, std::size_t bytes);

// As realloc: `block` may be null. Counts one allocation and, unless `block` is null, one free.
[[nodiscard]] void* Reallocate(Subsystem subsystem, void* block, std::size_t bytes);

// Gives `block` back. Null is allowed and not counted. REQUIRES: `subsystem` is that of its
// allocation.
void Free(Subsystem subsystem, void* block);

namespace memory_internal {
extern std::size_t malloc_increase;
}

// Bytes allocated less bytes freed since the last ResetMallocIncrease(), at least 0, pages and the
// collector's own tables not counted: what a collector compares with its malloc limit. Inline,
// since every slot allocation reads it.
inline std::size_t MallocIncrease() { return memory_internal::malloc_increase; }
inline void SetMallocIncrease(std::size_t bytes) { memory_internal::malloc_increase = bytes; }
inline void ResetMallocIncrease() { SetMallocIncrease(0); }

// A T of subsystem `kTag`, constructed in counted memory.
template <Subsystem kTag, typename T, typename... Args>
[[nodiscard]] T* Make(Args&&... args) {
  static_assert(alignof(T) <= alignof(std::max_align_t));
  return new (Allocate(kTag, sizeof(T))) T(std::forward<Args>(args)...);
}

// Destroys and frees what Make made; null is allowed.
template <Subsystem kTag, typename T>
void Destroy(T* object) {
  if (object == nullptr) return;
  object->~T();
  Free(kTag, object);
}

}  // namespace rubric

#endif  // RUBRIC_CORE_MEMORY_ALLOCATE_H_
