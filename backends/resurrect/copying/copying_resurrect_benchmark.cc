#include <benchmark/benchmark.h>

#include "backends/resurrect/copying/copying_resurrect.h"
#include "core/resurrect/resurrect_benchmark.h"

namespace rubric {
namespace {

BENCHMARK_TEMPLATE(ResurrectAndDrop, CopyingResurrect)->Apply(ResurrectLengths);
BENCHMARK_TEMPLATE(ResurrectAndWrite, CopyingResurrect)->Apply(ResurrectLengths);
BENCHMARK_TEMPLATE(ResurrectAndKeep, CopyingResurrect)->Apply(ResurrectLengths);

}  // namespace
}  // namespace rubric
