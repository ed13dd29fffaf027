#include "core/vm/expand_path.h"

#include <algorithm>
#include <cstddef>

#include "core/base/check.h"

namespace rubric {

void ExpandPath(std::string_view path, std::string_view directory, PathBuffer& out) {
  RUBRIC_DCHECK(IsAbsolutePath(directory));
  out.clear();
  // `out` is without the '/' of the root until the end.
  if (!IsAbsolutePath(path) && directory != "/") out.append(directory);
  while (!path.empty()) {
    const std::size_t length = std::min(path.find('/'), path.size());
    const std::string_view component = path.substr(0, length);
    path.remove_prefix(std::min(length + 1, path.size()));
    if (component.empty() || component == ".") continue;
    if (component == "..") {
      if (!out.empty()) out.resize(out.rfind('/'));
      continue;
    }
    out.push_back('/');
    out.append(component);
  }
  if (out.empty()) out.push_back('/');
}

}  // namespace rubric
