#include <benchmark/benchmark.h>

#include "backends/resurrect/shared/shared_resurrect.h"
#include "core/resurrect/resurrect_benchmark.h"

namespace rubric {
namespace {

BENCHMARK_TEMPLATE(ResurrectAndDrop, SharedResurrect)->Apply(ResurrectLengths);
BENCHMARK_TEMPLATE(ResurrectAndWrite, SharedResurrect)->Apply(ResurrectLengths);
BENCHMARK_TEMPLATE(ResurrectAndKeep, SharedResurrect)->Apply(ResurrectLengths);

}  // namespace
}  // namespace rubric
