#include "reports/comparison/comparison.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "absl/status/status.h"
#include "reports/results/command_line.h"
#include "reports/results/concat.h"
#include "reports/results/json_text.h"
#include "reports/results/names.h"

namespace rubric {
namespace {

// Under valgrind another allocator serves the program, so that its byte counts are not ours.
bool IsUnderValgrind(std::string_view pass) {
  return pass == kMassifPass || pass == kInstructionsPass;
}

// What must be the same even between a process that logs and one that does not.
OrderedMap<SubsystemUse> WithoutHeapLayout(OrderedMap<SubsystemUse> subsystems) {
  for (auto& [name, use] : subsystems) use.bytes_usable = use.live_bytes = use.peak_bytes = 0;
  return subsystems;
}

CellState StateOf(RecordStatus status) {
  switch (status) {
    case RecordStatus::kOk:
      return CellState::kOk;
    case RecordStatus::kFailed:
      return CellState::kFailed;
    case RecordStatus::kTimeout:
      return CellState::kTimeout;
    case RecordStatus::kWrongResult:
      return CellState::kWrongResult;
  }
  return CellState::kFailed;
}

std::string Place(const SourcedRecord& source) { return Concat(source.file, ":", source.line); }

// Fields this version does not know may say anything, the load of the moment for one.
bool IsSameMachine(const MachineInfo& a, const MachineInfo& b) {
  return a.cpu == b.cpu && a.cores == b.cores && a.kernel == b.kernel && a.libc == b.libc;
}

std::string Described(const MachineInfo& machine) {
  return Concat(machine.cpu.empty() ? "an unnamed CPU" : machine.cpu, ", ", machine.kernel);
}

// Records that count, by invariant (5), in the order of reading. Adds a warning for the others.
std::vector<const SourcedRecord*> LastOfEachProcess(const Results& results,
                                                    std::vector<std::string>& warnings) {
  std::map<std::tuple<std::string, std::string, std::string, std::string, std::int64_t>,
           const SourcedRecord*>
      last;
  std::map<const SourcedRecord*, const SourcedRecord*> superseded;  // -> by
  for (const SourcedRecord& source : results.records) {
    const Record& record = source.record;
    if (!record.run.round) continue;
    const SourcedRecord*& slot = last[{source.file, CellKey(record),
                                       Concat(record.variant_name, "\n", record.build.allocator),
                                       record.run.pass, *record.run.round}];
    if (slot != nullptr) superseded.emplace(slot, &source);
    slot = &source;
  }
  std::vector<const SourcedRecord*> counting;
  for (const SourcedRecord& source : results.records) {
    if (!superseded.contains(&source)) counting.push_back(&source);
  }
  for (const SourcedRecord& source : results.records) {
    const auto found = superseded.find(&source);
    if (found == superseded.end()) continue;
    const RunInfo& run = source.record.run;
    warnings.push_back(Concat(
        Place(source), " is left out: ", Place(*found->second), " has the same process again (",
        CellLabel(source.record), ", ", source.record.variant_name, ", ",
        run.pass.empty() ? "no" : run.pass, " pass, round ", *run.round, ")",
        superseded.size() > 1 ? Concat("; and so are ", superseded.size() - 1, " more") : ""));
    break;
  }
  return counting;
}

// Builds a Comparison step by step; each step is one function below Build.
class Builder {
 public:
  Builder(const Results& results, const CompareOptions& options)
      : results_(results), options_(options) {
    out_.warnings = results.warnings;
    records_ = LastOfEachProcess(results, out_.warnings);
  }

  absl::StatusOr<Comparison> Build() {
    if (absl::Status status = CheckConsistent(); !status.ok()) return status;
    CollectVariants();
    if (absl::Status status = ChooseBaseline(); !status.ok()) return status;
    CollectRows();
    for (const SourcedRecord* source : records_) AddRecord(*source);
    FinishCells();
    CollectProvenance();
    if (absl::Status status = CheckBelongTogether(); !status.ok()) return status;
    ChooseTimeMetric();
    return std::move(out_);
  }

