// CountingAllocator: the standard library's allocator over counted allocation.
//
// USE        std::vector<Value, CountingAllocator<Value, Subsystem::kVm>>. Stateless; all are
//            equal.
// COST       That of Allocate and Free; empty, so containers do not grow by it.
// TESTED BY  allocate_test.cc.
#ifndef RUBRIC_CORE_MEMORY_COUNTING_ALLOCATOR_H_
#define RUBRIC_CORE_MEMORY_COUNTING_ALLOCATOR_H_

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "core/base/check.h"
#include "core/memory/allocate.h"

namespace rubric {

template <typename T, Subsystem kTag>
class CountingAllocator {
 public:
  using value_type = T;
  template <typename U>
  struct rebind {
    using other = CountingAllocator<U, kTag>;
  };

  CountingAllocator() = default;
  template <typename U>
  CountingAllocator(const CountingAllocator<U, kTag>&) {
  }  // NOLINT: converting, as the standard asks

  T* allocate(std::size_t count) {
    RUBRIC_CHECK(count <= std::numeric_limits<std::size_t>::max() / sizeof(T));
    if constexpr (alignof(T) > alignof(std::max_align_t)) {
      return static_cast<T*>(AllocateAligned(kTag, alignof(T), count * sizeof(T)));
    } else {
      return static_cast<T*>(Allocate(kTag, count * sizeof(T)));
    }
  }
  void deallocate(T* block, std::size_t) { Free(kTag, block); }

  template <typename U>
  friend bool operator==(CountingAllocator, const CountingAllocator<U, kTag>&) {
    return true;
  }
};

template <typename T, Subsystem kTag>
using CountedVector = std::vector<T, CountingAllocator<T, kTag>>;

template <Subsystem kTag>
using CountedString =
    std::basic_string<char, std::char_traits<char>, CountingAllocator<char, kTag>>;

}  // namespace rubric

#endif  // RUBRIC_CORE_MEMORY_COUNTING_ALLOCATOR_H_
