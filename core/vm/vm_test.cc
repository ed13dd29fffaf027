// What every variant must do alike: run for each variant of the matrices by variant_tests.

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "core/memory/counters.h"
#include "core/object/array_mutation.h"
#include "core/vm/selected.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

TEST(VmTest, BootsAndGivesEverythingBack) {
  const MemorySnapshot before = TakeSnapshot();
  {
    Vm vm;
    vm.CheckInvariants();
    EXPECT_GT(TakeSnapshot().total.live_bytes, before.total.live_bytes);
  }
  const MemorySnapshot after = TakeSnapshot();
  EXPECT_EQ(after.total.live_bytes, before.total.live_bytes);
  for (std::size_t i = 0; i < kSubsystemCount; ++i) {
    EXPECT_EQ(after.by_subsystem[i].live_bytes, before.by_subsystem[i].live_bytes)
        << kSubsystemNames[i];
  }
}

// A `require` that misses, and a mention, load a prelude that is not there yet; what the prelude
// provides is then found.
TEST(VmTest, ThePreludeComesWhenItsTimeHasCome) {
  constexpr PreludeTime kWhen = SelectedPrelude::kTraits.when;
  for (const bool by_mention : {false, true}) {
    Vm vm;
    const auto nothing = [](std::string_view) { return false; };
    const auto load = [](std::string_view) { return absl::OkStatus(); };
    // The prelude misses something itself, as RubyGems does.
    ASSERT_TRUE(vm.Boot([&] {
                    EXPECT_EQ(*vm.Require("rubygems/defaults/local", nothing, load),
                              RequireResult::kNotFound);
                    return vm.features().Provide("/gems/json.rb");
                  }).ok());
    EXPECT_EQ(vm.prelude_loaded(), kWhen == PreludeTime::kAtBoot);
    if (by_mention) {
      ASSERT_TRUE(vm.MentionPrelude().ok());
    }
    vm.features().load_path().Append("/gems");
    const auto found = vm.Require("json", nothing, load);
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_EQ(*found, kWhen == PreludeTime::kNever ? RequireResult::kNotFound
                                                   : RequireResult::kAlreadyLoaded);
    EXPECT_EQ(vm.prelude_loaded(), kWhen != PreludeTime::kNever);
    vm.CheckInvariants();
  }
  // Nothing is loaded for a name that is found without it.
  Vm vm;
  ASSERT_TRUE(vm.Boot([] { return absl::OkStatus(); }).ok());
  const auto everything = [](std::string_view) { return true; };
  EXPECT_EQ(*vm.Require("/app.rb", everything, [](std::string_view) { return absl::OkStatus(); }),
            RequireResult::kLoaded);
  EXPECT_EQ(vm.prelude_loaded(), kWhen == PreludeTime::kAtBoot);
}

TEST(VmTest, EqualNamesAreOneFstrAndOneSymbol) {
  Vm vm;
  HandleScope scope(vm.roots());
  RString* a = scope.Keep(vm.names().Fstring("name", Encoding::kUtf8));
  EXPECT_EQ(vm.names().Fstring("name", Encoding::kUtf8), a);
  EXPECT_NE(vm.names().Fstring("name", Encoding::kBinary), a);
  EXPECT_NE(vm.names().Fstring(std::string_view("name\0", 5), Encoding::kUtf8), a);
  EXPECT_EQ(vm.names().Fstring(scope.Keep(vm.NewString("name"))), a);
  const Value symbol = vm.names().Intern("name");
  EXPECT_TRUE(symbol.IsStaticSymbol());
  EXPECT_EQ(vm.names().Intern("name"), symbol);
  EXPECT_EQ(vm.names().ToSymbol("name"), symbol);
  EXPECT_EQ(vm.names().NameOf(vm.names().IdOf(symbol)), a);
}

TEST(VmTest, UnreferencedNamesLeaveTheirTables) {
  Vm vm;
  const std::size_t fstrings = vm.names().fstring_count();
  const std::size_t symbols = vm.names().symbol_count();
  HandleScope scope(vm.roots());
  RString* kept = scope.Keep(vm.names().Fstring("kept", Encoding::kUtf8));
  const Value kept_symbol = scope.Push(vm.names().ToSymbol("kept symbol"));
  for (int i = 0; i < 1000; ++i) {
    vm.names().Fstring("dead " + std::to_string(i), Encoding::kUtf8);
    vm.names().ToSymbol("dead symbol " + std::to_string(i));
  }
  vm.CollectGarbage();
  vm.CollectGarbage();  // the names of dead symbols live one collection longer
  EXPECT_EQ(vm.names().fstring_count(), fstrings + 2);
  EXPECT_EQ(vm.names().symbol_count(), symbols + 1);
  EXPECT_EQ(vm.names().FindFstring("kept", Encoding::kUtf8), kept);
  EXPECT_EQ(vm.names().FindSymbol("kept symbol"), kept_symbol);
  EXPECT_EQ(vm.names().FindFstring("dead 1", Encoding::kUtf8), std::nullopt);
  vm.CheckInvariants();
}

