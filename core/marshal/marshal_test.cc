// What ruby_exchange_test.cc does not show: errors, limits, hooks, what collections leave alone.

#include <random>
#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "core/base/build_mode.h"
#include "core/marshal/marshal_vm.h"
#include "core/memory/counters.h"
#include "core/object/array_mutation.h"
#include "core/object/hash.h"
#include "core/object/time.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

using std::string_literals::operator""s;

std::string ErrorOf(MarshalVm& m, const std::string& bytes) {
  const absl::StatusOr<Value> value = m.Load(bytes);
  return value.ok() ? "loaded" : std::string(value.status().message());
}

TEST(MarshalTest, ErrorsTellTheByteAndWhatWasExpected) {
  struct Case {
    std::string bytes;  // after the version
    std::string error;
  };
  const std::vector<Case> cases = {
      {"", "byte 2: expected a type, found the end of the data"},
      {"?", "byte 2: expected a type, found '?'"},
      {"\x01"s, "byte 2: expected a type, found byte 0x01"},
      {"i", "byte 3: expected an integer, found the end of the data"},
      {"i\x03\x01", "byte 5: expected 3 bytes of an integer, found the end of the data"},
      {"[\x07i\x06", "byte 6: expected a type, found the end of the data"},
      {"[\x04\xff\xff\xff\x7f", "byte 3: expected an Array's length of 0 to 0, found 2147483647"},
      {"[\xfa", "byte 3: expected an Array's length of 0 to 0, found -1"},
      {"\"\x03\xff\xff\xff", "byte 3: expected a String's length of 0 to 0, found 16777215"},
      {"{\x08" + "0000"s, "byte 3: expected a Hash's size of 0 to 2, found 3"},
      {"l*\x06\x01\x01"s, "byte 3: expected a sign, found '*'"},
      {"l+\x07" + "ab"s, "byte 4: expected a number of 16-bit words of 0 to 1, found 2"},
      {"f\x06x", "byte 3: expected a number that a Float holds, found another text"},
      {"@\x00"s, "byte 3: expected the number of one of 0 objects, found 0"},
      {"[\x06@\x06", "byte 5: expected the number of one of 1 objects, found 1"},
      {"[\x06@\xfa", "byte 5: expected the number of one of 1 objects, found -1"},
      {";\x00"s, "byte 3: expected the number of one of 0 symbols, found 0"},
      {"I:\x06\xe9\x06;\x00T"s,
       "byte 8: expected a symbol that is complete, found one that is not"},
      {"I:\x06\xe9\x06:\x06"
       "Ei"s,
       "byte 10: expected T or F, for UTF-8 or US-ASCII, found 'i'"},
      {"I:\x06\xe9\x06:\x06XT"s, "byte 7: expected a symbol in UTF-8, US-ASCII or binary"},
      {"I\"\x06"
       "a\x06:\x06"
       "Ei\x06",
       "byte 2: expected an encoding that is true or false"},
      {"I\"\x06"
       "a\x06:\x0d"
       "encoding\"\x0eShift_JIS",
       "byte 2: expected a String in UTF-8, US-ASCII or binary, found another encoding"},
      {"I[\x00\x06:\x06"
       "ET"s,
       "byte 2: expected an object that can have an encoding"},
      {"I{\x00\x06:\x06KT"s, "byte 2: expected a Hash that is not of keyword arguments"},
      {"If\x06"
       "1\x06:\x07@ai\x00"s,
       "byte 6: expected no ivars of an object that is frozen"},
      {"Ii\x00\x00"s, "byte 3: expected a value that can have ivars of its own, found 'i'"},
      {"II\"\x00\x00"s, "byte 3: expected a value that can have ivars of its own, found 'I'"},
      {"Io:\x0aPoint\x00\x00"s, "byte 3: expected a value that can have ivars of its own"},
      {"o:\x0cMissing\x00"s,
       "byte 3: expected a class that is defined, found undefined class/module Missing"},
      {"o:\x0bString\x00"s, "byte 3: expected a class of plain objects"},
      {"o:\x09Name\x00"s, "byte 3: expected a class of plain objects"},
      {"oi\x06", "byte 3: expected a class's name, found 'i'"},
      {"C:\x09Name[\x00"s, "byte 2: expected a subclass of the type that follows, found Name"},
      {"C:\x09Namei\x00"s, "byte 9: expected a String, an Array or a Hash, found 'i'"},
      {"C:\x09Hash{\x00"s, "byte 2: expected a subclass, found the class itself"},
      {"u:\x0aPoint\x00"s, "byte 3: expected a class with _load, found one without"},
      {"U:\x10UserDefinedi\x00"s, "byte 3: expected a class with marshal_load, found one without"},
      {"u:\x09Time\x06x", "byte 2: a Time with less than 8 bytes"},
      {"u:\x09Time\x0d\x20\x80\x11\xc0\x00\x00\x00\xf8"s, "byte 2: a Time with an hour, minute"},
      {"I/\x06"
       "a\x00\x06:\x06"
       "EF"s,
       "byte 3: expected a type that is supported, found a Regexp"},
      {"S:\x06S\x00"s, "byte 2: expected a type that is supported, found a Struct"},
      {"e:\x06Mo:\x0aPoint\x00"s, "found an object extended by a module"},
      {"m\x06M", "byte 2: expected a type that is supported, found a module"},
      {"c\x0cMissing", "undefined class/module Missing"},
  };
  for (const Case& c : cases) {
    MarshalVm m;
    const std::string error = ErrorOf(m, "\x04\x08" + c.bytes);
    EXPECT_NE(error.find(c.error), std::string::npos)
        << absl::CHexEscape(c.bytes) << "\n  gives  " << error << "\n  not    " << c.error;
    EXPECT_EQ(error.find("marshal data, byte "), 0u) << error;
    m.vm().CollectGarbage();
    m.vm().CheckInvariants();
  }
}

