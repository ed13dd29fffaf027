#include "core/object/string.h"

#include <random>
#include <string>
#include <vector>

#include "core/heap/mark_sweep.h"
#include "core/memory/counters.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

// A collector over strings alone; every root is on the root stack.
struct StringsOnly {
  void MarkRoots(Marker&) {}
  void MarkChildren(Marker& marker, RBasic* slot) {
    VisitStringReferences(static_cast<RString*>(slot), [&](Value v) { marker.Mark(v); });
  }
  void FinalizeSlot(RBasic* slot) { FreeStringBuffer(static_cast<RString*>(slot)); }
};

class StringTest : public ::testing::Test {
 protected:
  ~StringTest() override {
    heap_.ForEachSlot([](RBasic* slot) { FreeStringBuffer(static_cast<RString*>(slot)); });
  }

  const MemorySnapshot before_ = TakeSnapshot();
  Heap heap_{1};
  StringsOnly client_;
  MarkSweep<StringsOnly> collector_{heap_, client_};
};

TEST_F(StringTest, EmbedsUpTo23BytesAndThenMallocsOnce) {
  HandleScope scope(heap_.roots());
  for (std::size_t length : {0, 1, 22, 23, 24, 25, 1000}) {
    const auto calls = TakeSnapshot()[Subsystem::kStrings];
    RString* string = scope.Keep(NewString(heap_, nullptr, std::string(length, 'x')));
    const auto now = TakeSnapshot()[Subsystem::kStrings];
    EXPECT_EQ(string->bytes(), std::string(length, 'x'));
    EXPECT_EQ(now.malloc_calls - calls.malloc_calls, length > 23 ? 1u : 0u);
    EXPECT_EQ(now.bytes_requested - calls.bytes_requested, length > 23 ? length + 1 : 0);
    EXPECT_EQ(StringMemsize(string), length > 23 ? length + 1 : 0);
    CheckString(string);
  }
}

TEST_F(StringTest, TailsShareAndMiddlesCopy) {
  HandleScope scope(heap_.roots());
  RString* path =
      scope.Keep(NewString(heap_, nullptr, "/usr/lib/ruby/vendor_ruby/rubygems/specification.rb"));
  FreezeString(path);
  const auto calls = TakeSnapshot()[Subsystem::kStrings].malloc_calls;
  RString* tail = scope.Keep(SubString(heap_, path, 5, path->length() - 5));
  EXPECT_EQ(TakeSnapshot()[Subsystem::kStrings].malloc_calls, calls);
  EXPECT_TRUE(tail->Has(RBasic::kShared));
  EXPECT_EQ(tail->heap.shared, path);  // a frozen source is its own root
  RString* tail_of_tail = scope.Keep(SubString(heap_, tail, 4, tail->length() - 4));
  EXPECT_EQ(tail_of_tail->heap.shared, path);
  EXPECT_EQ(tail_of_tail->bytes(), path->bytes().substr(9));
  RString* middle = scope.Keep(SubString(heap_, path, 0, path->length() - 3));
  EXPECT_EQ(TakeSnapshot()[Subsystem::kStrings].malloc_calls, calls + 1);
  EXPECT_FALSE(middle->Has(RBasic::kShared));
  RString* shorter = scope.Keep(SubString(heap_, path, path->length() - 8, 8));
  EXPECT_FALSE(shorter->Has(RBasic::kNoembed));
  for (RString* string : {path, tail, tail_of_tail, middle, shorter}) CheckString(string);
}

TEST_F(StringTest, AppendingToItselfIsSafe) {
  HandleScope scope(heap_.roots());
  RString* string = scope.Keep(NewString(heap_, nullptr, "0123456789012345678901234"));
  for (int i = 0; i < 6; ++i) {
    const std::string twice = std::string(string->bytes()) + std::string(string->bytes());
    AppendToString(string, string->bytes());
    ASSERT_EQ(string->bytes(), twice);
  }
}

// Strings under random making, sharing, appending and collecting, against std::string.
TEST_F(StringTest, AgreesWithAModelUnderChurn) {
  std::mt19937 rng(14460);
  HandleScope scope(heap_.roots());
  struct Pair {
    Value* root;
    std::string model;
  };
  std::vector<Pair> strings;
  for (int i = 0; i < 24; ++i) {
    strings.push_back({&scope.Push(NewString(heap_, nullptr, "")), ""});
  }
  for (int step = 0; step < 200'000; ++step) {
    Pair& target = strings[rng() % strings.size()];
    Pair& source = strings[rng() % strings.size()];
    RString* string = As<RString>(*source.root);
    switch (rng() % 6) {
      case 0: {
        const std::string bytes(rng() % 60, static_cast<char>('a' + rng() % 26));
        *target.root = NewString(heap_, nullptr, bytes);
        target.model = bytes;
        break;
      }
      case 1:
      case 2: {
        const std::size_t from = rng() % (source.model.size() + 1);
        const std::size_t length =
            rng() % 2 ? source.model.size() - from : rng() % (source.model.size() - from + 1);
        *target.root = SubString(heap_, string, from, length);
        target.model = source.model.substr(from, length);
        break;
      }
      case 3:
        *target.root = FrozenCopy(heap_, string);
        target.model = source.model;
        break;
      case 4:
        if (!string->frozen() && source.model.size() < 400) {
          AppendToString(string, "tail-of-some-length");
          source.model += "tail-of-some-length";
        }
        break;
      case 5:
        if (step % 50 == 0) collector_.Collect();
        break;
    }
    ASSERT_EQ(As<RString>(*target.root)->bytes(), target.model) << "step " << step;
    ASSERT_EQ(As<RString>(*source.root)->bytes(), source.model) << "step " << step;
    if (step % 1000 == 0) {
      for (const Pair& pair : strings) {
        ASSERT_EQ(As<RString>(*pair.root)->bytes(), pair.model) << "step " << step;
        CheckString(As<RString>(*pair.root));
      }
      heap_.CheckInvariants();
    }
  }
}

}  // namespace
}  // namespace rubric
