#include "core/value/value.h"

#include <cmath>
#include <limits>
#include <random>

#include "gtest/gtest.h"

namespace rubric {
namespace {

TEST(ValueTest, ConstantsAreDistinctAndTruthinessIsRubys) {
  EXPECT_FALSE(Value::False().IsTruthy());
  EXPECT_FALSE(Value::Nil().IsTruthy());
  EXPECT_TRUE(Value::True().IsTruthy());
  EXPECT_TRUE(Value::Fixnum(0).IsTruthy());
  EXPECT_TRUE(Value::StaticSymbol(Id{1}).IsTruthy());
  EXPECT_TRUE(Value().IsNil());
  for (Value v : {Value::False(), Value::Nil(), Value::True(), Value::Undef()}) {
    EXPECT_FALSE(v.IsPointer());
    EXPECT_FALSE(v.IsFixnum());
    EXPECT_FALSE(v.IsFlonum());
    EXPECT_FALSE(v.IsStaticSymbol());
  }
}

TEST(ValueTest, FixnumsRoundTripToTheEndsOfTheirRange) {
  for (std::int64_t n :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, Value::kFixnumMax, Value::kFixnumMin}) {
    EXPECT_TRUE(Value::FitsFixnum(n));
    EXPECT_TRUE(Value::Fixnum(n).IsFixnum());
    EXPECT_FALSE(Value::Fixnum(n).IsPointer());
    EXPECT_EQ(Value::Fixnum(n).AsFixnum(), n);
  }
  EXPECT_FALSE(Value::FitsFixnum(Value::kFixnumMax + 1));
  EXPECT_FALSE(Value::FitsFixnum(Value::kFixnumMin - 1));
}

TEST(ValueTest, SymbolsCarryTheirId) {
  for (std::uint64_t n : {1ull, 255ull, 256ull, (1ull << 56) - 1}) {
    const Value symbol = Value::StaticSymbol(Id{n});
    EXPECT_TRUE(symbol.IsStaticSymbol());
    EXPECT_FALSE(symbol.IsPointer());
    EXPECT_EQ(symbol.AsStaticSymbol(), Id{n});
  }
}

TEST(ValueTest, FlonumsAreExactOrRefused) {
  std::mt19937_64 rng(6763);
  int fitted = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    const double d = std::bit_cast<double>(rng());
    const std::optional<Value> value = Value::Flonum(d);
    const bool in_range = std::fabs(d) > 1.8e-77 && std::fabs(d) < 1.1e77;
    if (in_range) {
      ASSERT_TRUE(value.has_value()) << d;
    }
    if (!value) continue;
    ++fitted;
    ASSERT_TRUE(value->IsFlonum());
    ASSERT_FALSE(value->IsFixnum());
    ASSERT_EQ(std::bit_cast<std::uint64_t>(value->AsFlonum()), std::bit_cast<std::uint64_t>(d));
  }
  EXPECT_GT(fitted, 200'000);
}

TEST(ValueTest, FlonumEdges) {
  EXPECT_EQ(Value::Flonum(0.0)->AsFlonum(), 0.0);
  EXPECT_FALSE(std::signbit(Value::Flonum(0.0)->AsFlonum()));
  EXPECT_FALSE(Value::Flonum(-0.0).has_value());
  EXPECT_FALSE(Value::Flonum(std::bit_cast<double>(0x3000000000000000)).has_value());
  EXPECT_FALSE(Value::Flonum(std::numeric_limits<double>::infinity()).has_value());
  EXPECT_FALSE(Value::Flonum(std::numeric_limits<double>::quiet_NaN()).has_value());
  EXPECT_FALSE(Value::Flonum(std::numeric_limits<double>::denorm_min()).has_value());
  for (double d : {1.0, -1.0, 3.14, 1e70, -1e-70}) EXPECT_EQ(Value::Flonum(d)->AsFlonum(), d);
}

}  // namespace
}  // namespace rubric
