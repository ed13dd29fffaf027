// Probe: what a variant's program says of itself before anything is measured.
//
// USE        ProbeProgram runs `lab list --json` and `lab variant` in the same pinned surroundings
//            as every later process. CheckComparable then says what would make a comparison of the
//            programs worthless.
// TESTED BY  probe_test.cc, suite_end_to_end_test.cc.
#ifndef RUBRIC_EXPERIMENTS_SUITE_PROBE_H_
#define RUBRIC_EXPERIMENTS_SUITE_PROBE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "experiments/suite/catalog.h"
#include "experiments/suite/plan.h"
#include "reports/results/record.h"

namespace rubric {

struct Probed {
  Catalog catalog;
  BuildInfo build;      // fields are empty where the program does not say
  MachineInfo machine;  // as the program sees it, likewise
};

// Runs [binary] for what it says. An error says how the program ended.
absl::StatusOr<Probed> ProbeProgram(const std::string& binary,
                                    const std::string& working_directory);

// Why the programs of [variants] must not be compared, one sentence each; empty if nothing is
// wrong: two variants with the same bytes, a build that is not optimized, a sanitizer, compilers,
// modes or allocators that differ. A variant whose build is not known passes. The control is the
// baseline's program on purpose and is passed over.
std::vector<std::string> CheckComparable(const std::vector<VariantSpec>& variants);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_SUITE_PROBE_H_
