#include "core/object/hash.h"

#include <map>
#include <random>
#include <string>
#include <vector>

#include "core/heap/growing_source.h"
#include "core/heap/heap.h"
#include "core/memory/counters.h"
#include "core/object/object_space.h"
#include "core/object/string.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

constexpr std::uint64_t kSeed = 12142;

class HashTest : public ::testing::Test {
 protected:
  ~HashTest() override {
    heap_.ForEachSlot([](RBasic* slot) { FreeOwned(slot); });
  }
  Value Key(const std::string& bytes) {
    RString* key = NewString(heap_, nullptr, bytes);
    FreezeString(key);
    return Value(key);
  }
  Heap heap_{1};
  GrowingSource source_{heap_};
};

TEST_F(HashTest, AnEmptyHashOwnsNothing) {
  const auto before = TakeSnapshot()[Subsystem::kHashes].malloc_calls;
  RHash* hash = NewHash(heap_, nullptr);
  EXPECT_EQ(HashFetch(hash, Value::Nil(), kSeed), std::nullopt);
  EXPECT_EQ(HashDelete(hash, Value::Nil(), kSeed), std::nullopt);
  EXPECT_EQ(TakeSnapshot()[Subsystem::kHashes].malloc_calls, before);
  EXPECT_EQ(HashMemsize(hash), 0u);
}

TEST_F(HashTest, KeysCompareByEql) {
  RHash* hash = NewHash(heap_, nullptr);
  HashStore(heap_, hash, Key("name"), Value::Fixnum(1), kSeed);
  HashStore(heap_, hash, Value::Fixnum(1), Value::Fixnum(2), kSeed);
  HashStore(heap_, hash, Value(NewFloatSlot(heap_, nullptr, 1e300)), Value::Fixnum(3), kSeed);
  EXPECT_EQ(HashFetch(hash, Key("name"), kSeed), Value::Fixnum(1));
  EXPECT_EQ(HashFetch(hash, Value::Fixnum(1), kSeed), Value::Fixnum(2));
  EXPECT_EQ(HashFetch(hash, Value(NewFloatSlot(heap_, nullptr, 1e300)), kSeed), Value::Fixnum(3));
  EXPECT_EQ(HashFetch(hash, *Value::Flonum(1.0), kSeed), std::nullopt);
  EXPECT_EQ(HashFetch(hash, Value(NewString(heap_, nullptr, "name", Encoding::kBinary)), kSeed),
            std::nullopt);
}

TEST_F(HashTest, AgreesWithAModelAndKeepsOrder) {
  std::mt19937 rng(56650);
  RHash* hash = NewHash(heap_, nullptr);
  std::map<std::string, std::int64_t> model;
  std::vector<std::string> order;
  for (int step = 0; step < 60'000; ++step) {
    const std::string name = "key" + std::to_string(rng() % 300);
    switch (rng() % 3) {
      case 0:
        if (model.insert_or_assign(name, step).second) order.push_back(name);
        HashStore(heap_, hash, Key(name), Value::Fixnum(step), kSeed);
        break;
      case 1: {
        const bool had = model.erase(name) != 0;
        if (had) std::erase(order, name);
        ASSERT_EQ(HashDelete(hash, Key(name), kSeed).has_value(), had);
        break;
      }
      case 2: {
        const auto found = HashFetch(hash, Key(name), kSeed);
        ASSERT_EQ(found.has_value(), model.contains(name));
        if (found) {
          ASSERT_EQ(found->AsFixnum(), model[name]);
        }
        break;
      }
    }
    ASSERT_EQ(HashSize(hash), model.size());
    if (step % 1000 == 0) {
      std::vector<std::string> seen;
      ForEachPair(hash, [&](Value key, Value) { seen.emplace_back(As<RString>(key)->bytes()); });
      ASSERT_EQ(seen, order);
    }
  }
}

}  // namespace
}  // namespace rubric
