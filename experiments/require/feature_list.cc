#include "experiments/require/feature_list.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace rubric {
namespace {

constexpr char kHowToMakeOne[] = "make one with: ruby -e 'puts $LOADED_FEATURES' > my.features";

// What keeps [path] from being one that Ruby lists; empty if nothing does. Ruby expands the paths
// of what it loads; what has none was built in, and is a bare name.
std::string WhyUnlisted(std::string_view path) {
  if (!path.starts_with('/')) {
    const bool unexpanded = path == "." || path == ".." || path.starts_with("./") ||
                            path.starts_with("../") || path.starts_with('~');
    return unexpanded ? "a path that is relative to something" : "";
  }
  std::string_view rest = path.substr(1);
  while (true) {
    const std::size_t slash = rest.find('/');
    const std::string_view component = rest.substr(0, slash);
    if (component.empty()) return "an empty component";
    if (component == "." || component == "..")
      return absl::StrCat("the component '", std::string(component), "'");
    if (slash == std::string_view::npos) return "";
    rest.remove_prefix(slash + 1);
  }
}

}  // namespace

absl::StatusOr<FeatureList> ParseFeatureList(std::string_view bytes, const std::string& name) {
  FeatureList list;
  std::size_t line_number = 0;
  while (!bytes.empty()) {
    ++line_number;
    const std::size_t end = bytes.find('\n');
    std::string_view line = bytes.substr(0, end);
    bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    if (const std::size_t nul = line.find('\0'); nul != std::string_view::npos) {
      return absl::InvalidArgumentError(
          absl::StrCat(name, ":", line_number, ": NUL byte at column ", nul + 1,
                       "; expected a path, which has none; ", kHowToMakeOne));
    }
    if (const std::string why = WhyUnlisted(line); !why.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(
          name, ":", line_number, ": ", why,
          "; expected an expanded path (/a/b.rb) or a bare name (thread.rb); ", kHowToMakeOne));
    }
    list.features.emplace_back(line);
  }
  if (list.features.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(name, ": no features in it; expected one path a line; ", kHowToMakeOne));
  }
  return list;
}

absl::StatusOr<FeatureList> ReadFeatureList(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) {
    return absl::NotFoundError(absl::StrCat(path, ": ", std::strerror(errno),
                                            "; expected a feature list; ", kHowToMakeOne));
  }
  if (S_ISDIR(info.st_mode)) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": is a folder; expected a feature list; ", kHowToMakeOne));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": could not be read: ", std::strerror(errno)));
  }
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return ParseFeatureList(bytes.str(), path);
}

}  // namespace rubric
