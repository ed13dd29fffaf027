// Every store of a reference into a slot calls the write barrier: a random program that stores young
// slots into old ones, in every way that the VM has, under a verified generational collector. The
// verifier aborts at the first minor collection after a store that called none.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "backends/collector/generational/generational_collector.h"
#include "backends/feature_keys/copied/copied_feature_keys.h"
#include "backends/feature_keys/shared/shared_feature_keys.h"
#include "backends/interning/st_chained/st_chained_interning.h"
#include "backends/interning/swiss/swiss_interning.h"
#include "backends/ivars/hash/hash_ivars.h"
#include "backends/ivars/index/index_ivars.h"
#include "backends/prelude/eager/eager_prelude.h"
#include "backends/prelude/none/none_prelude.h"
#include "backends/resurrect/copying/copying_resurrect.h"
#include "backends/resurrect/shared/shared_resurrect.h"
#include "core/base/build_mode.h"
#include "core/heap/marker.h"
#include "core/memory/allocate.h"
#include "core/object/array_mutation.h"
#include "core/object/array_sharing.h"
#include "core/object/hash.h"
#include "core/object/object_ivars.h"
#include "core/object/object_space.h"
#include "core/object/string.h"
#include "core/vm/vm.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

struct DefaultAxes {
  using Interning = StChainedInterning;
  using Resurrect = CopyingResurrect;
  using Ivars = HashIvars;
  using FeatureKeys = CopiedFeatureKeys;
  using Prelude = EagerPrelude;
  using Collector = GenerationalCollector;
};

struct OtherAxes {
  using Interning = SwissInterning;
  using Resurrect = SharedResurrect;
  using Ivars = IndexIvars;
  using FeatureKeys = SharedFeatureKeys;
  using Prelude = NonePrelude;
  using Collector = GenerationalCollector;
};

// Every String that it makes says in its bytes where it was put, so that one which was freed, or
// whose slot was used again, shows.
template <typename Axes>
class StoringProgram {
 public:
  using Machine = VirtualMachine<Axes>;

  StoringProgram(Machine& vm, unsigned seed) : vm_(vm), heap_(vm.heap()), rng_(seed) {
    for (std::size_t i = 0; i < kNames; ++i) {
      names_.push_back(vm.names().IdOf(vm.names().Intern("@name" + std::to_string(i))));
    }
    for (std::size_t i = 0; i < kHolders; ++i) {
      arrays_.push_back({&scope_.Push(Value(vm.NewArray())), {}});
      hashes_.push_back({&scope_.Push(Value(NewHash(heap_, vm.classes().hash))), {}});
      objects_.push_back({&scope_.Push(Value(NewObject(heap_, vm.classes().object))), {}});
      strings_.push_back({&scope_.Push(Value(vm.NewString("has ivars"))), {}});
      buffers_.push_back({&scope_.Push(Value(vm.NewString(kLong))), std::string(kLong)});
    }
    class_ = scope_.Keep(vm.DefineClass("Holder"));
    auto* cell = static_cast<Value*>(Allocate(Subsystem::kData, sizeof(Value)));
    *cell = Value::Fixnum(0);
    // Kept by an array alone: an old slot that refers to one whose stores go unseen.
    RArray* keeper = scope_.Keep(vm.NewArray());
    Push(heap_, keeper, Value(NewData(heap_, class_, CellType(), cell)));
    data_ = &keeper->elements()[0];
    iseq_ = scope_.Keep(vm.DefineMethod(class_, "method", 4, 2));
  }

  void Step() {
    HandleScope scope(vm_.roots());
    switch (rng_() % 11) {
      case 0:
      case 1:
      case 2:
      case 3:
        StepArray(arrays_[rng_() % kHolders], arrays_[rng_() % kHolders]);
        break;
      case 4:
        StepHash(hashes_[rng_() % kHolders]);
        break;
      case 5:
        StepIvars(objects_[rng_() % kHolders]);
        break;
      case 6:
        StepIvars(strings_[rng_() % kHolders]);
        break;
      case 7:
        StepBuffer(buffers_[rng_() % kHolders]);
        break;
      case 8:
        StepClass();
        break;
      case 9:
        StepData();
        break;
      default:
        StepNames();
    }
    if (rng_() % 16 == 0) ReplaceAHolder();
  }

