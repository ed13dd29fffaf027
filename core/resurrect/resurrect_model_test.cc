#include "core/resurrect/resurrect_model.h"

#include "core/resurrect/resurrect_archetype.h"  // its static_asserts
#include "core/resurrect/resurrect_conformance.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(Model, ResurrectConformance, ModelResurrect);

}  // namespace
}  // namespace rubric
