// The source tree that a build came from, as git sees it.
//
// USE        Recorded with every process, so that figures can be traced to a commit.
// TESTED BY  source_tree_test.cc.
#ifndef RUBRIC_EXPERIMENTS_SUITE_SOURCE_TREE_H_
#define RUBRIC_EXPERIMENTS_SUITE_SOURCE_TREE_H_

#include <optional>
#include <string>

namespace rubric {

struct SourceTree {
  std::string commit;         // 40 hex digits; empty where it is not known
  std::optional<bool> dirty;  // it has changes that no commit has
};

// The checkout that `bazel run` was called in; empty outside of it.
std::string Workspace();

// Asks git about [folder]. Nothing is known where there is no git, no repository or no commit.
SourceTree ReadSourceTree(const std::string& folder);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_SUITE_SOURCE_TREE_H_
