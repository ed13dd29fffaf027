// Claim: a discussion's statements, each with what it takes to check it.
//
// USE        ReadClaim("data/14460.json"). A claim is one file: adding one takes no code.
// LAYOUT     data/README.md has every field.
// INVARIANTS (1) Every statement's cell is one of the claim's.
//            (2) A statement has a published figure or a calibrated one, or both.
// ERRORS     InvalidArgument: file, and the field by its path (statements[3].compare).
// TESTED BY  claim_test.cc.
#ifndef RUBRIC_EXPERIMENTS_CLAIM_CLAIM_H_
#define RUBRIC_EXPERIMENTS_CLAIM_CLAIM_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "experiments/suite/suites.h"
#include "reports/results/record.h"

namespace rubric {

// How a change is told, and so what two of them must agree in.
enum class Comparing {
  kDifference,  // after - before: calls, bytes
  kRatio,       // after / before: times, and whole processes
};

// Two figures as somebody gave them.
struct BeforeAfter {
  double before = 0;
  double after = 0;
  std::string unit;
  std::string note;  // under what circumstances; may be empty
};

// A row of the calibration.
struct CalibrationKey {
  std::string change;
  std::string experiment;
  std::string metric;
  bool without_pages = false;  // bytes: less those of the pages of slots (its `memalign` row)
};

struct Statement {
  std::string says;  // one sentence
  std::optional<BeforeAfter> published;
  std::optional<CalibrationKey> calibrated;
  std::string cell;    // a name in Claim::cells
  std::string metric;  // of a record; "features:malloc_calls" is one subsystem's; a+b is a sum of
                       // exact ones, a/b a quotient by an exact one
  Choices before;      // axis -> backend, where not the default
  Choices after;
  Comparing compare = Comparing::kDifference;
  std::string why;  // what is known about a verdict other than full agreement; may be empty
};

struct ClaimCell {
  std::string name;
  SuiteCell cell;
};

struct Claim {
  std::string id;     // "14460"
  std::string title;  // one line
  int rounds = 0;     // processes of a cell and variant
  std::vector<ClaimCell> cells;
  std::vector<Statement> statements;
  // What the graph of live bytes is drawn of; empty where there is none.
  std::string graph_cell;
};

absl::StatusOr<Claim> ReadClaim(const std::string& file);

// `choices` as a variant is called: "ivars=index", "baseline".
std::string SideName(const Choices& choices);

// Every side of every statement, by name, each once, "baseline" first.
std::vector<std::string> SidesOf(const Claim& claim);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_CLAIM_CLAIM_H_
