// The conformance suite of the resurrect axis: every backend passes it, and so does the model.
//
// USE        INSTANTIATE_TYPED_TEST_SUITE_P(Copying, ResurrectConformance, CopyingResurrect); Tests
//            are named by the invariant of resurrect.h that they hold the backend to.
#ifndef RUBRIC_CORE_RESURRECT_RESURRECT_CONFORMANCE_H_
#define RUBRIC_CORE_RESURRECT_RESURRECT_CONFORMANCE_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/base/build_mode.h"
#include "core/heap/root_stack.h"
#include "core/memory/counters.h"
#include "core/object/array.h"
#include "core/object/array_mutation.h"
#include "core/object/array_sharing.h"
#include "core/object/array_test_heap.h"
#include "core/resurrect/resurrect.h"
#include "gtest/gtest.h"

namespace rubric {

template <typename Backend>
class ResurrectConformance : public ::testing::Test {
 protected:
  static_assert(ResurrectBackend<Backend>);
  using Elements = std::vector<Value>;

  // Lengths on both sides of every limit, and the two of #15349's experiments (4 and 110).
  static constexpr std::array<std::size_t, 14> kLengths = {0,  1,  2,  3,  4,  5,   15,
                                                           16, 17, 63, 64, 65, 110, 1000};

  static Elements Counting(std::size_t n) {
    Elements elements;
    for (std::size_t i = 0; i < n; ++i) {
      elements.push_back(Value::Fixnum(static_cast<std::int64_t>(i)));
    }
    return elements;
  }
  static Elements ElementsOf(const RArray* array) {
    return {array->elements().begin(), array->elements().end()};
  }
  static std::uint64_t BufferBytes(std::size_t n) { return n > RArray::kEmbedMax ? 8 * n : 0; }

  RArray* Literal(std::size_t n) { return scope_.Keep(NewArrayLiteral(heap_, Counting(n))); }
  RArray* Evaluate(RArray* literal) {
    return scope_.Keep(Backend::Resurrect(heap_, literal, test_heap_.array_class()));
  }
  static AllocatorCounters Since(const MemorySnapshot& before) {
    return (TakeSnapshot() - before)[Subsystem::kArrays];
  }

  // One write a mutator. Each changes an array of at least one element.
  struct Write {
    const char* name;
    std::function<void(Heap&, RArray*)> perform;
  };
  static std::vector<Write> Writes() {
    const Value x = Value::Fixnum(-1);
    return {
        {"store", [x](Heap& heap, RArray* array) { Store(heap, array, 0, x); }},
        {"store beyond",
         [x](Heap& heap, RArray* array) {
           Store(heap, array, static_cast<std::ptrdiff_t>(array->length()) + 2, x);
         }},
        {"push", [x](Heap& heap, RArray* array) { Push(heap, array, x); }},
        {"pop and push",
         [x](Heap& heap, RArray* array) {
           Pop(heap, array);
           Push(heap, array, x);
         }},
        {"shift", [](Heap& heap, RArray* array) { Shift(heap, array); }},
        {"shift and store",
         [x](Heap& heap, RArray* array) {
           Shift(heap, array);
           Store(heap, array, 0, x);
         }},
        {"unshift", [x](Heap& heap, RArray* array) { Unshift(heap, array, x); }},
        {"insert", [x](Heap& heap, RArray* array) { Insert(heap, array, 1, x); }},
        {"delete_at", [](Heap& heap, RArray* array) { DeleteAt(heap, array, 0); }},
        {"concat", [](Heap& heap, RArray* array) { Concat(heap, array, array); }},
        {"clear", [](Heap& heap, RArray* array) { Clear(heap, array); }},
        {"clear and push",
         [x](Heap& heap, RArray* array) {
           Clear(heap, array);
           Push(heap, array, x);
         }},
        {"replace",
         [](Heap& heap, RArray* array) {
           HandleScope scope(heap.roots());
           Replace(heap, array, scope.Keep(NewArrayFrom(heap, nullptr, Counting(7))));
           Store(heap, array, 0, Value::Nil());
         }},
        {"sort!",
         [](Heap& heap, RArray* array) {
           Store(heap, array, -1, Value::Fixnum(-2));
           SortBang(heap, array, [](Value a, Value b) { return a.AsFixnum() < b.AsFixnum(); });
         }},
        {"write to a slice",
         [x](Heap& heap, RArray* array) {
           HandleScope scope(heap.roots());
           RArray* slice = scope.Keep(*Slice(heap, array, 0, array->length()));
           Store(heap, slice, 0, x);
           Store(heap, array, 0, Value::Nil());
         }},
    };
  }

