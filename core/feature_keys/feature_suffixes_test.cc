#include "core/feature_keys/feature_suffixes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "core/feature_keys/feature_keys_oracle.h"
#include "core/feature_keys/feature_test_paths.h"

namespace rubric {
namespace {

using Keys = std::vector<std::string>;

Keys KeysOf(const std::string& path) {
  Keys keys;
  ForEachKey(path, [&](std::size_t from, std::size_t length) {
    keys.push_back(path.substr(from, length));
  });
  return keys;
}

TEST(FeatureSuffixes, AreVisitedInTheOrderOfRuby) {
  EXPECT_EQ(KeysOf("/a/b/c.rb"),
            (Keys{"c.rb", "c", "b/c.rb", "b/c", "a/b/c.rb", "a/b/c", "/a/b/c.rb", "/a/b/c"}));
  EXPECT_EQ(KeysOf("enumerator.so"), (Keys{"enumerator.so", "enumerator"}));
  EXPECT_EQ(KeysOf("/bin/set"), (Keys{"set", "bin/set", "/bin/set"}));
}

TEST(FeatureSuffixes, AtTheEdges) {
  EXPECT_EQ(KeysOf(""), Keys{""});
  EXPECT_EQ(KeysOf("/"), (Keys{"", "/"}));
  EXPECT_EQ(KeysOf("a/"), (Keys{"", "a/"}));
  EXPECT_EQ(KeysOf("a//b"), (Keys{"b", "/b", "a//b"}));
  EXPECT_EQ(KeysOf(".rb"), (Keys{".rb", ""}));
  EXPECT_EQ(KeysOf("/.rb"), (Keys{".rb", "", "/.rb", "/"}));
  EXPECT_EQ(KeysOf("a."), (Keys{"a.", "a"}));
  EXPECT_EQ(KeysOf("a.b/c"), (Keys{"c", "a.b/c"}));
  EXPECT_EQ(KeysOf("a.tar.gz"), (Keys{"a.tar.gz", "a.tar"}));
}

TEST(FeatureSuffixes, StemsEndWhereTheExtensionBegins) {
  EXPECT_EQ(StemLength("/a/b.rb"), 4u);
  EXPECT_EQ(StemLength("/a.b/c"), 6u);
  EXPECT_EQ(StemLength("/a/.rb"), 3u);
  EXPECT_EQ(StemLength("a.b."), 3u);
  EXPECT_EQ(StemLength(""), 0u);
}

// The oracle, IsKeyOf and ForEachKey agree; and no path has one key twice.
TEST(FeatureSuffixes, AgreeWithTheOracle) {
  std::mt19937 rng(20260131);
  std::vector<std::string> paths = HostilePaths();
  for (int i = 0; i < 20'000; ++i) paths.push_back(RandomPath(rng));
  for (const std::string& path : paths) {
    const Keys keys = KeysOf(path);
    const std::set<std::string> expected = FeatureKeysOracle::KeysOf(path);
    ASSERT_EQ(std::set<std::string>(keys.begin(), keys.end()), expected) << path;
    ASSERT_EQ(keys.size(), expected.size()) << path;
    if (path.size() > 1'000) continue;
    // Every part of the path that is a key by IsKeyOf is one.
    for (std::size_t from = 0; from <= path.size(); ++from) {
      for (std::size_t length : {path.size() - from, std::min(StemLength(path), path.size()) - from,
                                 (path.size() - from) / 2}) {
        const std::string part = path.substr(from, length);
        ASSERT_EQ(IsKeyOf(path, part), expected.contains(part)) << path << " and " << part;
      }
    }
  }
}

}  // namespace
}  // namespace rubric
