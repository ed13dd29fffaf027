#include "core/object/array.h"

#include <cstddef>
#include <vector>

#include "core/memory/counters.h"
#include "core/object/array_mutation.h"
#include "core/object/array_test_heap.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

constexpr Value F(std::int64_t n) { return Value::Fixnum(n); }

std::vector<Value> Counting(std::size_t n) {
  std::vector<Value> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(F(static_cast<std::int64_t>(i)));
  return values;
}

class ArrayTest : public ::testing::Test {
 protected:
  RArray* New(std::size_t capa = 0) {
    return scope_.Keep(NewArray(test_heap_.heap(), test_heap_.array_class(), capa));
  }
  RArray* From(std::vector<Value> values) {
    return scope_.Keep(NewArrayFrom(heap_, test_heap_.array_class(), values));
  }
  AllocatorCounters Since(const MemorySnapshot& before) {
    return (TakeSnapshot() - before)[Subsystem::kArrays];
  }

  ArrayTestHeap test_heap_;
  Heap& heap_ = test_heap_.heap();
  HandleScope scope_{heap_.roots()};
};

TEST_F(ArrayTest, EmbedsUpToThreeAndThenMallocsExactly) {
  for (std::size_t n : {0, 1, 2, 3, 4, 5, 110}) {
    const MemorySnapshot before = TakeSnapshot();
    RArray* array = From(Counting(n));
    EXPECT_THAT(array->elements(), ElementsAreArray(Counting(n)));
    EXPECT_EQ(array->Has(RBasic::kNoembed), n > 3);
    EXPECT_EQ(Since(before).malloc_calls, n > 3 ? 1u : 0u) << n;
    EXPECT_EQ(Since(before).bytes_requested, n > 3 ? 8 * n : 0) << n;
    EXPECT_EQ(ArrayMemsize(array), n > 3 ? 8 * n : 0) << n;
    EXPECT_FALSE(array->frozen() || array->Has(RBasic::kHidden));
    EXPECT_EQ(array->klass, test_heap_.array_class());
    CheckArray(array);
  }
}

TEST_F(ArrayTest, FourElementLiteralWeighs72BytesCopiedAnd40Shared) {
  RArray* literal = scope_.Keep(NewArrayLiteral(heap_, Counting(4)));
  EXPECT_TRUE(literal->frozen() && literal->Has(RBasic::kHidden));
  RArray* copied = scope_.Keep(CopyArray(heap_, literal, test_heap_.array_class()));
  RArray* shared = scope_.Keep(SharedCopy(heap_, literal, test_heap_.array_class()));
  EXPECT_EQ(kSlotBytes + ArrayMemsize(copied), 72u);
  EXPECT_EQ(kSlotBytes + ArrayMemsize(shared), 40u);
  EXPECT_THAT(copied->elements(), ElementsAreArray(Counting(4)));
  EXPECT_THAT(shared->elements(), ElementsAreArray(Counting(4)));
}

TEST_F(ArrayTest, NewArrayReservesWhatItIsAskedFor) {
  for (std::size_t capa : {0, 3, 4, 20}) {
    const MemorySnapshot before = TakeSnapshot();
    RArray* array = New(capa);
    EXPECT_EQ(ArrayCapa(array), capa > 3 ? capa : 3);
    for (std::size_t i = 0; i < capa; ++i) Push(heap_, array, F(1));
    EXPECT_EQ(Since(before).malloc_calls, capa > 3 ? 1u : 0u) << "regrown within its capa";
    CheckArray(array);
  }
}

TEST_F(ArrayTest, PushGrowsAsRubyDoes) {
  RArray* array = New();
  std::vector<std::size_t> capas{ArrayCapa(array)};
  for (int i = 0; i < 290; ++i) {
    Push(heap_, array, F(i));
    if (ArrayCapa(array) != capas.back()) capas.push_back(ArrayCapa(array));
    EXPECT_EQ(ArrayMemsize(array), capas.size() == 1 ? 0 : 8 * capas.back());
  }
  EXPECT_THAT(capas, ElementsAre(3, 20, 37, 56, 85, 128, 193, 290));
  for (int i = 0; i < 290; ++i) ASSERT_EQ(At(array, i), F(i));
}

TEST_F(ArrayTest, PopGivesBackMemoryOfAnEmptyingBuffer) {
  RArray* array = From(Counting(100));
  while (array->length() > 33) Pop(heap_, array);
  EXPECT_EQ(ArrayCapa(array), 100u);
  EXPECT_EQ(Pop(heap_, array), F(32));
  EXPECT_EQ(ArrayCapa(array), 66u) << "less than a third was used: twice of what was";
  for (int i = 31; i >= 0; --i) ASSERT_EQ(Pop(heap_, array), F(i));
  EXPECT_EQ(ArrayCapa(array), 16u) << "no smaller than the least growth";
  EXPECT_TRUE(Pop(heap_, array).IsNil());
  CheckArray(array);
}

