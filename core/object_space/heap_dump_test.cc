#include "core/object_space/heap_dump.h"

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/object/array_mutation.h"
#include "core/object/array_sharing.h"
#include "core/object/hash.h"
#include "core/object_space/each_object.h"
#include "core/vm/selected.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace rubric {
namespace {

using Json = nlohmann::ordered_json;

std::string AddressOf(const RBasic* slot) {
  char text[32];
  std::snprintf(text, sizeof(text), "%p", static_cast<const void*>(slot));
  return text;
}

std::vector<Json> Lines(const std::string& text) {
  std::vector<Json> lines;
  std::size_t from = 0;
  for (std::size_t end; (end = text.find('\n', from)) != std::string::npos; from = end + 1) {
    lines.push_back(Json::parse(text.substr(from, end - from)));
  }
  EXPECT_EQ(from, text.size()) << "the last line has no end";
  return lines;
}

class HeapDumpTest : public testing::Test {
 protected:
  HeapDumpTest() : scope_(vm_.roots()) {}

  std::string Dump() {
    std::string text;
    const absl::Status status = DumpHeap(vm_, [&](std::string_view piece) {
      text += piece;
      return absl::OkStatus();
    });
    EXPECT_TRUE(status.ok()) << status;
    return text;
  }
  Json DumpOf(Value value) {
    std::string text;
    const absl::Status status = DumpObject(vm_, value, [&](std::string_view piece) {
      text += piece;
      return absl::OkStatus();
    });
    EXPECT_TRUE(status.ok()) << status;
    return Lines(text).at(0);
  }
  Id Name(std::string_view name) { return vm_.names().IdOf(vm_.names().Intern(name)); }

  // One of each kind, and of each state that a kind can be in.
  void Populate() {
    RClass* klass = scope_.Keep(vm_.DefineClass("Thing"));
    RImemo* method = vm_.DefineMethod(klass, "method", 10, 3);
    std::vector<Value> elements;
    RArray* all = scope_.Keep(vm_.NewArray());
    for (int i = 0; i < 2000; ++i) {
      HandleScope iteration(vm_.roots());
      RString* text = iteration.Keep(vm_.NewString(std::string(static_cast<std::size_t>(i), 'x')));
      if (i % 7 == 0) vm_.IvarSet(text, Name("@of_a_string"), Value(klass));
      RObject* object = iteration.Keep(NewObject(vm_.heap(), klass));
      for (int n = 0; n < i % 9; ++n) {
        vm_.IvarSet(object, Name("@i" + std::to_string(n)), Value(text));
      }
      RArray* array = iteration.Keep(vm_.NewArray());
      for (int n = 0; n < i % 11; ++n)
        Push(vm_.heap(), array, n % 2 == 0 ? Value(object) : Value());
      Push(vm_.heap(), all, Value(array));
      if (i % 5 == 0) {
        Push(vm_.heap(), all, Value(SharedCopy(vm_.heap(), array, vm_.classes().array)));
      }
    }
    elements.assign(5, Value(scope_.Keep(vm_.NewString("element"))));
    const std::size_t literal = vm_.AddArrayLiteral(method, elements);
    scope_.Keep(vm_.EvaluateArrayLiteral(method, literal));
    scope_.Push(vm_.names().ToSymbol("a symbol"));
    scope_.Keep(vm_.names().Fstring("a frozen string", Encoding::kUtf8));
    scope_.Keep(NewFloatSlot(vm_.heap(), vm_.classes().floating, 1e300));
    RHash* hash = scope_.Keep(NewHash(vm_.heap(), vm_.classes().hash));
    HashStore(vm_.heap(), hash, Value::Fixnum(1), Value(klass), vm_.hash_seed());
  }

