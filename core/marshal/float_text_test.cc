#include "core/marshal/float_text.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>

#include "gtest/gtest.h"

namespace rubric {
namespace {

std::string Text(double d) {
  FloatTextBuffer buffer;
  return std::string(FloatText(d, buffer));
}

TEST(FloatTextTest, AnExponentStandsWhereThePointIsFarFromTheDigits) {
  EXPECT_EQ(Text(0.0), "0");
  EXPECT_EQ(Text(-0.0), "-0");
  EXPECT_EQ(Text(1), "1");
  EXPECT_EQ(Text(100), "1e2");
  EXPECT_EQ(Text(123456), "123456");
  EXPECT_EQ(Text(-0.0001), "-0.0001");
  EXPECT_EQ(Text(0.00001), "1e-5");
  EXPECT_EQ(Text(5e-324), "5e-324");
  EXPECT_EQ(Text(1.7976931348623157e308), "1.7976931348623157e308");
  EXPECT_EQ(Text(INFINITY), "inf");
  EXPECT_EQ(Text(-INFINITY), "-inf");
  EXPECT_EQ(Text(NAN), "nan");
}

TEST(FloatTextTest, EveryDoubleComesBack) {
  std::mt19937_64 random(20261201);
  for (int i = 0; i < 200'000; ++i) {
    const std::uint64_t bits = random() >> (i % 8 == 0 ? random() % 64 : 0);
    const auto d = std::bit_cast<double>(bits);
    const auto parsed = ParseFloatText(Text(d));
    ASSERT_TRUE(parsed.has_value()) << Text(d);
    if (std::isnan(d)) {
      ASSERT_TRUE(std::isnan(*parsed));
    } else {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(*parsed), bits) << Text(d);
    }
  }
}

TEST(FloatTextTest, OnlyNumbersAreNumbers) {
  for (const char* text : {"", "-", "x", "1x", "infinity", "NaN", "+1", ".5", " 1", "1 ", "1e400",
                           "-nan", "0x10", "--1"}) {
    EXPECT_EQ(ParseFloatText(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace rubric