  void CheckAll() {
    for (const Array& array : arrays_) {
      const auto* slot = As<RArray>(*array.root);
      ASSERT_EQ(slot->length(), array.texts.size());
      for (std::size_t i = 0; i < array.texts.size(); ++i) {
        ASSERT_EQ(TextOf(slot->elements()[i]), array.texts[i]);
      }
    }
    for (const Hash& hash : hashes_) {
      const auto* slot = As<RHash>(*hash.root);
      ASSERT_EQ(HashSize(slot), hash.texts.size());
      ForEachPair(slot, [&](Value key, Value value) {
        ASSERT_EQ(TextOf(value), hash.texts.at(TextOf(key)));
      });
    }
    for (const std::vector<Ivars>* holders : {&objects_, &strings_}) {
      for (const Ivars& holder : *holders) {
        ASSERT_EQ(vm_.IvarCount(holder.root->AsSlot()), holder.texts.size());
        for (const auto& [name, text] : holder.texts) {
          ASSERT_EQ(TextOf(*vm_.IvarGet(holder.root->AsSlot(), names_[name])), text);
        }
      }
    }
    for (const Buffer& buffer : buffers_) ASSERT_EQ(TextOf(*buffer.root), buffer.text);
    ASSERT_EQ(TextOf(*static_cast<Value*>(As<RData>(*data_)->data)), data_text_);
    for (std::size_t i = 0; i < literals_.size(); ++i) {
      const RArray* literal = As<RArray>(iseq_->iseq->literals[i]);
      for (Value v : literal->elements()) ASSERT_EQ(TextOf(v), literals_[i]);
    }
    for (std::size_t i = 0; i < symbols_.size(); ++i) {
      ASSERT_EQ(vm_.names().NameOf(symbols_[i])->bytes(), "symbol" + std::to_string(i));
    }
    for (const std::string& path : features_) ASSERT_TRUE(*vm_.features().IsProvided(path)) << path;
    vm_.CheckInvariants();
  }

 private:
  static constexpr std::size_t kHolders = 4;
  static constexpr std::size_t kNames = 9;
  static constexpr std::size_t kMaxLength = 80;  // elements; beyond 64 a shift shares
  static constexpr std::string_view kLong = "so long that it has a buffer of its own";

  struct Array {
    Value* root;
    std::vector<std::string> texts;
  };
  struct Hash {
    Value* root;
    std::map<std::string, std::string> texts;
  };
  struct Ivars {
    Value* root;
    std::map<std::size_t, std::string> texts;  // by index of the name
  };
  struct Buffer {
    Value* root;
    std::string text;
  };

  static std::string TextOf(Value v) {
    if (v.IsFixnum()) return std::to_string(v.AsFixnum());
    return IsType(v, Type::kString) ? std::string(As<RString>(v)->bytes()) : "no String";
  }
  std::string NewText() { return "text" + std::to_string(++texts_made_); }

  // A young String that nothing but this call's scope keeps.
  Value NewLeaf(HandleScope& scope, const std::string& text) {
    RString* leaf = scope.Keep(vm_.NewString(text));
    FreezeString(leaf);
    return Value(leaf);
  }
  RArray* NewArrayOf(HandleScope& scope, std::vector<std::string>& texts, std::size_t length) {
    RArray* array = scope.Keep(vm_.NewArray());
    for (std::size_t i = 0; i < length; ++i) {
      texts.push_back(NewText());
      Push(heap_, array, NewLeaf(scope, texts.back()));
    }
    return array;
  }