 private:
  // What a cell's records said, before it is known whether they agree.
  struct Pending {
    std::size_t row = 0;
    std::size_t variant = 0;
    std::map<std::string, const SourcedRecord*> exact_source;  // by metric, and pass if need be
    std::map<bool, const SourcedRecord*> subsystems_source;    // by whether the process logged
    const SourcedRecord* curve_source = nullptr;
    bool failed = false;
  };

  // What no force can mend: one name for two variants, one metric in two units.
  absl::Status CheckConsistent() const {
    std::map<std::string, const SourcedRecord*> first_of_variant;
    std::map<std::string, std::pair<const Metric*, const SourcedRecord*>> first_of_metric;
    for (const SourcedRecord* source : records_) {
      const Record& record = source->record;
      const SourcedRecord* first =
          first_of_variant.emplace(record.variant_name, source).first->second;
      for (const auto& [axis, backend] : record.variant) {
        // An axis that one of them does not have yet contradicts nothing.
        const std::string* before = Find(first->record.variant, axis);
        if (before == nullptr || *before == backend) continue;
        return absl::InvalidArgumentError(Concat(
            Place(*source), ": the ", axis, " of variant ", record.variant_name, " is ", backend,
            ", but ", *before, " in ", Place(*first), "; expected one variant to a name"));
      }
      for (const auto& [name, metric] : record.metrics) {
        const auto [known, place] =
            first_of_metric.emplace(name, std::pair(&metric, source)).first->second;
        if (known->unit == metric.unit && known->exact == metric.exact) continue;
        const auto kind = [](const Metric& m) {
          return Concat("in ", JsonString(m.unit), m.exact ? ", exact" : ", not exact");
        };
        return absl::InvalidArgumentError(Concat(Place(*source), ": metric ", name, " is ",
                                                 kind(metric), ", but ", kind(*known), " in ",
                                                 Place(*place), "; expected one unit to a metric"));
      }
    }
    return absl::OkStatus();
  }

  void CollectVariants() {
    std::set<std::string> allocators;
    for (const SourcedRecord* source : records_) {
      if (!source->record.build.allocator.empty())
        allocators.insert(source->record.build.allocator);
    }
    names_show_allocator_ = allocators.size() > 1;
    // With several allocators a planned name does not say which; records do.
    if (!names_show_allocator_) {
      for (const RunPlan& plan : results_.plans) {
        for (const PlannedVariant& planned : plan.variants) {
          AddVariant(planned.name, planned.variant);
        }
      }
    }
    for (const SourcedRecord* source : records_) {
      Variant& variant = AddVariant(DisplayName(source->record), source->record.variant);
      if (variant.build == BuildInfo{}) variant.build = source->record.build;
    }
  }

  std::string DisplayName(const Record& record) const {
    if (!names_show_allocator_ || record.build.allocator.empty()) return record.variant_name;
    return Concat(record.variant_name, " [", record.build.allocator, "]");
  }

  Variant& AddVariant(const std::string& name, const Choices& choices) {
    for (Variant& variant : out_.variants) {
      if (variant.name == name) return variant;
    }
    Variant variant;
    variant.name = name;
    variant.choices = choices;
    return out_.variants.emplace_back(std::move(variant));
  }

  absl::Status ChooseBaseline() {
    std::vector<std::string> names;
    for (const Variant& variant : out_.variants) names.push_back(variant.name);
    std::vector<std::string> wanted;
    if (!options_.baseline.empty()) {
      wanted.push_back(options_.baseline);
    } else {
      for (const RunPlan& plan : results_.plans) wanted.push_back(plan.baseline);
      wanted.emplace_back(kBaselineName);
      wanted.push_back(names.front());
    }
    auto chosen = names.end();
    for (std::size_t i = 0; i < wanted.size() && chosen == names.end(); ++i) {
      chosen = std::find(names.begin(), names.end(), wanted[i]);
    }
    if (chosen == names.end()) {
      std::string message = Concat("there is no variant ", options_.baseline, " in these results.",
                                   DidYouMean(options_.baseline, names), " Variants:");
      for (const std::string& name : names) message += " " + name;
      return absl::InvalidArgumentError(message);
    }
    std::rotate(out_.variants.begin(), out_.variants.begin() + (chosen - names.begin()),
                out_.variants.begin() + (chosen - names.begin()) + 1);
    for (std::size_t i = 1; i < out_.variants.size(); ++i) {
      Variant& variant = out_.variants[i];
      variant.is_control = !variant.choices.empty() && variant.choices == out_.baseline().choices &&
                           variant.build.allocator == out_.baseline().build.allocator;
      if (variant.is_control && !out_.control) out_.control = i;
    }
    return absl::OkStatus();
  }

