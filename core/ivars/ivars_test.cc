// The concept is exactly as wide as it says, and its model keeps its invariants.

#include "core/ivars/ivars.h"

#include "core/ivars/ivars_archetype.h"
#include "core/ivars/ivars_conformance.h"
#include "core/ivars/model_ivars.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

static_assert(IvarsBackend<IvarsArchetype>);

// Each lacks one thing.
struct Copyable : IvarsArchetype {
  Copyable() = default;
  Copyable(const Copyable&) : IvarsArchetype() {}
};
static_assert(!IvarsBackend<Copyable>, "a storage owns what its objects have");

struct Forgetful : IvarsArchetype {
  bool Remove(RBasic* object, Id name);  // says whether, not what
};
static_assert(!IvarsBackend<Forgetful>);

struct Nameless : IvarsArchetype {
  static constexpr int kName = 0;
};
static_assert(!IvarsBackend<Nameless>);

struct Unmarkable : IvarsArchetype {
  void VisitReferences(const RBasic* object) const;
};
static_assert(!IvarsBackend<Unmarkable>);

struct Unaccounted : IvarsArchetype {
  std::size_t memory_use() const;
};
static_assert(!IvarsBackend<Unaccounted>);

INSTANTIATE_TYPED_TEST_SUITE_P(Model, IvarsConformance, ModelIvars);

}  // namespace
}  // namespace rubric
