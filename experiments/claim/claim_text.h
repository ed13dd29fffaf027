// A judged claim as people and programs read it: terminal, Markdown, JSON.
//
// INVARIANTS (1) All three show the same figures: published, CRuby's own, ours, and the verdict.
//            (2) Why a verdict is less than full agreement is shown with it.
// TESTED BY  claim_text_test.cc.
#ifndef RUBRIC_EXPERIMENTS_CLAIM_CLAIM_TEXT_H_
#define RUBRIC_EXPERIMENTS_CLAIM_CLAIM_TEXT_H_

#include <string>
#include <vector>

#include "experiments/claim/claim.h"
#include "experiments/claim/judge.h"

namespace rubric {

std::string ClaimTerminal(const Claim& claim, const std::vector<Judged>& judged);
std::string ClaimMarkdown(const Claim& claim, const std::vector<Judged>& judged);

// One object with an array of statements; a newline at the end. Fields: README.md.
std::string ClaimJson(const Claim& claim, const std::vector<Judged>& judged);

// "12 statements: 9 same direction and size, 2 same direction, 1 not reproduced".
std::string CountVerdicts(const std::vector<Judged>& judged);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_CLAIM_CLAIM_TEXT_H_
