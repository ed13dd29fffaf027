// NonePrelude: there is no prelude; what needs it fails.
//
// COST       Nothing.
// SOURCE     `ruby --disable-gems`, which #4962 compares with.
// TESTED BY  none_prelude_test.cc with prelude_conformance.h.
#ifndef RUBRIC_BACKENDS_PRELUDE_NONE_NONE_PRELUDE_H_
#define RUBRIC_BACKENDS_PRELUDE_NONE_NONE_PRELUDE_H_

#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/prelude/prelude.h"

namespace rubric {

class NonePrelude {
 public:
  static constexpr std::string_view kName = "none";
  static constexpr PreludeTraits kTraits = {.when = PreludeTime::kNever};

  absl::Status Boot(const PreludeBody&) { return absl::OkStatus(); }
  absl::StatusOr<bool> Need(PreludeNeed) { return false; }
  bool loaded() const { return false; }
};
static_assert(PreludeBackend<NonePrelude>);

}  // namespace rubric

#endif  // RUBRIC_BACKENDS_PRELUDE_NONE_NONE_PRELUDE_H_
