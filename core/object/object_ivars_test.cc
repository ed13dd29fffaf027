#include "core/object/object_ivars.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "core/base/build_mode.h"
#include "core/memory/counters.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

// A class, and objects of it, without a heap.
struct TestClass {
  TestClass() : klass{} {
    klass.flags = static_cast<std::uint64_t>(Type::kClass);
    klass.extension = &extension;
  }
  RObject NewObject() {
    RObject object{};
    object.flags = static_cast<std::uint64_t>(Type::kObject);
    object.klass = &klass;
    for (Value& ivar : object.embed) ivar = Value::Undef();
    return object;
  }
  ClassExtension extension;
  RClass klass;
};

Id Name(std::uint64_t i) { return Id{i + 1}; }
Value Number(std::int64_t n) { return Value::Fixnum(n); }

std::int64_t ObjectBytes() { return TakeSnapshot()[Subsystem::kObjects].live_bytes; }

TEST(ObjectIvarsTest, ThreeFitTheSlot) {
  TestClass c;
  RObject object = c.NewObject();
  const MemorySnapshot before = TakeSnapshot();
  for (std::uint64_t i = 0; i < 3; ++i) {
    EXPECT_EQ(GetObjectIvar(&object, Name(i)), std::nullopt);
    SetObjectIvar(&object, Name(i), Number(static_cast<std::int64_t>(i)));
    EXPECT_EQ(GetObjectIvar(&object, Name(i)), Number(static_cast<std::int64_t>(i)));
    EXPECT_EQ(ObjectIvarCount(&object), i + 1);
  }
  EXPECT_FALSE(object.Has(RBasic::kNoembed));
  EXPECT_EQ(ObjectIvarsMemsize(&object), 0u);
  EXPECT_EQ((TakeSnapshot() - before)[Subsystem::kObjects].malloc_calls, 0u);

  SetObjectIvar(&object, Name(3), Number(3));
  EXPECT_TRUE(object.Has(RBasic::kNoembed));
  for (std::uint64_t i = 0; i < 4; ++i) {
    EXPECT_EQ(GetObjectIvar(&object, Name(i)), Number(static_cast<std::int64_t>(i)));
  }
  EXPECT_EQ((TakeSnapshot() - before)[Subsystem::kObjects].bytes_requested, 40u);
  FreeObjectIvars(&object);
}

TEST(ObjectIvarsTest, GrowsAsTheIndexTableSays) {
  TestClass c;
  RObject first = c.NewObject();
  std::vector<std::size_t> slots;
  for (std::uint64_t i = 0; i < 17; ++i) {
    SetObjectIvar(&first, Name(i), Number(1));
    slots.push_back(ObjectIvarSlots(&first).size());
    EXPECT_EQ(ObjectIvarsMemsize(&first), i < 3 ? 0 : slots.back() * 8);
  }
  EXPECT_EQ(slots, (std::vector<std::size_t>{3, 3, 3, 5, 5, 7, 7, 10, 10, 10, 13, 13, 13, 17, 17,
                                             17, 17}));
  // A later object gets no more slots than the class has names.
  RObject later = c.NewObject();
  SetObjectIvar(&later, Name(15), Number(1));
  EXPECT_EQ(ObjectIvarSlots(&later).size(), 17u);
  SetObjectIvar(&later, Name(16), Number(1));
  EXPECT_EQ(ObjectIvarSlots(&later).size(), 17u);
  RObject short_one = c.NewObject();
  SetObjectIvar(&short_one, Name(3), Number(1));
  EXPECT_EQ(ObjectIvarSlots(&short_one).size(), 5u);
  FreeObjectIvars(&first);
  FreeObjectIvars(&later);
  FreeObjectIvars(&short_one);
}

TEST(ObjectIvarsTest, GrowsInPlaceByOneReallocAStep) {
  TestClass c;
  RObject object = c.NewObject();
  const MemorySnapshot before = TakeSnapshot();
  for (std::uint64_t i = 0; i < 10; ++i) SetObjectIvar(&object, Name(i), Number(1));
  const AllocatorCounters made = (TakeSnapshot() - before)[Subsystem::kObjects];
  EXPECT_EQ(made.malloc_calls, 3u) << "5, 7 and 10 slots";
  EXPECT_EQ(made.free_calls, 2u);
  EXPECT_EQ(made.bytes_requested, 8u * (5 + 7 + 10));
  FreeObjectIvars(&object);
}

