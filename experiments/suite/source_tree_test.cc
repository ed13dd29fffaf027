#include "experiments/suite/source_tree.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "experiments/suite/interrupt.h"

namespace rubric {
namespace {

std::string NewFolder(const std::string& name) {
  const std::string folder = std::string(getenv("TEST_TMPDIR")) + "/" + name;
  EXPECT_EQ(system(("mkdir -p " + folder).c_str()), 0);
  return folder;
}

TEST(SourceTreeTest, TellsCommitAndChanges) {
  Interrupt::Install();
  const std::string folder = NewFolder("tree");
  const std::string git = "git -C " + folder + " -c user.name=a -c user.email=a@b ";
  if (system(("git init -q " + folder).c_str()) != 0) GTEST_SKIP() << "git is missing";
  // A repository without a commit.
  EXPECT_EQ(ReadSourceTree(folder).commit, "");
  EXPECT_EQ(ReadSourceTree(folder).dirty, std::nullopt);
  ASSERT_EQ(system((git + "commit -q --allow-empty -m first").c_str()), 0);
  SourceTree tree = ReadSourceTree(folder);
  EXPECT_EQ(tree.commit.size(), 40u);
  EXPECT_EQ(tree.dirty, false);
  ASSERT_EQ(system(("touch " + folder + "/new").c_str()), 0);
  EXPECT_EQ(ReadSourceTree(folder).dirty, true);
  EXPECT_EQ(ReadSourceTree(folder).commit, tree.commit);
}

TEST(SourceTreeTest, KnowsNothingOutsideOfARepository) {
  Interrupt::Install();
  EXPECT_EQ(ReadSourceTree("").commit, "");
  EXPECT_EQ(ReadSourceTree("/").commit, "");
  EXPECT_EQ(ReadSourceTree("/nonexistent").dirty, std::nullopt);
}

}  // namespace
}  // namespace rubric
