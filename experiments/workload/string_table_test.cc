#include "experiments/workload/string_table.h"

#include <set>
#include <string>

#include "gtest/gtest.h"

namespace rubric {
namespace {

TEST(StringTableTest, WithheldStringsOfOneLengthAllDiffer) {
  for (const std::uint64_t length : {1u, 2u, 4u, 5u, 23u, 300u}) {
    StringTable strings;
    const std::size_t count = length == 1 ? 256 : 1000;
    std::set<std::string> seen;
    std::string buffer;
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_TRUE(strings.AddWithheld(length, WorkloadEncoding::kUtf8));
      const std::string bytes(strings.Bytes(static_cast<StringId>(i), buffer));
      EXPECT_EQ(bytes.size(), length);
      EXPECT_TRUE(seen.insert(bytes).second);
      if (length >= 4) {
        EXPECT_EQ(bytes[0], '\x01');  // so that no kept text is equal
      }
    }
  }
}

TEST(StringTableTest, ThereAreOnlySoManyShortStrings) {
  StringTable strings;
  EXPECT_TRUE(strings.AddWithheld(0, WorkloadEncoding::kUtf8));
  EXPECT_FALSE(strings.AddWithheld(0, WorkloadEncoding::kUtf8));
  EXPECT_TRUE(strings.AddWithheld(0, WorkloadEncoding::kBinary));
  for (int i = 0; i < 256; ++i) EXPECT_TRUE(strings.AddWithheld(1, WorkloadEncoding::kUtf8));
  EXPECT_FALSE(strings.AddWithheld(1, WorkloadEncoding::kUtf8));
  std::string buffer;
  EXPECT_EQ(strings.Bytes(2, buffer), std::string(1, '\0'));  // a symbol may be a NUL
}

}  // namespace
}  // namespace rubric
