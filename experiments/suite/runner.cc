#include "experiments/suite/runner.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <set>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "experiments/suite/estimate.h"
#include "experiments/suite/exactness.h"
#include "experiments/suite/interrupt.h"
#include "experiments/suite/process.h"
#include "reports/results/concat.h"
#include "reports/results/names.h"
#include "reports/text/escape.h"

namespace rubric {
namespace {

std::string Now() {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%E3SZ", absl::Now(), absl::UTCTimeZone());
}

class Runner {
 public:
  Runner(const Plan& plan, const Place& place, const SourceTree& tree, ResultsWriter& writer,
         Progress& progress)
      : plan_(plan),
        place_(place),
        tree_(tree),
        writer_(writer),
        progress_(progress),
        estimate_(plan),
        steps_(ScheduleOf(plan)),
        done_(steps_.size()) {
    summary_.planned = static_cast<int>(steps_.size());
  }

  // Takes over the records of an earlier run.
  absl::Status TakeOver(const std::vector<SourcedRecord>& earlier) {
    for (const SourcedRecord& sourced : earlier) {
      const Record& record = sourced.record;
      const std::int64_t order = record.run.order.value_or(-1);
      const std::string where = Concat(sourced.file, ":", sourced.line, ": ");
      if (order < 0 || order >= static_cast<std::int64_t>(steps_.size()) ||
          !IsOf(steps_[static_cast<std::size_t>(order)], record)) {
        return absl::FailedPreconditionError(
            Concat(where, "this record is of no process of this run's schedule"));
      }
      if (done_[static_cast<std::size_t>(order)]) {
        return absl::FailedPreconditionError(
            Concat(where, "process ", order, " has a record before this one"));
      }
      done_[static_cast<std::size_t>(order)] = true;
      ++summary_.found;
      Note(steps_[static_cast<std::size_t>(order)], record);
      if (record.status == RecordStatus::kOk) exact_.Check(record);
    }
    return absl::OkStatus();
  }

  absl::Status Run() {
    for (const Step& step : steps_) {
      if (done_[static_cast<std::size_t>(step.order)]) continue;
      if (failed_.count({step.cell, step.variant}) != 0) {
        ++summary_.skipped;
        continue;
      }
      summary_.stopped_by = Interrupt::pending();
      if (summary_.stopped_by != 0) break;
      Show(step);
      const absl::Status status = RunStep(step);
      if (!status.ok()) {
        progress_.Clear();
        return status;
      }
    }
    progress_.Clear();
    return absl::OkStatus();
  }

  RunSummary summary() const { return summary_; }

 private:
  const CellSpec& CellOf(const Step& step) const {
    return plan_.cells[static_cast<std::size_t>(step.cell)];
  }
  const VariantSpec& VariantOf(const Step& step) const {
    return plan_.variants[static_cast<std::size_t>(step.variant)];
  }

  bool IsOf(const Step& step, const Record& record) const {
    const CellSpec& cell = CellOf(step);
    return record.run.pass == step.pass && record.run.round == step.round &&
           record.run.seed == plan_.seed && record.variant_name == VariantOf(step).name &&
           record.build.binary_sha256 == VariantOf(step).sha256 &&
           CellKey(record) == CellKey(cell.experiment, cell.params);
  }

  absl::Status RunStep(const Step& step) {
    const ProcessSpec spec = SpecFor(plan_, step, place_);
    const std::string started_at = Now();
    const ProcessOutcome outcome = RunProcess(spec);
    if (outcome.end == ProcessEnd::kInterrupted) return absl::OkStatus();  // and so does Run()
    const std::string tool_file = ToolFile(plan_, step, place_);
    Record record = MakeSample(plan_, step, spec, outcome, tree_, started_at, tool_file);
    if (step.pass == kLogPass) unlink(tool_file.c_str());
    if (record.status == RecordStatus::kOk) {
      std::string difference = exact_.Check(record);
      if (!difference.empty()) {
        record.status = RecordStatus::kFailed;
        record.reason = std::move(difference);
      }
    }
    if (record.status == RecordStatus::kFailed && !tool_file.empty() &&
        record.reason.find(std::strerror(ENOSPC)) != std::string::npos) {
      // The folder's fault and not the cell's: once there is room, the process can be run again.
      return absl::UnavailableError(Concat(record.cell, " with ", record.variant_name, ", ",
                                           step.pass, " pass: ", record.reason));
    }
    const absl::Status written = writer_.Append(record);
    if (!written.ok()) return written;
    ++summary_.run;
    summary_.aslr_refused |= spec.aslr_off && !outcome.aslr_off;
    summary_.cpu_refused |= spec.cpu && !outcome.cpu_pinned;
    estimate_.Observe(step, outcome.wall_s);
    Note(step, record);
    if (record.status != RecordStatus::kOk) {
      progress_.Note(TerminalText(Concat(StatusName(record.status), ": ", record.cell, " with ",
                                         record.variant_name, ": ", record.reason)));
    }
    return absl::OkStatus();
  }

  // Remembers a cell that has failed.
  void Note(const Step& step, const Record& record) {
    if (record.status == RecordStatus::kOk) return;
    if (failed_.insert({step.cell, step.variant}).second) ++summary_.failed_cells;
  }

  void Show(const Step& next) {
    double seconds = 0;
    for (const Step& step : steps_) {
      if (step.order >= next.order && !done_[static_cast<std::size_t>(step.order)] &&
          failed_.count({step.cell, step.variant}) == 0) {
        seconds += estimate_.SecondsOf(step);
      }
    }
    std::string what = Concat(CellOf(next).label, " with ", VariantOf(next).name);
    what += next.pass == kTimePass ? Concat(", round ", next.round + 1, " of ", plan_.rounds)
                                   : Concat(", ", next.pass, " pass");
    progress_.Show(next.order, summary_.planned, seconds, what);
  }

  const Plan& plan_;
  const Place& place_;
  const SourceTree& tree_;
  ResultsWriter& writer_;
  Progress& progress_;
  Estimate estimate_;
  const std::vector<Step> steps_;
  std::vector<bool> done_;                // by an earlier run
  std::set<std::pair<int, int>> failed_;  // (cell, variant)
  ExactFigures exact_;
  RunSummary summary_;
};

}  // namespace

absl::StatusOr<RunSummary> RunProcesses(const Plan& plan, const Place& place,
                                        const SourceTree& tree,
                                        const std::vector<SourcedRecord>& earlier,
                                        ResultsWriter& writer, Progress& progress) {
  Runner runner(plan, place, tree, writer, progress);
  absl::Status status = runner.TakeOver(earlier);
  if (status.ok()) status = runner.Run();
  if (!status.ok()) return status;
  return runner.summary();
}

}  // namespace rubric
