#include "reports/results/record.h"

#include "reports/results/json_text.h"

namespace rubric {
namespace {

constexpr std::pair<RecordStatus, std::string_view> kStatusNames[] = {
    {RecordStatus::kOk, "ok"},
    {RecordStatus::kFailed, "failed"},
    {RecordStatus::kTimeout, "timeout"},
    {RecordStatus::kWrongResult, "wrong_result"},
};

// Writes `{"a":…,"b":…}` one field at a time; the destructor-free Close keeps the order visible.
class ObjectWriter {
 public:
  explicit ObjectWriter(std::string& out) : out_(out) { out_ += '{'; }

  std::string& Key(std::string_view name) {
    if (!first_) out_ += ',';
    first_ = false;
    AppendJsonString(out_, name);
    out_ += ':';
    return out_;
  }

  void Text(std::string_view name, std::string_view value) { AppendJsonString(Key(name), value); }
  void Integer(std::string_view name, std::int64_t value) { Key(name) += std::to_string(value); }
  void Unsigned(std::string_view name, std::uint64_t value) { Key(name) += std::to_string(value); }
  void Bool(std::string_view name, bool value) { Key(name) += value ? "true" : "false"; }
  void Raw(const UnknownFields& fields) {
    for (const auto& [name, json] : fields) Key(name) += json;
  }
  void Close() { out_ += '}'; }

 private:
  std::string& out_;
  bool first_ = true;
};

void AppendIntegers(std::string& out, const std::vector<std::int64_t>& values) {
  out += '[';
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out += ',';
    out += std::to_string(values[i]);
  }
  out += ']';
}

void AppendParam(std::string& out, const ParamValue& value) {
  if (const bool* flag = std::get_if<bool>(&value)) {
    out += *flag ? "true" : "false";
  } else if (const std::int64_t* integer = std::get_if<std::int64_t>(&value)) {
    out += std::to_string(*integer);
  } else if (const double* real = std::get_if<double>(&value)) {
    std::string number = JsonNumber(*real);
    // 2.0 must stay a real: read back as an integer it would be another parameter value.
    if (number.find_first_of(".en") == std::string::npos) number += ".0";
    out += number;
  } else {
    AppendJsonString(out, std::get<std::string>(value));
  }
}

void AppendBuild(std::string& out, const BuildInfo& build) {
  ObjectWriter object(out);
  object.Text("compiler", build.compiler);
  object.Text("mode", build.mode);
  object.Text("sanitizer", build.sanitizer);
  object.Text("allocator", build.allocator);
  if (!build.commit.empty()) object.Text("commit", build.commit);
  if (build.dirty) object.Bool("dirty", *build.dirty);
  if (!build.binary_sha256.empty()) object.Text("binary_sha256", build.binary_sha256);
  object.Raw(build.other);
  object.Close();
}

void AppendMachine(std::string& out, const MachineInfo& machine) {
  ObjectWriter object(out);
  object.Text("cpu", machine.cpu);
  object.Integer("cores", machine.cores);
  object.Text("kernel", machine.kernel);
  object.Text("libc", machine.libc);
  object.Raw(machine.other);
  object.Close();
}

void AppendRun(std::string& out, const RunInfo& run) {
  ObjectWriter object(out);
  object.Unsigned("hash_seed", run.hash_seed);
  object.Text("aslr", run.aslr);
  AppendIntegers(object.Key("cpu_affinity"), run.cpu_affinity);
  if (run.seed) object.Unsigned("seed", *run.seed);
  if (run.round) object.Integer("round", *run.round);
  if (run.order) object.Integer("order", *run.order);
  if (!run.pass.empty()) object.Text("pass", run.pass);
  if (!run.started_at.empty()) object.Text("started_at", run.started_at);
  object.Raw(run.other);
  object.Close();
}

void AppendMetrics(std::string& out, const OrderedMap<Metric>& metrics) {
  ObjectWriter object(out);
  for (const auto& [name, metric] : metrics) {
    ObjectWriter fields(object.Key(name));
    AppendJsonNumber(fields.Key("value"), metric.value);
    fields.Text("unit", metric.unit);
    fields.Bool("exact", metric.exact);
    fields.Close();
  }
  object.Close();
}

void AppendSubsystems(std::string& out, const OrderedMap<SubsystemUse>& subsystems) {
  ObjectWriter object(out);
  for (const auto& [name, use] : subsystems) {
    ObjectWriter fields(object.Key(name));
    fields.Integer("malloc_calls", use.malloc_calls);
    fields.Integer("free_calls", use.free_calls);
    fields.Integer("bytes_requested", use.bytes_requested);
    fields.Integer("bytes_usable", use.bytes_usable);
    fields.Integer("live_bytes", use.live_bytes);
    fields.Integer("peak_bytes", use.peak_bytes);
    fields.Close();
  }
  object.Close();
}

}  // namespace

std::string_view StatusName(RecordStatus status) {
  for (const auto& [value, name] : kStatusNames) {
    if (value == status) return name;
  }
  return "failed";
}

std::optional<RecordStatus> StatusFromName(std::string_view name) {
  for (const auto& [value, known] : kStatusNames) {
    if (known == name) return value;
  }
  return std::nullopt;
}

std::string ToJsonLine(const Record& record) {
  std::string out;
  ObjectWriter object(out);
  object.Integer("schema", kRecordSchema);
  object.Text("status", StatusName(record.status));
  object.Text("reason", record.reason);
  object.Text("experiment", record.experiment);
  ObjectWriter params(object.Key("params"));
  for (const auto& [name, value] : record.params) AppendParam(params.Key(name), value);
  params.Close();
  if (!record.cell.empty()) object.Text("cell", record.cell);
  ObjectWriter variant(object.Key("variant"));
  for (const auto& [axis, backend] : record.variant) variant.Text(axis, backend);
  variant.Close();
  object.Text("variant_name", record.variant_name);
  AppendBuild(object.Key("build"), record.build);
  AppendMachine(object.Key("machine"), record.machine);
  AppendRun(object.Key("run"), record.run);
  AppendMetrics(object.Key("metrics"), record.metrics);
  AppendSubsystems(object.Key("subsystems"), record.subsystems);
  if (record.live_bytes) {
    ObjectWriter samples(object.Key("samples"));
    ObjectWriter curve(samples.Key("live_bytes"));
    AppendIntegers(curve.Key("call"), record.live_bytes->call);
    AppendIntegers(curve.Key("bytes"), record.live_bytes->bytes);
    curve.Integer("calls_total", record.live_bytes->calls_total);
    curve.Close();
    samples.Close();
  }
  object.Raw(record.other);
  object.Close();
  return out;
}

}  // namespace rubric