TEST_F(ArrayTest, AtCountsFromTheEndAndIsNilOutside) {
  RArray* array = From({F(7), F(8), F(9)});
  EXPECT_EQ(At(array, 0), F(7));
  EXPECT_EQ(At(array, -1), F(9));
  EXPECT_EQ(At(array, -3), F(7));
  EXPECT_TRUE(At(array, 3).IsNil());
  EXPECT_TRUE(At(array, -4).IsNil());
}

TEST_F(ArrayTest, StoreFillsWithNilAndGrowsByTheIndex) {
  RArray* array = From({F(1)});
  Store(heap_, array, -1, F(2));
  Store(heap_, array, 2, F(3));
  EXPECT_THAT(array->elements(), ElementsAre(F(2), Value::Nil(), F(3)));
  EXPECT_FALSE(array->Has(RBasic::kNoembed));
  Store(heap_, array, 10, F(4));
  EXPECT_EQ(array->length(), 11u);
  EXPECT_EQ(ArrayCapa(array), 26u);
  for (int i = 3; i < 10; ++i) EXPECT_TRUE(At(array, i).IsNil());
  EXPECT_EQ(At(array, 10), F(4));
}

TEST_F(ArrayTest, InsertCountsNegativeIndexesAfterTheElement) {
  RArray* array = From({F(1), F(2)});
  Insert(heap_, array, 0, F(0));
  Insert(heap_, array, -1, F(3));
  Insert(heap_, array, -2, F(9));
  EXPECT_THAT(array->elements(), ElementsAre(F(0), F(1), F(2), F(9), F(3)));
  Insert(heap_, array, 7, F(5));
  EXPECT_THAT(array->elements(),
              ElementsAre(F(0), F(1), F(2), F(9), F(3), Value::Nil(), Value::Nil(), F(5)));
  Insert(heap_, array, -9, F(6));
  EXPECT_EQ(At(array, 0), F(6));
}

TEST_F(ArrayTest, SpliceReplacesARange) {
  RArray* array = From(Counting(6));
  const std::vector<Value> two{F(70), F(71)};
  Splice(heap_, array, 1, 3, two);
  EXPECT_THAT(array->elements(), ElementsAre(F(0), F(70), F(71), F(4), F(5)));
  Splice(heap_, array, 3, 100, {});
  EXPECT_THAT(array->elements(), ElementsAre(F(0), F(70), F(71)));
  Splice(heap_, array, 4, 1, two);
  EXPECT_THAT(array->elements(), ElementsAre(F(0), F(70), F(71), Value::Nil(), F(70), F(71)));
}

TEST_F(ArrayTest, DeleteAtClosesTheGapOrIsNil) {
  RArray* array = From(Counting(5));
  EXPECT_EQ(DeleteAt(heap_, array, 1), F(1));
  EXPECT_EQ(DeleteAt(heap_, array, -1), F(4));
  EXPECT_TRUE(DeleteAt(heap_, array, 3).IsNil());
  EXPECT_TRUE(DeleteAt(heap_, array, -4).IsNil());
  EXPECT_THAT(array->elements(), ElementsAre(F(0), F(2), F(3)));
}

TEST_F(ArrayTest, ConcatToItselfDoubles) {
  for (std::size_t n : {0, 1, 2, 3, 4, 20}) {
    RArray* array = From(Counting(n));
    Concat(heap_, array, array);
    std::vector<Value> twice = Counting(n);
    const std::vector<Value> once = twice;
    twice.insert(twice.end(), once.begin(), once.end());
    EXPECT_THAT(array->elements(), ElementsAreArray(twice));
  }
}

TEST_F(ArrayTest, ClearKeepsASmallBuffer) {
  RArray* array = From(Counting(100));
  Clear(heap_, array);
  EXPECT_EQ(array->length(), 0u);
  EXPECT_EQ(ArrayCapa(array), 32u);
  Push(heap_, array, F(1));
  EXPECT_EQ(ArrayCapa(array), 32u);
}

TEST_F(ArrayTest, ShiftMovesShortArraysAndSharesLongOnes) {
  RArray* shorter = From(Counting(15));
  EXPECT_EQ(Shift(heap_, shorter), F(0));
  EXPECT_FALSE(shorter->Has(RBasic::kShared));
  RArray* longer = From(Counting(16));
  const Value* buffer = longer->data();
  EXPECT_EQ(Shift(heap_, longer), F(0));
  EXPECT_TRUE(longer->Has(RBasic::kShared));
  EXPECT_EQ(longer->data(), buffer + 1) << "elements were moved";
  for (int i = 1; i < 16; ++i) ASSERT_EQ(Shift(heap_, longer), F(i));
  EXPECT_TRUE(Shift(heap_, longer).IsNil());
  EXPECT_TRUE(Shift(heap_, New()).IsNil());
  test_heap_.CheckArrays();
}

