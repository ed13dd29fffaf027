#include "core/object_space/dump_file.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "gtest/gtest.h"

namespace rubric {
namespace {

bool Exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

std::string Contents(const std::string& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

std::string Path(const std::string& name) { return testing::TempDir() + "/" + name; }

TEST(DumpFileTest, AppearsWhenItIsWhole) {
  const std::string path = Path("whole");
  {
    DumpFile file(path);
    ASSERT_TRUE(file.Open().ok());
    ASSERT_TRUE(file.Write("first\n").ok());
    ASSERT_TRUE(file.Write("second\n").ok());
    EXPECT_FALSE(Exists(path));
    ASSERT_TRUE(file.Commit().ok());
  }
  EXPECT_EQ(Contents(path), "first\nsecond\n");
  EXPECT_FALSE(Exists(path + ".part"));
}

TEST(DumpFileTest, LeavesNothingButWhatWasThereWithoutCommit) {
  const std::string path = Path("kept");
  std::ofstream(path) << "of yesterday";
  {
    DumpFile file(path);
    ASSERT_TRUE(file.Open().ok());
    ASSERT_TRUE(file.Write("half").ok());
  }
  EXPECT_EQ(Contents(path), "of yesterday");
  EXPECT_FALSE(Exists(path + ".part"));
}

TEST(DumpFileTest, SaysWhyAFileCannotBeOpened) {
  DumpFile file(Path("no/such/folder"));
  const absl::Status status = file.Open();
  EXPECT_FALSE(status.ok());
  EXPECT_NE(status.message().find("no/such/folder: cannot be written: No such file"),
            std::string::npos)
      << status;
}

TEST(DumpFileTest, AFullDiskIsAnErrorAndLeavesNoFile) {
  // A limit on files' sizes fails as a full disk does.
  const std::string path = Path("full");
  signal(SIGXFSZ, SIG_IGN);
  rlimit old;
  getrlimit(RLIMIT_FSIZE, &old);
  rlimit small = old;
  small.rlim_cur = 10'000;
  setrlimit(RLIMIT_FSIZE, &small);
  absl::Status status;
  {
    DumpFile file(path);
    status = file.Open();
    for (int i = 0; i < 1000 && status.ok(); ++i) status = file.Write(std::string(100, 'x'));
    if (status.ok()) status = file.Commit();
  }
  setrlimit(RLIMIT_FSIZE, &old);
  EXPECT_FALSE(status.ok());
  EXPECT_NE(status.message().find("full: cannot be written: "), std::string::npos) << status;
  EXPECT_FALSE(Exists(path));
  EXPECT_FALSE(Exists(path + ".part"));
}

}  // namespace
}  // namespace rubric
