#include "experiments/suite/source_tree.h"

#include <cstdlib>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "experiments/suite/files.h"
#include "experiments/suite/process.h"

namespace rubric {
namespace {

std::optional<std::string> Git(const std::string& git, const std::string& folder,
                               std::vector<std::string> arguments) {
  ProcessSpec spec;
  spec.program = git;
  // The tree may belong to another user than the one who measures; it is only read.
  spec.arguments = {"git", "-c", "safe.directory=*", "-C", folder};
  for (std::string& argument : arguments) spec.arguments.push_back(std::move(argument));
  spec.environment = {"LC_ALL=C", "PATH=/usr/bin:/bin", "GIT_OPTIONAL_LOCKS=0"};
  spec.aslr_off = false;
  spec.timeout_s = 30;
  ProcessOutcome outcome = RunProcess(spec);
  if (outcome.end != ProcessEnd::kExited || outcome.exit_status != 0) return std::nullopt;
  absl::StripAsciiWhitespace(&outcome.standard_output);
  return std::move(outcome.standard_output);
}

}  // namespace

std::string Workspace() {
  const char* workspace = getenv("BUILD_WORKSPACE_DIRECTORY");
  return workspace == nullptr ? "" : workspace;
}

SourceTree ReadSourceTree(const std::string& folder) {
  SourceTree tree;
  const std::optional<std::string> git = FindProgram("git");
  if (folder.empty() || !git) return tree;
  const std::optional<std::string> commit = Git(*git, folder, {"rev-parse", "--verify", "HEAD"});
  if (!commit) return tree;
  tree.commit = *commit;
  const std::optional<std::string> changes = Git(*git, folder, {"status", "--porcelain"});
  if (changes) tree.dirty = !changes->empty();
  return tree;
}

}  // namespace rubric
