// The prelude axis: when the VM loads what comes before the program.
//
// USE        A VM has a backend object. Before the program runs, Boot(body) gives it the prelude: a
//            function that loads it into the VM. Need(what) is for the two moments at which a
//            program may find that the prelude is not there.
//              Boot(body)       the VM is about to run the program
//              Need(kMissed)    a `require` found no file
//              Need(kMention)   the program names a constant of the prelude's (Gem)
//              loaded()         whether the body has run to its end without an error
// COST       Boot and Need: a branch or two, beside the body.
// INVARIANTS Every backend keeps these; prelude_conformance.h tests them by number.
//            (1) The body runs at most once: in Boot where kTraits.when is kAtBoot, in the first
//                Need where it is kAtNeed, and not at all where it is kNever.
//            (2) Need gives true iff it was this call that ran the body: then the `require` is worth
//                asking again.
//            (3) A Need out of the body itself gives false: the prelude's own misses are misses.
//            (4) What the body fails with is handed on, once; loaded() stays false, and the body is
//                not tried again.
//            (5) Without Boot there is no prelude: Need gives false.
// SOURCE     Ruby #4962 and its change of RubyGems (r32429), which delays the work to the first need
//            of it; `--disable-gems`.
// TESTED BY  prelude_conformance.h over each backend.
#ifndef RUBRIC_CORE_PRELUDE_PRELUDE_H_
#define RUBRIC_CORE_PRELUDE_PRELUDE_H_

#include <concepts>
#include <functional>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace rubric {

enum class PreludeTime { kAtBoot, kAtNeed, kNever };
enum class PreludeNeed { kMissed, kMention };

struct PreludeTraits {
  PreludeTime when = PreludeTime::kNever;
};

// Loads the prelude into the VM that it was made for, and keeps alive what it makes.
using PreludeBody = std::function<absl::Status()>;

template <typename B>
concept PreludeBackend = std::default_initializable<B> &&
    requires(B prelude, const B& constant, PreludeBody body, PreludeNeed need) {
  { B::kName } -> std::convertible_to<std::string_view>;
  { B::kTraits } -> std::same_as<const PreludeTraits&>;
  { prelude.Boot(std::move(body)) } -> std::same_as<absl::Status>;
  { prelude.Need(need) } -> std::same_as<absl::StatusOr<bool>>;
  { constant.loaded() } -> std::same_as<bool>;
};

}  // namespace rubric

#endif  // RUBRIC_CORE_PRELUDE_PRELUDE_H_
