#include "experiments/replay/kept_slots.h"

#include <map>
#include <random>
#include <string>

#include "core/object/array_test_heap.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

TEST(KeptSlotsTest, AgreesWithAModel) {
  ArrayTestHeap heap;
  HandleScope scope(heap.heap().roots());
  KeptSlots kept(heap.heap(), scope);
  std::map<KeptSlots::Place, std::int64_t> model;
  std::mt19937 random(3);
  for (std::int64_t i = 0; i < 20'000; ++i) {
    if (!model.empty() && random() % 3 == 0) {
      const auto at = std::next(
          model.begin(),
          static_cast<std::ptrdiff_t>(random() % std::min<std::size_t>(model.size(), 50)));
      kept.Drop(at->first);
      model.erase(at);
    } else {
      EXPECT_TRUE(model.emplace(kept.Add(Value::Fixnum(i)), i).second);
    }
    ASSERT_EQ(kept.size(), model.size());
  }
  for (const auto& [place, value] : model) ASSERT_EQ(kept.At(place), Value::Fixnum(value));
}

}  // namespace
}  // namespace rubric
