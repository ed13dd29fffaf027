#include "core/object/array_sharing.h"

#include <cstddef>
#include <vector>

#include "core/memory/counters.h"
#include "core/object/array.h"
#include "core/object/array_mutation.h"
#include "core/object/array_test_heap.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

constexpr Value F(std::int64_t n) { return Value::Fixnum(n); }

std::vector<Value> Counting(std::size_t n, std::int64_t from = 0) {
  std::vector<Value> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(F(from + static_cast<std::int64_t>(i)));
  return values;
}

class ArraySharingTest : public ::testing::Test {
 protected:
  ~ArraySharingTest() override { test_heap_.CheckArrays(); }

  RArray* From(const std::vector<Value>& values) {
    return scope_.Keep(NewArrayFrom(heap_, test_heap_.array_class(), values));
  }
  RArray* Share(RArray* source) {
    return scope_.Keep(SharedCopy(heap_, source, test_heap_.array_class()));
  }
  AllocatorCounters Since(const MemorySnapshot& before) {
    return (TakeSnapshot() - before)[Subsystem::kArrays];
  }
  std::uint64_t Slots() { return heap_.stats().total_allocated_slots; }

  ArrayTestHeap test_heap_;
  Heap& heap_ = test_heap_.heap();
  HandleScope scope_{heap_.roots()};
};

TEST_F(ArraySharingTest, SharingMakesOneRootAndMallocsNothing) {
  RArray* source = From(Counting(4));
  const MemorySnapshot before = TakeSnapshot();
  const std::uint64_t slots = Slots();
  RArray* first = Share(source);
  EXPECT_EQ(Slots() - slots, 2u) << "the copy and the root";
  RArray* second = Share(first);
  EXPECT_EQ(Slots() - slots, 3u);
  EXPECT_EQ(Since(before).malloc_calls, 0u);
  RArray* root = source->heap.shared;
  EXPECT_EQ(first->heap.shared, root);
  EXPECT_EQ(second->heap.shared, root);
  EXPECT_EQ(Occupants(root), 3u);
  EXPECT_TRUE(root->frozen() && root->Has(RBasic::kHidden));
  EXPECT_EQ(ArrayMemsize(root), 32u);
  EXPECT_EQ(ArrayMemsize(source) + ArrayMemsize(first) + ArrayMemsize(second), 0u);
}

TEST_F(ArraySharingTest, AFrozenArrayIsItsOwnRootAndLosesSpareRoom) {
  RArray* literal = scope_.Keep(NewArrayLiteral(heap_, Counting(4)));
  const std::uint64_t slots = Slots();
  const MemorySnapshot before = TakeSnapshot();
  RArray* copy = Share(literal);
  EXPECT_EQ(Slots() - slots, 1u);
  EXPECT_EQ(Since(before).malloc_calls, 0u);
  EXPECT_EQ(copy->heap.shared, literal);
  EXPECT_EQ(ArrayMemsize(literal), 32u);

  RArray* roomy = From({});
  for (int i = 0; i < 5; ++i) Push(heap_, roomy, F(i));
  Freeze(roomy);
  EXPECT_EQ(ArrayMemsize(roomy), 160u);
  const MemorySnapshot roomy_before = TakeSnapshot();
  Share(roomy);
  EXPECT_EQ(Since(roomy_before).bytes_requested, 40u) << "a realloc to its length";
  EXPECT_EQ(Since(roomy_before).free_calls, 1u);
  EXPECT_EQ(ArrayMemsize(roomy), 40u);
}

TEST_F(ArraySharingTest, TheFirstWriteCopiesExactly) {
  RArray* literal = scope_.Keep(NewArrayLiteral(heap_, Counting(110)));
  RArray* first = Share(literal);
  RArray* second = Share(literal);
  const MemorySnapshot before = TakeSnapshot();
  Store(heap_, first, 0, F(-1));
  EXPECT_EQ(Since(before).malloc_calls, 1u);
  EXPECT_EQ(Since(before).bytes_requested, 880u);
  EXPECT_EQ(ArrayMemsize(first), 880u);
  Store(heap_, first, 1, F(-2));
  EXPECT_EQ(Since(before).malloc_calls, 1u);
  EXPECT_THAT(second->elements(), ElementsAreArray(Counting(110)));
  EXPECT_THAT(literal->elements(), ElementsAreArray(Counting(110)));
}

