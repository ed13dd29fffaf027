// Dumps go between Rubric and the installed ruby, both ways, and come back byte for byte.

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "core/marshal/marshal_vm.h"
#include "core/object/array_mutation.h"
#include "core/object/big_integer.h"
#include "core/object/hash.h"
#include "core/object/time.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

std::vector<std::string> LinesOf(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  std::string output;
  for (int c; (c = std::fgetc(pipe)) != EOF;) output.push_back(static_cast<char>(c));
  EXPECT_EQ(pclose(pipe), 0) << command;
  std::istringstream stream(output);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string Ruby(const std::string& script) {
  return absl::StrCat("LC_ALL=C.UTF-8 ruby --disable-gems core/marshal/testdata/", script);
}

TEST(RubyExchangeTest, WhatRubyDumpsIsDumpedAgainAsRubyDidIt) {
  const std::vector<std::string> lines = LinesOf(Ruby("corpus.rb"));
  EXPECT_GE(lines.size(), 200u);
  for (const std::string& line : lines) {
    const std::size_t tab = line.find('\t');
    ASSERT_NE(tab, std::string::npos) << line;
    const std::string dump = absl::HexStringToBytes(line.substr(0, tab));
    const std::string expression = line.substr(tab + 1);
    MarshalVm m;
    HandleScope scope(m.vm().roots());
    const absl::StatusOr<Value> value = m.Load(dump);
    ASSERT_TRUE(value.ok()) << expression << ": " << value.status();
    scope.Push(*value);
    const absl::StatusOr<std::string> again = m.Dump(*value);
    ASSERT_TRUE(again.ok()) << expression << ": " << again.status();
    EXPECT_EQ(absl::BytesToHexString(*again), line.substr(0, tab)) << expression;
  }
}

// Makes values that ruby has as well. What has an identity may be used again, so that dumps link.
class Generator {
 public:
  Generator(MarshalVm& m, std::uint64_t seed)
      : m_(m), random_(seed), scope_(m.vm().roots()), made_(scope_.Keep(m.vm().NewArray())) {}

  // A value of at most `depth` levels, in a root.
  Value Make(int depth) {
    switch (Below(depth > 0 ? 18 : 9)) {
      case 0:
        return std::vector<Value>{Value::Nil(), Value::True(), Value::False()}[Below(3)];
      case 1:
        return Value::Fixnum(static_cast<std::int64_t>(random_()) >> (2 + Below(62)));
      case 2:
        return Keep(NewInteger(heap(), m_.host().IntegerClass(), Below(2) == 0,
                               Bytes(8 + Below(20)) + "\x01"));
      case 3:
        return Keep(NewFloat(heap(), m_.vm().classes().floating, Number()));
      case 4:
        return Keep(Value(String()));
      case 5:
        return Symbol();
      case 6:
        return Keep(Value(Time()));
      case 7:
        return made_->length() == 0 ? Value::Nil() : made_->data()[Below(made_->length())];
      case 8:
        return std::vector<Value>{Value(m_.vm().classes().string), Value(m_.vm().classes().object),
                                  Class("Point")}[Below(3)];
      case 9:
      case 10:
      case 11:
        return Array(depth);
      case 12:
      case 13:
        return Hash(depth);
      case 14:
        return Hooked(depth);
      default:
        return Object(depth);
    }
  }

 private:
  Heap& heap() { return m_.vm().heap(); }
  std::size_t Below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }

  // Roots the value, to be used again.
  Value Keep(Value v) {
    Push(heap(), made_, v);
    return v;
  }

  std::string Bytes(std::size_t count) {
    std::string bytes;
    for (std::size_t i = 0; i < count; ++i) bytes.push_back(static_cast<char>(random_() & 0xff));
    return bytes;
  }

  double Number() {
    switch (Below(4)) {
      case 0:
        return std::bit_cast<double>(random_());  // any exponent, NaN and infinity too
      case 1:
        return static_cast<double>(static_cast<std::int64_t>(random_()) >> Below(64));
      case 2:
        return static_cast<double>(random_() % 100'000) / 1000;
      default:
        return std::bit_cast<double>(random_() % 1000);  // denormal, or 0
    }
  }

  std::string Text() {
    static const std::vector<std::string> parts = {"a", "text ", "é", "日本", "1", "_", "Ω"};
    std::string text;
    for (std::size_t i = Below(12); i > 0; --i) text += parts[Below(parts.size())];
    return text;
  }

  RString* String() {
    switch (Below(4)) {
      case 0:
        return m_.vm().NewString(Bytes(Below(40)), Encoding::kBinary);
      case 1:
        return m_.vm().NewString("ascii", Encoding::kUsAscii);
      case 2:
        return NewString(heap(), As<RClass>(Class("Name")), Text());
      default:
        return m_.vm().NewString(Text());
    }
  }

  Value Symbol() {
    const std::string text = Text();
    const bool ascii = IsAscii(text);
    return scope_.Push(
        m_.host().ToSymbol(ascii || Below(2) == 0 ? text : text + "\xff",
                           ascii || IsAscii(text) ? Encoding::kUtf8 : Encoding::kBinary));
  }

  RData* Time() {
    TimeData time;
    time.seconds = static_cast<std::int64_t>(random_()) >> (20 + Below(44));
    time.microseconds = static_cast<std::int32_t>(Below(2) == 0 ? 0 : Below(1'000'000));
    if (Below(2) == 0) time.nano_num = static_cast<std::int64_t>(Below(1000));
    HandleScope scope(m_.vm().roots());
    time.utc = Below(2) == 0;
    if (!time.utc) time.utc_offset = static_cast<std::int32_t>(Below(172'799)) - 86'399;
    if (time.utc || Below(2) == 0) {
      const std::string zone = time.utc ? "UTC" : Below(2) == 0 ? "CET" : "EST";
      time.zone =
          scope.Keep(m_.host().Fstring(scope.Keep(m_.vm().NewString(zone, Encoding::kUsAscii))));
    }
    return NewTime(heap(), m_.vm().classes().time, time);
  }

  Value Class(const char* name) {
    return Value(m_.host().FindClass(m_.host().ToSymbol(name, Encoding::kUtf8)));
  }

  Value Array(int depth) {
    const bool plain = Below(4) != 0;
    RArray* array = NewArray(heap(), plain ? m_.vm().classes().array : As<RClass>(Class("List")));
    Keep(Value(array));
    for (std::size_t i = Below(6); i > 0; --i) Push(heap(), array, Make(depth - 1));
    return WithIvars(array, depth);
  }

  Value Hash(int depth) {
    const bool plain = Below(4) != 0;
    RHash* hash = NewHash(heap(), plain ? m_.vm().classes().hash : As<RClass>(Class("Table")));
    Keep(Value(hash));
    for (std::size_t i = Below(6); i > 0; --i) {
      Value key;
      switch (Below(3)) {
        case 0:
          key = Value::Fixnum(static_cast<std::int64_t>(Below(1000)));
          break;
        case 1:
          key = Symbol();
          break;
        default:
          // As Ruby's String keys: equal ones are one object.
          key = scope_.Push(Value(m_.host().Fstring(m_.vm().NewString(Text()))));
      }
      HashStore(heap(), hash, key, Make(depth - 1), m_.vm().hash_seed());
    }
    if (Below(4) == 0) SetHashDefault(heap(), hash, Make(depth - 1));
    return WithIvars(hash, depth);
  }

  Value Object(int depth) {
    RObject* object = NewObject(heap(), As<RClass>(Class(Below(2) == 0 ? "Point" : "Empty")));
    Keep(Value(object));
    SetIvars(object, depth, Below(8));
    return Value(object);
  }

  // An object with a hook. Its data is its own, as no object numbered before it may lie in it.
  Value Hooked(int depth) {
    const std::size_t kind = Below(3);
    const char* name = kind == 0 ? "UserDefined" : kind == 1 ? "UserText" : "UserMarshal";
    RObject* object = NewObject(heap(), As<RClass>(Class(name)));
    scope_.Push(Value(object));
    const Value data = kind == 0   ? Value(m_.vm().NewString(Bytes(5), Encoding::kBinary))
                       : kind == 1 ? Value(m_.vm().NewString(Text()))
                                   : Array(depth);  // ruby refuses one of the same class
    scope_.Push(data);
    if (kind == 1) SetIvars(data.AsSlot(), depth, Below(3));
    m_.host().IvarSet(object, m_.host().IdNamed("@data"), data);
    return Keep(Value(object));
  }

  // Objects of a class set ivars in one order, or ruby 3.1 would dump them in another.
  void SetIvars(RBasic* object, int depth, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::string name = {'@', static_cast<char>('a' + i)};
      m_.host().IvarSet(object, m_.host().IdNamed(name), Make(depth - 1));
    }
  }
  Value WithIvars(RBasic* object, int depth) {
    if (Below(4) == 0) SetIvars(object, depth, Below(4));
    return Value(object);
  }

  MarshalVm& m_;
  std::mt19937_64 random_;
  HandleScope scope_;
  RArray* made_;
};

TEST(RubyExchangeTest, WhatRubricDumpsIsDumpedAgainByRuby) {
  const std::string path = testing::TempDir() + "/dumps.txt";
  std::vector<std::string> dumps;
  std::ofstream file(path);
  std::size_t bytes = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    MarshalVm m({.gc_stress = false});
    Generator generator(m, seed);
    const Value value = generator.Make(5);
    m.vm().heap().set_stress(VmOptions().gc_stress);
    const absl::StatusOr<std::string> dump = m.Dump(value);
    ASSERT_TRUE(dump.ok()) << "seed " << seed << ": " << dump.status();
    HandleScope scope(m.vm().roots());
    const absl::StatusOr<Value> loaded = m.Load(*dump);
    ASSERT_TRUE(loaded.ok()) << "seed " << seed << ": " << loaded.status();
    scope.Push(*loaded);
    const absl::StatusOr<std::string> again = m.Dump(*loaded);
    ASSERT_TRUE(again.ok()) << "seed " << seed << ": " << again.status();
    ASSERT_EQ(absl::BytesToHexString(*again), absl::BytesToHexString(*dump)) << "seed " << seed;
    dumps.push_back(absl::BytesToHexString(*dump));
    bytes += dump->size();
    file << dumps.back() << "\n";
  }
  file.close();
  EXPECT_GT(bytes, 20'000u) << "the generator makes too little";
  const std::vector<std::string> again = LinesOf(absl::StrCat(Ruby("reload.rb"), " <", path));
  ASSERT_EQ(again.size(), dumps.size());
  for (std::size_t i = 0; i < dumps.size(); ++i) {
    EXPECT_EQ(again[i], dumps[i]) << "seed " << i + 1;
  }
}

}  // namespace
}  // namespace rubric
