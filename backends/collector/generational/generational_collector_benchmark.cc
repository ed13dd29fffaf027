#include <benchmark/benchmark.h>

#include "backends/collector/generational/generational_collector.h"
#include "core/collector/collector_benchmark.h"

namespace rubric {
namespace {

BENCHMARK_TEMPLATE(CollectMinorWithLive, GenerationalCollector)->Apply(LiveSlots);
BENCHMARK_TEMPLATE(CollectMajorWithLive, GenerationalCollector)->Apply(LiveSlots);
BENCHMARK_TEMPLATE(AllocateAndDrop, GenerationalCollector)->Apply(LiveSlots);
BENCHMARK_TEMPLATE(StoreWithout, GenerationalCollector);
BENCHMARK_TEMPLATE(StoreIntoYoung, GenerationalCollector);
BENCHMARK_TEMPLATE(StoreOldIntoOld, GenerationalCollector);
BENCHMARK_TEMPLATE(StoreYoungIntoOld, GenerationalCollector);

}  // namespace
}  // namespace rubric