TEST_F(ArraySharingTest, SlicesLongerThanThreeShareTheMiddle) {
  RArray* source = From(Counting(20));
  const MemorySnapshot before = TakeSnapshot();
  RArray* slice = scope_.Keep(*Slice(heap_, source, 5, 10));
  EXPECT_THAT(slice->elements(), ElementsAreArray(Counting(10, 5)));
  EXPECT_EQ(slice->data(), source->data() + 5);
  RArray* slice_of_slice = scope_.Keep(*Slice(heap_, slice, -6, 4));
  EXPECT_THAT(slice_of_slice->elements(), ElementsAreArray(Counting(4, 9)));
  EXPECT_EQ(slice_of_slice->heap.shared, source->heap.shared);
  RArray* small = scope_.Keep(*Slice(heap_, slice, 8, 3));
  EXPECT_THAT(small->elements(), ElementsAre(F(13), F(14)));
  EXPECT_FALSE(small->Has(RBasic::kNoembed));
  EXPECT_EQ(Since(before).malloc_calls, 0u);
  EXPECT_EQ(slice->klass, source->klass);
}

TEST_F(ArraySharingTest, SlicesOutsideAreNothingAndAtTheEndEmpty) {
  RArray* source = From(Counting(5));
  EXPECT_EQ((*Slice(heap_, source, 5, 1))->length(), 0u);
  EXPECT_EQ((*Slice(heap_, source, 2, 0))->length(), 0u);
  EXPECT_EQ(Slice(heap_, source, 6, 1), std::nullopt);
  EXPECT_EQ(Slice(heap_, source, -6, 1), std::nullopt);
  EXPECT_THAT((*Slice(heap_, source, -5, 2))->elements(), ElementsAre(F(0), F(1)));
}

TEST_F(ArraySharingTest, TheLastOccupantTakesTheBufferInsteadOfCopying) {
  RArray* source = From(Counting(20));
  RArray* slice = scope_.Keep(*Slice(heap_, source, 4, 16));
  const Value* buffer = source->heap.shared->heap.buffer;
  Store(heap_, source, 0, F(-1));  // leaves by a copy
  const MemorySnapshot before = TakeSnapshot();
  Store(heap_, slice, 0, F(-2));
  EXPECT_EQ(Since(before).malloc_calls, 0u);
  EXPECT_EQ(slice->data(), buffer);
  EXPECT_EQ(ArrayCapa(slice), 20u);
  EXPECT_EQ(At(slice, 0), F(-2));
  EXPECT_EQ(At(slice, 15), F(19));
  EXPECT_EQ(At(source, 4), F(4));
}

TEST_F(ArraySharingTest, ASmallLastOccupantCopiesAndTheBufferGoes) {
  RArray* source = From(Counting(20));
  RArray* slice = scope_.Keep(*Slice(heap_, source, 4, 10));
  RArray* root = source->heap.shared;
  Clear(heap_, source);
  EXPECT_EQ(Occupants(root), 1u);
  const MemorySnapshot before = TakeSnapshot();
  Store(heap_, slice, 0, F(-2));
  EXPECT_EQ(Since(before).bytes_requested, 80u);
  EXPECT_EQ(Since(before).free_calls, 1u) << "nobody is left in the root";
  EXPECT_FALSE(root->Has(RBasic::kSharedRoot));
  EXPECT_EQ(ArrayMemsize(root), 0u);
}

TEST_F(ArraySharingTest, AnUnsharedArrayOfThreeIsEmbedded) {
  RArray* literal = scope_.Keep(NewArrayLiteral(heap_, Counting(4)));
  RArray* array = Share(literal);
  Pop(heap_, array);
  EXPECT_TRUE(array->Has(RBasic::kShared)) << "Pop need not copy";
  const MemorySnapshot before = TakeSnapshot();
  Store(heap_, array, 0, F(9));
  EXPECT_FALSE(array->Has(RBasic::kNoembed));
  EXPECT_EQ(Since(before).malloc_calls, 0u);
  EXPECT_THAT(array->elements(), ElementsAre(F(9), F(1), F(2)));
  EXPECT_THAT(literal->elements(), ElementsAreArray(Counting(4)));
}