  ArrayTestHeap test_heap_;
  Heap& heap_ = test_heap_.heap();
  HandleScope scope_{heap_.roots()};
};

TYPED_TEST_SUITE_P(ResurrectConformance);

TYPED_TEST_P(ResurrectConformance, Invariant1ResultsEqualTheLiteralAndAreWritable) {
  for (const std::size_t n : this->kLengths) {
    RArray* literal = this->Literal(n);
    for (int evaluation = 0; evaluation < 3; ++evaluation) {
      RArray* result = this->Evaluate(literal);
      EXPECT_NE(result, literal);
      EXPECT_EQ(this->ElementsOf(result), this->Counting(n)) << n;
      EXPECT_EQ(result->klass, this->test_heap_.array_class());
      EXPECT_FALSE(result->frozen() || result->Has(RBasic::kHidden));
      CheckArray(result);
    }
  }
}

TYPED_TEST_P(ResurrectConformance, Invariant2NoWriteReachesTheLiteralOrAnotherResult) {
  for (const auto& write : this->Writes()) {
    for (const std::size_t n : this->kLengths) {
      if (n == 0) continue;
      RArray* literal = this->Literal(n);
      RArray* before = this->Evaluate(literal);
      RArray* written = this->Evaluate(literal);
      RArray* after = this->Evaluate(literal);
      write.perform(this->heap_, written);
      RArray* later = this->Evaluate(literal);
      EXPECT_NE(this->ElementsOf(written), this->Counting(n)) << write.name << " changed nothing";
      for (RArray* other : {literal, before, after, later}) {
        ASSERT_EQ(this->ElementsOf(other), this->Counting(n)) << write.name << ", length " << n;
      }
      // The same once nobody else is left in a shared buffer but the literal.
      write.perform(this->heap_, before);
      write.perform(this->heap_, after);
      write.perform(this->heap_, later);
      ASSERT_EQ(this->ElementsOf(literal), this->Counting(n)) << write.name << ", length " << n;
      this->test_heap_.CheckArrays();
    }
  }
}

TYPED_TEST_P(ResurrectConformance, Invariants3To5MallocsAndMemsize) {
  constexpr bool kShares = TypeParam::kTraits.shares_literal;
  for (const std::size_t n : this->kLengths) {
    RArray* literal = this->Literal(n);
    const std::uint64_t bytes = this->BufferBytes(n);
    for (int evaluation = 0; evaluation < 3; ++evaluation) {
      const MemorySnapshot before = TakeSnapshot();
      const std::uint64_t slots = this->heap_.stats().total_allocated_slots;
      RArray* result = this->Evaluate(literal);
      EXPECT_EQ(this->heap_.stats().total_allocated_slots - slots, 1u);
      EXPECT_EQ(this->Since(before).malloc_calls, bytes > 0 && !kShares ? 1u : 0u) << n;
      EXPECT_EQ(this->Since(before).bytes_requested, kShares ? 0 : bytes) << n;
      EXPECT_EQ(ArrayMemsize(result), kShares ? 0 : bytes) << n;
      EXPECT_EQ(result->Has(RBasic::kNoembed), n > RArray::kEmbedMax);
      if (n == 0) continue;
      // One write later both kinds own the same memory.
      Store(this->heap_, result, 0, Value::Nil());
      Store(this->heap_, result, 0, Value::True());
      EXPECT_EQ(this->Since(before).malloc_calls, bytes > 0 ? 1u : 0u) << n;
      EXPECT_EQ(this->Since(before).bytes_requested, bytes) << n;
      EXPECT_EQ(ArrayMemsize(result), bytes) << n;
    }
  }
}

TYPED_TEST_P(ResurrectConformance, Invariant6TheLiteralsMemoryIsItsElements) {
  for (const std::size_t n : this->kLengths) {
    const MemorySnapshot before = TakeSnapshot();
    RArray* literal = this->Literal(n);
    EXPECT_EQ(ArrayMemsize(literal), this->BufferBytes(n));
    EXPECT_EQ(this->Since(before).malloc_calls, this->BufferBytes(n) > 0 ? 1u : 0u);
    for (int evaluation = 0; evaluation < 5; ++evaluation) this->Evaluate(literal);
    EXPECT_EQ(ArrayMemsize(literal), this->BufferBytes(n));
  }
}

TYPED_TEST_P(ResurrectConformance, Invariant7EachKeepsAliveWhatItNeeds) {
  for (const std::size_t n : {3, 4, 110}) {
    HandleScope scope(this->heap_.roots());
    RArray* result = nullptr;
    {
      HandleScope inner(this->heap_.roots());
      // Built as a compiler does: the elements first, kept by an array of their own.
      RArray* elements = inner.Keep(NewArray(this->heap_, nullptr));
      for (std::size_t i = 0; i < n; ++i) {
        Push(this->heap_, elements, this->test_heap_.NewFloat(static_cast<double>(i)));
      }
      RArray* literal = inner.Keep(NewArrayLiteral(this->heap_, elements->elements()));
      for (int i = 0; i < 3; ++i) {
        TypeParam::Resurrect(this->heap_, literal, this->test_heap_.array_class());
      }
      this->test_heap_.CollectNow();
      ASSERT_EQ(literal->length(), n) << "results died, not the literal";
      result = TypeParam::Resurrect(this->heap_, literal, this->test_heap_.array_class());
    }
    scope.Keep(result);
    this->test_heap_.CollectNow();
    for (int i = 0; i < 500; ++i) this->test_heap_.NewFloat(-1);  // takes what was freed
    ASSERT_EQ(result->length(), n);
    for (std::size_t i = 0; i < n; ++i) {
      const Value element = At(result, static_cast<std::ptrdiff_t>(i));
      ASSERT_EQ(As<RFloat>(element)->number, static_cast<double>(i));
    }
    this->test_heap_.CheckArrays();
  }
}

// Everything at once: literals that come and go, results kept, written to and dropped, under a
// collector; the model of an array is a vector.
TYPED_TEST_P(ResurrectConformance, AgreesWithModelUnderChurn) {
  struct Kept {
    Value* handle;
    std::vector<Value> expected;
  };
  const MemorySnapshot before = TakeSnapshot();
  {
    ArrayTestHeap test_heap(1);
    Heap& heap = test_heap.heap();
    HandleScope scope(heap.roots());
    std::mt19937_64 rng(15349);
    const auto random = [&rng](std::size_t below) { return rng() % below; };
    std::vector<Kept> literals, results;
    for (int i = 0; i < 8; ++i) {
      literals.push_back({&scope.Push(Value(NewArrayLiteral(heap, {}))), {}});
    }
    for (int i = 0; i < 32; ++i) {
      results.push_back({&scope.Push(Value(NewArray(heap, test_heap.array_class()))), {}});
    }
    const auto check = [](const Kept& kept) {
      const auto* array = static_cast<RArray*>(kept.handle->AsSlot());
      CheckArray(array);
      return std::equal(array->elements().begin(), array->elements().end(), kept.expected.begin(),
                        kept.expected.end());
    };
    const int steps = kGcStressByDefault ? 20'000 : kDchecks ? 100'000 : 1'000'000;
    heap.set_stress(kGcStressByDefault);
    for (int step = 0; step < steps; ++step) {
      Kept& literal = literals[random(literals.size())];
      Kept& result = results[random(results.size())];
      auto* array = static_cast<RArray*>(result.handle->AsSlot());
      switch (random(12)) {
        case 0:
          literal.expected =
              ResurrectConformance<TypeParam>::Counting(random(4) == 0 ? random(120) : random(7));
          *literal.handle = Value(NewArrayLiteral(heap, literal.expected));
          break;
        case 1:
        case 2:
        case 3:
        case 4:
        case 5:
          *result.handle = Value(TypeParam::Resurrect(
              heap, static_cast<RArray*>(literal.handle->AsSlot()), test_heap.array_class()));
          result.expected = literal.expected;
          break;
        case 6: {
          const Value value = Value::Fixnum(static_cast<std::int64_t>(random(1000)));
          Push(heap, array, value);
          result.expected.push_back(value);
          break;
        }
        case 7: {
          const std::size_t at = random(result.expected.size() + 1);
          const Value value = Value::Fixnum(static_cast<std::int64_t>(random(1000)));
          Store(heap, array, static_cast<std::ptrdiff_t>(at), value);
          if (at == result.expected.size()) result.expected.emplace_back();
          result.expected[at] = value;
          break;
        }
        case 8:
          Shift(heap, array);
          if (!result.expected.empty()) result.expected.erase(result.expected.begin());
          break;
        case 9:
          Pop(heap, array);
          if (!result.expected.empty()) result.expected.pop_back();
          break;
        case 10:
          Unshift(heap, array, Value::True());
          result.expected.insert(result.expected.begin(), Value::True());
          break;
        default:
          if (random(200) == 0) test_heap.CollectNow();
          break;
      }
      ASSERT_TRUE(check(literal)) << "at step " << step;
      ASSERT_TRUE(check(result)) << "at step " << step;
      if (step % 1000 == 0) {
        for (const Kept& kept : literals) ASSERT_TRUE(check(kept)) << "at step " << step;
        for (const Kept& kept : results) ASSERT_TRUE(check(kept)) << "at step " << step;
        heap.CheckInvariants();
      }
    }
  }
  const AllocatorCounters arrays = (TakeSnapshot() - before)[Subsystem::kArrays];
  EXPECT_EQ(arrays.malloc_calls, arrays.free_calls) << "a buffer leaked";
  EXPECT_EQ(arrays.live_bytes, 0);
}

REGISTER_TYPED_TEST_SUITE_P(ResurrectConformance, Invariant1ResultsEqualTheLiteralAndAreWritable,
                            Invariant2NoWriteReachesTheLiteralOrAnotherResult,
                            Invariants3To5MallocsAndMemsize,
                            Invariant6TheLiteralsMemoryIsItsElements,
                            Invariant7EachKeepsAliveWhatItNeeds, AgreesWithModelUnderChurn);

}  // namespace rubric

#endif  // RUBRIC_CORE_RESURRECT_RESURRECT_CONFORMANCE_H_