  void StepArray(Array& target, Array& other) {
    HandleScope scope(vm_.roots());
    RArray* array = As<RArray>(*target.root);
    std::vector<std::string>& texts = target.texts;
    const std::size_t length = texts.size();
    const std::string text = NewText();
    std::vector<std::string> more;
    if (length > kMaxLength) {
      Clear(heap_, array);
      texts.clear();
      return;
    }
    switch (rng_() % 13) {
      case 0:
        if (length < 20) break;
        // Pushed into the buffer of its root, which is what then refers to it; until the array takes
        // the buffer back.
        Shift(heap_, array);
        Push(heap_, array, NewLeaf(scope, text));
        Store(heap_, array, 0, array->elements()[1]);
        texts.erase(texts.begin());
        texts.push_back(text);
        texts[0] = texts[1];
        break;
      case 1:
      case 12:
        Push(heap_, array, NewLeaf(scope, text));
        texts.push_back(text);
        break;
      case 2:
        Unshift(heap_, array, NewLeaf(scope, text));
        texts.insert(texts.begin(), text);
        break;
      case 3:
        if (length == 0) break;
        Store(heap_, array, static_cast<std::ptrdiff_t>(rng_() % length), Value::Nil());
        // At once, so that there is no other text: a store over a store.
        for (std::size_t i = 0; i < length; ++i) {
          if (!array->elements()[i].IsNil()) continue;
          Store(heap_, array, static_cast<std::ptrdiff_t>(i), NewLeaf(scope, text));
          texts[i] = text;
        }
        break;
      case 4: {
        const std::size_t at = rng_() % (length + 1);
        Insert(heap_, array, static_cast<std::ptrdiff_t>(at), NewLeaf(scope, text));
        texts.insert(texts.begin() + static_cast<std::ptrdiff_t>(at), text);
        break;
      }
      case 5: {
        const RArray* fresh = NewArrayOf(scope, more, rng_() % 24);
        Concat(heap_, array, fresh);
        texts.insert(texts.end(), more.begin(), more.end());
        break;
      }
      case 6:
        Replace(heap_, array, NewArrayOf(scope, more, rng_() % 8));
        texts = more;
        break;
      case 7:
        if (length == 0) break;
        EXPECT_EQ(TextOf(Shift(heap_, array)), texts.front());
        texts.erase(texts.begin());
        break;
      case 8:
        if (length == 0) break;
        EXPECT_EQ(TextOf(Pop(heap_, array)), texts.back());
        texts.pop_back();
        break;
      case 9:
        *other.root = Value(SharedCopy(heap_, array, vm_.classes().array));
        other.texts = texts;
        break;
      case 10: {
        const std::size_t from = rng_() % (length + 1);
        *other.root = Value(*Slice(heap_, array, static_cast<std::ptrdiff_t>(from), length - from));
        other.texts.assign(target.texts.begin() + static_cast<std::ptrdiff_t>(from),
                           target.texts.end());
        break;
      }
      default: {
        const RArray* fresh = NewArrayOf(scope, more, 3);
        const std::size_t at = rng_() % (length + 1);
        const std::size_t removed = std::min(length - at, rng_() % 3);
        const std::vector<Value> values(fresh->elements().begin(), fresh->elements().end());
        Splice(heap_, array, at, removed, values);
        const auto begin = texts.begin() + static_cast<std::ptrdiff_t>(at);
        texts.erase(begin, begin + static_cast<std::ptrdiff_t>(removed));
        texts.insert(texts.begin() + static_cast<std::ptrdiff_t>(at), more.begin(), more.end());
      }
    }
  }

  void StepHash(Hash& hash) {
    HandleScope scope(vm_.roots());
    RHash* slot = As<RHash>(*hash.root);
    const std::size_t number = rng_() % 20;
    // Young keys of values that are no slots, and young values of keys that are none.
    const std::string key = (number % 2 == 0 ? "key" : "") + std::to_string(number);
    const Value key_value =
        number % 2 == 0 ? NewLeaf(scope, key) : Value::Fixnum(static_cast<std::int64_t>(number));
    if (rng_() % 4 == 0) {
      const auto gone = HashDelete(slot, key_value, vm_.hash_seed());
      EXPECT_EQ(gone.has_value(), hash.texts.erase(key) == 1);
      return;
    }
    const std::string text = number % 4 == 0 ? "1" : NewText();
    HashStore(heap_, slot, key_value, number % 4 == 0 ? Value::Fixnum(1) : NewLeaf(scope, text),
              vm_.hash_seed());
    hash.texts[key] = text;
  }

