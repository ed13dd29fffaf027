#include "reports/results/record.h"

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "reports/results/json_text.h"
#include "reports/results/names.h"
#include "reports/results/parse_record.h"
#include "reports/results/record_builder.h"

namespace rubric {
namespace {

// Bytes of every kind: ASCII, controls, UTF-8 of every length, and what is no UTF-8 at all.
std::string RandomText(std::mt19937_64& random) {
  static constexpr std::string_view kPieces[] = {"a",
                                                 "\"",
                                                 "\\",
                                                 "/",
                                                 "<",
                                                 "</script>",
                                                 "\n",
                                                 "\t",
                                                 "\x01",
                                                 "\x7F",
                                                 "ü",
                                                 "語",
                                                 "\xF0\x9F\x98\x80",
                                                 "\xE2\x80\xA8",
                                                 std::string_view("\0", 1),
                                                 "=",
                                                 "|"};
  std::string text;
  for (std::uint64_t n = random() % 12; n > 0; --n) text += kPieces[random() % std::size(kPieces)];
  return text;
}

double RandomNumber(std::mt19937_64& random) {
  switch (random() % 4) {
    case 0:
      return static_cast<double>(random() % 1'000'000);
    case 1:
      return -static_cast<double>(random() % 1000);
    case 2:
      return std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 1000) - 500);
    default:
      return static_cast<double>(random() % (std::uint64_t{1} << 53));
  }
}

