// The keys of a feature: which suffixes of a path name it.
//
// USE        ForEachKey(path, visit) enumerates the keys that an index must have for a feature;
//            IsKeyOf(path, key) says whether `key` is one of them, for an index that stores only
//            hash sums.
// LAYOUT     A path is directory, stem and extension: "/a/b.c/d.tar.gz" has the extension ".gz",
//            "/a/b.c/d" none, "/a/.rb" the extension ".rb" and an empty last component. The keys of
//            one path are all distinct.
// COST       ForEachKey O(path) and no allocation; IsKeyOf O(key).
// SOURCE     features_index_add in CRuby's load.c, by what it does.
// TESTED BY  feature_suffixes_test.cc.
#ifndef RUBRIC_CORE_FEATURE_KEYS_FEATURE_SUFFIXES_H_
#define RUBRIC_CORE_FEATURE_KEYS_FEATURE_SUFFIXES_H_

#include <cstddef>
#include <string_view>

namespace rubric {

// Where the extension begins, which is what follows the last '.' of the last component, the dot
// included; path.size() iff there is none.
inline std::size_t StemLength(std::string_view path) {
  const std::size_t at = path.find_last_of("./");
  return at == std::string_view::npos || path[at] == '/' ? path.size() : at;
}

// Calls visit(from, length) for each key path[from, from + length), in the order in which CRuby
// adds them: the shortest first, each with its extension and then without.
template <typename Visit>
void ForEachKey(std::string_view path, Visit visit) {
  const std::size_t stem = StemLength(path);
  const auto visit_both = [&](std::size_t from) {
    visit(from, path.size() - from);
    if (stem < path.size()) visit(from, stem - from);
  };
  for (std::size_t at = stem; at-- > 0;) {
    if (path[at] == '/') visit_both(at + 1);
  }
  visit_both(0);
}

// True iff ForEachKey(path, …) visits a key equal to `key`.
inline bool IsKeyOf(std::string_view path, std::string_view key) {
  const auto ends_with_key = [&](std::string_view whole) {
    return whole.size() >= key.size() && whole.substr(whole.size() - key.size()) == key &&
           (whole.size() == key.size() || whole[whole.size() - key.size() - 1] == '/');
  };
  const std::size_t stem = StemLength(path);
  return ends_with_key(path) || (stem < path.size() && ends_with_key(path.substr(0, stem)));
}

}  // namespace rubric

#endif  // RUBRIC_CORE_FEATURE_KEYS_FEATURE_SUFFIXES_H_
