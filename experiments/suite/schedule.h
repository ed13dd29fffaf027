// The schedule: every process of a run, in the order in which they are started.
//
// USE        MakeSchedule draws the order once, from the seed; it is recorded with every process
//            (run.order) and is the same whenever the run is resumed.
// LAYOUT     The time pass first, round by round: a round has each cell with each variant once.
//            Cells come in random order; the variants of a cell come one right after the other, in
//            random order, so that a drift of the machine meets all of them alike. Then the
//            passes that are not timed, likewise, one round each.
// INVARIANTS (1) Each round of each pass has each (cell, variant) exactly once.
//            (2) steps[i].order == i.
//            (3) Depends on seed, pass and round alone: another C++ library, or more rounds,
//                changes nothing in the order within the rounds that both have.
// SOURCE     Random interleaving: T. Kalibera, R. Jones, "Rigorous benchmarking in reasonable
//            time", ISMM 2013; Google Benchmark, docs/random_interleaving.md. The generator: G.
//            Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA
//            2014.
// TESTED BY  schedule_test.cc.
#ifndef RUBRIC_EXPERIMENTS_SUITE_SCHEDULE_H_
#define RUBRIC_EXPERIMENTS_SUITE_SCHEDULE_H_

#include <cstdint>
#include <string>
#include <vector>

namespace rubric {

struct Step {
  int order = 0;     // position among all processes of the run
  std::string pass;  // kTimePass and its siblings in reports/results/record.h
  int round = 0;     // within the pass
  int cell = 0;      // index into the plan's cells
  int variant = 0;   // index into the plan's variants
};

// REQUIRES: cells, variants and rounds are not negative. [other_passes] get one round each.
std::vector<Step> MakeSchedule(int cells, int variants, int rounds,
                               const std::vector<std::string>& other_passes, std::uint64_t seed);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_SUITE_SCHEDULE_H_
