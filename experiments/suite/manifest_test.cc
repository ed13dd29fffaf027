#include "experiments/suite/manifest.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "absl/status/statusor.h"

namespace rubric {
namespace {

absl::StatusOr<std::vector<ManifestEntry>> Read(const std::string& text) {
  const std::string file = std::string(getenv("TEST_TMPDIR")) + "/manifest.json";
  std::ofstream(file) << text;
  return ReadManifest(file, "/root");
}

TEST(ManifestTest, ReadsVariantsInOrder) {
  const auto entries = Read(R"([
    {"name": "baseline", "axes": {"b": "x", "a": "y"}, "binary": "rubric/lab0"},
    {"name": "b=z", "axes": {"b": "z", "a": "y"}, "binary": "/elsewhere/lab1"}])");
  ASSERT_TRUE(entries.ok()) << entries.status();
  ASSERT_EQ(entries->size(), 2u);
  EXPECT_EQ((*entries)[0].name, "baseline");
  EXPECT_EQ((*entries)[0].axes, (Choices{{"b", "x"}, {"a", "y"}}));
  EXPECT_EQ((*entries)[0].binary, "/root/rubric/lab0");
  EXPECT_EQ((*entries)[1].binary, "/elsewhere/lab1");
}

TEST(ManifestTest, NamesFileAndField) {
  for (const char* text :
       {"", "[", "#!/bin/sh\nexit 0\n", R"([]},{"variants":[{"name":"a","axes":{},"binary":"x"}])",
        "{}", "[1]", "[{}]", "[]", R"([{"name": "a", "axes": {}, "binary": 1}])",
        R"([{"name": "a", "axes": {}, "binary": "x"},
                               {"name": "a", "axes": {}, "binary": "y"}])",
        R"([{"name": "a", "axes": {"x": "1"}, "binary": "x"},
                               {"name": "b", "axes": {"y": "1"}, "binary": "y"}])"}) {
    const auto entries = Read(text);
    ASSERT_FALSE(entries.ok()) << text;
    EXPECT_NE(std::string(entries.status().message()).find("manifest.json: "), std::string::npos)
        << entries.status();
  }
  // Places are those of the file.
  EXPECT_NE(std::string(Read("#!/bin/sh\n").status().message()).find("at byte 1;"),
            std::string::npos)
      << Read("#!/bin/sh\n").status();
  EXPECT_FALSE(ReadManifest("/nonexistent", "/").ok());
  EXPECT_FALSE(ReadManifest("/dev/zero", "/").ok());
}

}  // namespace
}  // namespace rubric
