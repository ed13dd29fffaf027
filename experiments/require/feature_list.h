// ReadFeatureList: the features of an application, one path a line, as `puts $LOADED_FEATURES`
// prints.
//
// LAYOUT     Lines end with LF or CRLF; the last needs no end. Paths are bytes: invalid UTF-8 and
//            lines of any length are fine. Empty lines are passed over. Duplicates are kept: Ruby's
//            own list has none, but a program may require a path again. A path is absolute and
//            expanded, or a name that does not start with a folder or a home to look in.
// COST       The file is held once, its lines once more.
// ERRORS     InvalidArgument or NotFound, with file and, where there is one, line: not a readable
//            regular file; no path in it; a NUL byte, which no path has; a path that Ruby would
//            have expanded: empty, "." or ".." between slashes, "./", "../" or "~" in front.
// TESTED BY  feature_list_test.cc.
#ifndef RUBRIC_EXPERIMENTS_REQUIRE_FEATURE_LIST_H_
#define RUBRIC_EXPERIMENTS_REQUIRE_FEATURE_LIST_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace rubric {

struct FeatureList {
  std::vector<std::string> features;  // in the file's order
};

absl::StatusOr<FeatureList> ReadFeatureList(const std::string& path);

// The same for bytes in memory; `name` stands for the file in errors.
absl::StatusOr<FeatureList> ParseFeatureList(std::string_view bytes, const std::string& name);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_REQUIRE_FEATURE_LIST_H_
