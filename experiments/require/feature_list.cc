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
