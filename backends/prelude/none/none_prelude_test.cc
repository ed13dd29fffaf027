#include "backends/prelude/none/none_prelude.h"

#include "core/prelude/prelude_conformance.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(None, PreludeConformance, NonePrelude);

}  // namespace
}  // namespace rubric
