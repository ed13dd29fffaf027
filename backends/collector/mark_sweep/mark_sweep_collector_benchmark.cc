#include <benchmark/benchmark.h>

#include "backends/collector/mark_sweep/mark_sweep_collector.h"
#include "core/collector/collector_benchmark.h"

namespace rubric {
namespace {

BENCHMARK_TEMPLATE(CollectMinorWithLive, MarkSweepCollector)->Apply(LiveSlots);
BENCHMARK_TEMPLATE(CollectMajorWithLive, MarkSweepCollector)->Apply(LiveSlots);
BENCHMARK_TEMPLATE(AllocateAndDrop, MarkSweepCollector)->Apply(LiveSlots);
BENCHMARK_TEMPLATE(StoreWithout, MarkSweepCollector);
BENCHMARK_TEMPLATE(StoreIntoYoung, MarkSweepCollector);
BENCHMARK_TEMPLATE(StoreOldIntoOld, MarkSweepCollector);
BENCHMARK_TEMPLATE(StoreYoungIntoOld, MarkSweepCollector);

}  // namespace
}  // namespace rubric
