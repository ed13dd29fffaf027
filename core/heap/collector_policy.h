// CollectorPolicy, MallocLimit: when to collect, and by how much to grow, whatever the collector.
//
// USE        A collector has a MallocLimit. At an allocation that finds no slot it asks exceeded();
//            after a collection that an allocation caused it calls Restart. PagesToAdd says by how
//            much the heap may grow once a collection has marked.
// POLICY     Heap: when a collection leaves fewer than max(4,096, 20 % of all) slots free, the heap
//            may grow to 1.8 times its pages. Malloc: a collection when 16 MiB were allocated since
//            the last; the limit grows by 1.4 to at most 32 MiB when it was reached, else shrinks
//            by 2 % to 16 MiB. Pages are never given back: a testbed wants the high-water mark to
//            be seen. The fields that only generations need are commented so.
// SOURCE     CRuby's gc.c of 2.1 to 2.6 with their documented GC variables
//            (RUBY_GC_HEAP_FREE_SLOTS, _GROWTH_FACTOR, _OLDOBJECT_LIMIT_FACTOR,
//            RUBY_GC_MALLOC_LIMIT and _MAX, _GROWTH_FACTOR, RUBY_GC_OLDMALLOC_LIMIT and the same).
//            One difference: malloc never collects by itself; the next allocation of a slot does,
//            so that no table is in the middle of a change.
// TESTED BY  mark_sweep_test.cc, collector_conformance.h.
#ifndef RUBRIC_CORE_HEAP_COLLECTOR_POLICY_H_
#define RUBRIC_CORE_HEAP_COLLECTOR_POLICY_H_

#include <cstddef>

#include "core/base/build_mode.h"
#include "core/heap/heap.h"
#include "core/memory/allocate.h"

namespace rubric {

struct CollectorPolicy {
  std::size_t min_free_slots = kHostile ? 4 : 4096;
  double min_free_ratio = 0.20;
  double heap_growth_factor = 1.8;
  std::size_t malloc_limit = kHostile ? 4096 : 16 * 1024 * 1024;      // bytes
  std::size_t malloc_limit_max = kHostile ? 8192 : 32 * 1024 * 1024;  // bytes
  double malloc_limit_growth_factor = 1.4;

  // Generations only: what makes the next collection a major one.
  double old_limit_factor = 2.0;  // old slots since the last major collection
  std::size_t old_malloc_limit = kHostile ? 8192 : 16 * 1024 * 1024;        // bytes, net
  std::size_t old_malloc_limit_max = kHostile ? 65536 : 128 * 1024 * 1024;  // bytes
  double old_malloc_limit_growth_factor = 1.2;
};

// True iff `live` slots on `pages` pages leave too few free.
bool LeavesTooFewFree(const CollectorPolicy& policy, std::size_t pages, std::size_t live);

// Pages by which the heap may grow after a collection that left `live` slots on `pages` pages.
std::size_t PagesToAdd(const CollectorPolicy& policy, std::size_t pages, std::size_t live);

class MallocLimit {
 public:
  MallocLimit(Heap& heap, const CollectorPolicy& policy);

  bool exceeded() const { return MallocIncrease() >= limit_; }

  // Collects after so many bytes from now on, neither more nor fewer.
  void Fix(std::size_t bytes);

  // Before the collection that `exceeded` caused, or that something else did.
  void Adapt(bool exceeded);

  // After it: counts from 0 on.
  void Restart();

 private:
  Heap& heap_;
  CollectorPolicy policy_;
  std::size_t limit_;  // bytes
};

// Bytes of the runtime that are live now and count towards the malloc limit: neither pages nor the
// collector's own.
std::size_t LiveMallocBytes();

}  // namespace rubric

#endif  // RUBRIC_CORE_HEAP_COLLECTOR_POLICY_H_
