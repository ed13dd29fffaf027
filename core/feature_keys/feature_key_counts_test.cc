#include "core/feature_keys/feature_key_counts.h"

#include <gtest/gtest.h>

#include <string>

namespace rubric {
namespace {

constexpr FeatureKeysTraits kCopied = {.makes_strings = true, .allocates_per_key = true};
constexpr FeatureKeysTraits kShared = {.keeps_stems = true};
constexpr FeatureKeysTraits kHashed = {.keys_are_exact = false};

FeatureKeyCounts CountsOf(const std::string& path) {
  FeatureKeyCounts counts;
  counts.Add(path);
  return counts;
}

// What CRuby saved per required file of 7 slashes, counted: 22.0 calls by hash sums, 21.0 by shared
// keys.
TEST(FeatureKeyCounts, OfSevenSlashes) {
  const FeatureKeyCounts seven =
      CountsOf("/home/user/src/ruby/benchmark/require_folder/feature0001.rb");
  EXPECT_EQ(seven.keys, 16u);
  EXPECT_EQ(seven.copied_strings, 7u);  // "require_folder/feature0001" does not fit a slot
  const FeatureKeyCounts measured = CountsOf("/home/user/src/ruby/benchmark/required/feature01.rb");
  EXPECT_EQ(measured.copied_strings, 6u);
  EXPECT_EQ(measured.MallocsForKeys(kCopied), 22u);
  EXPECT_EQ(measured.MallocsForKeys(kShared), 1u);
  EXPECT_EQ(measured.MallocsForKeys(kHashed), 0u);
}

// Three slashes and a path that fits a slot: 8 calls, which both changes saved whole.
TEST(FeatureKeyCounts, OfThreeSlashes) {
  const FeatureKeyCounts counts = CountsOf("/tmp/data/feature1.rb");
  EXPECT_EQ(counts.keys, 8u);
  EXPECT_EQ(counts.strings, 7u);
  EXPECT_EQ(counts.MallocsForKeys(kCopied), 8u);
  EXPECT_EQ(counts.MallocsForKeys(kShared), 0u);
  EXPECT_EQ(counts.BytesForKeys(kHashed), 0u);
}

// A deep tree: 42.5 calls a file were counted where the path less its extension has 15 keys, of
// which 12 or 13 are over 23 bytes.
TEST(FeatureKeyCounts, OfADeepTree) {
  const std::string folder = "/tmp/boot/usr/lib/ruby/gems/2.6.0/gems/name/lib/name/";
  const FeatureKeyCounts shorter = CountsOf(folder + "part1/section1/file1.rb");
  EXPECT_EQ(shorter.MallocsForKeys(kCopied), 30u + 12);
  const FeatureKeyCounts longer = CountsOf(folder + "part12/section12/file123.rb");
  EXPECT_EQ(longer.MallocsForKeys(kCopied), 30u + 13);
  EXPECT_EQ(longer.MallocsForKeys(kShared), 1u);
}

TEST(FeatureKeyCounts, WithoutExtensionNothingIsCopiedButKeys) {
  const std::string path = "/usr/lib/ruby/vendor_ruby/a_feature_without_extension";
  const FeatureKeyCounts counts = CountsOf(path);
  EXPECT_EQ(counts.keys, 6u);
  EXPECT_EQ(counts.MallocsForKeys(kCopied), 6u);
  EXPECT_EQ(counts.MallocsForKeys(kShared), 0u);
}

TEST(FeatureKeyCounts, BytesHaveTheirNul) {
  const FeatureKeyCounts counts = CountsOf("/a.rb");
  EXPECT_EQ(counts.key_bytes, 4u + 1 + 5 + 2);
  EXPECT_EQ(counts.BytesForKeys(kCopied), 12u + 4);
}

}  // namespace
}  // namespace rubric