  void StepIvars(Ivars& holder) {
    HandleScope scope(vm_.roots());
    RBasic* slot = holder.root->AsSlot();
    const std::size_t name = rng_() % kNames;
    switch (rng_() % 8) {
      case 0:
        EXPECT_EQ(vm_.IvarRemove(slot, names_[name]).has_value(), holder.texts.erase(name) == 1);
        break;
      case 1: {
        if (slot->type() == Type::kObject) break;
        RString* copy = scope.Keep(vm_.NewString("has ivars"));
        for (int i = 0; i < 3; ++i) vm_.CollectYoungGarbage();  // it is old before it has ivars
        RString* original = scope.Keep(vm_.NewString("has ivars"));
        const std::string text = NewText();
        vm_.IvarSet(original, names_[name], NewLeaf(scope, text));
        vm_.CopyGenericIvars(original, copy);
        *holder.root = Value(copy);
        holder.texts = {{name, text}};
        break;
      }
      default: {
        const std::string text = NewText();
        vm_.IvarSet(slot, names_[name], NewLeaf(scope, text));
        holder.texts[name] = text;
      }
    }
  }

  // A String that shares its buffer refers to its root, which is younger.
  void StepBuffer(Buffer& buffer) {
    RString* string = As<RString>(*buffer.root);
    if (buffer.text.size() > 200) {
      *buffer.root = Value(vm_.NewString(kLong));
      buffer.text = kLong;
      return;
    }
    switch (rng_() % 3) {
      case 0:
        AppendToString(string, "more");
        buffer.text += "more";
        break;
      case 1:
        FrozenCopy(heap_, string);
        break;
      default:
        *buffer.root = Value(SubString(heap_, string, 1, string->length() - 1));
        buffer.text = buffer.text.substr(1);
        if (buffer.text.size() < kLong.size()) {
          AppendToString(As<RString>(*buffer.root), kLong);
          buffer.text += kLong;
        }
    }
  }

  void StepClass() {
    HandleScope scope(vm_.roots());
    switch (rng_() % 4) {
      case 0:
        if (literals_.size() >= 40) break;
        {
          const std::string text = NewText();
          const std::vector<Value> elements(1 + rng_() % 6, NewLeaf(scope, text));
          vm_.AddArrayLiteral(iseq_, elements);
          literals_.push_back(text);
        }
        break;
      case 1:
        if (!literals_.empty()) {
          Array& target = arrays_[rng_() % kHolders];
          const std::size_t i = rng_() % literals_.size();
          *target.root = Value(vm_.EvaluateArrayLiteral(iseq_, i));
          target.texts.assign(As<RArray>(*target.root)->length(), literals_[i]);
        }
        break;
      case 2:
        vm_.DefineMethod(class_, "method" + std::to_string(rng_() % 30), 2, 1);
        break;
      default:
        vm_.DefineClass("Class" + std::to_string(rng_() % 30), class_);
    }
  }

  // Its owner stores into it and calls no barrier, as C code may.
  void StepData() {
    HandleScope scope(vm_.roots());
    auto* data = static_cast<Value*>(As<RData>(*data_)->data);
    data_text_ = NewText();
    *data = NewLeaf(scope, data_text_);
  }
  static const DataType* CellType() {
    static constexpr DataType kType = {
        .name = "cell",
        .mark = [](void* data, Marker& marker) { marker.Mark(*static_cast<Value*>(data)); },
        .free = [](void* data) { Free(Subsystem::kData, data); },
        .memsize = [](const void*) { return sizeof(Value); }};
    return &kType;
  }

