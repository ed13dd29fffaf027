#include "reports/results/parse_record.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "reports/results/concat.h"
#include "reports/results/json_fields.h"
#include "reports/results/json_text.h"
#include "reports/results/known_metrics.h"

namespace rubric {
namespace {

void ReadStatus(JsonFields& fields, Record& record) {
  std::string status;
  fields.Text("status", &status);
  fields.Text("reason", &record.reason);
  if (!fields.ok()) return;
  const std::optional<RecordStatus> known = StatusFromName(status);
  if (!known) {
    return fields.Fail("status", Concat("expected ok, failed, timeout or wrong_result, found ",
                                        DescribeJson(OrderedJson(status))));
  }
  record.status = *known;
  if (record.status != RecordStatus::kOk && record.reason.empty()) {
    fields.Fail("reason", Concat("expected a reason beside the status ", status));
  }
}

void ReadBuild(JsonFields& fields, BuildInfo& build) {
  fields.Text("compiler", &build.compiler);
  fields.Text("mode", &build.mode);
  fields.Text("sanitizer", &build.sanitizer, Presence::kOptional);
  fields.Text("allocator", &build.allocator, Presence::kOptional);
  fields.Text("commit", &build.commit, Presence::kOptional);
  fields.Bool("dirty", &build.dirty);
  fields.Text("binary_sha256", &build.binary_sha256, Presence::kOptional);
  build.other = fields.Unknown();
}

void ReadMachine(JsonFields& fields, MachineInfo& machine) {
  fields.Text("cpu", &machine.cpu);
  fields.Count("cores", &machine.cores, Presence::kOptional);
  fields.Text("kernel", &machine.kernel, Presence::kOptional);
  fields.Text("libc", &machine.libc, Presence::kOptional);
  machine.other = fields.Unknown();
}

void ReadRun(JsonFields& fields, RunInfo& run) {
  fields.Unsigned("hash_seed", &run.hash_seed);
  fields.Text("aslr", &run.aslr, Presence::kOptional);
  fields.Integers("cpu_affinity", &run.cpu_affinity, Presence::kOptional);
  fields.Unsigned("seed", &run.seed);
  fields.Integer("round", &run.round);
  fields.Integer("order", &run.order);
  if (run.round.value_or(0) < 0)
    fields.Fail("round", Concat("expected 0 or more, found ", *run.round));
  if (run.order.value_or(0) < 0)
    fields.Fail("order", Concat("expected 0 or more, found ", *run.order));
  fields.Text("pass", &run.pass, Presence::kOptional);
  fields.Text("started_at", &run.started_at, Presence::kOptional);
  run.other = fields.Unknown();
}

void ReadCurve(JsonFields& fields, LiveBytesCurve& curve) {
  fields.Integers("call", &curve.call);
  fields.Integers("bytes", &curve.bytes);
  fields.Integer("calls_total", &curve.calls_total);
  if (!fields.ok()) return;
  if (curve.call.size() != curve.bytes.size()) {
    return fields.Fail(
        "bytes", Concat("expected ", curve.call.size(), " values, one for each of call, found ",
                        curve.bytes.size()));
  }
  std::int64_t previous = 0;
  for (const std::int64_t call : curve.call) {
    if (call <= previous) {
      return fields.Fail(
          "call", Concat("expected numbers from 1 that rise, found ", call, " after ", previous));
    }
    previous = call;
  }
  if (curve.calls_total < previous) {
    fields.Fail("calls_total", Concat("expected at least ", previous, ", the last of call, found ",
                                      curve.calls_total));
  }
}

// A variant's name, where it lists choices, must not be that of another variant.
void CheckName(JsonFields& fields, const Record& record) {
  if (!fields.ok()) return;
  // "interning=khash (A/A)" is the control of a baseline that is called so.
  std::string_view rest = record.variant_name;
  rest = rest.substr(0, rest.find(" ("));
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string* backend = Find(record.variant, part.substr(0, equals));
    if (backend == nullptr || *backend == part.substr(equals + 1)) continue;
    return fields.Fail("variant_name",
                       Concat("expected the name of this variant, whose ", part.substr(0, equals),
                              " is ", *backend, "; found ", JsonString(record.variant_name)));
  }
}

Record ReadRecord(JsonFields& fields) {
  Record record;
  ReadStatus(fields, record);
  fields.Text("experiment", &record.experiment);
  if (fields.ok() && record.experiment.empty()) {
    fields.Fail("experiment", "expected the experiment's name, found empty text");
  }
  fields.ParamMap("params", &record.params);
  fields.Text("cell", &record.cell, Presence::kOptional);
  fields.TextMap("variant", &record.variant);
  fields.Text("variant_name", &record.variant_name);
  if (fields.ok() && record.variant_name.empty()) {
    fields.Fail("variant_name", "expected the variant's name, found empty text");
  }
  CheckName(fields, record);
  // A process that crashed could not describe itself; what the suite knows of it is enough.
  const Presence described =
      record.status == RecordStatus::kOk ? Presence::kRequired : Presence::kOptional;
  fields.Object("build", described, [&](JsonFields& build) { ReadBuild(build, record.build); });
  fields.Object("machine", described,
                [&](JsonFields& machine) { ReadMachine(machine, record.machine); });
  fields.Object("run", described, [&](JsonFields& run) { ReadRun(run, record.run); });
  fields.EachMember("metrics", described, [&](const std::string& name, JsonFields& metric) {
    Metric& out = record.metrics.emplace_back(name, Metric{}).second;
    metric.Number("value", &out.value);
    metric.Text("unit", &out.unit);
    metric.Bool("exact", &out.exact);
    if (!metric.ok()) return;
    if (const std::string why = WhyImpossible(name, out); !why.empty()) {
      fields.Fail(Concat("metrics.", name), why);
    }
  });
  fields.EachMember(
      "subsystems", Presence::kOptional, [&](const std::string& name, JsonFields& use) {
        SubsystemUse& out = record.subsystems.emplace_back(name, SubsystemUse{}).second;
        use.Count("malloc_calls", &out.malloc_calls);
        use.Count("free_calls", &out.free_calls);
        use.Count("bytes_requested", &out.bytes_requested);
        use.Count("bytes_usable", &out.bytes_usable);
        use.Integer("live_bytes", &out.live_bytes);
        use.Count("peak_bytes", &out.peak_bytes);
      });
  fields.Object("samples", Presence::kOptional, [&](JsonFields& samples) {
    samples.Object("live_bytes", Presence::kOptional,
                   [&](JsonFields& curve) { ReadCurve(curve, record.live_bytes.emplace()); });
  });
  record.other = fields.Unknown();
  return record;
}

}  // namespace

absl::StatusOr<Record> ParseRecord(std::string_view line) {
  absl::StatusOr<OrderedJson> json =
      ParseJson(line, {kMaxRecordBytes, kMaxRecordFields, kMaxRecordDepth});
  if (!json.ok()) return json.status();
  absl::Status status;
  JsonFields fields(*json, "", status);
  std::int64_t schema = 0;
  fields.Integer("schema", &schema);
  if (fields.ok() && schema != kRecordSchema) {
    fields.Fail(
        "schema",
        schema > kRecordSchema
            ? Concat("this program reads schema ", kRecordSchema, ", the record has ", schema,
                     ": read it with the version of Rubric that wrote it, or a newer one")
            : Concat("expected ", kRecordSchema, ", found ", schema));
  }
  Record record = ReadRecord(fields);
  if (!status.ok()) return status;
  return record;
}

}  // namespace rubric
