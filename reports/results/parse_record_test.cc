#include "reports/results/parse_record.h"

#include <algorithm>
#include <functional>
#include <random>
#include <string>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "reports/results/record.h"
#include "reports/results/record_builder.h"
#include "reports/results/run_plan.h"

namespace rubric {
namespace {

using Json = nlohmann::ordered_json;

Json ValidJson() {
  Record record = MakeRecord("require");
  record.subsystems.emplace_back("interning", SubsystemUse{1, 2, 3, 4, 5, 6});
  record.live_bytes = LiveBytesCurve{{1, 5}, {10, 20}, 9};
  return Json::parse(ToJsonLine(record));
}

std::string ErrorOf(const Json& json) {
  const absl::StatusOr<Record> record = ParseRecord(json.dump());
  return record.ok() ? "" : std::string(record.status().message());
}

struct Malformation {
  std::string pointer;  // RFC 6901
  Json value;
  std::string error;
};

class MalformedFieldTest : public testing::TestWithParam<Malformation> {};

TEST_P(MalformedFieldTest, IsRefusedByPathAndExpectation) {
  Json json = ValidJson();
  ASSERT_EQ(ErrorOf(json), "");
  json[Json::json_pointer(GetParam().pointer)] = GetParam().value;
  EXPECT_EQ(ErrorOf(json), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    All, MalformedFieldTest,
    testing::Values(
        Malformation{"/schema", "1", "schema: expected an integer below 2^63, found \"1\""},
        Malformation{"/schema", 0, "schema: expected 1, found 0"},
        Malformation{"/schema", 2,
                     "schema: this program reads schema 1, the record has 2: read it with the "
                     "version of Rubric that wrote it, or a newer one"},
        Malformation{"/status", "fine",
                     "status: expected ok, failed, timeout or wrong_result, found \"fine\""},
        Malformation{"/status", "failed", "reason: expected a reason beside the status failed"},
        Malformation{"/status", 3, "status: expected text, found 3"},
        Malformation{"/experiment", "",
                     "experiment: expected the experiment's name, found empty text"},
        Malformation{"/variant_name", "",
                     "variant_name: expected the variant's name, found empty text"},
        Malformation{"/params", Json::array(),
                     "params: expected an object of parameters, found []"},
        Malformation{"/params/count", nullptr,
                     "params.count: expected a boolean, a number or text, found null"},
        Malformation{
            "/params/count", 18446744073709551615u,
            "params.count: expected a boolean, a number or text, found 18446744073709551615"},
        Malformation{"/variant/interning", 1, "variant.interning: expected text, found 1"},
        Malformation{"/build", "g++", "build: expected an object, found \"g++\""},
        Malformation{"/build/dirty", "no", "build.dirty: expected true or false, found \"no\""},
        Malformation{"/machine/cores", 2.5,
                     "machine.cores: expected an integer below 2^63, found 2.5"},
        Malformation{"/run/hash_seed", -1,
                     "run.hash_seed: expected an integer from 0 to 2^64 - 1, found -1"},
        Malformation{"/run/cpu_affinity", 1,
                     "run.cpu_affinity: expected an array of integers, found 1"},
        Malformation{"/run/cpu_affinity", Json::array({1, "2"}),
                     "run.cpu_affinity: expected an array of integers below 2^63, found \"2\""},
        Malformation{"/metrics/cpu_s/value", "0.5",
                     "metrics.cpu_s.value: expected a number, found \"0.5\""},
        Malformation{"/metrics/cpu_s/exact", 0,
                     "metrics.cpu_s.exact: expected true or false, found 0"},
        Malformation{"/metrics/cpu_s", 0.5, "metrics.cpu_s: expected an object, found 0.5"},
        Malformation{"/metrics/malloc_calls/value", -1,
                     "metrics.malloc_calls: expected 0 or more, found -1"},
        Malformation{"/metrics/malloc_calls/value", 1.5,
                     "metrics.malloc_calls: expected a whole number, found 1.5"},
        Malformation{"/metrics/cpu_s/value", -0.5, "metrics.cpu_s: expected 0 or more, found -0.5"},
        Malformation{"/metrics/cpu_s/unit", "ms",
                     "metrics.cpu_s: expected the unit s, found \"ms\""},
        Malformation{"/metrics/peak_bytes/exact", false,
                     "metrics.peak_bytes: expected an exact metric, found the opposite"},
        Malformation{"/subsystems/interning/peak_bytes", -6,
                     "subsystems.interning.peak_bytes: expected 0 or more, found -6"},
        Malformation{"/run/round", -1, "run.round: expected 0 or more, found -1"},
        Malformation{"/machine/cores", -2, "machine.cores: expected 0 or more, found -2"},
        Malformation{"/variant_name", "resurrect=copying,interning=khash",
                     "variant_name: expected the name of this variant, whose interning is "
                     "st_chained; found \"resurrect=copying,interning=khash\""},
        Malformation{"/subsystems/interning/live_bytes", 1.5,
                     "subsystems.interning.live_bytes: expected an integer below 2^63, found 1.5"},
        Malformation{"/samples/live_bytes/bytes", Json::array({1}),
                     "samples.live_bytes.bytes: expected 2 values, one for each of call, found 1"},
        Malformation{"/samples/live_bytes/call", Json::array({5, 5}),
                     "samples.live_bytes.call: expected numbers from 1 that rise, found 5 after 5"},
        Malformation{"/samples/live_bytes/call", Json::array({0, 5}),
                     "samples.live_bytes.call: expected numbers from 1 that rise, found 0 after 0"},
        Malformation{
            "/samples/live_bytes/calls_total", 4,
            "samples.live_bytes.calls_total: expected at least 5, the last of call, found 4"}));

TEST(ParseRecordTest, EachRequiredFieldIsMissed) {
  for (const char* pointer :
       {"/schema", "/status", "/reason", "/experiment", "/params", "/variant", "/variant_name",
        "/build", "/build/compiler", "/machine", "/machine/cpu", "/run", "/run/hash_seed",
        "/metrics", "/metrics/cpu_s/value", "/metrics/cpu_s/unit", "/metrics/cpu_s/exact",
        "/subsystems/interning/peak_bytes", "/samples/live_bytes/call"}) {
    Json json = ValidJson();
    const Json::json_pointer path(pointer);
    json[path.parent_pointer()].erase(path.back());
    std::string expected = std::string(pointer).substr(1);
    std::replace(expected.begin(), expected.end(), '/', '.');
    EXPECT_EQ(ErrorOf(json), expected + ": expected this field, found none");
  }
}

TEST(ParseRecordTest, AProcessThatCrashedNeedsNoFigures) {
  const Json json = {{"schema", 1},        {"status", "failed"},       {"reason", "signal 11"},
                     {"experiment", "e"},  {"params", Json::object()}, {"variant", Json::object()},
                     {"variant_name", "v"}};
  EXPECT_EQ(ErrorOf(json), "");
}

TEST(ParseRecordTest, DifferencesMayBeNegativeAndOwnMetricsAnything) {
  Json json = ValidJson();
  for (const char* name : {"live_bytes", "live_bytes.boot"}) {
    json["metrics"][name] = {{"value", -8}, {"unit", "bytes"}, {"exact", true}};
  }
  json["metrics"]["slots_live"] = {{"value", -8}, {"unit", "slots"}, {"exact", true}};
  json["metrics"]["tilt"] = {{"value", -0.5}, {"unit", "degrees"}, {"exact", false}};
  json["subsystems"]["interning"]["live_bytes"] = -8;
  for (const char* name : {"control", "interning=st_chained", "interning=st_chained (A/A)",
                           "interning=st_chained,resurrect=copying (A/A)"}) {
    json["variant_name"] = name;
    EXPECT_EQ(ErrorOf(json), "");
  }
}

TEST(ParseRecordTest, KeepsWhatItDoesNotKnow) {
  Json json = ValidJson();
  json["mood"] = {{"good", true}};
  json["run"]["load"] = 0.25;
  const absl::StatusOr<Record> record = ParseRecord(json.dump());
  ASSERT_TRUE(record.ok()) << record.status();
  EXPECT_EQ(*Find(record->other, "mood"), "{\"good\":true}");
  EXPECT_EQ(*Find(record->run.other, "load"), "0.25");
  const Json again = Json::parse(ToJsonLine(*record));
  EXPECT_EQ(again["mood"]["good"], true);
  EXPECT_EQ(again["run"]["load"], 0.25);
}

TEST(ParseRecordTest, RefusesWhatIsNoJsonAndSaysWhere) {
  const std::string line = ToJsonLine(MakeRecord("require"));
  for (std::size_t length = 0; length < line.size(); ++length) {
    ASSERT_FALSE(ParseRecord(line.substr(0, length)).ok()) << length;
  }
  EXPECT_EQ(ParseRecord("hello").status().message(),
            "expected JSON, found something else at byte 1");
  EXPECT_EQ(ParseRecord("[1]").status().message(), "the document: expected an object, found [1]");
  EXPECT_FALSE(ParseRecord(line + "{}").ok());
  EXPECT_FALSE(ParseRecord(std::string("\0", 1)).ok());
  EXPECT_FALSE(ParseRecord("{\"schema\":1,\"status\":\"\xFF\"}").ok());
  EXPECT_EQ(ParseRecord("{\"schema\":1e999}").status().message(),
            "expected JSON, found a number that is out of range");
}

TEST(ParseRecordTest, RefusesHostileSizesBeforeTheyCost) {
  const auto error = [](const std::string& text) {
    return std::string(ParseRecord(text).status().message());
  };
  EXPECT_EQ(error(std::string(2'000'000, '[')), "expected JSON nested at most 32 deep");
  EXPECT_EQ(error(std::string(kMaxRecordBytes + 1, ' ')),
            "expected at most 4194304 bytes of JSON, found 4194305");
  std::string many = "{";
  for (int i = 0; i < 20'000; ++i) many += "\"k" + std::to_string(i) + "\":1,";
  EXPECT_EQ(error(many + "\"z\":1}"), "expected at most 10000 fields in one document");
  // Brackets and colons inside strings are text.
  Json json = ValidJson();
  json["note"] = std::string(50'000, '[') + std::string(50'000, ':') + "\\\"";
  EXPECT_EQ(ErrorOf(json), "");
}

// One byte changed anywhere gives a record or an error, never a crash; errors are one line.
TEST(ParseRecordTest, SurvivesEveryChangedByte) {
  const std::string line = ValidJson().dump();
  std::mt19937_64 random(4962);
  for (std::size_t at = 0; at < line.size(); ++at) {
    for (int repeat = 0; repeat < 4; ++repeat) {
      std::string changed = line;
      changed[at] = static_cast<char>(random());
      const absl::StatusOr<Record> record = ParseRecord(changed);
      if (record.ok()) {
        ASSERT_TRUE(ParseRecord(ToJsonLine(*record)).ok());
      } else {
        ASSERT_FALSE(record.status().message().empty());
      }
    }
  }
}

RunPlan MakePlan() {
  RunPlan plan;
  plan.command = {"bazel", "run", "//experiments:suite"};
  plan.started_at = "2026-01-31T10:15:00Z";
  plan.matrix = "swaps";
  plan.baseline = "baseline";
  plan.cells = {
      {"require", {{"features", std::int64_t{10}}, {"keep", true}, {"share", 0.5}}, "require"},
      {"intern", {{"kind", std::string("symbol")}}, "intern --kind=symbol"}};
  plan.variants = {{"baseline", {{"interning", "st_chained"}}},
                   {"interning=khash", {{"interning", "khash"}}}};
  plan.machine = {"a CPU", 2, "Linux", "glibc", {}};
  plan.other = {{"options", "{\"quick\":true}"}};
  return plan;
}

TEST(RunPlanTest, ReadsBackAsItself) {
  const RunPlan plan = MakePlan();
  const absl::StatusOr<RunPlan> back = ParseRunPlan(ToJson(plan));
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(*back, plan);
}

TEST(RunPlanTest, RefusesWhatCannotBeRight) {
  const auto error_with = [](const std::function<void(Json&)>& edit) {
    Json json = Json::parse(ToJson(MakePlan()));
    edit(json);
    return std::string(ParseRunPlan(json.dump()).status().message());
  };
  EXPECT_EQ(error_with([](Json& json) { json.erase("cells"); }),
            "cells: expected this field, found none");
  EXPECT_EQ(error_with([](Json& json) { json["variants"][1]["name"] = "baseline"; }),
            "variants[1].name: expected distinct names, found baseline twice");
  EXPECT_EQ(error_with([](Json& json) { json["cells"][1] = json["cells"][0]; }),
            "cells[1].params: expected distinct cells, found require --features=10 --keep=true "
            "--share=0.5 twice");
  EXPECT_EQ(error_with([](Json& json) { json["cells"][1] = 7; }),
            "cells[1]: expected an object, found 7");
  EXPECT_EQ(error_with([](Json& json) { json["schema"] = 9; }),
            "schema: this program reads schema 1, the plan has 9: read it with the version of "
            "Rubric that wrote it");
}

}  // namespace
}  // namespace rubric