  Vm vm_;
  HandleScope scope_;
};

TEST_F(HeapDumpTest, EveryReferenceIsAnAddressOfTheDump) {
  Populate();
  vm_.CollectGarbage();
  Populate();  // what is new is not marked yet
  const std::vector<Json> lines = Lines(Dump());
  std::set<std::string> addresses;
  for (const Json& line : lines) {
    if (line["type"] == "ROOT") continue;
    EXPECT_TRUE(addresses.insert(line["address"]).second) << line;
  }
  std::size_t references = 0;
  for (const Json& line : lines) {
    for (const char* key : {"class", "superclass"}) {
      if (!line.contains(key)) continue;
      EXPECT_TRUE(addresses.contains(line[key])) << line;
    }
    if (!line.contains("references")) continue;
    for (const Json& reference : line["references"]) {
      ++references;
      EXPECT_TRUE(addresses.contains(reference)) << line;
    }
  }
  EXPECT_GT(references, 10'000u);
}

TEST_F(HeapDumpTest, ShowsEachSlotOnceWithItsMemsize) {
  Populate();
  vm_.CollectGarbage();
  std::map<std::string, std::size_t> counts;
  std::size_t memsize = 0;
  for (const Json& line : Lines(Dump())) {
    if (line["type"] == "ROOT") continue;
    ++counts["T_" + line["type"].get<std::string>()];
    memsize += line["memsize"].get<std::size_t>();
    EXPECT_TRUE(line["flags"]["marked"]) << "collected just now: " << line;
  }
  std::size_t expected_memsize = 0;
  vm_.heap().ForEachSlot([&](RBasic* slot) { expected_memsize += vm_.MemsizeOf(Value(slot)); });
  EXPECT_EQ(memsize, expected_memsize);
  const ObjectCounts expected = vm_.CountObjects();
  for (std::size_t type = 1; type < kTypeCount; ++type) {
    EXPECT_EQ(counts[std::string(kTypeNames[type])], expected.by_type[type]) << kTypeNames[type];
  }
}

TEST_F(HeapDumpTest, WhatTheLastCollectionFoundDeadIsNotShown) {
  const std::string dead = AddressOf(vm_.NewString("dead"));
  vm_.collector().Collect();  // nothing is swept yet
  for (const Json& line : Lines(Dump())) EXPECT_NE(line.value("address", ""), dead);
  vm_.CheckInvariants();
}

TEST_F(HeapDumpTest, RootsAreThoseOfTheCollector) {
  RString* kept = scope_.Keep(vm_.NewString("kept"));
  std::map<std::string, std::set<std::string>> roots;
  for (const Json& line : Lines(Dump())) {
    if (line["type"] != "ROOT") continue;
    for (const Json& reference : line["references"]) roots[line["root"]].insert(reference);
  }
  EXPECT_TRUE(roots["machine_context"].contains(AddressOf(kept)));
  EXPECT_TRUE(roots["vm"].contains(AddressOf(vm_.classes().object)));
  EXPECT_FALSE(roots["vm"].contains(AddressOf(kept)));
}

TEST_F(HeapDumpTest, ADumpChangesNothing) {
  Populate();
  vm_.CollectGarbage();
  const std::string first = Dump();
  EXPECT_EQ(Dump(), first);
  vm_.CheckInvariants();
  vm_.CollectGarbage();
  EXPECT_EQ(Dump(), first) << "all of it was live";
}

TEST_F(HeapDumpTest, ReferencesOfDataAreThoseItMarks) {
  struct Pair {
    Value first, second;
  };
  static const DataType type = {.name = "pair",
                                .mark =
                                    [](void* data, Marker& marker) {
                                      marker.Mark(static_cast<Pair*>(data)->first);
                                      marker.Mark(static_cast<Pair*>(data)->second);
                                    },
                                .free = nullptr,
                                .memsize = [](const void*) { return sizeof(Pair); }};
  RString* a = scope_.Keep(vm_.NewString("a"));
  Pair pair{Value(a), Value::Fixnum(3)};
  RData* data = scope_.Keep(NewData(vm_.heap(), vm_.classes().object, &type, &pair));
  Json line = DumpOf(Value(data));
  EXPECT_EQ(line["struct"], "pair");
  EXPECT_EQ(line["references"], Json::array({AddressOf(a)}));
  EXPECT_EQ(line["memsize"], 56);
  EXPECT_FALSE(line.contains("flags")) << "stores into a T_DATA pass no barrier";
}

TEST_F(HeapDumpTest, FlagsAreThoseThatHold) {
  RString* string = scope_.Keep(vm_.NewString("flagged"));
  const auto flags_of = [&](const HeapDumpWriter::SlotFacts& facts) {
    std::string text;
    const auto sink = [&](std::string_view piece) {
      text += piece;
      return absl::OkStatus();
    };
    HeapDumpWriter writer(sink);
    writer.BeginSlot(string, "");
    writer.EndSlot(facts);
    EXPECT_TRUE(writer.Finish().ok());
    const Json line = Lines(text).at(0);
    return line.contains("flags") ? line["flags"].dump() : "";
  };
  EXPECT_EQ(flags_of({}), "");
  EXPECT_EQ(flags_of({.write_barrier_protected = true}), R"({"wb_protected":true})");
  EXPECT_EQ(flags_of({.marked = true}), R"({"marked":true})");
  EXPECT_EQ(flags_of({.write_barrier_protected = true, .old = true, .marked = true}),
            R"({"wb_protected":true,"old":true,"uncollectible":true,"marked":true})");
  // What the collector makes old is shown as old.
  for (int i = 0; i < 5; ++i) vm_.CollectGarbage();
  EXPECT_EQ(DumpOf(Value(string))["flags"].contains("old"), string->Has(RBasic::kOld));
}

TEST_F(HeapDumpTest, AnErrorOfTheSinkEndsTheDump) {
  Populate();
  const std::size_t whole = Dump().size();
  for (const std::size_t room : {std::size_t{0}, std::size_t{20'000}, whole - 1}) {
    std::size_t seen = 0, calls_after = 0;
    const absl::Status status = DumpHeap(vm_, [&](std::string_view piece) {
      if (seen > room) ++calls_after;
      seen += piece.size();
      return seen > room ? absl::ResourceExhaustedError("full") : absl::OkStatus();
    });
    EXPECT_EQ(status, absl::ResourceExhaustedError("full"));
    EXPECT_EQ(calls_after, 0u);
  }
}

TEST_F(HeapDumpTest, ALongLineNeedsNoMoreMemoryThanAShortOne) {
  RArray* array = scope_.Keep(vm_.NewArray(100'000));
  for (int i = 0; i < 100'000; ++i) Push(vm_.heap(), array, Value(vm_.classes().object));
  std::size_t longest = 0, total = 0;
  EXPECT_TRUE(DumpObject(vm_, Value(array), [&](std::string_view piece) {
                longest = std::max(longest, piece.size());
                total += piece.size();
                return absl::OkStatus();
              }).ok());
  EXPECT_GT(total, 1'000'000u);
  EXPECT_LE(longest, 16u * 1024);
}

TEST_F(HeapDumpTest, EachObjectFindsInstancesOfAClassAndOfItsSubclasses) {
  RClass* animal = scope_.Keep(vm_.DefineClass("Animal"));
  RClass* dog = scope_.Keep(vm_.DefineClass("Dog", animal));
  RClass* cat = scope_.Keep(vm_.DefineClass("Cat", animal));
  std::map<const RClass*, std::set<RBasic*>> expected;
  for (int i = 0; i < 30; ++i) {
    RClass* klass = i % 3 == 0 ? animal : i % 3 == 1 ? dog : cat;
    RObject* object = scope_.Keep(NewObject(vm_.heap(), klass));
    expected[klass].insert(object);
    if (klass != animal) expected[animal].insert(object);
  }
  for (const RClass* klass : {animal, dog, cat}) {
    std::set<RBasic*> found;
    const std::size_t n = EachObject(vm_, klass, [&](RBasic* slot) { found.insert(slot); });
    EXPECT_EQ(found, expected[klass]);
    EXPECT_EQ(n, expected[klass].size());
  }
}

TEST_F(HeapDumpTest, EachObjectHidesWhatNoProgramSees) {
  Populate();
  NewArrayLiteral(vm_.heap(), {});  // hidden
  const RString* dead = vm_.NewString("dead");
  vm_.collector().Collect();
  std::size_t expected = 0;
  vm_.heap().ForEachSlot([&](const RBasic* slot) {
    const bool shown = slot->type() != Type::kImemo && !slot->Has(RBasic::kHidden) &&
                       !vm_.collector().IsGarbage(slot);
    expected += shown ? 1 : 0;
  });
  const std::size_t n = EachObject(vm_, nullptr, [&](RBasic* slot) {
    EXPECT_NE(slot, dead);
    EXPECT_NE(slot->type(), Type::kImemo);
    EXPECT_NE(slot->klass, nullptr);
  });
  EXPECT_EQ(n, expected);
  EXPECT_EQ(EachObject(vm_, vm_.classes().object, [](RBasic*) {}), n) << "all are Objects";
}

}  // namespace
}  // namespace rubric