TEST(ObjectIvarsTest, RemovingUnsetsAndKeepsTheMemory) {
  TestClass c;
  RObject object = c.NewObject();
  for (std::uint64_t i = 0; i < 5; ++i) SetObjectIvar(&object, Name(i), Number(7));
  const std::size_t memsize = ObjectIvarsMemsize(&object);
  EXPECT_EQ(RemoveObjectIvar(&object, Name(2)), Number(7));
  EXPECT_EQ(RemoveObjectIvar(&object, Name(2)), std::nullopt);
  EXPECT_EQ(RemoveObjectIvar(&object, Name(99)), std::nullopt);
  EXPECT_EQ(GetObjectIvar(&object, Name(2)), std::nullopt);
  EXPECT_EQ(ObjectIvarCount(&object), 4u);
  EXPECT_EQ(ObjectIvarsMemsize(&object), memsize);
  SetObjectIvar(&object, Name(2), Value::Nil());
  EXPECT_EQ(GetObjectIvar(&object, Name(2)), Value::Nil()) << "nil is a value";
  EXPECT_EQ(c.extension.ivar_index.size(), 5u) << "asking adds no names to the class";
  FreeObjectIvars(&object);
}

TEST(ObjectIvarsTest, VisitsWhatIsSetInTheOrderOfTheClass) {
  TestClass c;
  RObject first = c.NewObject();
  RObject second = c.NewObject();
  SetObjectIvar(&first, Name(0), Number(0));
  SetObjectIvar(&first, Name(1), Number(1));
  SetObjectIvar(&second, Name(1), Number(11));
  SetObjectIvar(&second, Name(0), Number(10));
  std::vector<std::uint64_t> names;
  ForEachObjectIvar(&second, [&](Id name, Value) { names.push_back(name.number); });
  EXPECT_EQ(names, (std::vector<std::uint64_t>{1, 2}));
  RemoveObjectIvar(&second, Name(0));
  std::vector<std::int64_t> values;
  VisitObjectReferences(&second, [&](Value v) { values.push_back(v.AsFixnum()); });
  EXPECT_EQ(values, (std::vector<std::int64_t>{11}));
}

TEST(ObjectIvarsTest, IsFreedWithoutItsClass) {
  const std::int64_t before = ObjectBytes();
  RObject object{};
  {
    TestClass c;
    object = c.NewObject();
    for (std::uint64_t i = 0; i < 100; ++i) SetObjectIvar(&object, Name(i), Number(1));
    c.klass.extension = nullptr;
  }
  object.klass = nullptr;
  EXPECT_EQ(ObjectIvarCount(&object), 100u);
  EXPECT_EQ(ObjectIvarsMemsize(&object), 8 * ObjectIvarSlots(&object).size());
  FreeObjectIvars(&object);
  EXPECT_EQ(ObjectBytes(), before);
}

TEST(ObjectIvarsTest, AgreesWithAModelUnderRandomUse) {
  constexpr unsigned kSeed = 20260131;
  constexpr std::size_t kClasses = 3, kObjects = 60;
  SCOPED_TRACE(kSeed);
  std::mt19937 rng(kSeed);
  const std::int64_t before = ObjectBytes();
  std::vector<TestClass> classes(kClasses);
  for (TestClass& c : classes) c.klass.extension = &c.extension;
  std::vector<RObject> objects;
  std::vector<std::map<std::uint64_t, Value>> models(kObjects);
  for (std::size_t i = 0; i < kObjects; ++i) objects.push_back(classes[i % kClasses].NewObject());
  for (int step = 0; step < 500'000; ++step) {
    const std::size_t i = rng() % kObjects;
    RObject* object = &objects[i];
    auto& model = models[i];
    // A class's objects set from 2 names to 100, in any order.
    const Id name = Name(rng() % std::vector<std::uint64_t>{2, 12, 100}[i % kClasses]);
    const auto expected =
        model.contains(name.number) ? std::optional(model[name.number]) : std::nullopt;
    switch (rng() % 16) {
      default:
        ASSERT_EQ(GetObjectIvar(object, name), expected) << "step " << step;
        break;
      case 0:
      case 1:
      case 2:
      case 3:
        SetObjectIvar(object, name, Number(step));
        model[name.number] = Number(step);
        break;
      case 4:
      case 5:
        ASSERT_EQ(RemoveObjectIvar(object, name), expected) << "step " << step;
        model.erase(name.number);
        break;
      case 6:
        if (rng() % 64 != 0) break;
        FreeObjectIvars(object);
        *object = classes[i % kClasses].NewObject();
        model.clear();
        break;
      case 7: {
        std::map<std::uint64_t, Value> visited;
        ForEachObjectIvar(object, [&](Id n, Value v) {
          EXPECT_TRUE(visited.emplace(n.number, v).second) << "each once";
        });
        ASSERT_EQ(visited, model) << "step " << step;
        break;
      }
    }
    ASSERT_EQ(ObjectIvarCount(object), model.size()) << "step " << step;
  }
  std::int64_t held = 0;
  for (RObject& object : objects) {
    held += static_cast<std::int64_t>(ObjectIvarsMemsize(&object));
    FreeObjectIvars(&object);
  }
  EXPECT_GT(held, 0);
  EXPECT_EQ(ObjectBytes(), before);
}

}  // namespace
}  // namespace rubric