  void StepNames() {
    switch (rng_() % 4) {
      case 0: {
        const std::string name = "weak" + std::to_string(rng_() % 30);
        EXPECT_EQ(vm_.names().Fstring(name, Encoding::kUtf8)->bytes(), name);
        break;
      }
      case 1: {
        const std::string name = "weak symbol" + std::to_string(rng_() % 30);
        EXPECT_EQ(As<RSymbol>(vm_.names().ToSymbol(name))->name->bytes(), name);
        break;
      }
      case 2: {  // a symbol that becomes immortal once it is old, or while it is young
        if (symbols_.size() >= 40) break;
        const std::string name = "symbol" + std::to_string(symbols_.size());
        HandleScope scope(vm_.roots());
        const Value symbol = scope.Push(vm_.names().ToSymbol(name));
        for (unsigned i = rng_() % 4; i > 0; --i) vm_.CollectYoungGarbage();
        symbols_.push_back(vm_.names().IdOf(symbol));
        break;
      }
      default:
        if (features_.size() >= 40) break;
        features_.push_back("/lib/feature" + std::to_string(features_.size()) + ".rb");
        ASSERT_TRUE(vm_.features().Provide(features_.back()).ok());
    }
  }

  // So that there are holders of every age.
  void ReplaceAHolder() {
    const std::size_t i = rng_() % kHolders;
    switch (rng_() % 4) {
      case 0:
        *arrays_[i].root = Value(vm_.NewArray());
        arrays_[i].texts.clear();
        break;
      case 1:
        *hashes_[i].root = Value(NewHash(heap_, vm_.classes().hash));
        hashes_[i].texts.clear();
        break;
      case 2:
        *objects_[i].root = Value(NewObject(heap_, vm_.classes().object));
        objects_[i].texts.clear();
        break;
      default:
        *strings_[i].root = Value(vm_.NewString("has ivars"));
        strings_[i].texts.clear();
    }
  }

  Machine& vm_;
  Heap& heap_;
  std::mt19937 rng_;
  HandleScope scope_{vm_.roots()};
  std::vector<Id> names_;
  std::vector<Array> arrays_;
  std::vector<Hash> hashes_;
  std::vector<Ivars> objects_, strings_;
  std::vector<Buffer> buffers_;
  const Value* data_ = nullptr;  // a T_DATA
  std::string data_text_ = "0";
  RClass* class_ = nullptr;
  RImemo* iseq_ = nullptr;
  std::vector<std::string> literals_;  // all elements of literal i
  std::vector<Id> symbols_;
  std::vector<std::string> features_;
  std::uint64_t texts_made_ = 0;
};

template <typename Axes>
class WriteBarrierTest : public ::testing::Test {
 protected:
  static void Run(bool stress, int steps, int check_every) {
    VirtualMachine<Axes> vm({.gc_stress = stress});
    vm.collector().set_verify(true);
    StoringProgram<Axes> program(vm, 2013);
    for (int step = 0; step < steps; ++step) {
      program.Step();
      if (!stress && step % 8 == 0) vm.CollectYoungGarbage();
      if (step % check_every != 0) continue;
      program.CheckAll();
      if (::testing::Test::HasFailure()) FAIL() << "at step " << step;
    }
    EXPECT_GT(vm.gc_stats().old_slots, 0u);
    EXPECT_GT(vm.gc_stats().remembered_slots, 0u);
  }
};

using AllAxes = ::testing::Types<DefaultAxes, OtherAxes>;
TYPED_TEST_SUITE(WriteBarrierTest, AllAxes);

TYPED_TEST(WriteBarrierTest, NoStoreGoesUnseen) {
  this->Run(false, kDchecks ? 4'000 : 10'000, 500);
}

TYPED_TEST(WriteBarrierTest, NoStoreGoesUnseenUnderStress) { this->Run(true, 1'000, 100); }

// The verifier is what this file relies on: a store past the VM's functions must be found.
TYPED_TEST(WriteBarrierTest, AStoreWithoutBarrierIsFound) {
  VirtualMachine<TypeParam> vm({.gc_stress = false});
  vm.collector().set_verify(true);
  HandleScope scope(vm.roots());
  RObject* object = scope.Keep(NewObject(vm.heap(), vm.classes().object));
  for (int i = 0; i < 4; ++i) vm.CollectGarbage();
  const Id name = vm.names().IdOf(vm.names().Intern("@name"));
  SetObjectIvar(object, name, Value(vm.NewString("young")));
  EXPECT_DEATH(vm.CollectYoungGarbage(), "overlooks a T_STRING that an old T_OBJECT refers to");
}

}  // namespace
}  // namespace rubric