Record RandomRecord(std::mt19937_64& random) {
  Record record = MakeRecord("e" + RandomText(random), "v" + RandomText(random));
  if (random() % 3 == 0) Fail(record, RecordStatus::kTimeout, "because " + RandomText(random));
  record.cell = RandomText(random);
  record.params.clear();
  for (int i = 0; i < static_cast<int>(random() % 6); ++i) {
    const std::string name = "p" + std::to_string(i) + RandomText(random);
    switch (random() % 4) {
      case 0:
        record.params.emplace_back(name, random() % 2 == 0);
        break;
      case 1:
        record.params.emplace_back(name, static_cast<std::int64_t>(random()));
        break;
      case 2:
        record.params.emplace_back(name, RandomNumber(random));
        break;
      default:
        record.params.emplace_back(name, RandomText(random));
    }
  }
  record.run.hash_seed = random();
  record.run.seed = random();
  record.run.order = static_cast<std::int64_t>(random() % 1000);
  if (random() % 2 == 0) record.build.dirty = random() % 2 == 0;
  record.build.commit = RandomText(random);
  record.build.other = {{"flags", "[\"-O2\",{\"a\":null}]"}};
  record.other = {{"later", "{\"x\":[1,2.5,\"y\"]}"}};
  record.subsystems.emplace_back(
      "s" + RandomText(random),
      SubsystemUse{static_cast<std::int64_t>(random() % 1000), 2, 3, 4, -5, 6});
  if (random() % 2 == 0) {
    LiveBytesCurve curve;
    std::int64_t call = 0;
    for (int i = 0; i < 20; ++i) {
      call += 1 + static_cast<std::int64_t>(random() % 100);
      curve.call.push_back(call);
      curve.bytes.push_back(static_cast<std::int64_t>(random() % 100'000) - 50);
    }
    curve.calls_total = call + 3;
    record.live_bytes = curve;
  }
  record.metrics.emplace_back("m" + RandomText(random),
                              Metric{RandomNumber(random), "bytes", true});
  return record;
}

TEST(RecordTest, ReadsBackAsItself) {
  std::mt19937_64 random(14460);
  for (int step = 0; step < 3000; ++step) {
    const Record record = RandomRecord(random);
    const std::string line = ToJsonLine(record);
    ASSERT_EQ(line.find('\n'), std::string::npos);
    const absl::StatusOr<Record> back = ParseRecord(line);
    ASSERT_TRUE(back.ok()) << back.status() << "\n" << line;
    ASSERT_EQ(*back, record) << line;
  }
}

TEST(RecordTest, IsWrittenByTheContract) {
  Record record = MakeRecord("require");
  record.params = {{"features", std::int64_t{10000}}, {"write", std::string("push")}};
  const auto json = nlohmann::json::parse(ToJsonLine(record));
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["status"], "ok");
  EXPECT_EQ(json["params"]["features"], 10000);
  EXPECT_EQ(json["params"]["write"], "push");
  EXPECT_EQ(json["variant"]["interning"], "st_chained");
  EXPECT_EQ(json["metrics"]["malloc_calls"]["value"], 100);
  EXPECT_EQ(json["metrics"]["malloc_calls"]["unit"], "calls");
  EXPECT_EQ(json["metrics"]["malloc_calls"]["exact"], true);
  EXPECT_EQ(json["run"]["pass"], "time");
  EXPECT_FALSE(json.contains("samples"));
  EXPECT_FALSE(json.contains("cell"));
}

TEST(RecordTest, BytesThatAreNoTextBecomeReplacementCharacters) {
  Record record = MakeRecord("require");
  record.params = {{"feature_list", std::string("/tmp/\xFF\xC0\xAF")}};
  const absl::StatusOr<Record> back = ParseRecord(ToJsonLine(record));
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(std::get<std::string>(back->params[0].second),
            "/tmp/\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(RecordTest, AFigureThatIsNotFiniteNeverTurnsIntoANumber) {
  Record record = MakeRecord("require");
  SetMetric(record, "cpu_s", std::numeric_limits<double>::quiet_NaN());
  const absl::StatusOr<Record> back = ParseRecord(ToJsonLine(record));
  ASSERT_FALSE(back.ok());
  EXPECT_EQ(back.status().message(), "metrics.cpu_s.value: expected a number, found null");
}

TEST(StatusNameTest, GoesBothWays) {
  for (const RecordStatus status : {RecordStatus::kOk, RecordStatus::kFailed,
                                    RecordStatus::kTimeout, RecordStatus::kWrongResult}) {
    EXPECT_EQ(StatusFromName(StatusName(status)), status);
  }
  EXPECT_EQ(StatusFromName("OK"), std::nullopt);
  EXPECT_EQ(StatusFromName(""), std::nullopt);
}

TEST(JsonNumberTest, IsShortAndExact) {
  EXPECT_EQ(JsonNumber(0), "0");
  EXPECT_EQ(JsonNumber(1e9), "1000000000");
  EXPECT_EQ(JsonNumber(-3), "-3");
  EXPECT_EQ(JsonNumber(9007199254740992.0), "9007199254740992");
  EXPECT_EQ(JsonNumber(0.1), "0.1");
  EXPECT_EQ(JsonNumber(std::numeric_limits<double>::infinity()), "null");
  std::mt19937_64 random(15349);
  for (int step = 0; step < 10'000; ++step) {
    const double number = RandomNumber(random);
    ASSERT_EQ(std::stod(JsonNumber(number)), number);
  }
}

TEST(Utf8Test, KnowsWellFormedSequences) {
  EXPECT_EQ(Utf8SequenceLength("a"), 1);
  EXPECT_EQ(Utf8SequenceLength("ü"), 2);
  EXPECT_EQ(Utf8SequenceLength("語"), 3);
  EXPECT_EQ(Utf8SequenceLength("\xF4\x8F\xBF\xBF"), 4);  // U+10FFFF
  EXPECT_EQ(Utf8SequenceLength("\xF4\x90\x80\x80"), 0);  // above it
  EXPECT_EQ(Utf8SequenceLength("\xED\xA0\x80"), 0);      // a surrogate
  EXPECT_EQ(Utf8SequenceLength("\xC0\xAF"), 0);          // '/' in two bytes
  EXPECT_EQ(Utf8SequenceLength("\xE0\x80\xAF"), 0);      // and in three
  EXPECT_EQ(Utf8SequenceLength("\xE8\xAA"), 0);          // cut off
  EXPECT_EQ(Utf8SequenceLength("\x80"), 0);              // a continuation
}

// Whatever bytes come in, a strict JSON parser takes what comes out.
TEST(JsonStringTest, IsValidForRandomBytes) {
  std::mt19937_64 random(10096);
  for (int step = 0; step < 3000; ++step) {
    std::string bytes(random() % 40, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    const std::string json = JsonString(bytes);
    ASSERT_TRUE(nlohmann::json::accept(json)) << json;
    ASSERT_EQ(nlohmann::json::parse(json).get<std::string>(), ValidUtf8(bytes));
  }
}

TEST(JsonForScriptTest, LeavesNothingThatEndsAScript) {
  const std::string json = JsonString("</script><!--<script>&\xE2\x80\xA8\xE2\x80\xA9ü");
  const std::string safe = JsonForScript(json);
  EXPECT_EQ(safe.find_first_of("<>&"), std::string::npos);
  EXPECT_EQ(safe.find("\xE2\x80"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(safe), nlohmann::json::parse(json));
}

TEST(VariantNameTest, NamesWhatDiffersFromTheDefaults) {
  const Choices defaults = {
      {"interning", "st_chained"}, {"resurrect", "copying"}, {"ivars", "hash"}};
  EXPECT_EQ(VariantName(defaults, defaults), "baseline");
  EXPECT_EQ(
      VariantName({{"interning", "khash"}, {"resurrect", "copying"}, {"ivars", "index"}}, defaults),
      "interning=khash,ivars=index");
  EXPECT_EQ(VariantName({{"interning", "st_chained"}, {"prelude", "lazy"}}, defaults),
            "prelude=lazy");
}

TEST(CellLabelTest, ShowsWhatDiffersInDeclaredOrder) {
  const Params defaults = {{"features", std::int64_t{10000}}, {"slashes", std::int64_t{7}}};
  EXPECT_EQ(CellLabel("require", defaults, defaults), "require");
  EXPECT_EQ(CellLabel("require", {{"features", std::int64_t{10000}}, {"slashes", std::int64_t{3}}},
                      defaults),
            "require --slashes=3");
  EXPECT_EQ(CellLabel("require", defaults), "require --features=10000 --slashes=7");
  EXPECT_EQ(CellLabel("intern", {{"keep", true}, {"share", 0.5}, {"file", std::string("a b'c\n")}}),
            "intern --keep=true --share=0.5 --file='a b'\\''c?'");
}

TEST(CellLabelTest, OfARecordIsItsOwnIfItHasOne) {
  Record record = MakeRecord("require");
  EXPECT_EQ(CellLabel(record), "require --count=10");
  record.cell = "require";
  EXPECT_EQ(CellLabel(record), "require");
}

TEST(CellKeyTest, DependsOnValuesAndNotOnOrder) {
  const Params a = {{"x", std::int64_t{1}}, {"y", std::string("2")}};
  const Params b = {{"y", std::string("2")}, {"x", std::int64_t{1}}};
  EXPECT_EQ(CellKey("e", a), CellKey("e", b));
  EXPECT_NE(CellKey("e", a), CellKey("f", a));
  EXPECT_NE(CellKey("e", {{"x", std::int64_t{1}}}), CellKey("e", {{"x", std::string("1")}}));
  EXPECT_NE(CellKey("e", {{"x", std::string("1,\"y\":31")}}),
            CellKey("e", {{"x", std::string("1")}, {"y", std::string("1")}}));
}

TEST(NearestNameTest, FindsSlipsOfThePen) {
  const std::vector<std::string> names = {"baseline", "interning=khash", "interning=swiss",
                                          "ivars=index"};
  EXPECT_EQ(NearestName("basline", names), "baseline");
  EXPECT_EQ(NearestName("interning=hkash", names), "interning=khash");
  EXPECT_EQ(NearestName("interning=swis", names), "interning=swiss");
  EXPECT_EQ(NearestName("something else altogether", names), "");
  EXPECT_EQ(NearestName("", names), "");
  EXPECT_EQ(NearestName("x", {}), "");
}

}  // namespace
}  // namespace rubric
