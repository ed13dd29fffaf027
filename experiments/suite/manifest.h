// Manifest: the variants' programs that this build of the suite has, from //experiments:manifest.
//
// USE        ReadManifest(file, root). [root] is the runfiles folder that `binary` is relative to.
// LAYOUT     [{"name": "interning=khash", "axes": {"interning": "khash"}, "binary": "rubric/lab"}]
// INVARIANTS Names are distinct; there is at least one entry; every entry has the same axes.
// TESTED BY  manifest_test.cc.
#ifndef RUBRIC_EXPERIMENTS_SUITE_MANIFEST_H_
#define RUBRIC_EXPERIMENTS_SUITE_MANIFEST_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "reports/results/record.h"

namespace rubric {

struct ManifestEntry {
  std::string name;    // the variant's name
  Choices axes;        // axis -> backend, in axis order
  std::string binary;  // absolute path
};

absl::StatusOr<std::vector<ManifestEntry>> ReadManifest(const std::string& file,
                                                        const std::string& root);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_SUITE_MANIFEST_H_
