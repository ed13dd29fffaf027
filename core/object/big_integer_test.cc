#include "core/object/big_integer.h"

#include <random>
#include <string>

#include "core/heap/growing_source.h"
#include "core/heap/heap.h"
#include "core/memory/counters.h"
#include "core/object/hash.h"
#include "core/object/object_space.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

std::string LittleEndian(std::uint64_t n, std::size_t bytes = 8) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) {
    text.push_back(static_cast<char>(i < 8 ? n >> (8 * i) & 0xff : 0));
  }
  return text;
}

class BigIntegerTest : public ::testing::Test {
 protected:
  ~BigIntegerTest() override {
    heap_.ForEachSlot([](RBasic* slot) { FreeOwned(slot); });
  }
  Heap heap_;
  GrowingSource source_{heap_};
};

TEST_F(BigIntegerTest, WhatFitsAFixnumIsOne) {
  std::mt19937_64 random(20261201);
  for (int i = 0; i < 2000; ++i) {
    const auto n = static_cast<std::int64_t>(random()) >> (random() % 64);
    const std::uint64_t absolute =
        n < 0 ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
    const Value made = NewInteger(heap_, nullptr, n < 0, LittleEndian(absolute, 8 + i % 4));
    ASSERT_EQ(made.IsFixnum(), Value::FitsFixnum(n)) << n;
    if (made.IsFixnum()) {
      ASSERT_EQ(made.AsFixnum(), n);
      ASSERT_EQ(AsBigInteger(made), nullptr);
    } else {
      ASSERT_EQ(BigIsNegative(AsBigInteger(made)), n < 0);
      ASSERT_EQ(BigMagnitude(AsBigInteger(made)), LittleEndian(absolute));
    }
  }
}

TEST_F(BigIntegerTest, TheEdgesOfFixnums) {
  const std::uint64_t max = static_cast<std::uint64_t>(Value::kFixnumMax);
  EXPECT_EQ(NewInteger(heap_, nullptr, false, LittleEndian(max)), Value::Fixnum(Value::kFixnumMax));
  EXPECT_NE(AsBigInteger(NewInteger(heap_, nullptr, false, LittleEndian(max + 1))), nullptr);
  EXPECT_EQ(NewInteger(heap_, nullptr, true, LittleEndian(max + 1)),
            Value::Fixnum(Value::kFixnumMin));
  EXPECT_NE(AsBigInteger(NewInteger(heap_, nullptr, true, LittleEndian(max + 2))), nullptr);
  EXPECT_EQ(NewInteger(heap_, nullptr, true, {}), Value::Fixnum(0));
}

TEST_F(BigIntegerTest, EqualValuesAreOneHashKey) {
  RHash* hash = NewHash(heap_, nullptr);
  const auto big = [&](bool negative, const std::string& magnitude) {
    return NewInteger(heap_, nullptr, negative, magnitude);
  };
  HashStore(heap_, hash, big(false, LittleEndian(1, 8) + "\x01"), Value::Fixnum(1), 5);
  HashStore(heap_, hash, big(true, LittleEndian(1, 8) + "\x01"), Value::Fixnum(2), 5);
  EXPECT_EQ(HashSize(hash), 2u);
  EXPECT_EQ(HashFetch(hash, big(false, LittleEndian(1, 8) + "\x01"), 5), Value::Fixnum(1));
  EXPECT_EQ(HashFetch(hash, big(true, LittleEndian(1, 8) + "\x01"), 5), Value::Fixnum(2));
  EXPECT_EQ(HashFetch(hash, big(false, LittleEndian(2, 8) + "\x01"), 5), std::nullopt);
}

TEST_F(BigIntegerTest, OwnsOneBlock) {
  const std::size_t before = TakeSnapshot().total.live_bytes;
  const Value made = NewInteger(heap_, nullptr, false, std::string(100, '\x7f'));
  EXPECT_TRUE(made.AsSlot()->frozen());
  EXPECT_GE(OwnMemsize(made.AsSlot()), 100u);
  FreeOwned(made.AsSlot());
  EXPECT_EQ(TakeSnapshot().total.live_bytes, before);
  As<RData>(made)->data = nullptr;  // the fixture frees every slot's content once more
}

}  // namespace
}  // namespace rubric