  Row& AddRow(const std::string& experiment, const Params& params, const std::string& label) {
    const auto [found, inserted] = row_of_.emplace(CellKey(experiment, params), out_.rows.size());
    if (inserted) {
      Row& row = out_.rows.emplace_back();
      row.experiment = experiment;
      row.params = params;
      row.label = label;
      row.cells.resize(out_.variants.size());
    }
    return out_.rows[found->second];
  }

  void CollectRows() {
    for (const RunPlan& plan : results_.plans) {
      for (const PlannedCell& cell : plan.cells) {
        AddRow(cell.experiment, cell.params,
               cell.label.empty() ? CellLabel(cell.experiment, cell.params) : cell.label);
      }
    }
    for (const SourcedRecord* source : records_) {
      const Record& record = source->record;
      AddRow(record.experiment, record.params, CellLabel(record));
    }
  }

  Pending& PendingOf(const Record& record) {
    const std::size_t row = row_of_.at(CellKey(record));
    const std::string name = DisplayName(record);
    std::size_t variant = 0;
    while (out_.variants[variant].name != name) ++variant;
    Pending& pending = pending_[{row, variant}];
    pending.row = row;
    pending.variant = variant;
    return pending;
  }

  void Drop(const Pending& pending, CellState state, const std::string& reason) {
    out_.dropped.push_back({out_.rows[pending.row].label, out_.variants[pending.variant].name,
                            std::string(StateName(state)), reason});
  }

  void AddRecord(const SourcedRecord& source) {
    const Record& record = source.record;
    Pending& pending = PendingOf(record);
    Cell& cell = out_.rows[pending.row].cells[pending.variant];
    if (record.status != RecordStatus::kOk) {
      const std::string reason = Concat(record.reason, " (", Place(source), ")");
      if (IsUnderValgrind(record.run.pass)) {
        // The figures of the other passes stand by themselves.
        Drop(pending, StateOf(record.status),
             Concat("only the ", record.run.pass, " pass: ", reason));
      } else if (!pending.failed) {
        pending.failed = true;
        cell.state = StateOf(record.status);
        cell.reason = reason;
      }
      return;
    }
    out_.samples.push_back({record.experiment, record.params, DisplayName(record), record.run.pass,
                            record.run.round, record.metrics});
    const bool valgrind = IsUnderValgrind(record.run.pass);
    if (!valgrind) ++cell.processes;
    for (const auto& [name, metric] : record.metrics) {
      if (metric.exact && (!valgrind || name == "instructions")) {
        AddExact(source, name, metric, pending, cell);
      }
      if (!metric.exact && (record.run.pass.empty() || record.run.pass == kTimePass)) {
        AddNoisy(name, metric, cell);
      }
    }
    if (!valgrind) AddDetails(source, pending, cell);
  }

  void MarkUnstable(Pending& pending, Cell& cell, const std::string& reason) {
    if (pending.failed) return;
    pending.failed = true;
    cell.state = CellState::kUnstable;
    cell.reason = reason;
  }

  void AddExact(const SourcedRecord& source, const std::string& name, const Metric& metric,
                Pending& pending, Cell& cell) {
    const bool logged = source.record.run.pass == kLogPass;
    const bool apart = DependsOnHeapLayout(name);
    const SourcedRecord*& first = pending.exact_source[apart && logged ? name + " of a log" : name];
    if (first != nullptr) {
      const double expected = Find(first->record.metrics, name)->value;
      if (metric.value != expected) {
        return MarkUnstable(pending, cell,
                            Concat("exact metric ", name, " is ", expected, " in ", Place(*first),
                                   " but ", metric.value, " in ", Place(source)));
      }
    } else {
      first = &source;
    }
    for (auto& [known, figure] : cell.exact) {
      if (known != name) continue;
      if (figure.value == metric.value) {
        ++figure.processes;
      } else if (!logged) {  // the log came first; what counts is a process that did not log
        figure = {metric.value, metric.unit, 1};
      }
      return;
    }
    cell.exact.emplace_back(name, ExactFigure{metric.value, metric.unit, 1});
  }

