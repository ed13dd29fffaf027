#include "experiments/suite/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace rubric {
namespace {

std::string Temp(const std::string& name) {
  return std::string(getenv("TEST_TMPDIR")) + "/" + name;
}

TEST(FilesTest, HashesWhatTheStandardSays) {
  // FIPS 180-4's example "abc", and the empty message.
  std::ofstream(Temp("abc")) << "abc";
  EXPECT_EQ(Sha256OfFile(Temp("abc")).value(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  std::ofstream(Temp("empty")) << "";
  EXPECT_EQ(Sha256OfFile(Temp("empty")).value(),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(FilesTest, HashesTheWholeFileWhateverTheOffset) {
  // More than one block, and not a multiple of it.
  std::ofstream(Temp("long")) << std::string(1'000'003, 'x');
  const int fd = open(Temp("long").c_str(), O_RDONLY);
  ASSERT_EQ(lseek(fd, 17, SEEK_SET), 17);
  EXPECT_EQ(Sha256OfDescriptor(fd, "long").value(), Sha256OfFile(Temp("long")).value());
  EXPECT_EQ(lseek(fd, 0, SEEK_CUR), 17);
  close(fd);
}

TEST(FilesTest, ReadsAndNamesWhatItCannotRead) {
  std::ofstream(Temp("text")) << std::string("a\0b\n", 4);
  EXPECT_EQ(ReadFile(Temp("text")).value(), std::string("a\0b\n", 4));
  EXPECT_EQ(ReadFile("/nonexistent").status().message(),
            "/nonexistent: cannot be opened: No such file or directory");
  EXPECT_EQ(ReadFile("/").status().message(), "/: cannot be read: Is a directory");
  EXPECT_FALSE(Sha256OfFile("/nonexistent").ok());
}

TEST(FilesTest, MakesPathsAbsolute) {
  EXPECT_EQ(AbsolutePath("b/c", "/a"), "/a/b/c");
  EXPECT_EQ(AbsolutePath("/b", "/a"), "/b");
  EXPECT_EQ(AbsolutePath("../b", "/a/c"), "/a/b");
}

TEST(FilesTest, MakesFolders) {
  EXPECT_TRUE(MakeFolder(Temp("x/y/z")).ok());
  EXPECT_TRUE(MakeFolder(Temp("x/y/z")).ok());
  std::ofstream(Temp("file")) << "";
  EXPECT_FALSE(MakeFolder(Temp("file/x")).ok());
}

TEST(FilesTest, FindsProgramsByPath) {
  EXPECT_NE(FindProgram("sh"), std::nullopt);
  EXPECT_EQ(FindProgram("no-such-program"), std::nullopt);
  setenv("PATH", "/nonexistent", 1);
  EXPECT_EQ(FindProgram("sh"), std::nullopt);
}

}  // namespace
}  // namespace rubric
