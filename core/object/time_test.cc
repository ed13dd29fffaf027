#include "core/object/time.h"

#include <random>

#include "gtest/gtest.h"

namespace rubric {
namespace {

// Day after day, as a calendar on the wall goes.
TEST(TimeTest, TheCalendarGoesOnDayByDay) {
  CivilTime expected = {.year = 1599, .month = 12, .day = 31, .hour = 0, .minute = 0, .second = 0};
  std::int64_t seconds = SecondsOf(expected);
  for (int day = 0; day < 150'000; ++day) {
    const CivilTime now = Civil(seconds);
    ASSERT_EQ(now.year, expected.year);
    ASSERT_EQ(now.month, expected.month);
    ASSERT_EQ(now.day, expected.day);
    ASSERT_EQ(SecondsOf(now), seconds);
    seconds += 86'400;
    const bool leap =
        expected.year % 4 == 0 && (expected.year % 100 != 0 || expected.year % 400 == 0);
    constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const int days = kDays[expected.month - 1] + (leap && expected.month == 2 ? 1 : 0);
    if (++expected.day <= days) continue;
    expected.day = 1;
    if (++expected.month <= 12) continue;
    expected.month = 1;
    ++expected.year;
  }
}

TEST(TimeTest, SecondsComeBack) {
  EXPECT_EQ(Civil(0).year, 1970);
  EXPECT_EQ(SecondsOf({.year = 2001, .month = 9, .day = 9, .hour = 1, .minute = 46, .second = 40}),
            1'000'000'000);
  std::mt19937_64 random(20261201);
  for (int i = 0; i < 100'000; ++i) {
    const std::int64_t seconds = static_cast<std::int64_t>(random()) >> (1 + random() % 60);
    if (seconds > kMaxSeconds || seconds < -kMaxSeconds) continue;
    const CivilTime civil = Civil(seconds);
    ASSERT_TRUE(civil.hour >= 0 && civil.hour < 24 && civil.minute >= 0 && civil.minute < 60 &&
                civil.second >= 0 && civil.second < 60 && civil.day >= 1 && civil.month >= 1);
    if (civil.year > kMaxYear || civil.year < -kMaxYear) continue;
    ASSERT_EQ(SecondsOf(civil), seconds);
  }
}

}  // namespace
}  // namespace rubric