  static void AddNoisy(const std::string& name, const Metric& metric, Cell& cell) {
    for (auto& [known, figure] : cell.noisy) {
      if (known == name) return figure.samples.push_back(metric.value);
    }
    cell.noisy.emplace_back(name, NoisyFigure{metric.unit, {metric.value}, {}});
  }

  void AddDetails(const SourcedRecord& source, Pending& pending, Cell& cell) {
    const Record& record = source.record;
    if (!record.subsystems.empty()) {
      const bool logged = record.run.pass == kLogPass;
      const SourcedRecord*& same_kind = pending.subsystems_source[logged];
      const SourcedRecord* other_kind = pending.subsystems_source[!logged];
      const SourcedRecord* disagrees = nullptr;
      if (same_kind != nullptr && same_kind->record.subsystems != record.subsystems) {
        disagrees = same_kind;
      } else if (other_kind != nullptr && WithoutHeapLayout(other_kind->record.subsystems) !=
                                              WithoutHeapLayout(record.subsystems)) {
        disagrees = other_kind;
      }
      if (disagrees != nullptr) {
        MarkUnstable(pending, cell,
                     Concat("figures by subsystem differ between ", Place(*disagrees), " and ",
                            Place(source)));
      }
      if (same_kind == nullptr) {
        same_kind = &source;
        if (!logged || other_kind == nullptr) cell.subsystems = record.subsystems;
      }
    }
    if (record.live_bytes && pending.curve_source == nullptr) {
      pending.curve_source = &source;
      cell.live_bytes = record.live_bytes;
    }
  }

  void FinishCells() {
    for (std::size_t r = 0; r < out_.rows.size(); ++r) {
      for (std::size_t v = 0; v < out_.variants.size(); ++v) {
        Cell& cell = out_.rows[r].cells[v];
        Pending& pending = pending_[{r, v}];
        pending.row = r;
        pending.variant = v;
        if (pending.failed) {
          cell.exact.clear();
          cell.noisy.clear();
          cell.subsystems.clear();
          cell.live_bytes.reset();
        } else if (cell.processes > 0) {
          cell.state = CellState::kOk;
          for (auto& [name, figure] : cell.noisy) figure.summary = Summarize(figure.samples);
          continue;
        } else {
          cell.state = CellState::kMissing;
          cell.reason = "no process of it is in these results";
          cell.exact.clear();
        }
        Drop(pending, cell.state, cell.reason);
      }
    }
  }

  void CollectProvenance() {
    out_.files = results_.files;
    for (const RunPlan& plan : results_.plans) {
      if (out_.command.empty()) out_.command = plan.command;
      if (out_.started_at.empty()) out_.started_at = plan.started_at;
    }
    for (const SourcedRecord* source : records_) {
      const Record& record = source->record;
      if (out_.started_at.empty()) out_.started_at = record.run.started_at;
      if (record.status != RecordStatus::kOk) continue;  // may not have described its machine
      const bool known = std::any_of(
          out_.machines.begin(), out_.machines.end(),
          [&record](const MachineInfo& machine) { return IsSameMachine(machine, record.machine); });
      if (!known) out_.machines.push_back(record.machine);
    }
  }

  // A reason against comparing: an error, or with `force` a warning.
  absl::Status Object(const std::string& reason) {
    if (!options_.force) {
      return absl::InvalidArgumentError(
          Concat(reason, ". Use --force to compare them all the same"));
    }
    out_.warnings.push_back(Concat(reason, "; compared because of --force"));
    return absl::OkStatus();
  }