TEST(MarshalTest, AVersionThatIsNotKnownIsRefused) {
  MarshalVm m;
  EXPECT_EQ(ErrorOf(m, ""),
            "marshal data, byte 0: expected the version's major number, 4, found "
            "the end of the data");
  EXPECT_EQ(ErrorOf(m, "\x03\x00i\x00"s),
            "marshal data, byte 0: expected the version's major "
            "number, 4, found byte 0x03");
  EXPECT_NE(ErrorOf(m, "\x04\x09i\x00"s).find("byte 1: expected the version's minor"),
            std::string::npos);
  EXPECT_TRUE(m.Load("\x04\x00i\x00"s).ok());
}

TEST(MarshalTest, EveryPrefixOfADumpIsAnError) {
  MarshalVm m;
  HandleScope scope(m.vm().roots());
  RArray* array = scope.Keep(m.vm().NewArray());
  Push(m.vm().heap(), array, Value(scope.Keep(m.vm().NewString("text"))));
  Push(m.vm().heap(), array, Value(array));
  Push(m.vm().heap(), array, scope.Push(m.host().ToSymbol("é", Encoding::kUtf8)));
  RHash* hash = scope.Keep(NewHash(m.vm().heap(), m.vm().classes().hash));
  HashStore(m.vm().heap(), hash, Value::Fixnum(1000), Value(array), m.vm().hash_seed());
  SetHashDefault(m.vm().heap(), hash, *Value::Flonum(0.5));
  Push(m.vm().heap(), array, Value(hash));
  TimeData time;
  time.utc = true;
  time.nano_num = 5;
  Push(m.vm().heap(), array,
       Value(scope.Keep(NewTime(m.vm().heap(), m.vm().classes().time, time))));
  m.host().IvarSet(array, m.host().IdNamed("@a"), Value(array));
  const absl::StatusOr<std::string> dump = m.Dump(Value(array));
  ASSERT_TRUE(dump.ok()) << dump.status();
  ASSERT_EQ(m.Load(*dump).status(), absl::OkStatus());
  for (std::size_t length = 0; length < dump->size(); ++length) {
    const std::string error = ErrorOf(m, dump->substr(0, length));
    EXPECT_NE(error.find("marshal data, byte "), std::string::npos) << length << ": " << error;
  }
  // Any byte changed: loaded or refused, and nothing is left broken.
  std::mt19937 random(20261201);
  for (int i = 0; i < (kGcStressByDefault ? 100 : 2000); ++i) {
    std::string changed = *dump;
    changed[2 + random() % (changed.size() - 2)] = static_cast<char>(random());
    MarshalLoadOptions options;
    options.define_classes = true;
    const absl::StatusOr<Value> value = m.Load(changed, options);
    if (value.ok() && i % 16 == 0) {
      HandleScope kept(m.vm().roots());
      kept.Push(*value);
      m.vm().CollectGarbage();
      (void)m.Dump(*value);
    }
  }
  m.vm().CheckInvariants();
}

TEST(MarshalTest, ALengthReservesNoMoreThanTheBytesThatAreThere) {
  // Hostile pages hold 8 slots, so that a few slots take pages.
  constexpr std::int64_t kRoom = kHostile ? 64 * 1024 : 4096;
  MarshalVm m;
  RestartPeaks();
  const std::int64_t before = TakeSnapshot().total.live_bytes;
  for (const char* type : {"[", "{", "\"", "l+", "f", ":", "o:\x0aPoint"}) {
    EXPECT_FALSE(m.Load(absl::StrCat("\x04\x08", type, "\x04\xff\xff\xff\x7f", "00")).ok());
  }
  EXPECT_LT(TakeSnapshot().total.peak_bytes - before, kRoom);
}