// What each `require` does to $LOADED_FEATURES: the index keeps a snapshot that shares it, so that
// every push copies the array and then regrows it by half.
TEST_F(ArraySharingTest, PushingToASnapshottedArrayCopiesAndRegrows) {
  RArray* features = From({});
  RArray* snapshot = From({});
  for (std::int64_t n = 0; n < 200; ++n) {
    const MemorySnapshot before = TakeSnapshot();
    Push(heap_, features, F(n));
    if (n > 3) {
      const auto copied = static_cast<std::uint64_t>(8 * n);
      const auto grown =
          static_cast<std::uint64_t>(8 * (n + 1 + std::max<std::int64_t>(n / 2, 16)));
      EXPECT_EQ(Since(before).malloc_calls, 2u) << n;
      EXPECT_EQ(Since(before).bytes_requested, copied + grown) << n;
    }
    EXPECT_FALSE(SharesWith(snapshot, features));
    Replace(heap_, snapshot, features);
    EXPECT_EQ(SharesWith(snapshot, features), n >= 3);
    // The buffer of the last snapshot went when the snapshot left it: two live blocks at no time.
    EXPECT_EQ(Since(before).malloc_calls - Since(before).free_calls, n == 3 ? 1u : 0u) << n;
    ASSERT_THAT(snapshot->elements(), ElementsAreArray(Counting(static_cast<std::size_t>(n) + 1)));
  }
}

TEST_F(ArraySharingTest, SharesWithTellsWhetherEitherChanged) {
  RArray* a = From(Counting(10));
  RArray* b = From({});
  Replace(heap_, b, a);
  EXPECT_TRUE(SharesWith(a, b));
  Pop(heap_, b);
  EXPECT_FALSE(SharesWith(a, b));
  Replace(heap_, b, a);
  Store(heap_, a, 0, F(7));
  EXPECT_FALSE(SharesWith(a, b));
  Replace(heap_, b, b);
  EXPECT_EQ(b->length(), 10u);
}

TEST_F(ArraySharingTest, RootsOutliveTheArraysTheyWereMadeFor) {
  RArray* slice;
  {
    HandleScope inner(heap_.roots());
    RArray* source = inner.Keep(NewArray(heap_, test_heap_.array_class()));
    for (int i = 0; i < 50; ++i) Push(heap_, source, test_heap_.NewFloat(i));
    slice = *Slice(heap_, source, 10, 20);
  }
  HandleScope outer(heap_.roots());
  outer.Keep(slice);
  test_heap_.CollectNow();
  for (int i = 0; i < 100; ++i) test_heap_.NewFloat(-1);
  for (int i = 0; i < 20; ++i) ASSERT_EQ(As<RFloat>(At(slice, i))->number, 10 + i);
  EXPECT_EQ(slice->heap.shared->length(), 56u) << "the root keeps the whole buffer";
}

TEST_F(ArraySharingTest, WhatWasShiftedFromAnUnseenBufferIsNotKeptAlive) {
  RArray* queue = From({});
  for (int i = 0; i < 20; ++i) Push(heap_, queue, test_heap_.NewFloat(i));
  test_heap_.CollectNow();
  const std::uint64_t live = heap_.stats().live_slots();
  for (int i = 0; i < 15; ++i) Shift(heap_, queue);
  test_heap_.CollectNow();
  EXPECT_EQ(heap_.stats().live_slots(), live - 15 + 1) << "15 floats went, the root came";
}

TEST_F(ArraySharingTest, WhatIsStoredNeedNotBeKept) {
  RArray* array = From(Counting(64));
  heap_.set_stress(true);
  Unshift(heap_, array, test_heap_.NewFloat(0.5));  // makes a root on the way
  EXPECT_TRUE(array->Has(RBasic::kShared));
  test_heap_.NewFloat(-1);
  EXPECT_EQ(As<RFloat>(At(array, 0))->number, 0.5);
}

TEST_F(ArraySharingTest, NothingLeaksWhenAllDie) {
  const std::int64_t live = TakeSnapshot()[Subsystem::kArrays].live_bytes;
  {
    HandleScope inner(heap_.roots());
    RArray* a = inner.Keep(NewArrayFrom(heap_, test_heap_.array_class(), Counting(40)));
    RArray* b = inner.Keep(SharedCopy(heap_, a, test_heap_.array_class()));
    RArray* c = inner.Keep(*Slice(heap_, b, 3, 30));
    Shift(heap_, c);
    Push(heap_, b, F(1));
    Unshift(heap_, c, F(2));
    EXPECT_GT(TakeSnapshot()[Subsystem::kArrays].live_bytes, live);
  }
  test_heap_.CollectNow();
  EXPECT_EQ(TakeSnapshot()[Subsystem::kArrays].live_bytes, live);
}

}  // namespace
}  // namespace rubric
