// PreludeArchetype: a backend with what the concept asks for and no more.
#ifndef RUBRIC_CORE_PRELUDE_PRELUDE_ARCHETYPE_H_
#define RUBRIC_CORE_PRELUDE_PRELUDE_ARCHETYPE_H_

#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/prelude/prelude.h"

namespace rubric {

struct PreludeArchetype {
  static constexpr std::string_view kName = "archetype";
  static constexpr PreludeTraits kTraits = {};

  absl::Status Boot(PreludeBody) { return absl::OkStatus(); }
  absl::StatusOr<bool> Need(PreludeNeed) { return false; }
  bool loaded() const { return false; }
};
static_assert(PreludeBackend<PreludeArchetype>);

struct PreludeWithoutNeed {
  static constexpr std::string_view kName = "without_need";
  static constexpr PreludeTraits kTraits = {};

  absl::Status Boot(PreludeBody) { return absl::OkStatus(); }
  bool loaded() const { return false; }
};
static_assert(!PreludeBackend<PreludeWithoutNeed>);

}  // namespace rubric

#endif  // RUBRIC_CORE_PRELUDE_PRELUDE_ARCHETYPE_H_