TEST(VmTest, AnIdMakesASymbolImmortal) {
  Vm vm;
  const Id id = vm.names().IdOf(vm.names().ToSymbol("dynamic"));
  for (int i = 0; i < 3; ++i) vm.CollectGarbage();
  const auto found = vm.names().FindSymbol("dynamic");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(vm.names().IdOf(*found), id);
  EXPECT_EQ(vm.names().NameOf(id)->bytes(), "dynamic");
}

TEST(VmTest, ANameFoundBeforeItIsSweptLivesOn) {
  Vm vm({.gc_stress = false});
  // Far enough into the heap that the page is not swept at once.
  for (std::size_t i = 0; i < 2 * kSlotsPerPage; ++i) vm.NewString("filler");
  RString* dying = vm.names().Fstring("found again while it is dying", Encoding::kUtf8);
  vm.collector().Collect();
  ASSERT_TRUE(vm.collector().IsGarbage(dying));
  HandleScope scope(vm.roots());
  RString* found = scope.Keep(vm.names().Fstring("found again while it is dying", Encoding::kUtf8));
  EXPECT_EQ(found, dying);
  vm.collector().FinishSweep();
  EXPECT_EQ(found->bytes(), "found again while it is dying");
  EXPECT_TRUE(found->Has(RBasic::kFstr));
  vm.CollectGarbage();
  vm.CheckInvariants();
  EXPECT_EQ(vm.names().FindFstring("found again while it is dying", Encoding::kUtf8), found);
}

TEST(VmTest, LiteralsAreEqualButNotTheSameAndStayAsTheyAre) {
  Vm vm;
  for (std::size_t length : {0u, 1u, 3u, 4u, 110u}) {
    HandleScope scope(vm.roots());
    std::vector<Value> elements;
    for (std::size_t i = 0; i < length; ++i) {
      elements.push_back(Value::Fixnum(static_cast<std::int64_t>(i)));
    }
    RImemo* iseq = scope.Keep(NewIseq(vm.heap(), Id{}, 4, 1));
    const std::size_t literal = vm.AddArrayLiteral(iseq, elements);
    RArray* first = scope.Keep(vm.EvaluateArrayLiteral(iseq, literal));
    RArray* second = scope.Keep(vm.EvaluateArrayLiteral(iseq, literal));
    EXPECT_NE(first, second);
    EXPECT_FALSE(first->frozen());
    Push(vm.heap(), first, Value::True());
    Unshift(vm.heap(), first, Value::True());
    vm.CollectGarbage();
    EXPECT_EQ(first->length(), length + 2);
    EXPECT_TRUE(std::ranges::equal(second->elements(), elements));
    EXPECT_TRUE(
        std::ranges::equal(As<RArray>(iseq->iseq->literals[literal])->elements(), elements));
  }
}

TEST(VmTest, MemsizeOfTheFourElementLiteralIsTheAxisInOneFigure) {
  Vm vm;
  HandleScope scope(vm.roots());
  const std::vector<Value> elements(4, Value::Fixnum(1));
  RImemo* iseq = scope.Keep(NewIseq(vm.heap(), Id{}, 4, 1));
  const std::size_t literal = vm.AddArrayLiteral(iseq, elements);
  RArray* array = scope.Keep(vm.EvaluateArrayLiteral(iseq, literal));
  EXPECT_EQ(vm.MemsizeOf(Value(array)), SelectedResurrect::kTraits.shares_literal ? 40u : 72u);
  EXPECT_EQ(vm.MemsizeOf(Value::Fixnum(1)), 0u);
}

