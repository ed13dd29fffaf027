#include "experiments/claim/claim.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "experiments/claim/calibration.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace rubric {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

Json Valid() {
  return Json::parse(R"({
    "title": "t", "rounds": 3,
    "cells": [{"name": "a", "experiment": "require", "params": {"features": "7"}, "seconds": 0.5}],
    "graph_cell": "a",
    "statements": [{
      "says": "s", "published": {"before": 3, "after": 2, "unit": "s", "note": "n"},
      "calibrated": {"change": "c", "experiment": "e", "metric": "m"},
      "cell": "a", "metric": "wall_s", "before": {"ivars": "index"},
      "after": {"ivars": "index", "feature_keys": "shared"}, "compare": "ratio", "why": "w"}]})");
}

absl::StatusOr<Claim> Read(const std::string& text) {
  const std::string file = ::testing::TempDir() + "/14460.json";
  std::ofstream(file) << text;
  return ReadClaim(file);
}

TEST(Claim, ReadsEveryField) {
  const auto claim = Read(Valid().dump());
  ASSERT_TRUE(claim.ok()) << claim.status();
  EXPECT_EQ(claim->id, "14460");
  EXPECT_EQ(claim->title, "t");
  EXPECT_EQ(claim->rounds, 3);
  EXPECT_EQ(claim->graph_cell, "a");
  ASSERT_EQ(claim->cells.size(), 1u);
  EXPECT_EQ(claim->cells[0].cell.experiment, "require");
  EXPECT_EQ(*Find(claim->cells[0].cell.params, "features"), "7");
  EXPECT_EQ(claim->cells[0].cell.expected_s, 0.5);
  ASSERT_EQ(claim->statements.size(), 1u);
  const Statement& statement = claim->statements[0];
  EXPECT_EQ(statement.published->after, 2);
  EXPECT_EQ(statement.published->note, "n");
  EXPECT_EQ(statement.calibrated->metric, "m");
  EXPECT_EQ(statement.compare, Comparing::kRatio);
  EXPECT_EQ(statement.why, "w");
  EXPECT_THAT(SidesOf(*claim),
              ElementsAre("baseline", "ivars=index", "ivars=index,feature_keys=shared"));
}

// Each edit of a valid claim, and the path that the error must name.
TEST(Claim, RefusesEachWrongFieldByItsPath) {
  struct Case {
    const char* edit;  // a JSON merge patch
    const char* error;
  };
  for (const Case& each : {
           Case{R"({"title": 7})", "title"},
           Case{R"({"rounds": 0})", "rounds"},
           Case{R"({"rounds": 1001})", "rounds"},
           Case{R"({"cells": {}})", "cells"},
           Case{R"({"statements": []})", "statements"},
           Case{R"({"graph_cell": "b"})", "graph_cell"},
           Case{R"({"extra": 1})", "extra: there is no such field"},
       }) {
    Json json = Valid();
    json.merge_patch(Json::parse(each.edit));
    const auto claim = Read(json.dump());
    ASSERT_FALSE(claim.ok()) << each.edit;
    EXPECT_THAT(std::string(claim.status().message()), HasSubstr(each.error)) << each.edit;
    EXPECT_THAT(std::string(claim.status().message()), HasSubstr("14460.json: ")) << each.edit;
  }
  for (const Case& each : {
           Case{R"({"cell": "b"})", "cell: expected the name of a cell, found 'b'"},
           Case{R"({"compare": "both"})", "compare: expected 'ratio' or 'difference'"},
           Case{R"({"published": null, "calibrated": null})", "published"},
           Case{R"({"published": {"unit": 3}})", "published.unit"},
           Case{R"({"after": 3})", "after"},
           Case{R"({"metrics": "x"})", "metrics: there is no such field"},
       }) {
    Json json = Valid();
    json["statements"][0].merge_patch(Json::parse(each.edit));
    const auto claim = Read(json.dump());
    ASSERT_FALSE(claim.ok()) << each.edit;
    EXPECT_THAT(std::string(claim.status().message()), HasSubstr(each.error)) << each.edit;
  }
  EXPECT_FALSE(Read("").ok());
  EXPECT_FALSE(Read("{").ok());
}

// What is shipped: every claim reads, and every row that it names is there, with figures.
TEST(Claim, ShippedClaimsAreWhole) {
  const std::string folder = "experiments/claim/data";
  const auto calibration = ReadCalibration(folder + "/calibration.tsv");
  ASSERT_TRUE(calibration.ok()) << calibration.status();
  int claims = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    ++claims;
    const auto claim = ReadClaim(entry.path());
    ASSERT_TRUE(claim.ok()) << claim.status();
    for (const Statement& statement : claim->statements) {
      if (!statement.calibrated) continue;
      const CalibrationKey& key = *statement.calibrated;
      const auto row = calibration->Find(key.change, key.experiment, key.metric);
      ASSERT_TRUE(row.ok()) << claim->id << ": " << row.status();
      EXPECT_TRUE((*row)->before && (*row)->after) << claim->id << ": " << statement.says;
    }
  }
  EXPECT_EQ(claims, 5);
}

}  // namespace
}  // namespace rubric
