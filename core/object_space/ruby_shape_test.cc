// Holds the lines of a dump against those that the installed Ruby writes of the same objects: the
// keys and their order, the JSON types, and the values that must agree.

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "core/object/array_mutation.h"
#include "core/object/array_sharing.h"
#include "core/object/hash.h"
#include "core/object_space/heap_dump.h"
#include "core/vm/selected.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace rubric {
namespace {

using Json = nlohmann::ordered_json;

// What each side makes of one case. `same` names the keys whose values must be equal, beside type,
// which always must; other values are of the machine (addresses) or of another structure (what a
// Hash or a class weighs).
struct Case {
  const char* ruby;
  std::set<std::string> same;
};

const std::set<std::string> kStringKeys = {"bytesize", "value",   "encoding", "memsize",
                                           "embedded", "broken",  "fstring",  "frozen",
                                           "shared",   "capacity"};
const std::set<std::string> kArrayKeys = {"length", "embedded", "shared", "memsize", "frozen"};

// Ruby source that gives an object, in the order in which MakeOurs makes ours.
const std::vector<Case>& Cases() {
  static const auto* cases = new std::vector<Case>{
      // Strings: embedded, with a buffer, of each encoding, with bytes that JSON must escape.
      {R"(+"short")", kStringKeys},
      {R"(+"")", kStringKeys},
      {R"("x" * 100)", kStringKeys},
      {R"("bin\xff".b)", kStringKeys},
      {R"(+"inv\xff")", kStringKeys},
      {R"(+"\u00e9")", kStringKeys},
      {R"("\u00e9" * 20)", kStringKeys},
      {R"((+"ascii").force_encoding("US-ASCII"))", kStringKeys},
      {R"((+"\xff").force_encoding("US-ASCII"))", kStringKeys},
      {R"((0..127).to_a.pack("C*").force_encoding("UTF-8").reverse.reverse)", kStringKeys},
      {R"(-"deduplicated #{1}")", kStringKeys},
      {R"(("frozen" + "x" * 30).freeze)", kStringKeys},
      {R"(($long = "y" * 100)[10..])", kStringKeys},
      {R"($long)", kStringKeys},
      {R"((+"geniv").tap { |s| s.instance_variable_set(:@a, [1]) })",
       {"bytesize", "value", "encoding", "embedded"}},
      // Symbols.
      {R"("a symbol #{1 + 1}".to_sym)", {"bytesize", "value", "frozen", "memsize"}},
      {R"("\u00e9 #{1 + 1}".to_sym)", {"bytesize", "frozen", "memsize"}},
      // Arrays: embedded, empty, with a buffer, shared.
      {R"([])", kArrayKeys},
      {R"([1, "two", 3])", kArrayKeys},
      {R"([1, 2, 3, 4, "five"])", kArrayKeys},
      {R"(($array = (1..30).to_a)[5..])", kArrayKeys},
      {R"($array)", kArrayKeys},
      {R"([1, 2].freeze)", kArrayKeys},
      // The others.
      {R"({})", {"size", "memsize"}},
      {R"({1 => "one"})", {"size"}},
      {R"((1..20).to_h { |i| [i, i.to_s] })", {"size"}},
      {R"(1e300)", {"value", "frozen", "memsize"}},
      {R"(-1e-300)", {"value", "frozen", "memsize"}},
      {R"(123456789e75)", {"value", "frozen", "memsize"}},
      {R"(0.0 / 0)", {"value", "frozen", "memsize"}},
      {R"(-1.0 / 0)", {"value", "frozen", "memsize"}},
      {R"(Object.new)", {"ivars", "memsize"}},
      {R"(Object.new.tap { |o| o.instance_variable_set(:@a, "x") })", {"ivars", "memsize"}},
      {R"(Thing = Class.new)", {"name"}},
      {R"(Class.new)", {}},
      {R"(Time.at(0))", {"struct"}},
      // What is no slot.
      {R"(1)", {}},
      {R"(-5)", {}},
      {R"(nil)", {}},
      {R"(true)", {}},
      {R"(false)", {}},
      {R"(1.5)", {}},
      {R"(:plain)", {"value"}},
      {R"(:"quo\"ted")", {"value"}},
  };
  return *cases;
}

class RubyShapeTest : public testing::Test {
 protected:
  RubyShapeTest() : scope_(vm_.roots()) {}

  std::vector<Json> RubysLines() {
    const std::string base = testing::TempDir() + "/ruby_shape";
    std::ofstream script(base + ".rb");
    script << "require 'objspace'\n";
    for (const Case& each : Cases()) script << "puts ObjectSpace.dump((" << each.ruby << "))\n";
    script.close();
    const std::string command = "ruby --disable-gems " + base + ".rb > " + base + ".out";
    EXPECT_EQ(std::system(command.c_str()), 0);
    std::vector<Json> lines;
    std::ifstream output(base + ".out");
    for (std::string line; std::getline(output, line);) lines.push_back(Json::parse(line));
    return lines;
  }

  Json DumpOf(Value value) {
    std::string text;
    const absl::Status status = DumpObject(vm_, value, [&](std::string_view piece) {
      text += piece;
      return absl::OkStatus();
    });
    EXPECT_TRUE(status.ok()) << status;
    return Json::parse(text);
  }

  void String(std::string_view bytes, Encoding encoding = Encoding::kUtf8, bool freeze = false) {
    RString* string = scope_.Keep(vm_.NewString(bytes, encoding));
    if (freeze) FreezeString(string);
    ours_.push_back(Value(string));
  }
  void Array(std::vector<Value> elements, bool freeze = false) {
    RArray* array = scope_.Keep(NewArrayFrom(vm_.heap(), vm_.classes().array, elements));
    if (freeze) Freeze(array);
    ours_.push_back(Value(array));
  }
  void Float(double number) {
    ours_.push_back(scope_.Push(NewFloat(vm_.heap(), vm_.classes().floating, number)));
  }
  Value Text(std::string_view bytes) { return scope_.Push(Value(vm_.NewString(bytes))); }
  Id Name(std::string_view name) { return vm_.names().IdOf(vm_.names().Intern(name)); }

  void MakeStrings() {
    std::string ascii;
    for (int c = 0; c < 128; ++c) ascii.push_back(static_cast<char>(c));
    std::string accents;
    for (int i = 0; i < 20; ++i) accents += "\u00e9";
    String("short");
    String("");
    String(std::string(100, 'x'));
    String("bin\xff", Encoding::kBinary);
    String("inv\xff");
    String("\u00e9");
    String(accents);
    String("ascii", Encoding::kUsAscii);
    String("\xff", Encoding::kUsAscii);
    String(ascii);
    ours_.push_back(Value(scope_.Keep(vm_.names().Fstring("deduplicated 1", Encoding::kUtf8))));
    String("frozen" + std::string(30, 'x'), Encoding::kUtf8, true);
    RString* longer = scope_.Keep(vm_.NewString(std::string(100, 'y')));
    ours_.push_back(Value(scope_.Keep(SubString(vm_.heap(), longer, 10, 90))));
    ours_.push_back(Value(longer));
    String("geniv");
    RArray* ivar = scope_.Keep(vm_.NewArray());
    vm_.IvarSet(ours_.back().AsSlot(), Name("@a"), Value(ivar));
    ours_.push_back(scope_.Push(vm_.names().ToSymbol("a symbol 2")));
    ours_.push_back(scope_.Push(vm_.names().ToSymbol("\u00e9 2")));
  }

  void MakeArrays() {
    const auto number = [](int n) { return Value::Fixnum(n); };
    Array({});
    Array({number(1), Text("two"), number(3)});
    Array({number(1), number(2), number(3), number(4), Text("five")});
    std::vector<Value> thirty(30, number(7));
    RArray* array = scope_.Keep(NewArrayFrom(vm_.heap(), vm_.classes().array, thirty));
    ours_.push_back(Value(scope_.Keep(Slice(vm_.heap(), array, 5, 100).value())));
    ours_.push_back(Value(array));
    Array({number(1), number(2)}, true);
  }

  void MakeOthers() {
    for (const int size : {0, 1, 20}) {
      RHash* hash = scope_.Keep(NewHash(vm_.heap(), vm_.classes().hash));
      for (int i = 0; i < size; ++i) {
        HashStore(vm_.heap(), hash, Value::Fixnum(i), Text("text"), vm_.hash_seed());
      }
      ours_.push_back(Value(hash));
    }
    Float(1e300);
    Float(-1e-300);
    Float(123456789e75);
    Float(std::numeric_limits<double>::quiet_NaN());
    Float(-std::numeric_limits<double>::infinity());
    for (const bool set : {false, true}) {
      RObject* object = scope_.Keep(NewObject(vm_.heap(), vm_.classes().object));
      if (set) vm_.IvarSet(object, Name("@a"), Text("x"));
      ours_.push_back(Value(object));
    }
    ours_.push_back(Value(scope_.Keep(vm_.DefineClass("Thing"))));
    ours_.push_back(
        Value(scope_.Keep(NewClass(vm_.heap(), vm_.classes().klass, vm_.classes().object, Id{}))));
    static const DataType time = {
        .name = "time", .mark = nullptr, .free = nullptr, .memsize = nullptr};
    ours_.push_back(Value(scope_.Keep(NewData(vm_.heap(), vm_.classes().time, &time, nullptr))));
    for (const Value v :
         {Value::Fixnum(1), Value::Fixnum(-5), Value::Nil(), Value::True(), Value::False(),
          *Value::Flonum(1.5), vm_.names().Intern("plain"), vm_.names().Intern("quo\"ted")}) {
      ours_.push_back(v);
    }
  }

  Vm vm_;
  HandleScope scope_;
  std::vector<Value> ours_;
};

std::vector<std::string> Keys(const Json& line) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : line.items()) keys.push_back(key);
  return keys;
}

TEST_F(RubyShapeTest, EveryLineHasTheShapeOfRubys) {
  const std::vector<Json> rubys = RubysLines();
  MakeStrings();
  MakeArrays();
  MakeOthers();
  ASSERT_EQ(rubys.size(), Cases().size());
  ASSERT_EQ(ours_.size(), Cases().size());
  for (std::size_t i = 0; i < rubys.size(); ++i) {
    const Case& expected = Cases()[i];
    const Json ruby = rubys[i], ours = DumpOf(ours_[i]);
    SCOPED_TRACE(std::string(expected.ruby) + "\nRuby: " + ruby.dump() + "\nours: " + ours.dump());
    ASSERT_EQ(ours.type(), ruby.type());
    if (!ruby.is_object()) {
      EXPECT_EQ(ours, ruby);
      continue;
    }
    std::vector<std::string> keys = Keys(ours);
    // Ruby keeps symbols' names alive by a table of its own, ours by a reference; what our class
    // refers to is told from its constants and methods, of which a fresh one has none.
    if (ours["type"] == "SYMBOL") std::erase(keys, "references");
    // Ruby takes no T_DATA to be protected whose owner has not said so; ours are where they refer to
    // nothing.
    if (ours["type"] == "DATA") std::erase(keys, "flags");
    EXPECT_EQ(keys, Keys(ruby));
    EXPECT_EQ(ours["type"], ruby["type"]);
    for (const std::string& key : Keys(ruby)) {
      if (!ours.contains(key)) continue;
      EXPECT_EQ(ours[key].type(), ruby[key].type()) << key;
      if (!expected.same.contains(key)) continue;
      EXPECT_EQ(ours[key], ruby[key]) << key;
    }
    for (const std::string& key : expected.same) {
      EXPECT_EQ(ours.contains(key), ruby.contains(key)) << key;
    }
  }
}

// Roots, and what only a whole dump shows: the flags of old and marked slots, iseqs.
TEST_F(RubyShapeTest, AWholeDumpHasTheLinesOfRubys) {
  const std::string base = testing::TempDir() + "/ruby_dump_all";
  const std::string command = "ruby --disable-gems -robjspace -e 'GC.start; File.open(\"" + base +
                              "\", \"w\") { |f| ObjectSpace.dump_all(output: f) }'";
  ASSERT_EQ(std::system(command.c_str()), 0);
  Json rubys_root, rubys_iseq;
  std::set<std::string> rubys_flags;
  std::ifstream dump(base);
  for (std::string text; std::getline(dump, text);) {
    const Json line = Json::parse(text, nullptr, false);
    if (line.is_discarded()) continue;  // a value that is no UTF-8: a fault of that Ruby
    if (line["type"] == "ROOT" && line["root"] == "vm") rubys_root = line;
    if (line.value("imemo_type", "") == "iseq" && !line.contains("class")) rubys_iseq = line;
    if (!line.contains("flags")) continue;
    for (const std::string& flag : Keys(line["flags"])) rubys_flags.insert(flag);
  }

  vm_.DefineMethod(vm_.DefineClass("Thing"), "method", 10, 3);
  vm_.CollectGarbage();
  std::string text;
  ASSERT_TRUE(DumpHeap(vm_, [&](std::string_view piece) {
                text += piece;
                return absl::OkStatus();
              }).ok());
  std::size_t from = 0, roots = 0, iseqs = 0;
  for (std::size_t end; (end = text.find('\n', from)) != std::string::npos; from = end + 1) {
    const Json line = Json::parse(text.substr(from, end - from));
    if (line["type"] == "ROOT") {
      ++roots;
      if (!line.contains("references")) continue;
      EXPECT_EQ(Keys(line), Keys(rubys_root));
      continue;
    }
    if (line["type"] == "IMEMO") {
      ++iseqs;
      std::vector<std::string> keys = Keys(line), expected = Keys(rubys_iseq);
      for (auto* list : {&keys, &expected}) std::erase(*list, "references");
      EXPECT_EQ(keys, expected);
    }
    ASSERT_TRUE(line.contains("flags")) << line;
    for (const std::string& flag : Keys(line["flags"])) {
      EXPECT_TRUE(rubys_flags.contains(flag)) << flag;
    }
  }
  EXPECT_EQ(roots, 2u);
  EXPECT_EQ(iseqs, 1u);
}

}  // namespace
}  // namespace rubric