TEST(VmTest, CountObjectsAddsUp) {
  Vm vm;
  const ObjectCounts before = vm.CountObjects();
  HandleScope scope(vm.roots());
  for (int i = 0; i < 10; ++i) scope.Keep(vm.NewArray());
  const ObjectCounts after = vm.CountObjects();
  const auto arrays = static_cast<std::size_t>(Type::kArray);
  EXPECT_EQ(after.by_type[arrays], before.by_type[arrays] + 10);
  std::size_t sum = 0;
  for (std::size_t n : after.by_type) sum += n;
  EXPECT_EQ(sum, after.total);
}

TEST(VmTest, IvarsOfAClassLieInItsExtension) {
  Vm vm;
  RClass* klass = vm.DefineClass("WithIvars");
  const Id a = vm.names().IdOf(vm.names().Intern("@a"));
  const Id b = vm.names().IdOf(vm.names().Intern("@b"));
  const std::size_t bare = vm.MemsizeOf(Value(klass));
  vm.IvarSet(klass, a, Value(vm.NewString("kept by the class")));
  vm.IvarSet(klass, b, Value::Fixnum(2));
  vm.CollectGarbage();
  EXPECT_FALSE(klass->Has(RBasic::kExivar));
  EXPECT_EQ(vm.IvarCount(klass), 2u);
  EXPECT_EQ(As<RString>(*vm.IvarGet(klass, a))->bytes(), "kept by the class");
  EXPECT_GT(vm.MemsizeOf(Value(klass)), bare);
  std::vector<Id> names;
  vm.IvarsForEach(klass, [&](Id name, Value) { names.push_back(name); });
  EXPECT_EQ(names, (std::vector<Id>{a, b}));
  EXPECT_TRUE(vm.IvarRemove(klass, a).has_value());
  EXPECT_FALSE(vm.IvarDefined(klass, a));
  EXPECT_EQ(vm.IvarCount(klass), 1u);
  vm.CheckInvariants();
}

TEST(VmTest, GenericIvarsAreCopiedAndDieWithTheirObject) {
  Vm vm;
  HandleScope scope(vm.roots());
  const Id a = vm.names().IdOf(vm.names().Intern("@a"));
  const Id b = vm.names().IdOf(vm.names().Intern("@b"));
  RString* from = scope.Keep(vm.NewString("from"));
  vm.IvarSet(from, a, Value::Fixnum(1));
  vm.IvarSet(from, b, Value(vm.NewString("kept by the ivar alone")));
  {
    HandleScope inner(vm.roots());
    RString* to = inner.Keep(vm.NewString("to"));
    vm.CopyGenericIvars(from, to);
    vm.IvarSet(to, a, Value::Fixnum(2));
    vm.CollectGarbage();
    EXPECT_EQ(vm.IvarGet(from, a), Value::Fixnum(1));
    EXPECT_EQ(vm.IvarGet(to, a), Value::Fixnum(2));
    EXPECT_EQ(As<RString>(*vm.IvarGet(to, b))->bytes(), "kept by the ivar alone");
    EXPECT_EQ(vm.generic_ivars().object_count(), 2u);
  }
  vm.CollectGarbage();
  EXPECT_EQ(vm.generic_ivars().object_count(), 1u);
  EXPECT_EQ(vm.IvarRemove(from, a), Value::Fixnum(1));
  EXPECT_FALSE(vm.IvarDefined(from, a));
  EXPECT_EQ(vm.IvarCount(from), 1u);
  vm.CheckInvariants();
}

// A random program over every axis at once, against ordinary containers.
class RandomProgram {
 public:
  explicit RandomProgram(Vm& vm, unsigned seed) : vm_(vm), rng_(seed), scope_(vm.roots()) {
    for (int i = 0; i < kNames; ++i) {
      names_.push_back(vm.names().IdOf(vm.names().Intern("@name" + std::to_string(i))));
    }
    iseq_ = scope_.Keep(NewIseq(vm.heap(), Id{}, 16, 4));
    for (std::size_t length : {0u, 2u, 3u, 4u, 5u, 40u}) {
      std::vector<Value> elements;
      for (std::size_t i = 0; i < length; ++i) {
        elements.push_back(Value::Fixnum(static_cast<std::int64_t>(100 + i)));
      }
      vm.AddArrayLiteral(iseq_, elements);
      literals_.push_back(elements);
    }
    for (int i = 0; i < kObjects; ++i) {
      objects_.push_back({&scope_.Push(Value::Nil()), {}, {}});
      Replace(objects_.back());
    }
  }

