// The VM compiles over backends that have what the axes' concepts declare, and nothing else: so a
// backend that satisfies them is enough.

#include "core/collector/collector_archetype.h"
#include "core/feature_keys/feature_keys_archetype.h"
#include "core/interning/interning_archetype.h"
#include "core/ivars/ivars_archetype.h"
#include "core/prelude/prelude_archetype.h"
#include "core/resurrect/resurrect_archetype.h"
#include "core/vm/axes.h"
#include "core/vm/vm.h"
#include "gtest/gtest.h"

namespace rubric {

struct ArchetypeAxes {
  using Interning = InterningArchetype;
  using Resurrect = ResurrectArchetype;
  using Ivars = IvarsArchetype;
  using FeatureKeys = FeatureKeysArchetype;
  using Prelude = PreludeArchetype;
  using Collector = CollectorArchetype;
};

template class VirtualMachine<ArchetypeAxes>;

namespace {

struct WithoutIvars {
  using Interning = InterningArchetype;
  using Resurrect = ResurrectArchetype;
  using FeatureKeys = FeatureKeysArchetype;
  using Prelude = PreludeArchetype;
  using Collector = CollectorArchetype;
};
struct IvarsThatAreNone : ArchetypeAxes {
  using Ivars = int;
};

TEST(AxesArchetypeTest, TheConceptTakesWholeSetsOfBackendsOnly) {
  EXPECT_TRUE(VmAxes<ArchetypeAxes>);
  EXPECT_FALSE(VmAxes<WithoutIvars>);
  EXPECT_FALSE(VmAxes<IvarsThatAreNone>);
}

}  // namespace
}  // namespace rubric
