// Arrays against std::vector: random operations over arrays that share with each other, under a
// collector.

#include <algorithm>
#include <cstddef>
#include <random>
#include <vector>

#include "core/base/build_mode.h"
#include "core/heap/root_stack.h"
#include "core/memory/counters.h"
#include "core/object/array.h"
#include "core/object/array_mutation.h"
#include "core/object/array_sharing.h"
#include "core/object/array_test_heap.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

// What an element must be: a slot that was freed, or freed and used again, is no longer that.
struct Expected {
  Value value;
  double number;  // of a float

  bool Holds(Value v) const {
    if (v != value) return false;
    if (!v.IsPointer()) return true;
    return v.AsSlot()->type() == Type::kFloat && static_cast<RFloat*>(v.AsSlot())->number == number;
  }
};
using Model = std::vector<Expected>;

struct Regime {
  const char* name;
  std::size_t max_length;  // elements; arrays beyond it are cut
  int steps;
  bool stress;
};

std::ostream& operator<<(std::ostream& out, const Regime& regime) { return out << regime.name; }

class World {
 public:
  explicit World(const Regime& regime, std::uint64_t seed) : regime_(regime), rng_(seed) {
    for (std::size_t i = 0; i < kArrays; ++i) {
      handles_.push_back(&scope_.Push(Value(NewArray(heap_, klass()))));
      models_.emplace_back();
    }
    heap_.set_stress(regime.stress || kGcStressByDefault);
  }

  void Run() {
    for (int step = 0; step < regime_.steps; ++step) {
      const std::size_t i = Random(kArrays);
      Step(i, Random(kArrays));
      ASSERT_NO_FATAL_FAILURE(Compare(i, step));
      if (step % 512 == 0) {
        for (std::size_t j = 0; j < kArrays; ++j) ASSERT_NO_FATAL_FAILURE(Compare(j, step));
        heap_.CheckInvariants();
      }
    }
  }

  // Changes that go unnoticed by the tests of representation alone: that each was exercised.
  std::size_t shared_writes() const { return shared_writes_; }

 private:
  static constexpr std::size_t kArrays = 12;

  std::size_t Random(std::size_t below) { return rng_() % below; }
  RClass* klass() const { return test_heap_.array_class(); }
  RArray* array(std::size_t i) const { return static_cast<RArray*>(handles_[i]->AsSlot()); }
  void Set(std::size_t i, RArray* array, Model model) {
    *handles_[i] = Value(array);
    models_[i] = std::move(model);
  }

  // A fixnum or, kept by nobody yet, a float.
  Expected NewElement() {
    const auto number = static_cast<std::int64_t>(Random(1000));
    if (Random(2) == 0) return {Value::Fixnum(number), 0};
    const auto unique = static_cast<double>(++floats_made_);
    return {test_heap_.NewFloat(unique), unique};
  }
  static Expected Nil() { return {Value::Nil(), 0}; }