TEST(MarshalTest, NestingTakesNoMachineStackAndHasALimit) {
  MarshalVm m;
  HandleScope scope(m.vm().roots());
  std::string bytes = "\x04\x08";
  // Under stress each level marks all others.
  const std::size_t depth = kGcStressByDefault ? 1000 : kMarshalMaxDepth;
  for (std::size_t i = 0; i < depth; ++i) bytes += "[\x06";
  MarshalLoadOptions options;
  options.max_depth = depth;
  const absl::StatusOr<Value> value = m.Load(bytes + "0", options);
  ASSERT_TRUE(value.ok()) << value.status();
  scope.Push(*value);
  EXPECT_EQ(m.Dump(*value).value(), bytes + "0");
  EXPECT_NE(std::string(m.Load(bytes + "[\x06" + "0", options).status().message())
                .find("expected values not deeper in each other than"),
            std::string::npos);
  EXPECT_FALSE(m.Dump(*value, {.max_depth = 999}).ok());
}

TEST(MarshalTest, WhatHasNoDumpIsRefused) {
  MarshalVm m;
  HandleScope scope(m.vm().roots());
  const auto error = [&](Value v) { return std::string(m.Dump(v).status().message()); };
  static constexpr DataType kPlain = {
      .name = "plain", .mark = nullptr, .free = nullptr, .memsize = nullptr};
  RClass* point = m.host().FindClass(m.host().ToSymbol("Point", Encoding::kUtf8));
  EXPECT_EQ(error(Value(scope.Keep(NewData(m.vm().heap(), point, &kPlain, nullptr)))),
            "marshal dump, byte 2: no _dump_data is defined for class Point");
  RClass* anonymous =
      scope.Keep(NewClass(m.vm().heap(), m.vm().classes().klass, m.vm().classes().object, Id{}));
  EXPECT_EQ(error(Value(scope.Keep(NewObject(m.vm().heap(), anonymous)))),
            "marshal dump, byte 2: an anonymous class has no dump");
  RObject* object = scope.Keep(NewObject(m.vm().heap(), point));
  m.host().IvarSet(object, m.host().IdNamed("E"), Value::True());
  EXPECT_NE(error(Value(object)).find("an ivar named E"), std::string::npos);
}

TEST(MarshalTest, ALoaderMayBeToldToDefineClasses) {
  MarshalVm m;
  HandleScope scope(m.vm().roots());
  const std::string bytes =
      "\x04\x08[\x08o:\x0cMissing\x00o;\x00\x00"
      "C:\x09Mine[\x00"s;
  EXPECT_FALSE(m.Load(bytes).ok());
  MarshalLoadOptions options;
  options.define_classes = true;
  const absl::StatusOr<Value> value = m.Load(bytes, options);
  ASSERT_TRUE(value.ok()) << value.status();
  scope.Push(*value);
  EXPECT_EQ(m.Dump(*value).value(), bytes);
  EXPECT_EQ(As<RArray>(*value)->data()[2].AsSlot()->klass->superclass, m.vm().classes().array);
}

TEST(MarshalTest, ATimeKeepsItsAttributesIfItIsToldTo) {
  const std::string bytes = absl::HexStringToBytes(
      "040849753a0954696d650d2080118000000000"
      "0a3a0d6e616e6f5f6e756d690a3a0d6e616e6f5f64656e69063a0d7375626d6963726f22070050"
      "3a0b6f666673657469feb0b93a097a6f6e654922084553540"
      "63a064546");
  for (const bool keep : {false, true}) {
    MarshalVm m;
    if (keep) m.host().Register(m.vm().classes().time, kAttributesKeepingTimeHook);
    HandleScope scope(m.vm().roots());
    const absl::StatusOr<Value> value = m.Load(bytes);
    ASSERT_TRUE(value.ok()) << value.status();
    scope.Push(*value);
    EXPECT_EQ(m.host().IvarCount(value->AsSlot()), keep ? 5u : 0u);
    EXPECT_EQ(AsTime(*value)->nano_num, 5);
    EXPECT_EQ(absl::BytesToHexString(m.Dump(*value).value()), absl::BytesToHexString(bytes));
  }
}

TEST(MarshalTest, GivesEverythingBack) {
  const std::int64_t before = TakeSnapshot().total.live_bytes;
  {
    MarshalVm m;
    for (const char* bytes : {"\x04\x08[\x07\"\x06"
                              "ai\x06",
                              "\x04\x08[\x07\"\x06"
                              "a?",
                              "\x04\x08l+\x0a\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a"}) {
      (void)m.Load(bytes);
    }
  }
  EXPECT_EQ(TakeSnapshot().total.live_bytes, before);
}

}  // namespace
}  // namespace rubric
