#include "experiments/claim/calibration.h"

#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

using ::testing::HasSubstr;

constexpr char kHeading[] =
    "change\texperiment\tmetric\tunit\tbefore\tafter\tratio_after_over_before\tnote\n";

absl::StatusOr<Calibration> Read(const std::string& text) {
  const std::string file = ::testing::TempDir() + "/calibration.tsv";
  std::ofstream(file) << text;
  return ReadCalibration(file);
}

std::string ErrorOf(const std::string& text) { return std::string(Read(text).status().message()); }

TEST(Calibration, FindsARowByItsThreeNames) {
  const auto read = Read(std::string(kHeading) + "c\te\tm\tcalls\t10\t4.5\t0.45\tnote\n" +
                         "c\te\tn\tbytes\t\t7\t\t\n");
  ASSERT_TRUE(read.ok()) << read.status();
  const auto row = read->Find("c", "e", "m");
  ASSERT_TRUE(row.ok()) << row.status();
  EXPECT_EQ((*row)->unit, "calls");
  EXPECT_EQ((*row)->before, 10);
  EXPECT_EQ((*row)->after, 4.5);
  EXPECT_EQ((*row)->note, "note");
  EXPECT_EQ((*read->Find("c", "e", "n"))->before, std::nullopt);
}

TEST(Calibration, SaysWhichNameThereIsNothingOf) {
  const auto read = Read(std::string(kHeading) + "c\te\tm\tcalls\t10\t4\t\t\n");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_THAT(std::string(read->Find("d", "e", "m").status().message()),
              HasSubstr("no change 'd' in the calibration. There are: c"));
  EXPECT_THAT(std::string(read->Find("c", "f", "m").status().message()),
              HasSubstr("no experiment 'f' of c in the calibration. There are: e"));
  EXPECT_THAT(std::string(read->Find("c", "e", "n").status().message()),
              HasSubstr("no metric 'n' of c, e in the calibration. There are: m"));
}

TEST(Calibration, RefusesWhatIsNoTableWithFileAndLine) {
  const std::string row = "c\te\tm\tcalls\t10\t4\t\t\n";
  EXPECT_THAT(ErrorOf(""), HasSubstr("calibration.tsv:1: expected the heading"));
  EXPECT_THAT(ErrorOf(row), HasSubstr("calibration.tsv:1: expected the heading"));
  EXPECT_THAT(ErrorOf(kHeading + row + "c\te\n"),
              HasSubstr("calibration.tsv:3: expected 8 columns separated by tabs, found 2"));
  EXPECT_THAT(ErrorOf(std::string(kHeading) + "c\te\tm\tcalls\tten\t4\t\t\n"),
              HasSubstr("calibration.tsv:2: expected a number or nothing, found 'ten'"));
  EXPECT_THAT(ErrorOf(kHeading + row + row),
              HasSubstr("calibration.tsv:3: there is a row of c, e, m already"));
  EXPECT_FALSE(ReadCalibration(::testing::TempDir() + "/no such file").ok());
}

}  // namespace
}  // namespace rubric
