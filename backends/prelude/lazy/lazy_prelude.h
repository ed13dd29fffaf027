// LazyPrelude: the prelude is loaded when the program first needs it.
//
// COST       Nothing until a `require` finds no file or the program names Gem; then what eager costs.
// SOURCE     Ruby #4962: r32429 delays what RubyGems does at its start to the first call for it.
// TESTED BY  lazy_prelude_test.cc with prelude_conformance.h.
#ifndef RUBRIC_BACKENDS_PRELUDE_LAZY_LAZY_PRELUDE_H_
#define RUBRIC_BACKENDS_PRELUDE_LAZY_LAZY_PRELUDE_H_

#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/prelude/prelude.h"
#include "core/prelude/run_once.h"

namespace rubric {

class LazyPrelude {
 public:
  static constexpr std::string_view kName = "lazy";
  static constexpr PreludeTraits kTraits = {.when = PreludeTime::kAtNeed};

  absl::Status Boot(PreludeBody body) {
    body_.Set(std::move(body));
    return absl::OkStatus();
  }
  absl::StatusOr<bool> Need(PreludeNeed) { return body_.Run(); }
  bool loaded() const { return body_.loaded(); }

 private:
  RunOnce body_;
};
static_assert(PreludeBackend<LazyPrelude>);

}  // namespace rubric

#endif  // RUBRIC_BACKENDS_PRELUDE_LAZY_LAZY_PRELUDE_H_
