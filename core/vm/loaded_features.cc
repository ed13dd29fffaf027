#include "core/vm/loaded_features.h"

#include <string>

#include "absl/strings/str_cat.h"

namespace rubric {

absl::Status CheckFeatureName(std::string_view name) {
  if (name.empty()) {
    return absl::InvalidArgumentError(
        "the name of a feature is empty; give a path or a name to look for in the load path");
  }
  const std::size_t nul = name.find('\0');
  if (nul != std::string_view::npos) {
    return absl::InvalidArgumentError(
        absl::StrCat("the name of a feature has a NUL byte at offset ", nul, " of ", name.size(),
                     "; a path is bytes without NUL"));
  }
  return absl::OkStatus();
}

}  // namespace rubric
