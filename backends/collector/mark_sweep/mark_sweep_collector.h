// MarkSweepCollector: every collection marks all that lives; the sweep is lazy.
//
// LAYOUT     A mark bit a slot, in its page's descriptor; the mark stack.
// COST       A collection: O(live slots) to mark, O(slots) to sweep, a page at a time. Mutators pay
//            nothing but the write barrier's test, which never succeeds.
// SOURCE     Ruby 1.9.3 to 2.0; core/heap/mark_sweep.h, which does it.
// TESTED BY  mark_sweep_collector_test.cc with collector_conformance.h,
//            mark_sweep_collector_fuzz.cc, core/heap/mark_sweep_test.cc.
#ifndef RUBRIC_BACKENDS_COLLECTOR_MARK_SWEEP_MARK_SWEEP_COLLECTOR_H_
#define RUBRIC_BACKENDS_COLLECTOR_MARK_SWEEP_MARK_SWEEP_COLLECTOR_H_

#include <string_view>

#include "core/collector/collector.h"
#include "core/heap/mark_sweep.h"

namespace rubric {

struct MarkSweepCollector {
  static constexpr std::string_view kName = "mark_sweep";
  static constexpr CollectorTraits kTraits = {};
  template <typename Client>
  using For = MarkSweep<Client>;
};
static_assert(CollectorBackend<MarkSweepCollector>);

}  // namespace rubric

#endif  // RUBRIC_BACKENDS_COLLECTOR_MARK_SWEEP_MARK_SWEEP_COLLECTOR_H_
