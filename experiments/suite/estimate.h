// Estimate: how long what is left of a run will take.
//
// USE        Made from the plan's own guesses (CellSpec::expected_s); every finished process makes
//            it better. --dry_run prints it before the first one.
// LAYOUT     One mean a cell and pass. Where a cell has not run yet in a pass, its guess is scaled
//            by how far the guesses were off so far in that pass.
// COST       SecondsOf O(log passes), without allocation.
// TESTED BY  estimate_test.cc.
#ifndef RUBRIC_EXPERIMENTS_SUITE_ESTIMATE_H_
#define RUBRIC_EXPERIMENTS_SUITE_ESTIMATE_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/suite/plan.h"
#include "experiments/suite/schedule.h"

namespace rubric {

// How much longer a process takes in [pass] than in the time pass: measured on the quick suite, and
// rounded.
double PassFactor(std::string_view pass);

class Estimate {
 public:
  explicit Estimate(const Plan& plan);

  // A process of [step] took [seconds].
  void Observe(const Step& step, double seconds);

  // What [step] will take, seconds.
  double SecondsOf(const Step& step) const;

 private:
  struct Seen {
    double seconds = 0;
    double guessed = 0;  // what had been guessed for the same processes
    int processes = 0;
  };
  double Guess(const Step& step) const;

  std::vector<double> expected_s_;                               // a cell
  std::map<std::string, std::vector<Seen>, std::less<>> cells_;  // pass -> a cell
  std::map<std::string, Seen, std::less<>> passes_;
};

// "45 s", "2 min 05 s", "1 h 10 min".
std::string DurationText(double seconds);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_SUITE_ESTIMATE_H_
