#include "experiments/require/feature_list.h"

#include <fstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Error(std::string_view bytes) {
  const auto list = ParseFeatureList(bytes, "my.features");
  EXPECT_FALSE(list.ok());
  return std::string(list.status().message());
}

TEST(FeatureListTest, TakesEitherLineEndAndKeepsOrderAndDuplicates) {
  const auto list = ParseFeatureList("/a.rb\r\nthread.rb\n\n/b.so\n/a.rb", "x");
  ASSERT_TRUE(list.ok());
  EXPECT_THAT(list->features, ElementsAre("/a.rb", "thread.rb", "/b.so", "/a.rb"));
}

TEST(FeatureListTest, PathsAreBytesOfAnyLength) {
  const std::string odd = "/\xff\xc0\x80/" + std::string(10'000, 'x') + "\r.rb";
  const auto list = ParseFeatureList(odd + "\n", "x");
  ASSERT_TRUE(list.ok());
  EXPECT_THAT(list->features, ElementsAre(odd));
}

TEST(FeatureListTest, NamesFileLineAndRemedy) {
  using namespace std::string_view_literals;
  EXPECT_THAT(Error("/a.rb\n\n/b\0.rb\n"sv), HasSubstr("my.features:3: NUL byte at column 3"));
  for (const char* empty : {"", "\n", "\r\n\r\n"}) {
    EXPECT_THAT(Error(empty), HasSubstr("my.features: no features"));
    EXPECT_THAT(Error(empty), HasSubstr("puts $LOADED_FEATURES"));
  }
}

TEST(FeatureListTest, RefusesPathsThatRubyWouldHaveExpanded) {
  for (const char* bad : {"./x", "../x", "~", "~/x.rb", "~me/x.rb", ".", "..", "/", "//", "//x.rb",
                          "/x/", "/a//b.rb", "/a/../b.rb", "/./b.rb", "/a/b/.", "/a/.."}) {
    SCOPED_TRACE(bad);
    EXPECT_THAT(Error(std::string("/ok.rb\n\n") + bad + "\n"), HasSubstr("my.features:3: "));
    EXPECT_THAT(Error(std::string("/ok.rb\n\n") + bad + "\n"),
                HasSubstr("expected an expanded path"));
  }
  for (const char* good : {"/...", "/.hidden/x.rb", "/a/..b", "...", ".hidden.rb", "thread.rb",
                           "/a~b/~c.rb", "enc/encdb.so", "a"}) {
    EXPECT_TRUE(ParseFeatureList(good, "x").ok()) << good;
  }
}

TEST(FeatureListTest, UnreadableFilesAreErrors) {
  const auto missing = ReadFeatureList("/no/such/list");
  EXPECT_THAT(std::string(missing.status().message()), HasSubstr("/no/such/list: No such file"));
  const auto folder = ReadFeatureList(::testing::TempDir());
  EXPECT_THAT(std::string(folder.status().message()), HasSubstr("is a folder"));
  const std::string path = ::testing::TempDir() + "/list.features";
  std::ofstream(path) << "/a.rb\n";
  ASSERT_TRUE(ReadFeatureList(path).ok());
  std::ofstream(path, std::ios::trunc).close();
  EXPECT_FALSE(ReadFeatureList(path).ok());
}

}  // namespace
}  // namespace rubric
