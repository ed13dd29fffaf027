// Judge: a claim's statements against what was measured.
//
// USE        Judge(claim, calibration, comparison) once the claim's cells were run on its sides.
// INVARIANTS (1) Ours is compared with CRuby's own measured change where the calibration has one,
//                else with what was published.
//            (2) Same direction and size: differences within 5 % of each other, ratios within a
//                factor of 1.05. Same direction: both changes go the same way, or neither changes.
//                A ratio is no change within 4 % where either side is noisy (one binary against
//                itself varied by that much), or where our 95 % interval includes 1; an exact one
//                within 0.1 %.
//            (3) A statement whose cells failed, or lack the metric, is kNotMeasured and says why.
// SOURCE     The width of the noise: calibration.tsv's noise-control.
// TESTED BY  judge_test.cc.
#ifndef RUBRIC_EXPERIMENTS_CLAIM_JUDGE_H_
#define RUBRIC_EXPERIMENTS_CLAIM_JUDGE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "experiments/claim/calibration.h"
#include "experiments/claim/claim.h"
#include "reports/comparison/comparison.h"

namespace rubric {

enum class Verdict { kSameSize, kSameDirection, kNotReproduced, kNotMeasured };

// "same direction and size", "same direction", "not reproduced", "not measured".
std::string_view VerdictName(Verdict verdict);

struct Judged {
  Statement statement;
  std::string cell;                    // its label, "require --features=1000"
  std::optional<BeforeAfter> cruby;    // from the calibration
  std::optional<BeforeAfter> ours;     // medians where noisy
  bool exact = false;                  // ours
  std::optional<RatioEstimate> ratio;  // of ours; with an interval where noisy
  Verdict verdict = Verdict::kNotMeasured;
  // Where there are both, how ours stands to the published figure.
  std::optional<Verdict> published_verdict;
  std::string reason;  // of kNotMeasured

  bool agrees() const {
    return verdict == Verdict::kSameSize &&
           (!published_verdict || *published_verdict != Verdict::kNotReproduced);
  }
  // What ours is compared with.
  const BeforeAfter* reference() const {
    if (cruby) return &*cruby;
    return statement.published ? &*statement.published : nullptr;
  }
};

// The verdict over two changes that are both known. REQUIRES: as `ours` says, all figures > 0 for
// ratios.
Verdict VerdictOf(Comparing compare, const BeforeAfter& reference, const BeforeAfter& ours,
                  bool exact, const std::optional<RatioEstimate>& ratio);

// `labels`: a cell's label by the claim's name for it. An error is one of the claim's own data: a
// row that the calibration lacks.
absl::StatusOr<std::vector<Judged>> Judge(const Claim& claim, const OrderedMap<std::string>& labels,
                                          const Calibration& calibration,
                                          const Comparison& comparison);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_CLAIM_JUDGE_H_
