// The traces of a heap that collectors share: the plain one, and what verifiers need.
//
// USE        TraceAll marks all that is reachable. MarkBitsOf and RestoreMarkBits put the mark bits
//            aside, so that a verifier may trace again.
// COST       O(live slots); O(pages) for the bits.
// TESTED BY  mark_sweep_test.cc, collector_conformance.h.
#ifndef RUBRIC_CORE_HEAP_HEAP_TRACE_H_
#define RUBRIC_CORE_HEAP_HEAP_TRACE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/base/check.h"
#include "core/heap/heap.h"
#include "core/heap/marker.h"
#include "core/heap/page.h"
#include "core/value/slot.h"
#include "core/value/value.h"

namespace rubric {

inline void ClearMarks(Heap& heap) {
  for (HeapPage* page : heap.pages()) {
    std::memset(page->mark_bits, 0, sizeof(page->mark_bits));
  }
}

// Marks what the roots reach, and nothing else. REQUIRES: no mark bit is set.
template <typename Client>
void TraceAll(Heap& heap, Client& client, Marker& marker) {
  heap.roots().ForEach([&](Value v) { marker.Mark(v); });
  client.MarkRoots(marker);
  marker.Drain([&](RBasic* slot) { client.MarkChildren(marker, slot); });
}

// kMarkWords words a page, in the order of pages. Not counted: verifiers are no part of the runtime.
using MarkBits = std::vector<std::uint64_t>;

inline MarkBits MarkBitsOf(const Heap& heap) {
  MarkBits bits;
  for (const HeapPage* page : heap.pages()) {
    bits.insert(bits.end(), page->mark_bits, page->mark_bits + kMarkWords);
  }
  return bits;
}

inline void RestoreMarkBits(Heap& heap, const MarkBits& bits) {
  for (HeapPage* page : heap.pages()) {
    std::copy_n(bits.begin() + static_cast<std::ptrdiff_t>(page->index * kMarkWords), kMarkWords,
                page->mark_bits);
  }
}

inline void CheckNoFreeSlotIsMarked(const Heap& heap) {
  for (const HeapPage* page : heap.pages()) {
    for (std::size_t i = 0; i < kSlotsPerPage; ++i) {
      RUBRIC_CHECK(page->slots[i].type() != Type::kNone || !IsMarked(&page->slots[i]),
                   "a free slot is marked");
    }
  }
}

// Aborts unless a second trace, from clean bits, marks just what is marked now, and no free slot.
template <typename Client>
void VerifyFullMarks(Heap& heap, Client& client, Marker& marker) {
  const MarkBits first = MarkBitsOf(heap);
  ClearMarks(heap);
  TraceAll(heap, client, marker);
  marker.Reset();
  RUBRIC_CHECK(MarkBitsOf(heap) == first, "two traces of one heap differ");
  CheckNoFreeSlotIsMarked(heap);
}

}  // namespace rubric

#endif  // RUBRIC_CORE_HEAP_HEAP_TRACE_H_
