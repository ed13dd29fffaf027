#include "core/vm/load_path.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "core/feature_keys/feature_world.h"
#include "core/object/array_mutation.h"
#include "core/object/string.h"

namespace rubric {
namespace {

std::string Expanded(std::string_view path, std::string_view directory) {
  PathBuffer out;
  ExpandPath(path, directory, out);
  return std::string(out);
}

TEST(ExpandPath, ByLettersAlone) {
  EXPECT_EQ(Expanded("a.rb", "/x/y"), "/x/y/a.rb");
  EXPECT_EQ(Expanded("../a//b/./c.rb", "/x/y"), "/x/a/b/c.rb");
  EXPECT_EQ(Expanded("/a/b/", "/x"), "/a/b");
  EXPECT_EQ(Expanded("a", "/"), "/a");
  EXPECT_EQ(Expanded("", "/x"), "/x");
  EXPECT_EQ(Expanded("", "/"), "/");
  EXPECT_EQ(Expanded("..", "/"), "/");
  EXPECT_EQ(Expanded("../../../..", "/x/y"), "/");
  EXPECT_EQ(Expanded("/..//../a", "/x"), "/a");
  EXPECT_EQ(Expanded("...", "/x"), "/x/...");
  EXPECT_EQ(Expanded("a/..", "/x"), "/x");
  EXPECT_EQ(Expanded("~/a", "/x"), "/x/~/a");
  EXPECT_EQ(Expanded("\xff/\xfe", "/x"), "/x/\xff/\xfe");
  EXPECT_EQ(Expanded(std::string(10'000, 'a'), "/x"), "/x/" + std::string(10'000, 'a'));
}

class LoadPathTest : public testing::Test {
 protected:
  LoadPathTest() {
    heap_.set_roots(
        [this](Marker& marker) { load_path_.VisitReferences([&](Value v) { marker.Mark(v); }); });
    load_path_.MakeArrays(nullptr, nullptr);
  }

  std::vector<std::string> Folders() {
    const absl::StatusOr<const RArray*> expanded = load_path_.Expanded();
    EXPECT_TRUE(expanded.ok()) << expanded.status().ToString();
    std::vector<std::string> folders;
    for (Value v : (*expanded)->elements()) folders.emplace_back(As<RString>(v)->bytes());
    load_path_.CheckInvariants();
    return folders;
  }
  // The file found, or "".
  std::string Find(std::string_view name, const std::set<std::string>& files) {
    static constexpr std::string_view kExtensions[] = {".rb", ".so"};
    PathBuffer out;
    const auto exists = [&](std::string_view path) { return files.contains(std::string(path)); };
    const absl::StatusOr<int> found = load_path_.FindFileExtension(name, kExtensions, exists, out);
    return *found < 0 ? "" : std::string(out);
  }

  StringAndArrayHeap heap_;
  LoadPath load_path_{heap_.heap()};
};

using Strings = std::vector<std::string>;

TEST_F(LoadPathTest, FoldersAreMadeAbsoluteWhenTheyChange) {
  EXPECT_EQ(Folders(), Strings{});
  load_path_.Append("/usr/lib//ruby/");
  load_path_.Append("lib");
  EXPECT_EQ(Folders(), (Strings{"/usr/lib/ruby", "/lib"}));
  for (const char* folder : {"a", "b", "c"}) load_path_.Append(folder);
  EXPECT_EQ(Folders(), (Strings{"/usr/lib/ruby", "/lib", "/a", "/b", "/c"}));
  // From outside, by any mutator.
  Shift(heap_.heap(), load_path_.array());
  EXPECT_EQ(Folders(), (Strings{"/lib", "/a", "/b", "/c"}));
  Unshift(heap_.heap(), load_path_.array(), Value(NewString(heap_.heap(), nullptr, "/first")));
  EXPECT_EQ(Folders().front(), "/first");
  load_path_.set_working_directory("/home/me/");
  EXPECT_EQ(Folders(),
            (Strings{"/first", "/home/me/lib", "/home/me/a", "/home/me/b", "/home/me/c"}));
  Clear(heap_.heap(), load_path_.array());
  EXPECT_EQ(Folders(), Strings{});
}

TEST_F(LoadPathTest, FoldersAreNotMadeAgainForNothing) {
  for (int i = 0; i < 10; ++i) load_path_.Append("folder" + std::to_string(i));
  const RArray* first = *load_path_.Expanded();
  const std::uint64_t slots = heap_.heap().stats().total_allocated_slots;
  EXPECT_EQ(*load_path_.Expanded(), first);
  EXPECT_EQ(heap_.heap().stats().total_allocated_slots, slots);
}

TEST_F(LoadPathTest, RubyFilesOfAnyFolderComeBeforeNativeOnes) {
  load_path_.Append("/1");
  load_path_.Append("/2");
  EXPECT_EQ(Find("a", {"/1/a.so", "/2/a.rb", "/2/a.so"}), "/2/a.rb");
  EXPECT_EQ(Find("a", {"/1/a.rb", "/2/a.rb"}), "/1/a.rb");
  EXPECT_EQ(Find("a", {"/2/a.so", "/1/b.so"}), "/2/a.so");
  EXPECT_EQ(Find("a", {"/3/a.rb"}), "");
  EXPECT_EQ(Find("b/../a", {"/1/a.rb"}), "/1/a.rb");
}

TEST_F(LoadPathTest, ExplicitNamesAreNotLookedForInTheLoadPath) {
  load_path_.Append("/1");
  load_path_.set_working_directory("/home/me");
  const std::set<std::string> files = {"/1/a.rb", "/1/tmp/a.rb", "/home/me/b.rb", "/home/c.rb"};
  EXPECT_EQ(Find("./a", files), "");
  EXPECT_EQ(Find("./b", files), "/home/me/b.rb");
  EXPECT_EQ(Find("../c", files), "/home/c.rb");
  EXPECT_EQ(Find("/tmp/a", files), "");
  EXPECT_EQ(Find("/1/a", files), "/1/a.rb");
  EXPECT_EQ(Find(".b", {"/1/.b.rb"}), "/1/.b.rb");  // a hidden file is not an explicit name
}

TEST_F(LoadPathTest, WhatIsNoPathIsAnErrorThatSaysWhere) {
  load_path_.Append("/1");
  Push(heap_.heap(), load_path_.array(), Value::Fixnum(3));
  const absl::Status number = load_path_.Expanded().status();
  EXPECT_EQ(number.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(number.message().find("element 1 of $LOAD_PATH"), absl::string_view::npos) << number;
  Pop(heap_.heap(), load_path_.array());
  Push(heap_.heap(), load_path_.array(),
       Value(NewString(heap_.heap(), nullptr, std::string_view("/a\0b", 4))));
  EXPECT_NE(load_path_.Expanded().status().message().find("NUL"), absl::string_view::npos);
  Pop(heap_.heap(), load_path_.array());
  Push(heap_.heap(), load_path_.array(), Value(load_path_.array()));
  EXPECT_NE(load_path_.Expanded().status().message().find("T_ARRAY"), absl::string_view::npos);
  Pop(heap_.heap(), load_path_.array());
  EXPECT_EQ(Folders(), Strings{"/1"});
}

TEST_F(LoadPathTest, SurvivesACollectionAtEveryAllocation) {
  heap_.heap().set_stress(true);
  Strings expected;
  for (int i = 0; i < 12; ++i) {
    const std::string folder = "/a_rather_long_folder_name/" + std::to_string(i);
    expected.push_back(folder);
    load_path_.Append(folder);
    ASSERT_EQ(Folders(), expected);
  }
}

}  // namespace
}  // namespace rubric
