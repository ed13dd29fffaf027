// Paths for tests: those that are easily got wrong, random ones that have many keys in common, and
// generated ones that have none.
#ifndef RUBRIC_CORE_FEATURE_KEYS_FEATURE_TEST_PATHS_H_
#define RUBRIC_CORE_FEATURE_KEYS_FEATURE_TEST_PATHS_H_

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

namespace rubric {

inline std::vector<std::string> HostilePaths() {
  return {
      // No slash, one, at the end, doubled, alone.
      "enumerator.so", "thread.rb", "set", "/set.rb", "set/", "/set/", "//set.rb", "a//b.rb",
      "a///b.so", "/", "//", "",
      // Dots in every place that they can be in.
      ".", "..", "...", "/.", "/..", "../a.rb", "./a.rb", "/a/../b.rb", "/a/./b.rb", ".rb", "/.rb",
      "a/.rb", "a/.rb/", "/a.b/c", "/a.b/c.d", "/a.b/c.d/", "a.", "/a/b.", "a..rb", "/a/b..",
      // More than one extension, unknown ones, upper case.
      "/lib/a.tar.gz", "/lib/a.rb.so", "/lib/a.so.rb", "/lib/A.RB", "/lib/a.o", "/lib/a.dylib",
      // Lengths on both sides of what a slot holds: 22, 23, 24 bytes, with and without extension.
      "/usr/lib/ruby/abcdefgh", "/usr/lib/ruby/abcdefghi", "/usr/lib/ruby/abcdefghij",
      "/usr/lib/ruby/abcdefgh.rb", "/usr/lib/ruby/abcdefghi.rb", "/usr/lib/ruby/abcdefghij.rb",
      // Paths are bytes.
      "/lib/\xff\xfe.rb", "/\xc3(/\xe2\x82.so", "/lib/a b.rb", "/lib/a\nb.rb", "/lib/\x01\x7f.rb",
      "\xed\xa0\x80/\xf0\x9f", "/lib/\xe2\x82\xac.rb", "/lib/+*?[]\\.rb",
      // Long: one component, and many.
      "/" + std::string(10'000, 'x') + ".rb",
      [] {
        std::string deep;
        for (int i = 0; i < 500; ++i) deep += "/d" + std::to_string(i % 7);
        return deep + "/deep.rb";
      }(),
      std::string(300, '/') + "slashes.so",
      // Periodic, so that suffixes look like each other.
      "a/a/a/a/a/a", "a.a/a.a/a.a", "/ab/ab/ab/ab.ab", ".a/.a/.a/.a", "x.rb/x.rb/x.rb/x.rb"};
}

// A path of few letters: another one is likely to have a key in common with it.
template <typename Rng>
std::string RandomPath(Rng& rng) {
  static constexpr const char* kPieces[] = {"/",   "/",    "/",   "a",   "b",
                                            "lib", ".",    "..",  ".rb", ".so",
                                            ".o",  "\xff", "set", "x.y", "version"};
  std::string path = rng() % 2 == 0 ? "/" : "";
  const std::size_t pieces = rng() % 8;
  for (std::size_t i = 0; i < pieces; ++i) path += kPieces[rng() % std::size(kPieces)];
  if (rng() % 256 == 0) path += std::string(rng() % 200, 'l');
  if (rng() % 2 == 0) path += rng() % 2 == 0 ? ".rb" : ".so";
  return path;
}

// The n-th of any number of paths that have no key in common, but for the empty one where the path
// ends with a '/'. `slashes` of them, of which the first begins it; "/c1/c2/…/f000000.rb".
inline std::string DistinctPath(std::size_t n, std::size_t slashes, const std::string& extension) {
  std::string path;
  for (std::size_t i = 1; i < slashes; ++i) path += "/folder" + std::to_string(i);
  char name[32];
  std::snprintf(name, sizeof(name), "%sfeature%06zu", slashes == 0 ? "" : "/", n);
  return path + name + extension;
}

}  // namespace rubric

#endif  // RUBRIC_CORE_FEATURE_KEYS_FEATURE_TEST_PATHS_H_
