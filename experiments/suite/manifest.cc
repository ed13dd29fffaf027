#include "experiments/suite/manifest.h"

#include <set>
#include <utility>

#include "absl/status/status.h"
#include "experiments/suite/files.h"
#include "reports/results/concat.h"
#include "reports/results/json_fields.h"

namespace rubric {
namespace {

constexpr JsonLimits kLimits = {.bytes = 4 << 20, .fields = 100'000, .depth = 8};

std::vector<std::string> AxisNames(const Choices& axes) {
  std::vector<std::string> names;
  for (const auto& [axis, backend] : axes) names.push_back(axis);
  return names;
}

}  // namespace

absl::StatusOr<std::vector<ManifestEntry>> ReadManifest(const std::string& file,
                                                        const std::string& root) {
  absl::StatusOr<std::string> text = ReadFile(file);
  if (!text.ok()) return text.status();
  absl::StatusOr<OrderedJson> list = ParseJson(*text, kLimits);
  if (!list.ok()) {
    return absl::InvalidArgumentError(Concat(file, ": ", std::string(list.status().message()),
                                             "; expected a list of variants as in "
                                             "bazel-bin/experiments/manifest.json"));
  }
  // The reader of fields wants an object; the list becomes its one member.
  const OrderedJson json = {{"variants", *std::move(list)}};
  std::vector<ManifestEntry> entries;
  std::set<std::string> names;
  absl::Status status;
  JsonFields fields(json, "", status);
  fields.EachElement("variants", Presence::kRequired, [&](JsonFields& each) {
    ManifestEntry entry;
    each.Text("name", &entry.name);
    each.TextMap("axes", &entry.axes);
    each.Text("binary", &entry.binary);
    if (!each.ok()) return;
    if (!names.insert(entry.name).second) {
      return each.Fail("name", Concat("expected distinct names, found '", entry.name, "' twice"));
    }
    if (!entries.empty() && AxisNames(entry.axes) != AxisNames(entries.front().axes)) {
      return each.Fail("axes", Concat("expected the axes of '", entries.front().name, "'"));
    }
    entry.binary = AbsolutePath(entry.binary, root);
    entries.push_back(std::move(entry));
  });
  if (!status.ok()) {
    return absl::InvalidArgumentError(Concat(file, ": ", std::string(status.message())));
  }
  if (entries.empty()) {
    return absl::InvalidArgumentError(Concat(file, ": expected at least one variant, found none"));
  }
  return entries;
}

}  // namespace rubric
