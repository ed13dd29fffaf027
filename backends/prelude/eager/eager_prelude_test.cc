#include "backends/prelude/eager/eager_prelude.h"

#include "core/prelude/prelude_conformance.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(Eager, PreludeConformance, EagerPrelude);

}  // namespace
}  // namespace rubric
