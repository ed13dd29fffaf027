#include "experiments/gc_tempfile/temp_file.h"

#include <stdlib.h>

#include <filesystem>
#include <string>
#include <utility>

#include "gtest/gtest.h"

namespace rubric {
namespace {

// A folder of this test's own, for TMPDIR.
class TempFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = ::testing::TempDir() + "/temp_file_test";
    std::filesystem::create_directory(folder_);
    setenv("TMPDIR", folder_.c_str(), 1);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string folder_;
};

TEST_F(TempFileTest, IsReadFromItsBeginEachTime) {
  std::string content;
  for (int i = 0; i < 14'000; ++i) content += static_cast<char>('a' + i % 26);
  absl::StatusOr<TempFile> made = TempFile::Create(content);
  ASSERT_TRUE(made.ok()) << made.status();
  const TempFile file = *std::move(made);
  for (std::size_t length : {14'000u, 1u, 14'000u, 0u}) {
    std::string buffer(length, '\0');
    ASSERT_TRUE(file.ReadFromBegin(buffer).ok());
    EXPECT_EQ(buffer, content.substr(0, length));
  }
}

TEST_F(TempFileTest, LeavesNothingBehind) {
  const absl::StatusOr<TempFile> file = TempFile::Create("content");
  ASSERT_TRUE(file.ok());
  EXPECT_TRUE(std::filesystem::is_empty(folder_)) << "not even while it is open";
}

TEST_F(TempFileTest, SaysWhereAFileEndsTooSoon) {
  const absl::StatusOr<TempFile> file = TempFile::Create("12345");
  ASSERT_TRUE(file.ok());
  std::string buffer(6, '\0');
  const absl::Status status = file->ReadFromBegin(buffer);
  EXPECT_FALSE(status.ok());
  EXPECT_NE(std::string(status.message()).find("ends after 5 bytes, expected 6"), std::string::npos)
      << status;
}

TEST_F(TempFileTest, NamesTheFolderThatCannotBeWrittenTo) {
  setenv("TMPDIR", "/no/such/folder", 1);
  const absl::StatusOr<TempFile> file = TempFile::Create("content");
  ASSERT_FALSE(file.ok());
  const std::string message(file.status().message());
  EXPECT_NE(message.find("/no/such/folder"), std::string::npos) << message;
  EXPECT_NE(message.find("set TMPDIR"), std::string::npos) << message;
}

}  // namespace
}  // namespace rubric
