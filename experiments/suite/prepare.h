// Prepare: from options to a plan that can be run.
//
// USE        Locate() finds the build's manifest and programs; PreparePlan() chooses variants and
//            the cells of a suite, opens and hashes the programs, asks them what they are, and
//            refuses what cannot be compared. Nothing is written.
// COST       Two short processes and one hash of the program a variant.
// TESTED BY  suite_end_to_end_test.cc.
#ifndef RUBRIC_EXPERIMENTS_SUITE_PREPARE_H_
#define RUBRIC_EXPERIMENTS_SUITE_PREPARE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "experiments/suite/command.h"
#include "experiments/suite/manifest.h"
#include "experiments/suite/options.h"
#include "experiments/suite/plan.h"
#include "experiments/suite/probe.h"
#include "experiments/suite/suites.h"

namespace rubric {

// What this build of the suite brings along.
struct Bundle {
  std::string matrix;             // the matrix that it was built for
  std::string working_directory;  // that workload files are relative to
  std::vector<ManifestEntry> variants;
};

// Where a program's runfiles keep its variants, relative to the runfiles folder.
struct BundleFiles {
  std::string manifest;
  std::string matrix;  // a text file with the matrix's name
};
BundleFiles SuiteFiles();

// From the runfiles of this program, or, with --manifest, from that file's folder.
absl::StatusOr<Bundle> Locate(const Options& options, const BundleFiles& files);

struct Prepared {
  Plan plan;
  Place place;  // its results_folder is still empty
  MachineInfo machine;
  std::vector<std::string> warnings;  // one sentence each
};

absl::StatusOr<Prepared> PreparePlan(const Options& options, const Bundle& bundle,
                                     const Suite& suite);

// The first program of [entries] that answers, and what the others failed with.
absl::StatusOr<Probed> ProbeAny(const std::vector<ManifestEntry>& entries,
                                const std::string& working_directory);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_SUITE_PREPARE_H_
