#include "core/collector/collector_archetype.h"  // its static_asserts
#include "core/collector/collector_conformance.h"
#include "core/collector/model_collector.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(Model, CollectorConformance, ModelCollector);

}  // namespace
}  // namespace rubric
