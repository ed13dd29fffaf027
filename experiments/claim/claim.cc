#include "experiments/claim/claim.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "experiments/suite/files.h"
#include "reports/results/concat.h"
#include "reports/results/json_fields.h"
#include "reports/results/names.h"

namespace rubric {
namespace {

constexpr JsonLimits kLimits = {std::size_t{1} << 20, 20'000, 8};

// The cell called `name`; null if there is none.
const ClaimCell* CellNamed(const Claim& claim, const std::string& name) {
  const auto found = std::find_if(claim.cells.begin(), claim.cells.end(),
                                  [&](const ClaimCell& cell) { return cell.name == name; });
  return found == claim.cells.end() ? nullptr : &*found;
}

void RefuseUnknown(JsonFields& fields) {
  const UnknownFields unknown = fields.Unknown();
  if (!unknown.empty()) fields.Fail(unknown.front().first, "there is no such field");
}

ClaimCell ReadCell(JsonFields& fields, const Claim& claim) {
  ClaimCell cell;
  fields.Text("name", &cell.name);
  fields.Text("experiment", &cell.cell.experiment);
  fields.TextMap("params", &cell.cell.params, Presence::kOptional);
  fields.Number("seconds", &cell.cell.expected_s);
  RefuseUnknown(fields);
  if (CellNamed(claim, cell.name) != nullptr) fields.Fail("name", "expected distinct names");
  return cell;
}

Statement ReadStatement(JsonFields& fields, const Claim& claim) {
  Statement statement;
  fields.Text("says", &statement.says);
  fields.Object("published", Presence::kOptional, [&](JsonFields& published) {
    BeforeAfter pair;
    published.Number("before", &pair.before);
    published.Number("after", &pair.after);
    published.Text("unit", &pair.unit);
    published.Text("note", &pair.note, Presence::kOptional);
    RefuseUnknown(published);
    statement.published = pair;
  });
  fields.Object("calibrated", Presence::kOptional, [&](JsonFields& calibrated) {
    CalibrationKey key;
    calibrated.Text("change", &key.change);
    calibrated.Text("experiment", &key.experiment);
    calibrated.Text("metric", &key.metric);
    std::optional<bool> without_pages;
    calibrated.Bool("without_pages", &without_pages);
    key.without_pages = without_pages.value_or(false);
    RefuseUnknown(calibrated);
    statement.calibrated = key;
  });
  fields.Text("cell", &statement.cell);
  fields.Text("metric", &statement.metric);
  fields.TextMap("before", &statement.before, Presence::kOptional);
  fields.TextMap("after", &statement.after);
  std::string compare;
  fields.Text("compare", &compare);
  statement.compare = compare == "ratio" ? Comparing::kRatio : Comparing::kDifference;
  fields.Text("why", &statement.why, Presence::kOptional);
  RefuseUnknown(fields);
  if (compare != "ratio" && compare != "difference") {
    fields.Fail("compare", Concat("expected 'ratio' or 'difference', found '", compare, "'"));
  }
  if (CellNamed(claim, statement.cell) == nullptr) {
    fields.Fail("cell", Concat("expected the name of a cell, found '", statement.cell, "'"));
  }
  if (!statement.published && !statement.calibrated) {
    fields.Fail("published", "expected a published or a calibrated figure, found neither");
  }
  return statement;
}

}  // namespace

absl::StatusOr<Claim> ReadClaim(const std::string& file) {
  const absl::StatusOr<std::string> text = ReadFile(file);
  if (!text.ok()) return text.status();
  const auto refuse = [&](const absl::Status& status) {
    return absl::InvalidArgumentError(Concat(file, ": ", std::string(status.message())));
  };
  const absl::StatusOr<OrderedJson> json = ParseJson(*text, kLimits);
  if (!json.ok()) return refuse(json.status());
  Claim claim;
  claim.id = std::filesystem::path(file).stem();
  absl::Status status;
  JsonFields fields(*json, "", status);
  fields.Text("title", &claim.title);
  std::int64_t rounds = 0;
  fields.Integer("rounds", &rounds);
  if (rounds < 1 || rounds > 1000) fields.Fail("rounds", "expected a number from 1 to 1000");
  claim.rounds = static_cast<int>(rounds);
  fields.EachElement("cells", Presence::kRequired,
                     [&](JsonFields& each) { claim.cells.push_back(ReadCell(each, claim)); });
  fields.Text("graph_cell", &claim.graph_cell, Presence::kOptional);
  if (!claim.graph_cell.empty() && CellNamed(claim, claim.graph_cell) == nullptr) {
    fields.Fail("graph_cell",
                Concat("expected the name of a cell, found '", claim.graph_cell, "'"));
  }
  fields.EachElement("statements", Presence::kRequired, [&](JsonFields& each) {
    claim.statements.push_back(ReadStatement(each, claim));
  });
  if (claim.statements.empty()) fields.Fail("statements", "expected at least one");
  RefuseUnknown(fields);
  if (!status.ok()) return refuse(status);
  return claim;
}

std::string SideName(const Choices& choices) { return VariantName(choices, {}); }

std::vector<std::string> SidesOf(const Claim& claim) {
  std::vector<std::string> names = {std::string(kBaselineName)};
  for (const Statement& statement : claim.statements) {
    for (const Choices* side : {&statement.before, &statement.after}) {
      std::string name = SideName(*side);
      if (std::find(names.begin(), names.end(), name) == names.end()) {
        names.push_back(std::move(name));
      }
    }
  }
  return names;
}

}  // namespace rubric
