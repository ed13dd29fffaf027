#include "experiments/suite/sample.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "experiments/suite/files.h"
#include "reports/results/concat.h"
#include "reports/results/names.h"
#include "reports/results/parse_record.h"

namespace rubric {
namespace {

// `lab` exits with this where the experiment's own result check failed.
constexpr int kWrongResultStatus = 3;

// What the driver knows about a process whether it gave a record or not.
void AddCircumstances(const Plan& plan, const Step& step, const ProcessOutcome& outcome,
                      const SourceTree& tree, const std::string& started_at, Record& record) {
  const VariantSpec& variant = plan.variants[static_cast<std::size_t>(step.variant)];
  const CellSpec& cell = plan.cells[static_cast<std::size_t>(step.cell)];
  record.experiment = cell.experiment;
  record.params = cell.params;
  record.cell = cell.label;
  record.variant = variant.axes;
  record.variant_name = variant.name;
  if (record.build.compiler.empty()) record.build.compiler = variant.build.compiler;
  if (record.build.mode.empty()) record.build.mode = variant.build.mode;
  record.build.commit = tree.commit;
  record.build.dirty = tree.dirty;
  record.build.binary_sha256 = variant.sha256;
  if (record.run.aslr.empty()) record.run.aslr = outcome.aslr_off ? "off" : "on";
  if (record.run.cpu_affinity.empty() && outcome.cpu_pinned) {
    record.run.cpu_affinity = {*plan.cpu};
  }
  record.run.seed = plan.seed;
  record.run.round = step.round;
  record.run.order = step.order;
  record.run.pass = step.pass;
  record.run.started_at = started_at;
}

std::string ChoicesText(const Choices& choices) {
  std::string text;
  for (const auto& [axis, backend] : choices) {
    text += Concat(text.empty() ? "" : ",", axis, "=", backend);
  }
  return text;
}

bool SameChoices(Choices a, Choices b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  return a == b;
}

// Why [record] is not one of this step; empty if it is.
std::string Mismatch(const Plan& plan, const Step& step, const Record& record) {
  const VariantSpec& variant = plan.variants[static_cast<std::size_t>(step.variant)];
  const CellSpec& cell = plan.cells[static_cast<std::size_t>(step.cell)];
  if (!SameChoices(record.variant, variant.axes)) {
    return Concat("the program says that its backends are ", ChoicesText(record.variant),
                  "; the manifest says ", ChoicesText(variant.axes));
  }
  if (record.variant_name != variant.program_name) {
    return Concat("the program calls its variant '", record.variant_name, "'; the manifest says '",
                  variant.program_name, "'");
  }
  if (CellKey(record.experiment, record.params) != CellKey(cell.experiment, cell.params)) {
    return Concat("the record is of ", CellLabel(record.experiment, record.params),
                  "; asked for was ", CellLabel(cell.experiment, cell.params));
  }
  if (plan.hash_seed && record.run.hash_seed != *plan.hash_seed) {
    return Concat("the record's hash seed is ", record.run.hash_seed, "; asked for was ",
                  *plan.hash_seed);
  }
  if (record.status == RecordStatus::kOk && step.pass == kLogPass && !record.live_bytes) {
    return "the record of the log pass has no samples.live_bytes";
  }
  return "";
}

void SetStatus(Record& record, RecordStatus status, std::string reason) {
  record.status = status;
  record.reason = std::move(reason);
}

// The record that the process printed, checked, or one that says why there is none.
Record RecordOf(const Plan& plan, const Step& step, const ProcessSpec& spec,
                const ProcessOutcome& outcome) {
  Record failed;
  const std::string ending = DescribeEnd(spec, outcome);
  if (outcome.end == ProcessEnd::kTimedOut) {
    SetStatus(failed, RecordStatus::kTimeout, ending);
    return failed;
  }
  const bool wrong =
      outcome.end == ProcessEnd::kExited && outcome.exit_status == kWrongResultStatus;
  SetStatus(failed, wrong ? RecordStatus::kWrongResult : RecordStatus::kFailed, ending);
  if (outcome.end != ProcessEnd::kExited || (outcome.exit_status != 0 && !wrong)) return failed;

  const std::string line(absl::StripSuffix(outcome.standard_output, "\n"));
  absl::StatusOr<Record> record = ParseRecord(line);
  if (!record.ok()) {
    if (!wrong) {
      failed.reason = Concat("printed no record: ", std::string(record.status().message()),
                             "; its output ends: ", LastLines(outcome.standard_output, 2));
    }
    return failed;
  }
  const std::string mismatch = Mismatch(plan, step, *record);
  if (!mismatch.empty()) {
    SetStatus(*record, RecordStatus::kFailed, mismatch);
  } else if (wrong && record->status != RecordStatus::kWrongResult) {
    SetStatus(*record, RecordStatus::kWrongResult, ending);
  } else if (!wrong && record->status != RecordStatus::kOk) {
    record->reason = Concat("exited with status 0, but its record says: ", record->reason);
  } else if (outcome.stragglers > 0) {
    SetStatus(*record, RecordStatus::kFailed,
              Concat("left ", outcome.stragglers, " processes behind, which were killed"));
  }
  return *std::move(record);
}

// Whether [metric] of a process of [pass] says the same as it does in the time pass. Usable bytes
// do not: glibc hands out a few bytes more where a remainder is too small to split, which depends
// on what lies on the heap already, such as the log's buffers. Nor does what follows from them, the
// moment of a collection. Under massif another allocator has replaced glibc's altogether.
bool HoldsInPass(std::string_view metric, std::string_view pass) {
  if (pass == kTimePass) return true;
  return pass != kMassifPass && (metric == "malloc_calls" || metric == "bytes_requested");
}

void KeepWhatHolds(const Step& step, Record& record) {
  std::erase_if(record.metrics,
                [&](const auto& entry) { return !HoldsInPass(entry.first, step.pass); });
  if (step.pass != kTimePass) record.subsystems.clear();
  if (step.pass != kLogPass) record.live_bytes.reset();
}

void AddToolFigure(const Step& step, const std::string& tool_file, Record& record) {
  if (step.pass != kMassifPass && step.pass != kInstructionsPass) return;
  const bool massif = step.pass == kMassifPass;
  absl::StatusOr<std::string> text = ReadFile(tool_file);
  absl::StatusOr<double> figure = !text.ok() ? text.status()
                                  : massif   ? MassifPeak(*text)
                                             : CallgrindTotal(*text);
  if (!figure.ok()) {
    SetStatus(record, RecordStatus::kFailed,
              Concat(tool_file, ": ", std::string(figure.status().message())));
    return;
  }
  const char* name = massif ? "massif_peak_bytes" : "instructions";
  record.metrics.emplace_back(name, Metric{*figure, massif ? "bytes" : "instructions", true});
}

// The number after [key] at the start of [line]; -1 where the line does not begin with it.
double NumberAfter(const std::string& line, const std::string& key) {
  if (line.rfind(key, 0) != 0) return -1;
  const std::vector<std::string> words =
      absl::StrSplit(line.substr(key.size()), ' ', absl::SkipWhitespace());
  double value = -1;
  if (words.empty() || !absl::SimpleAtod(words[0], &value)) return -1;
  return value;
}

}  // namespace

absl::StatusOr<double> MassifPeak(const std::string& text) {
  double peak = -1;
  for (const std::string& line : std::vector<std::string>(absl::StrSplit(text, '\n'))) {
    peak = std::max(peak, NumberAfter(line, "mem_heap_B="));
  }
  if (peak < 0) return absl::InvalidArgumentError("expected massif's snapshots, found none");
  return peak;
}

absl::StatusOr<double> CallgrindTotal(const std::string& text) {
  double total = -1;
  for (const std::string& line : std::vector<std::string>(absl::StrSplit(text, '\n'))) {
    total = std::max({total, NumberAfter(line, "totals:"), NumberAfter(line, "summary:")});
  }
  if (total < 0) return absl::InvalidArgumentError("expected callgrind's totals, found none");
  if (total == 0) {
    return absl::InvalidArgumentError(
        "callgrind counted no instruction: the program did not turn collection on");
  }
  return total;
}

Record MakeSample(const Plan& plan, const Step& step, const ProcessSpec& spec,
                  const ProcessOutcome& outcome, const SourceTree& tree,
                  const std::string& started_at, const std::string& tool_file) {
  Record record = RecordOf(plan, step, spec, outcome);
  KeepWhatHolds(step, record);
  if (record.status == RecordStatus::kOk) AddToolFigure(step, tool_file, record);
  AddCircumstances(plan, step, outcome, tree, started_at, record);
  return record;
}

}  // namespace rubric
