#include "experiments/suite/testing/sample_plan.h"

#include "absl/status/statusor.h"
#include "core/base/check.h"
#include "experiments/suite/cell.h"

namespace rubric {

std::string SampleListText() {
  return R"({"variant": {"interning": "khash", "ivars": "hash"},
    "variant_name": "interning=khash",
    "experiments": [
      {"name": "require", "summary": "features required", "params": [
        {"name": "features", "type": "int", "default": 10, "min": 0, "max": 1000,
         "unit": "features", "help": "how many"},
        {"name": "feature_list", "type": "file", "default": "", "help": "real ones"}]},
      {"name": "intern", "summary": "the table", "params": [
        {"name": "op", "type": "choice", "default": "hit", "choices": ["hit", "miss"]},
        {"name": "keep", "type": "bool", "default": true},
        {"name": "load", "type": "double", "default": 0.5, "min": 0}]}]})";
}

Catalog SampleCatalog() {
  absl::StatusOr<Catalog> catalog = ParseCatalog(SampleListText());
  RUBRIC_CHECK(catalog.ok());
  return *catalog;
}

Plan SamplePlan() {
  Plan plan;
  plan.suite = "quick";
  plan.matrix = "swaps";
  plan.baseline = "baseline";
  plan.seed = 1;
  plan.rounds = 5;
  plan.other_passes = {std::string(kLogPass)};
  plan.timeout_s = 60;
  plan.cpu = 1;
  plan.cells.push_back(MakeCell(SampleCatalog(), "require", {}, 2.0).value());
  plan.cells.push_back(MakeCell(SampleCatalog(), "require", {{"features", "5"}}, 1.0).value());
  const BuildInfo build = {"g++ 12.2.0", "opt", "", "glibc", "", {}, "", {}};
  const Choices defaults = {{"interning", "st_chained"}, {"ivars", "hash"}};
  const std::string a(64, 'a');
  const std::string b(64, 'b');
  plan.variants.push_back({"baseline", "baseline", defaults, "/bin/baseline", a, build});
  plan.variants.push_back({"baseline (A/A)", "baseline", defaults, "/bin/baseline", a, build});
  plan.variants.push_back({"interning=khash",
                           "interning=khash",
                           {{"interning", "khash"}, {"ivars", "hash"}},
                           "/bin/khash",
                           b,
                           build});
  return plan;
}

Record SampleRecord(const Plan& plan, const Step& step) {
  const CellSpec& cell = plan.cells[static_cast<std::size_t>(step.cell)];
  const VariantSpec& variant = plan.variants[static_cast<std::size_t>(step.variant)];
  Record record;
  record.experiment = cell.experiment;
  record.params = cell.params;
  record.variant = variant.axes;
  record.variant_name = variant.program_name;
  record.build = {"g++ 12.2.0", "opt", "", "glibc", "", {}, "", {}};
  record.machine.cpu = "a cpu";
  record.run.hash_seed = 7;
  record.run.aslr = "off";
  record.metrics = {{"malloc_calls", {100, "calls", true}},
                    {"bytes_usable", {4800, "bytes", true}},
                    {"wall_s", {0.25, "s", false}}};
  record.subsystems = {{"interning", {100, 0, 3200, 4800, 4800, 4800}}};
  if (step.pass == kLogPass) record.live_bytes = LiveBytesCurve{{1, 100}, {48, 4800}, 100};
  return record;
}

}  // namespace rubric
