#include "backends/prelude/lazy/lazy_prelude.h"

#include "core/prelude/prelude_conformance.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(Lazy, PreludeConformance, LazyPrelude);

}  // namespace
}  // namespace rubric