  absl::Status CheckBelongTogether() {
    std::map<std::string, std::string> compilers;     // -> the first variant built by it
    std::map<std::uint64_t, std::string> hash_seeds;  // -> the first process that had it
    std::set<std::string> layouts;
    std::map<std::string, const Variant*> binaries;
    std::set<std::string> commits;
    for (const SourcedRecord* source : records_) {
      const BuildInfo& build = source->record.build;
      if (!build.compiler.empty()) compilers.emplace(build.compiler, DisplayName(source->record));
      if (!build.commit.empty()) commits.insert(build.commit);
      if (source->record.status == RecordStatus::kOk) {  // else it may not have said
        hash_seeds.emplace(source->record.run.hash_seed, Place(*source));
        layouts.insert(source->record.run.aslr);
      }
      const bool debug = !build.mode.empty() && build.mode != "opt";
      if (debug || !build.sanitizer.empty()) {
        if (checked_builds_.insert(DisplayName(source->record)).second) {
          absl::Status status =
              Object(Concat(Place(*source), ": ", DisplayName(source->record), " is a ",
                            debug ? build.mode : build.sanitizer,
                            " build, whose figures say nothing of an optimized one"));
          if (!status.ok()) return status;
        }
      }
    }
    if (compilers.size() > 1) {
      std::string reason = "the variants were built by different compilers:";
      for (const auto& [compiler, variant] : compilers) {
        reason += Concat(reason.back() == ':' ? " " : "; ", compiler, " (", variant, ")");
      }
      if (absl::Status status = Object(reason); !status.ok()) return status;
    }
    if (out_.machines.size() > 1) {
      std::string reason = "the figures come from different machines:";
      for (const MachineInfo& machine : out_.machines) {
        reason += Concat(reason.back() == ':' ? " " : "; ", Described(machine));
      }
      if (absl::Status status = Object(reason); !status.ok()) return status;
    }
    if (hash_seeds.size() > 1) {
      std::string reason = "the processes hashed with different seeds, which alone moves figures:";
      std::size_t shown = 0;
      for (const auto& [seed, place] : hash_seeds) {
        if (++shown > 3) break;
        reason += Concat(reason.back() == ':' ? " " : "; ", seed, " (", place, ")");
      }
      if (hash_seeds.size() > 3) reason += Concat(" and ", hash_seeds.size() - 3, " more");
      if (absl::Status status = Object(reason); !status.ok()) return status;
    }
    for (const Variant& variant : out_.variants) {
      if (variant.build.binary_sha256.empty()) continue;
      const auto [found, inserted] = binaries.emplace(variant.build.binary_sha256, &variant);
      if (inserted || found->second->choices == variant.choices) continue;
      absl::Status status = Object(Concat("variants ", found->second->name, " and ", variant.name,
                                          " are one and the same binary (",
                                          variant.build.binary_sha256.substr(0, 12), "…)"));
      if (!status.ok()) return status;
    }
    if (layouts.contains("on") && layouts.contains("off")) {
      out_.warnings.push_back(
          "some processes ran with a random address layout and some without: exact figures may "
          "differ for that alone");
    }
    if (commits.size() > 1) {
      out_.warnings.push_back(
          Concat("the programs come from ", commits.size(), " different commits"));
    }
    return absl::OkStatus();
  }

  void ChooseTimeMetric() {
    const std::vector<std::string> names = MetricNames(out_, /*exact=*/false);
    out_.time_metric = kTimeMetrics[0];
    for (const std::string_view metric : kTimeMetrics) {
      if (std::find(names.begin(), names.end(), metric) != names.end()) {
        out_.time_metric = metric;
        return;
      }
    }
  }

  const Results& results_;
  const CompareOptions& options_;
  std::vector<const SourcedRecord*> records_;
  bool names_show_allocator_ = false;
  std::map<std::string, std::size_t> row_of_;  // by CellKey
  std::map<std::pair<std::size_t, std::size_t>, Pending> pending_;
  std::set<std::string> checked_builds_;
  Comparison out_;
};

}  // namespace

absl::StatusOr<Comparison> Compare(const Results& results, const CompareOptions& options) {
  if (results.records.empty()) return absl::InvalidArgumentError("there are no records to compare");
  return Builder(results, options).Build();
}

}  // namespace rubric
