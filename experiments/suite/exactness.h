// ExactFigures: holds the exact figures of a cell's processes against each other.
//
// USE        The runner passes every good record through Check() in the order of the schedule. What
//            an exact metric says is a property of the program and the cell; where two processes
//            disagree, the experiment is not deterministic or the accounting is wrong, and no
//            figure of that cell may be used. It is an error, not noise.
// LAYOUT     One reference a cell and program: the first record's figures. The A/A control runs the
//            baseline's program, so the two are held against each other as well.
// INVARIANTS A metric that only some processes report (those of one pass) is compared among them.
// COST       O(metrics + subsystems) a record.
// TESTED BY  exactness_test.cc.
#ifndef RUBRIC_EXPERIMENTS_SUITE_EXACTNESS_H_
#define RUBRIC_EXPERIMENTS_SUITE_EXACTNESS_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "reports/results/record.h"

namespace rubric {

class ExactFigures {
 public:
  // Empty if [record] agrees with what was seen of its cell and program so far, else one sentence
  // with the figures that differ. Uses record.run.order, record.run.pass,
  // record.build.binary_sha256.
  std::string Check(const Record& record);

 private:
  struct Figure {
    double value = 0;
    std::int64_t order = 0;  // of the process that it comes from
  };
  using Figures = std::map<std::string, Figure>;
  std::map<std::pair<std::string, std::string>, Figures> references_;  // (cell key, binary) ->
};

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_SUITE_EXACTNESS_H_