  void Step(std::size_t i, std::size_t j) {
    Model& model = models_[i];
    const std::size_t length = model.size();
    switch (Random(100)) {  // these need not write to array i
      case 0:
        return Set(i, NewArray(heap_, klass(), Random(8)), {});
      case 1: {
        const std::vector<Value> values(array(j)->elements().begin(), array(j)->elements().end());
        return Set(i, NewArrayFrom(heap_, klass(), values), models_[j]);
      }
      case 2:
        return Set(i, CopyArray(heap_, array(j), klass()), models_[j]);
      case 3:
      case 4:
      case 5:
        return Set(i, SharedCopy(heap_, array(j), klass()), models_[j]);
      case 6:
      case 7:
      case 8: {
        const std::size_t from = Random(models_[j].size() + 1);
        const std::size_t count =
            std::min(Random(regime_.max_length + 1), models_[j].size() - from);
        const std::ptrdiff_t begin = static_cast<std::ptrdiff_t>(from) -
                                     (from < models_[j].size() && Random(2) == 0
                                          ? static_cast<std::ptrdiff_t>(models_[j].size())
                                          : 0);
        const auto first = models_[j].begin() + static_cast<std::ptrdiff_t>(from);
        Model slice(first, first + static_cast<std::ptrdiff_t>(count));
        return Set(i, *Slice(heap_, array(j), begin, count), std::move(slice));
      }
      case 9:
        return Freeze(array(i));
      case 10:
        if (Random(20) == 0) test_heap_.collector().Collect();
        return;
      default:
        break;
    }
    if (array(i)->frozen()) {  // goes on as a writable copy
      Set(i, SharedCopy(heap_, array(i), klass()), model);
    }
    if (array(i)->Has(RBasic::kShared)) ++shared_writes_;
    if (length > regime_.max_length) return Shorten(i);
    switch (Random(16)) {
      case 0: {
        const std::size_t at = Random(length + (Random(8) == 0 ? 6 : 1));
        const Expected element = NewElement();
        const std::ptrdiff_t index =
            at < length && Random(2) == 0
                ? static_cast<std::ptrdiff_t>(at) - static_cast<std::ptrdiff_t>(length)
                : static_cast<std::ptrdiff_t>(at);
        Store(heap_, array(i), index, element.value);
        if (at >= length) model.resize(at + 1, Nil());
        model[at] = element;
        return;
      }
      case 1:
      case 2:
      case 3: {
        for (std::size_t n = Random(8); n > 0; --n) {
          const Expected element = NewElement();
          Push(heap_, array(i), element.value);
          model.push_back(element);
        }
        return;
      }
      case 4: {
        const Value popped = Pop(heap_, array(i));
        ASSERT_TRUE(length == 0 ? popped.IsNil() : model.back().Holds(popped));
        if (length > 0) model.pop_back();
        return;
      }
      case 5:
      case 6: {
        for (std::size_t n = Random(8); n > 0; --n) {
          const Value shifted = Shift(heap_, array(i));
          ASSERT_TRUE(model.empty() ? shifted.IsNil() : model.front().Holds(shifted));
          if (!model.empty()) model.erase(model.begin());
        }
        return;
      }
      case 7:
      case 8: {
        for (std::size_t n = Random(4); n > 0; --n) {
          const Expected element = NewElement();
          Unshift(heap_, array(i), element.value);
          model.insert(model.begin(), element);
        }
        return;
      }
      case 9: {
        const std::size_t at = Random(length + 3);
        const Expected element = NewElement();
        if (at > length) model.resize(at, Nil());
        const bool negative = at <= length && Random(2) == 0;
        model.insert(model.begin() + static_cast<std::ptrdiff_t>(at), element);
        const auto end = static_cast<std::ptrdiff_t>(length) + 1;
        Insert(heap_, array(i), static_cast<std::ptrdiff_t>(at) - (negative ? end : 0),
               element.value);
        return;
      }
      case 10: {
        const std::size_t at = Random(length + 1);
        const Value deleted = DeleteAt(heap_, array(i), static_cast<std::ptrdiff_t>(at));
        ASSERT_TRUE(at == length ? deleted.IsNil() : model[at].Holds(deleted));
        if (at < length) model.erase(model.begin() + static_cast<std::ptrdiff_t>(at));
        return;
      }
      case 11: {
        const Model other = models_[j];
        Concat(heap_, array(i), array(j));
        model.insert(model.end(), other.begin(), other.end());
        return;
      }
      case 12: {
        const std::size_t begin = Random(length + 2);
        const std::size_t removed = Random(6);
        const Model other(models_[j].begin(),
                          models_[j].begin() + static_cast<std::ptrdiff_t>(
                                                   std::min<std::size_t>(models_[j].size(), 5)));
        std::vector<Value> values;
        for (const Expected& e : other) values.push_back(e.value);
        Splice(heap_, array(i), begin, removed, values);
        if (begin > length) model.resize(begin, Nil());
        const auto at = model.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto gone =
            std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(removed), model.end() - at);
        model.erase(at, at + gone);
        model.insert(model.begin() + static_cast<std::ptrdiff_t>(begin), other.begin(),
                     other.end());
        return;
      }
      case 13:
        Replace(heap_, array(i), array(j));
        model = models_[j];
        return;
      case 14:
        if (Random(4) == 0) {
          Clear(heap_, array(i));
          model.clear();
        }
        return;
      default:
        SortBang(heap_, array(i), [](Value a, Value b) { return a.bits() < b.bits(); });
        std::sort(model.begin(), model.end(), [](const Expected& a, const Expected& b) {
          return a.value.bits() < b.value.bits();
        });
        return;
    }
  }

  void Shorten(std::size_t i) {
    Model& model = models_[i];
    const std::size_t keep = Random(regime_.max_length);
    const bool from_the_end = Random(2) == 0;
    while (model.size() > keep) {
      if (from_the_end) {
        Pop(heap_, array(i));
        model.pop_back();
      } else {
        Shift(heap_, array(i));
        model.erase(model.begin());
      }
    }
  }

  void Compare(std::size_t i, int step) {
    CheckArray(array(i));
    const std::span<const Value> elements = array(i)->elements();
    ASSERT_EQ(elements.size(), models_[i].size()) << "at step " << step;
    for (std::size_t k = 0; k < elements.size(); ++k) {
      ASSERT_TRUE(models_[i][k].Holds(elements[k])) << "element " << k << " at step " << step;
      ASSERT_EQ(At(array(i), static_cast<std::ptrdiff_t>(k)), elements[k]);
    }
    if (!elements.empty()) {
      ASSERT_TRUE(Includes(array(i), elements[Random(elements.size())]));
    }
  }

  const Regime regime_;
  std::mt19937_64 rng_;
  ArrayTestHeap test_heap_{1};
  Heap& heap_ = test_heap_.heap();
  HandleScope scope_{heap_.roots()};
  std::vector<Value*> handles_;  // into the root stack, which never moves
  std::vector<Model> models_;
  std::uint64_t floats_made_ = 0;
  std::size_t shared_writes_ = 0;
};

class ArrayModelTest : public ::testing::TestWithParam<Regime> {};

TEST_P(ArrayModelTest, AgreesWithVector) {
  const MemorySnapshot before = TakeSnapshot();
  // Checking builds re-trace the heap at each collection: fewer steps find as much.
  Regime regime = GetParam();
  if (kDchecks) regime.steps /= kGcStressByDefault ? 50 : 10;
  {
    World world(regime, 15349);
    ASSERT_NO_FATAL_FAILURE(world.Run());
    EXPECT_GT(world.shared_writes(), static_cast<std::size_t>(regime.steps) / 50);
  }
  const AllocatorCounters arrays = (TakeSnapshot() - before)[Subsystem::kArrays];
  EXPECT_EQ(arrays.malloc_calls, arrays.free_calls);
  EXPECT_EQ(arrays.live_bytes, 0);
}

INSTANTIATE_TEST_SUITE_P(Regimes, ArrayModelTest,
                         ::testing::Values(Regime{"embedded", 6, 600'000, false},
                                           Regime{"thresholds", 80, 500'000, false},
                                           Regime{"long", 400, 100'000, false},
                                           Regime{"stressed", 12, 30'000, true},
                                           Regime{"stressed_long", 100, 30'000, true}),
                         [](const ::testing::TestParamInfo<Regime>& info) {
                           return std::string(info.param.name);
                         });

}  // namespace
}  // namespace rubric
