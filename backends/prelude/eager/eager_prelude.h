// EagerPrelude: the prelude is loaded before the program, whether the program needs it or not.
//
// COST       Boot takes as long as the prelude does, and the prelude lives as long as the VM.
// SOURCE     Ruby 1.9.2 and, again, each Ruby since 2.0: RubyGems is required at the start.
// TESTED BY  eager_prelude_test.cc with prelude_conformance.h.
#ifndef RUBRIC_BACKENDS_PRELUDE_EAGER_EAGER_PRELUDE_H_
#define RUBRIC_BACKENDS_PRELUDE_EAGER_EAGER_PRELUDE_H_

#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/prelude/prelude.h"
#include "core/prelude/run_once.h"

namespace rubric {

class EagerPrelude {
 public:
  static constexpr std::string_view kName = "eager";
  static constexpr PreludeTraits kTraits = {.when = PreludeTime::kAtBoot};

  absl::Status Boot(PreludeBody body) {
    body_.Set(std::move(body));
    return body_.Run().status();
  }
  absl::StatusOr<bool> Need(PreludeNeed) { return false; }
  bool loaded() const { return body_.loaded(); }

 private:
  RunOnce body_;
};
static_assert(PreludeBackend<EagerPrelude>);

}  // namespace rubric

#endif  // RUBRIC_BACKENDS_PRELUDE_EAGER_EAGER_PRELUDE_H_