TEST_F(ArrayTest, UnshiftIsAmortizedConstantInLongArrays) {
  RArray* array = New();
  const MemorySnapshot before = TakeSnapshot();
  for (int i = 0; i < 10'000; ++i) {
    Unshift(heap_, array, F(i));
    ASSERT_EQ(At(array, 0), F(i));
  }
  for (int i = 0; i < 10'000; ++i) ASSERT_EQ(At(array, i), F(9'999 - i));
  EXPECT_LT(Since(before).malloc_calls, 50u);
  test_heap_.CheckArrays();
}

TEST_F(ArrayTest, AQueueReusesItsBuffer) {
  RArray* queue = From(Counting(100));
  const MemorySnapshot before = TakeSnapshot();
  for (int i = 100; i < 20'000; ++i) {
    Push(heap_, queue, F(i));
    ASSERT_EQ(Shift(heap_, queue), F(i - 100));
  }
  EXPECT_EQ(queue->length(), 100u);
  // A lap of the buffer moves the elements back to its begin; few laps make it anew.
  EXPECT_LT(Since(before).malloc_calls, 10u);
  test_heap_.CheckArrays();
}

TEST_F(ArrayTest, SortBangSortsEveryRepresentation) {
  const auto less = [](Value a, Value b) { return a.AsFixnum() < b.AsFixnum(); };
  for (std::size_t n : {0, 1, 3, 4, 50}) {
    std::vector<Value> reversed = Counting(n);
    std::reverse(reversed.begin(), reversed.end());
    RArray* literal = scope_.Keep(NewArrayLiteral(heap_, reversed));
    RArray* array = scope_.Keep(SharedCopy(heap_, literal, test_heap_.array_class()));
    SortBang(heap_, array, less);
    EXPECT_THAT(array->elements(), ElementsAreArray(Counting(n)));
    EXPECT_THAT(literal->elements(), ElementsAreArray(reversed));
  }
}

TEST_F(ArrayTest, IncludesComparesByIdentityOrAsAsked) {
  RArray* array = From({F(1), Value::Nil()});
  Push(heap_, array, test_heap_.NewFloat(2.5));
  EXPECT_TRUE(Includes(array, F(1)));
  EXPECT_TRUE(Includes(array, Value::Nil()));
  EXPECT_FALSE(Includes(array, F(2)));
  const Value other = test_heap_.NewFloat(2.5);
  EXPECT_FALSE(Includes(array, other));
  EXPECT_TRUE(Includes(array, other, [](Value a, Value b) {
    return IsType(a, Type::kFloat) && IsType(b, Type::kFloat) &&
           As<RFloat>(a)->number == As<RFloat>(b)->number;
  }));
}

TEST_F(ArrayTest, CollectingFreesBuffersAndKeepsElements) {
  const std::int64_t live = TakeSnapshot()[Subsystem::kArrays].live_bytes;
  RArray* kept = New();
  for (int i = 0; i < 200; ++i) {
    Push(heap_, kept, test_heap_.NewFloat(i));
    NewArrayFrom(heap_, test_heap_.array_class(), Counting(50));
  }
  test_heap_.CollectNow();
  for (int i = 0; i < 200; ++i) ASSERT_EQ(As<RFloat>(At(kept, i))->number, i);
  Clear(heap_, kept);
  test_heap_.CollectNow();
  heap_.CheckInvariants();
  EXPECT_GE(TakeSnapshot()[Subsystem::kArrays].live_bytes, live + 8 * 32);
  EXPECT_LE(TakeSnapshot()[Subsystem::kArrays].live_bytes, live + 8 * 32 + 16);
}

using ArrayDeathTest = ArrayTest;

TEST_F(ArrayDeathTest, FrozenArraysAreNeverChanged) {
  RArray* array = From({F(1), F(2)});
  RArray* other = From({F(3)});
  Freeze(array);
  const char* message = "a frozen array is never changed";
  EXPECT_DEATH(Store(heap_, array, 0, F(0)), message);
  EXPECT_DEATH(Push(heap_, array, F(0)), message);
  EXPECT_DEATH(Pop(heap_, array), message);
  EXPECT_DEATH(Shift(heap_, array), message);
  EXPECT_DEATH(Unshift(heap_, array, F(0)), message);
  EXPECT_DEATH(Insert(heap_, array, 0, F(0)), message);
  EXPECT_DEATH(DeleteAt(heap_, array, 0), message);
  EXPECT_DEATH(Concat(heap_, array, other), message);
  EXPECT_DEATH(Clear(heap_, array), message);
  EXPECT_DEATH(Replace(heap_, array, other), message);
  EXPECT_DEATH(SortBang(heap_, array, [](Value, Value) { return false; }), message);
}

TEST_F(ArrayDeathTest, WritingBeforeTheBeginAborts) {
  RArray* array = From({F(1), F(2)});
  EXPECT_DEATH(Store(heap_, array, -3, F(0)), "before its begin");
  EXPECT_DEATH(Insert(heap_, array, -4, F(0)), "before its begin");
}

}  // namespace
}  // namespace rubric
