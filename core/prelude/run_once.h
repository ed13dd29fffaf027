// RunOnce: a prelude's body that is run at most once, whatever it asks for itself.
//
// USE        For backends: Set(body), then Run() at the moment that the backend is about.
// INVARIANTS The body is let go of before it runs, so a Run() out of it finds none.
// TESTED BY  prelude_conformance.h.
#ifndef RUBRIC_CORE_PRELUDE_RUN_ONCE_H_
#define RUBRIC_CORE_PRELUDE_RUN_ONCE_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/prelude/prelude.h"

namespace rubric {

class RunOnce {
 public:
  void Set(PreludeBody body) { body_ = std::move(body); }

  // True iff the body ran now.
  absl::StatusOr<bool> Run() {
    if (!body_) return false;
    const PreludeBody body = std::exchange(body_, nullptr);
    if (absl::Status status = body(); !status.ok()) return status;
    loaded_ = true;
    return true;
  }

  bool loaded() const { return loaded_; }

 private:
  PreludeBody body_;
  bool loaded_ = false;
};

}  // namespace rubric

#endif  // RUBRIC_CORE_PRELUDE_RUN_ONCE_H_
