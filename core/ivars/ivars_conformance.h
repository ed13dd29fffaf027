// IvarsConformance: what every backend of the ivars axis must do, by the numbers of ivars.h.
//
// USE        INSTANTIATE_TYPED_TEST_SUITE_P(Hash, IvarsConformance, HashIvars); in a backend's test.
// COST       About a second a backend, most of it the differential run of a million operations.
#ifndef RUBRIC_CORE_IVARS_IVARS_CONFORMANCE_H_
#define RUBRIC_CORE_IVARS_IVARS_CONFORMANCE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/ivars/ivars.h"
#include "core/ivars/test_objects.h"
#include "core/memory/counters.h"
#include "core/memory/malloc_log.h"
#include "gtest/gtest.h"

namespace rubric {

using IvarList = std::vector<std::pair<Id, Value>>;

template <typename Backend>
IvarList ListOf(const Backend& storage, const RBasic* object) {
  IvarList list;
  storage.ForEach(object, [&](Id name, Value value) { list.emplace_back(name, value); });
  return list;
}

// The same in the order of names, for what need not keep an order.
inline IvarList Sorted(IvarList list) {
  std::sort(list.begin(), list.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  return list;
}

// Expects that `storage` has for `object` just what `expected` has, by every way of asking.
template <typename Backend>
void ExpectIvars(const Backend& storage, const RBasic* object, const IvarList& expected) {
  if (Backend::kTraits.insertion_ordered) {
    EXPECT_EQ(ListOf(storage, object), expected);
  } else {
    EXPECT_EQ(Sorted(ListOf(storage, object)), Sorted(expected));
  }
  EXPECT_EQ(storage.Count(object), expected.size());
  std::vector<std::uint64_t> seen, values;
  storage.VisitReferences(object, [&](Value value) { seen.push_back(value.bits()); });
  for (const auto& [name, value] : expected) {
    EXPECT_EQ(storage.Get(object, name), value);
    values.push_back(value.bits());
  }
  std::sort(seen.begin(), seen.end());
  std::sort(values.begin(), values.end());
  EXPECT_EQ(seen, values);
}

// An object and what the test knows of its ivars, in the order in which they were set.
struct ModelObject {
  RBasic* object;
  std::size_t class_index;
  IvarList ivars;

  IvarList::iterator Find(Id name) {
    return std::find_if(ivars.begin(), ivars.end(),
                        [&](const auto& ivar) { return ivar.first == name; });
  }
  std::optional<Value> Get(Id name) {
    const auto found = Find(name);
    return found == ivars.end() ? std::nullopt : std::optional(found->second);
  }
  void Set(Id name, Value value) {
    const auto found = Find(name);
    if (found == ivars.end()) {
      ivars.emplace_back(name, value);
    } else {
      found->second = value;
    }
  }
};

template <typename Backend>
class IvarsConformance : public testing::Test {
 protected:
  static Value Number(std::size_t n) { return Value::Fixnum(static_cast<std::int64_t>(n)); }

  enum class Op { kGet, kSet, kRemove, kList, kCopy, kFree };

  // An operation for each 1 of 512 numbers, the frequent ones often.
  static Op PickOp(unsigned number) {
    if (number < 192) return Op::kGet;
    if (number < 384) return Op::kSet;
    if (number < 480) return Op::kRemove;
    if (number < 496) return Op::kList;
    if (number < 511) return Op::kCopy;
    return Op::kFree;
  }

  // Runs `steps` random operations on a storage and on the model, comparing after each. Classes
  // differ in how many names their objects set; objects set them in any order.
  void RunRandomly(unsigned seed, int steps, std::size_t object_count) {
    static constexpr std::size_t kNames[] = {1, 3, 7, 20, 120};
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 rng(seed);
    TestObjects slots(std::size(kNames));
    Backend storage;
    std::vector<ModelObject> objects;
    for (std::size_t i = 0; i < object_count; ++i) {
      const std::size_t c = i % slots.class_count();
      objects.push_back({slots.New(c), c, {}});
    }
    for (int step = 0; step < steps; ++step) {
      ModelObject& o = objects[rng() % objects.size()];
      const Id name = Name(rng() % kNames[o.class_index]);
      switch (PickOp(rng() % 512)) {
        case Op::kGet:
          ASSERT_EQ(storage.Get(o.object, name), o.Get(name)) << "step " << step;
          break;
        case Op::kSet: {
          const Value value = rng() % 8 == 0 ? Value::Nil() : Number(rng());
          storage.Set(o.object, name, value);
          o.Set(name, value);
          break;
        }
        case Op::kRemove: {
          const std::optional<Value> expected = o.Get(name);
          ASSERT_EQ(storage.Remove(o.object, name), expected) << "step " << step;
          if (expected) o.ivars.erase(o.Find(name));
          break;
        }
        case Op::kList:
          ExpectIvars(storage, o.object, o.ivars);
          break;
        case Op::kFree:
          storage.Free(o.object);
          o.ivars.clear();
          break;
        case Op::kCopy: {
          // Most copies are between objects of one class, as dup's are.
          ModelObject& to = objects[rng() % objects.size()];
          if (&to == &o || (to.class_index != o.class_index && rng() % 8 != 0)) break;
          storage.Free(to.object);
          storage.Copy(o.object, to.object);
          to.ivars = o.ivars;
          if (to.class_index != o.class_index) {
            // Across classes only sets and counts must agree: let it have its order again.
            storage.Free(to.object);
            for (const auto& [n, value] : to.ivars) storage.Set(to.object, n, value);
          }
          break;
        }
      }
      ASSERT_EQ(storage.Count(o.object), o.ivars.size()) << "step " << step;
      ASSERT_TRUE(o.ivars.empty() || o.object->Has(RBasic::kExivar)) << "step " << step;
      if (step % 10'000 == 0) {
        storage.CheckInvariants();
        std::size_t flagged = 0;
        for (const ModelObject& each : objects) {
          flagged += each.object->Has(RBasic::kExivar) ? 1 : 0;
        }
        ASSERT_EQ(storage.object_count(), flagged) << "step " << step;
      }
      if (this->HasFailure()) FAIL() << "step " << step;
    }
    for (const ModelObject& o : objects) ExpectIvars(storage, o.object, o.ivars);
  }
};

TYPED_TEST_SUITE_P(IvarsConformance);

TYPED_TEST_P(IvarsConformance, Invariant1_GetGivesWhatWasSet) {
  TestObjects objects(1);
  TypeParam storage;
  RBasic* object = objects.New(0);
  EXPECT_EQ(storage.Get(object, Name(0)), std::nullopt);
  for (std::size_t n = 0; n < 40; ++n) {
    storage.Set(object, Name(n), this->Number(n));
    for (std::size_t i = 0; i < 40; ++i) {
      EXPECT_EQ(storage.Get(object, Name(i)),
                i <= n ? std::optional(this->Number(i)) : std::nullopt);
    }
  }
  storage.Set(object, Name(3), Value::Nil());
  EXPECT_EQ(storage.Get(object, Name(3)), Value::Nil()) << "nil is a value";
  storage.Set(object, Name(3), Value::False());
  EXPECT_EQ(storage.Get(object, Name(3)), Value::False());
  EXPECT_EQ(storage.Remove(object, Name(3)), Value::False());
  EXPECT_EQ(storage.Get(object, Name(3)), std::nullopt);
  EXPECT_EQ(storage.Remove(object, Name(3)), std::nullopt) << "once";
  EXPECT_EQ(storage.Remove(object, Name(77)), std::nullopt) << "never set";
  EXPECT_EQ(storage.Get(object, Name(4)), this->Number(4)) << "the others stay";
}

TYPED_TEST_P(IvarsConformance, Invariant2_ForEachVisitsTheSetOnes) {
  TestObjects objects(1);
  TypeParam storage;
  RBasic* object = objects.New(0);
  ExpectIvars(storage, object, {});
  IvarList expected;
  for (std::size_t n = 0; n < 20; ++n) {
    storage.Set(object, Name(n), this->Number(n));
    expected.emplace_back(Name(n), this->Number(n));
    ExpectIvars(storage, object, expected);
  }
  // Through the packed form's limit and back below it.
  while (!expected.empty()) {
    storage.Remove(object, expected[expected.size() / 2].first);
    expected.erase(expected.begin() + static_cast<long>(expected.size() / 2));
    ExpectIvars(storage, object, expected);
  }
}

TYPED_TEST_P(IvarsConformance, Invariant3_ObjectsAreSeparate) {
  TestObjects objects(2);
  TypeParam storage;
  RBasic* a = objects.New(0);
  RBasic* same_class = objects.New(0);
  RBasic* other_class = objects.New(1);
  storage.Set(a, Name(0), this->Number(1));
  EXPECT_EQ(storage.Get(same_class, Name(0)), std::nullopt);
  storage.Set(same_class, Name(0), this->Number(2));
  storage.Set(other_class, Name(0), this->Number(3));
  storage.Remove(same_class, Name(0));
  ExpectIvars(storage, a, {{Name(0), this->Number(1)}});
  ExpectIvars(storage, same_class, {});
  ExpectIvars(storage, other_class, {{Name(0), this->Number(3)}});
}

TYPED_TEST_P(IvarsConformance, Invariant3_CopiesAreIndependent) {
  for (const std::size_t to_class : {0, 1}) {
    for (const std::size_t ivars : {1, 6, 7, 30}) {
      SCOPED_TRACE(testing::Message() << ivars << " ivars to class " << to_class);
      TestObjects objects(2);
      TypeParam storage;
      // The other class knows the names in another order.
      RBasic* shuffler = objects.New(1);
      for (std::size_t n = ivars; n-- > 0;) storage.Set(shuffler, Name(n), Value::True());
      RBasic* from = objects.New(0);
      IvarList expected;
      for (std::size_t n = 0; n < ivars; ++n) {
        storage.Set(from, Name(n), this->Number(n));
        expected.emplace_back(Name(n), this->Number(n));
      }
      RBasic* to = objects.New(to_class);
      storage.Copy(from, to);
      ExpectIvars(storage, to, expected);
      EXPECT_TRUE(to->Has(RBasic::kExivar));
      storage.Set(from, Name(0), Value::True());
      storage.Set(from, Name(100), Value::True());
      ExpectIvars(storage, to, expected);
      storage.Free(from);
      ExpectIvars(storage, to, expected);
      storage.Set(to, Name(50), Value::True());
      expected.emplace_back(Name(50), Value::True());
      ExpectIvars(storage, to, expected);
      storage.CheckInvariants();
    }
  }
}

TYPED_TEST_P(IvarsConformance, Invariant3_CopyOfNothingIsNothing) {
  TestObjects objects(1);
  TypeParam storage;
  RBasic* never = objects.New(0);
  RBasic* emptied = objects.New(0);
  RBasic* to = objects.New(0);
  storage.Set(emptied, Name(0), Value::True());
  storage.Remove(emptied, Name(0));
  for (RBasic* from : {never, emptied}) {
    storage.Copy(from, to);
    EXPECT_FALSE(to->Has(RBasic::kExivar));
    ExpectIvars(storage, to, {});
  }
}

TYPED_TEST_P(IvarsConformance, Invariant4_FlaggedIffItHasAnEntry) {
  TestObjects objects(1);
  TypeParam storage;
  RBasic* object = objects.New(0);
  RBasic* other = objects.New(0);
  EXPECT_EQ(storage.object_count(), 0u);
  storage.Set(object, Name(0), Value::True());
  EXPECT_TRUE(object->Has(RBasic::kExivar));
  EXPECT_FALSE(other->Has(RBasic::kExivar));
  EXPECT_EQ(storage.object_count(), 1u);
  EXPECT_GT(storage.Memsize(object), 0u);
  EXPECT_EQ(storage.Memsize(other), 0u);
  storage.Remove(object, Name(0));
  EXPECT_EQ(storage.object_count(), object->Has(RBasic::kExivar) ? 1u : 0u);
  storage.Set(object, Name(0), Value::True());
  EXPECT_TRUE(object->Has(RBasic::kExivar));

  storage.Free(object);
  EXPECT_FALSE(object->Has(RBasic::kExivar));
  EXPECT_EQ(storage.object_count(), 0u);
  EXPECT_EQ(storage.Memsize(object), 0u);
  ExpectIvars(storage, object, {});
  storage.Set(object, Name(1), Value::True());
  ExpectIvars(storage, object, {{Name(1), Value::True()}});
}

TYPED_TEST_P(IvarsConformance, Invariant4_FreeNeedsNoClass) {
  // At sweep an object's class may have gone before it; and the marker needs no names.
  TypeParam storage;
  TestObjects objects(1);
  RBasic* object = objects.New(0);
  for (std::size_t n = 0; n < 10; ++n) storage.Set(object, Name(n), this->Number(n));
  object->klass = nullptr;
  std::size_t seen = 0;
  storage.VisitReferences(object, [&](Value) { ++seen; });
  EXPECT_EQ(seen, 10u);
  EXPECT_EQ(storage.Count(object), 10u);
  EXPECT_GT(storage.Memsize(object), 0u);
  storage.Free(object);
  EXPECT_EQ(storage.object_count(), 0u);
}

TYPED_TEST_P(IvarsConformance, Invariant5_KeepsTheOrderOfSetting) {
  if constexpr (!TypeParam::kTraits.insertion_ordered) {
    GTEST_SKIP() << TypeParam::kName << " promises no order";
  }
  for (const std::size_t ivars : {5, 25}) {
    TestObjects objects(1);
    TypeParam storage;
    RBasic* first = objects.New(0);
    RBasic* second = objects.New(0);
    IvarList ascending, descending;
    for (std::size_t n = 0; n < ivars; ++n) {
      storage.Set(first, Name(n), Value::True());
      storage.Set(second, Name(ivars - 1 - n), Value::True());
      ascending.emplace_back(Name(n), Value::True());
      descending.emplace_back(Name(ivars - 1 - n), Value::True());
    }
    EXPECT_EQ(ListOf(storage, first), ascending);
    EXPECT_EQ(ListOf(storage, second), descending);
    storage.Set(first, Name(1), Value::False());  // not new: keeps its place
    ascending[1].second = Value::False();
    EXPECT_EQ(ListOf(storage, first), ascending);
    storage.Remove(first, Name(1));  // new again: goes to the end
    storage.Set(first, Name(1), Value::False());
    std::rotate(ascending.begin() + 1, ascending.begin() + 2, ascending.end());
    EXPECT_EQ(ListOf(storage, first), ascending);
  }
}

TYPED_TEST_P(IvarsConformance, Invariant6_MemoryIsCountedAndGivenBack) {
  TestObjects objects(3);
  const MemorySnapshot before = TakeSnapshot();
  {
    TypeParam storage;
    std::vector<RBasic*> all;
    for (std::size_t i = 0; i < 300; ++i) {
      all.push_back(objects.New(i % 3));
      for (std::size_t n = 0; n <= i % 20; ++n) storage.Set(all.back(), Name(n), this->Number(n));
    }
    const MemorySnapshot held = TakeSnapshot() - before;
    EXPECT_GT(held[Subsystem::kIvars].live_bytes, 0);
    for (std::size_t i = 0; i < kSubsystemCount; ++i) {
      const auto subsystem = static_cast<Subsystem>(i);
      const bool may =
          subsystem == Subsystem::kIvars ||
          (subsystem == Subsystem::kClasses && TypeParam::kTraits.uses_class_index_table);
      EXPECT_EQ(held[subsystem].malloc_calls > 0, may) << SubsystemName(subsystem);
    }
    // Half is freed, half is left to the destructor.
    for (std::size_t i = 0; i < all.size(); i += 2) storage.Free(all[i]);
    EXPECT_LT((TakeSnapshot() - before)[Subsystem::kIvars].live_bytes,
              held[Subsystem::kIvars].live_bytes);
  }
  EXPECT_EQ((TakeSnapshot() - before)[Subsystem::kIvars].live_bytes, 0);
}

TYPED_TEST_P(IvarsConformance, Invariant6_AsManyObjectsAgainNeedNoMoreMemory) {
  TestObjects objects(1);
  TypeParam storage;
  std::vector<RBasic*> all;
  for (std::size_t i = 0; i < 500; ++i) all.push_back(objects.New(0));
  std::size_t after_first_round = 0;
  for (int round = 0; round < 4; ++round) {
    for (RBasic* object : all) {
      for (std::size_t n = 0; n < 8; ++n) storage.Set(object, Name(n), this->Number(n));
    }
    if (round == 1) after_first_round = storage.memory_use().total();
    if (round > 1) {
      EXPECT_EQ(storage.memory_use().total(), after_first_round);
    }
    for (RBasic* object : all) storage.Free(object);
  }
}

TYPED_TEST_P(IvarsConformance, Invariant7_MemoryUseIsWhatItAskedFor) {
  // Bytes asked for and not given back are in the malloc log; the counters have usable bytes.
  const std::string path =
      testing::TempDir() + "/ivars." + std::string(TypeParam::kName) + ".malloc_log";
  std::mt19937 rng(20260131);
  for (const int steps : {0, 1, 50, 5'000}) {
    TestObjects objects(3);
    ASSERT_TRUE(OpenMallocLog(path).ok());
    MemoryUse use;
    std::size_t memsizes = 0;
    {
      TypeParam storage;
      std::vector<RBasic*> all;
      for (std::size_t i = 0; i < 60; ++i) all.push_back(objects.New(i % 3));
      for (int step = 0; step < steps; ++step) {
        RBasic* object = all[rng() % all.size()];
        const Id name = Name(rng() % 30);
        const unsigned op = rng() % 20;
        if (op < 12) storage.Set(object, name, Value::True());
        if (op >= 12 && op < 18) storage.Remove(object, name);
        if (op == 19) storage.Free(object);
      }
      use = storage.memory_use();
      for (RBasic* object : all) memsizes += storage.Memsize(object);
      // Ended while the storage lives: what it frees in its destructor is not in the log.
      ASSERT_TRUE(CloseMallocLog().ok());
    }
    std::map<std::uint64_t, std::uint64_t> live;
    const auto read = ReadMallocLog(path, [&](const MallocEvent& event) {
      if (event.subsystem != Subsystem::kIvars) return;
      if (event.allocates()) {
        live[event.address] = event.requested_bytes;
      } else {
        live.erase(event.address);
      }
    });
    ASSERT_TRUE(read.ok()) << read.status();
    std::uint64_t requested = 0;
    for (const auto& [address, bytes] : live) requested += bytes;
    EXPECT_EQ(use.total(), requested) << steps << " steps";
    EXPECT_LE(memsizes, use.total()) << "objects' ivars are part of it";
  }
}

TYPED_TEST_P(IvarsConformance, TenThousandIvarsOnOneObject) {
  constexpr std::size_t kMany = 10'000;
  TestObjects objects(1);
  TypeParam storage;
  RBasic* object = objects.New(0);
  IvarList expected;
  for (std::size_t n = 0; n < kMany; ++n) {
    // In an order that is neither ascending nor descending.
    const Id name = Name(n * 7'919 % kMany);
    storage.Set(object, name, this->Number(n));
    expected.emplace_back(name, this->Number(n));
  }
  ExpectIvars(storage, object, expected);
  RBasic* copy = objects.New(0);
  storage.Copy(object, copy);
  for (std::size_t n = 0; n < kMany; n += 2) {
    EXPECT_EQ(storage.Remove(object, expected[n].first), expected[n].second);
  }
  EXPECT_EQ(storage.Count(object), kMany / 2);
  ExpectIvars(storage, copy, expected);
  storage.CheckInvariants();
}

TYPED_TEST_P(IvarsConformance, ManyOrdersOfSetting) {
  // Object i of one class sets its i-th ivar first.
  constexpr std::size_t kIvars = 12;
  TestObjects objects(1);
  TypeParam storage;
  std::vector<std::pair<RBasic*, IvarList>> all;
  for (std::size_t i = 0; i < 100; ++i) {
    RBasic* object = objects.New(0);
    IvarList expected;
    for (std::size_t k = 0; k < kIvars; ++k) {
      const std::size_t n = (i + k) % kIvars;
      storage.Set(object, Name(n), this->Number(100 * i + n));
      expected.emplace_back(Name(n), this->Number(100 * i + n));
    }
    all.emplace_back(object, std::move(expected));
  }
  for (const auto& [object, expected] : all) ExpectIvars(storage, object, expected);
}

TYPED_TEST_P(IvarsConformance, AgreesWithTheTestsOwnModelOverAMillionOperations) {
  this->RunRandomly(/*seed=*/20260131, /*steps=*/1'000'000, /*object_count=*/50);
}

TYPED_TEST_P(IvarsConformance, AgreesWithTheTestsOwnModelOnManyObjects) {
  // More objects than operations an object: through every growth of a table of objects.
  this->RunRandomly(/*seed=*/7, /*steps=*/100'000, /*object_count=*/3'000);
}

REGISTER_TYPED_TEST_SUITE_P(IvarsConformance, Invariant1_GetGivesWhatWasSet,
                            Invariant2_ForEachVisitsTheSetOnes, Invariant3_ObjectsAreSeparate,
                            Invariant3_CopiesAreIndependent, Invariant3_CopyOfNothingIsNothing,
                            Invariant4_FlaggedIffItHasAnEntry, Invariant4_FreeNeedsNoClass,
                            Invariant5_KeepsTheOrderOfSetting,
                            Invariant6_MemoryIsCountedAndGivenBack,
                            Invariant6_AsManyObjectsAgainNeedNoMoreMemory,
                            Invariant7_MemoryUseIsWhatItAskedFor, TenThousandIvarsOnOneObject,
                            ManyOrdersOfSetting, AgreesWithTheTestsOwnModelOverAMillionOperations,
                            AgreesWithTheTestsOwnModelOnManyObjects);

}  // namespace rubric

#endif  // RUBRIC_CORE_IVARS_IVARS_CONFORMANCE_H_
