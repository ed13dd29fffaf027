// ExpandPath: the absolute form of a path, by its letters alone.
//
// USE        ExpandPath("../a//b/./c.rb", "/x/y", out) makes out "/x/a/b/c.rb". The file system is
//            not asked: symbolic links stay, and the path need not exist.
// COST       O(path + directory); allocates only where `out` has to grow.
// SOURCE     Ruby's File.expand_path, without its '~'.
// TESTED BY  load_path_test.cc.
#ifndef RUBRIC_CORE_VM_EXPAND_PATH_H_
#define RUBRIC_CORE_VM_EXPAND_PATH_H_

#include <string_view>

#include "core/memory/counting_allocator.h"

namespace rubric {

// A path being put together, in memory that is counted and used again.
using PathBuffer = CountedString<Subsystem::kFeatures>;

// Makes `out` the absolute path of `path`, which is relative to `directory` unless it begins with
// '/': no empty component, no "." and no "..", no '/' at the end but that of the root.
// REQUIRES: directory is such a path itself; neither argument lies in `out`.
void ExpandPath(std::string_view path, std::string_view directory, PathBuffer& out);

inline bool IsAbsolutePath(std::string_view path) { return path.starts_with('/'); }

// True iff the path says where it starts: such a name is not looked for in the load path.
inline bool IsExplicitPath(std::string_view path) {
  return IsAbsolutePath(path) || path.starts_with("./") || path.starts_with("../");
}

}  // namespace rubric

#endif  // RUBRIC_CORE_VM_EXPAND_PATH_H_
