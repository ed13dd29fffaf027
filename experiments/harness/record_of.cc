#include "experiments/harness/record_of.h"

#include "absl/status/statusor.h"
#include "core/memory/malloc_log.h"
#include "core/memory/subsystem.h"
#include "experiments/harness/process_info.h"
#include "reports/results/names.h"

namespace rubric {
namespace {

constexpr std::size_t kMaxCurvePoints = 2000;

template <typename Number>
void Add(Record& record, const std::string& name, Number value, const char* unit, bool exact) {
  record.metrics.emplace_back(name, Metric{static_cast<double>(value), unit, exact});
}

}  // namespace

Record RecordOf(const std::string& experiment, std::span<const Parameter> parameters,
                const ParameterValues& values, const absl::Status& outcome,
                const MeasuredPart& part) {
  Record record;
  record.experiment = experiment;
  record.params = values.all();
  Params defaults;
  for (const Parameter& p : parameters) defaults.emplace_back(p.name, p.default_value);
  record.cell = CellLabel(experiment, record.params, defaults);
  if (!outcome.ok()) {
    record.status = RecordStatus::kWrongResult;
    record.reason = std::string(outcome.message());
  }

  const AllocatorCounters& total = part.memory.total;
  Add(record, "malloc_calls", total.malloc_calls, "calls", true);
  Add(record, "free_calls", total.free_calls, "calls", true);
  Add(record, "bytes_requested", total.bytes_requested, "bytes", true);
  Add(record, "bytes_usable", total.bytes_usable, "bytes", true);
  Add(record, "peak_bytes", total.peak_bytes, "bytes", true);
  Add(record, "live_bytes", total.live_bytes, "bytes", true);
  for (const auto& [mark, bytes] : part.live_bytes_at_marks) {
    Add(record, "live_bytes." + mark, bytes, "bytes", true);
  }
  // Differences as signed numbers: more slots may have been freed than allocated.
  Add(record, "slots_live",
      static_cast<std::int64_t>(part.gc.total_allocated_slots) -
          static_cast<std::int64_t>(part.gc.total_freed_slots),
      "slots", true);
  Add(record, "slots_allocated", part.gc.total_allocated_slots, "slots", true);
  Add(record, "heap_pages", part.gc.heap_pages, "pages", true);
  Add(record, "gc_count", part.gc.count, "collections", true);
  Add(record, "gc_minor_count", part.gc.minor_count, "collections", true);
  Add(record, "gc_major_count", part.gc.major_count, "collections", true);
  Add(record, "gc_marked_slots", part.gc.marked_slots, "slots", true);
  for (const NotedFigure& figure : part.noted) {
    Add(record, figure.name, figure.value, figure.unit.c_str(), true);
  }
  Add(record, "wall_s", part.wall_seconds, "s", false);
  Add(record, "cpu_s", part.cpu_seconds, "s", false);
  Add(record, "gc_s", part.gc.total_seconds(), "s", false);

  for (std::size_t i = 0; i < kSubsystemCount; ++i) {
    const AllocatorCounters& c = part.memory.by_subsystem[i];
    if (c.malloc_calls == 0 && c.free_calls == 0) continue;
    record.subsystems.emplace_back(
        kSubsystemNames[i],
        SubsystemUse{.malloc_calls = static_cast<std::int64_t>(c.malloc_calls),
                     .free_calls = static_cast<std::int64_t>(c.free_calls),
                     .bytes_requested = static_cast<std::int64_t>(c.bytes_requested),
                     .bytes_usable = static_cast<std::int64_t>(c.bytes_usable),
                     .live_bytes = c.live_bytes,
                     .peak_bytes = c.peak_bytes});
  }
  return record;
}

absl::Status AddLiveBytes(const std::string& malloc_log_path, Record& record) {
  absl::StatusOr<MallocLogCurve> thinned = ThinLiveBytes(malloc_log_path, kMaxCurvePoints);
  if (!thinned.ok()) return thinned.status();
  LiveBytesCurve curve;
  curve.call.assign(thinned->call.begin(), thinned->call.end());
  curve.bytes.assign(thinned->bytes.begin(), thinned->bytes.end());
  curve.calls_total = static_cast<std::int64_t>(thinned->calls_total);
  record.live_bytes = std::move(curve);
  return absl::OkStatus();
}

void AddProcessMemory(Record& record) {
  const ProcessMemory memory = ReadProcessMemory();
  Add(record, "rss_bytes", memory.rss_bytes, "bytes", false);
  Add(record, "vm_hwm_bytes", memory.vm_hwm_bytes, "bytes", false);
  Add(record, "minor_faults", memory.minor_faults, "faults", false);
}

}  // namespace rubric