  void Step() {
    Object& object = objects_[rng_() % objects_.size()];
    RBasic* slot = object.root->AsSlot();
    switch (rng_() % 8) {
      case 0:
        Replace(object);
        break;
      case 1:
      case 2: {
        const std::size_t n = rng_() % kNames;
        const Value value = Value::Fixnum(static_cast<std::int64_t>(rng_() % 1000));
        vm_.IvarSet(slot, names_[n], value);
        object.ivars[n] = value;
        break;
      }
      case 3: {
        const std::size_t n = rng_() % kNames;
        const auto removed = vm_.IvarRemove(slot, names_[n]);
        ASSERT_EQ(removed.has_value(), object.ivars.contains(n));
        object.ivars.erase(n);
        break;
      }
      case 4:
        if (slot->type() == Type::kArray) {
          Push(vm_.heap(), static_cast<RArray*>(slot), Value::True());
          object.elements.push_back(Value::True());
        }
        break;
      case 5: {
        const std::string name = "fstr" + std::to_string(rng_() % 50);
        RString* fstr = vm_.names().Fstring(name, Encoding::kUtf8);
        ASSERT_EQ(fstr->bytes(), name);
        break;
      }
      case 6: {
        const std::string name = "sym" + std::to_string(rng_() % 50);
        const Value symbol = vm_.names().ToSymbol(name);
        ASSERT_EQ(As<RSymbol>(symbol)->name->bytes(), name);
        break;
      }
      case 7:
        if (rng_() % 64 == 0) vm_.CollectGarbage();
        break;
    }
  }

  void CheckAll() {
    for (const Object& object : objects_) {
      RBasic* slot = object.root->AsSlot();
      ASSERT_EQ(vm_.IvarCount(slot), object.ivars.size());
      for (std::size_t n = 0; n < kNames; ++n) {
        const auto expected = object.ivars.find(n);
        ASSERT_EQ(vm_.IvarGet(slot, names_[n]),
                  expected == object.ivars.end() ? std::nullopt : std::optional(expected->second));
      }
      std::set<std::uint64_t> visited;
      vm_.IvarsForEach(slot, [&](Id id, Value) { visited.insert(id.number); });
      ASSERT_EQ(visited.size(), object.ivars.size());
      if (slot->type() == Type::kArray) {
        ASSERT_TRUE(std::ranges::equal(static_cast<RArray*>(slot)->elements(), object.elements));
      }
    }
    vm_.CheckInvariants();
  }

 private:
  static constexpr int kNames = 12;
  static constexpr int kObjects = 40;

  struct Object {
    Value* root;
    std::map<std::size_t, Value> ivars;
    std::vector<Value> elements;  // of an array
  };

  void Replace(Object& object) {
    object.ivars.clear();
    object.elements.clear();
    switch (rng_() % 4) {
      case 0:
        *object.root = Value(vm_.NewString("a string with a buffer of its own"));
        break;
      case 1:
        *object.root = Value(NewObject(vm_.heap(), vm_.classes().object));
        break;
      case 2:
        *object.root = Value(vm_.NewString("short"));
        break;
      case 3: {
        const std::size_t which = rng_() % literals_.size();
        *object.root = Value(vm_.EvaluateArrayLiteral(iseq_, which));
        object.elements = literals_[which];
        break;
      }
    }
  }

  Vm& vm_;
  std::mt19937 rng_;
  HandleScope scope_;
  std::vector<Id> names_;
  RImemo* iseq_;
  std::vector<std::vector<Value>> literals_;
  std::vector<Object> objects_;
};

void RunRandomProgram(Vm& vm, unsigned seed, int steps, int check_every) {
  RandomProgram program(vm, seed);
  for (int step = 0; step < steps; ++step) {
    program.Step();
    if (::testing::Test::HasFatalFailure()) FAIL() << "step " << step;
    if (step % check_every == 0) {
      program.CheckAll();
      if (::testing::Test::HasFatalFailure()) FAIL() << "check after step " << step;
    }
  }
}

TEST(VmTest, ARandomProgramAgreesWithItsModel) {
  Vm vm({.gc_stress = false});
  RunRandomProgram(vm, 2018, kDchecks ? 20'000 : 200'000, 1000);
}

TEST(VmTest, ARandomProgramAgreesWithItsModelUnderGcStress) {
  Vm vm({.gc_stress = true});
  RunRandomProgram(vm, 2015, 2'000, 200);
}

TEST(VmTest, CollectorReTracesWhatItMarked) {
  Vm vm;
  vm.collector().set_verify(true);
  RunRandomProgram(vm, 2014, 2'000, 500);
}

}  // namespace
}  // namespace rubric
