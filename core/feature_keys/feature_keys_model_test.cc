#include "core/feature_keys/feature_keys_model.h"

#include "core/feature_keys/feature_keys_archetype.h"
#include "core/feature_keys/feature_keys_conformance.h"

namespace rubric {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(Model, FeatureKeysConformance, ModelFeatureKeys);

}  // namespace
}  // namespace rubric
