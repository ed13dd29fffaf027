#include "reports/results/run_plan.h"

#include <set>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "reports/results/concat.h"
#include "reports/results/json_fields.h"
#include "reports/results/names.h"

namespace rubric {
namespace {

constexpr JsonLimits kLimits = {std::size_t{16} << 20, 200'000, 32};

OrderedJson ToJsonObject(const Choices& choices) {
  OrderedJson object = OrderedJson::object();
  for (const auto& [axis, backend] : choices) object[axis] = backend;
  return object;
}

OrderedJson ToJsonObject(const Params& params) {
  OrderedJson object = OrderedJson::object();
  for (const auto& param : params) {
    std::visit([&](const auto& held) { object[param.first] = held; }, param.second);
  }
  return object;
}

void AppendUnknown(OrderedJson& object, const UnknownFields& fields) {
  // Text that is not JSON can only come from this process; it is kept as text, not lost.
  for (const auto& [name, text] : fields) {
    OrderedJson value = OrderedJson::parse(text, nullptr, /*allow_exceptions=*/false);
    object[name] = value.is_discarded() ? OrderedJson(text) : std::move(value);
  }
}

}  // namespace

std::string ToJson(const RunPlan& plan) {
  OrderedJson json;
  json["schema"] = kRecordSchema;
  json["command"] = plan.command;
  json["started_at"] = plan.started_at;
  json["matrix"] = plan.matrix;
  json["baseline"] = plan.baseline;
  OrderedJson& machine = json["machine"];
  machine["cpu"] = plan.machine.cpu;
  machine["cores"] = plan.machine.cores;
  machine["kernel"] = plan.machine.kernel;
  machine["libc"] = plan.machine.libc;
  AppendUnknown(machine, plan.machine.other);
  AppendUnknown(json, plan.other);
  json["variants"] = OrderedJson::array();
  for (const PlannedVariant& variant : plan.variants) {
    OrderedJson& entry = json["variants"].emplace_back(OrderedJson::object());
    entry["name"] = variant.name;
    entry["variant"] = ToJsonObject(variant.variant);
  }
  json["cells"] = OrderedJson::array();
  for (const PlannedCell& cell : plan.cells) {
    OrderedJson& entry = json["cells"].emplace_back(OrderedJson::object());
    entry["experiment"] = cell.experiment;
    entry["params"] = ToJsonObject(cell.params);
    entry["label"] = cell.label;
  }
  return json.dump(1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

absl::StatusOr<RunPlan> ParseRunPlan(std::string_view text) {
  absl::StatusOr<OrderedJson> json = ParseJson(text, kLimits);
  if (!json.ok()) return json.status();
  absl::Status status;
  JsonFields fields(*json, "", status);
  std::int64_t schema = 0;
  fields.Integer("schema", &schema);
  if (fields.ok() && schema != kRecordSchema) {
    fields.Fail("schema", Concat("this program reads schema ", kRecordSchema, ", the plan has ",
                                 schema, ": read it with the version of Rubric that wrote it"));
  }
  RunPlan plan;
  fields.Texts("command", &plan.command, Presence::kOptional);
  fields.Text("started_at", &plan.started_at, Presence::kOptional);
  fields.Text("matrix", &plan.matrix, Presence::kOptional);
  fields.Text("baseline", &plan.baseline, Presence::kOptional);
  fields.Object("machine", Presence::kOptional, [&](JsonFields& machine) {
    machine.Text("cpu", &plan.machine.cpu, Presence::kOptional);
    machine.Integer("cores", &plan.machine.cores, Presence::kOptional);
    machine.Text("kernel", &plan.machine.kernel, Presence::kOptional);
    machine.Text("libc", &plan.machine.libc, Presence::kOptional);
    plan.machine.other = machine.Unknown();
  });
  std::set<std::string> variant_names;
  fields.EachElement("variants", Presence::kRequired, [&](JsonFields& entry) {
    PlannedVariant& variant = plan.variants.emplace_back();
    entry.Text("name", &variant.name);
    entry.TextMap("variant", &variant.variant);
    if (entry.ok() && !variant_names.insert(variant.name).second) {
      entry.Fail("name", Concat("expected distinct names, found ", variant.name, " twice"));
    }
  });
  std::set<std::string> cell_keys;
  fields.EachElement("cells", Presence::kRequired, [&](JsonFields& entry) {
    PlannedCell& cell = plan.cells.emplace_back();
    entry.Text("experiment", &cell.experiment);
    entry.ParamMap("params", &cell.params);
    entry.Text("label", &cell.label, Presence::kOptional);
    if (entry.ok() && !cell_keys.insert(CellKey(cell.experiment, cell.params)).second) {
      entry.Fail("params", Concat("expected distinct cells, found ",
                                  CellLabel(cell.experiment, cell.params), " twice"));
    }
  });
  plan.other = fields.Unknown();
  if (!status.ok()) return status;
  return plan;
}

}  // namespace rubric
