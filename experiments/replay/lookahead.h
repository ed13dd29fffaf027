// Lookahead: what the next mark of a workload will say, before replay gets there.
//
// USE        A second reader of the same source, one mark ahead of the first: what lives at the next
//            mark can grow towards it, and the garbage until there is known by type. Advance() at the
//            begin and after each mark.
// COST       Reads the file once more, but parses marks, allocations and evaluations alone.
// ERRORS     Those of WorkloadReader, and of PlanOf.
// TESTED BY  replay_test.cc.
#ifndef RUBRIC_EXPERIMENTS_REPLAY_LOOKAHEAD_H_
#define RUBRIC_EXPERIMENTS_REPLAY_LOOKAHEAD_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "experiments/replay/census_plan.h"
#include "experiments/workload/reader.h"

namespace rubric {

class Lookahead {
 public:
  static absl::StatusOr<Lookahead> Open(const WorkloadSource& source);

  absl::Status Advance();

  // Until the next mark, or, where there is none, the end. Its names are ids that the first reader
  // may not know yet.
  bool has_mark() const { return has_mark_; }
  const CensusPlan& plan() const { return plan_; }        // empty without a mark
  std::uint64_t allocated() const { return allocated_; }  // slots, since the last mark
  std::uint64_t evaluated() const { return evaluated_; }  // literals

 private:
  explicit Lookahead(WorkloadReader reader) : reader_(std::move(reader)) {}

  WorkloadReader reader_;
  CensusPlan plan_;
  bool has_mark_ = false;
  bool ended_ = false;
  std::uint64_t allocated_ = 0;
  std::uint64_t evaluated_ = 0;
};

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_REPLAY_LOOKAHEAD_H_
