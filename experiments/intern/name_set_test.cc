#include "experiments/intern/name_set.h"

#include <set>
#include <vector>

#include "core/base/keyed_hash.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

TEST(NameSetTest, NamesAreDistinctAndOfTheLengthAskedFor) {
  for (std::size_t length : {4u, 16u, 200u}) {
    const auto names = NameSet::Make(4000, length, NameSet::Keys::kPlain, 1, 0);
    const auto others = NameSet::Make(4000, length, NameSet::Keys::kPlain, 1, 1);
    ASSERT_TRUE(names.ok() && others.ok());
    std::set<std::string_view> distinct;
    for (std::size_t i = 0; i < names->size(); ++i) {
      EXPECT_EQ((*names)[i].size(), length);
      distinct.insert((*names)[i]);
      distinct.insert((*others)[i]);
    }
    EXPECT_EQ(distinct.size(), 8000u);
  }
}

TEST(NameSetTest, CollidingNamesShareTheBitsThatChooseABin) {
  const auto names = NameSet::Make(500, 16, NameSet::Keys::kColliding, 99, 0);
  ASSERT_TRUE(names.ok());
  std::set<std::string_view> distinct;
  for (std::size_t i = 0; i < names->size(); ++i) {
    distinct.insert((*names)[i]);
    EXPECT_EQ(KeyedHash((*names)[i], 99) & 1023, 0u);
  }
  EXPECT_EQ(distinct.size(), 500u);
}

TEST(NameSetTest, TooShortALengthIsAnError) {
  EXPECT_FALSE(NameSet::Make(37, 2, NameSet::Keys::kPlain, 1, 0).ok());
  EXPECT_TRUE(NameSet::Make(36, 2, NameSet::Keys::kPlain, 1, 0).ok());
  EXPECT_FALSE(NameSet::Make(1000, 3, NameSet::Keys::kColliding, 1, 0).ok());
}

TEST(LookupOrderTest, VisitsAllBeforeAnyRepeats) {
  for (std::size_t size : {1u, 2u, 7u, 4000u, 7919u, 15838u, 10000u}) {
    for (auto kind : {LookupOrder::Kind::kSequential, LookupOrder::Kind::kStrided}) {
      LookupOrder order(kind, size);
      std::vector<bool> seen(size);
      for (std::size_t i = 0; i < size; ++i) {
        const std::size_t at = order.Next();
        ASSERT_LT(at, size);
        ASSERT_FALSE(seen[at]) << size;
        seen[at] = true;
      }
      EXPECT_EQ(order.Next(), 0u);
    }
  }
}

}  // namespace
}  // namespace rubric
