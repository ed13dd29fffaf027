// Record: what one process of an experiment reports, and the JSON line it is kept as.
//
// USE        `experiments/lab` fills a Record and prints ToJsonLine(record); the suite adds what
//            only it knows (seed, round, pass, commit) and appends the line to results.jsonl;
//            `reports/` reads it back with ParseRecord (parse_record.h). This header is compiled
//            into every variant's program, so it includes the standard library alone.
// LAYOUT     One JSON object a line. Fields, units and which of them are required:
//            reports/results/README.md. Maps keep the order they were written in, because the
//            order of parameters and axes is part of a label.
// COST       ToJsonLine O(bytes written).
// INVARIANTS (1) ParseRecord(ToJsonLine(r)) == r for every r that ParseRecord can return.
//            (2) A line has no newline in it and is valid UTF-8; a byte that is not part of
//                valid UTF-8 (paths are bytes) is written as U+FFFD.
//            (3) A figure that is not there is absent from its map; it is never 0 instead.
// TESTED BY  record_test.cc, parse_record_fuzz.cc.

#ifndef RUBRIC_REPORTS_RESULTS_RECORD_H_
#define RUBRIC_REPORTS_RESULTS_RECORD_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace rubric {

// The version of the format that this code writes, and the newest that it reads.
inline constexpr int kRecordSchema = 1;

// A small map that keeps insertion order. Keys are distinct.
template <typename Value>
using OrderedMap = std::vector<std::pair<std::string, Value>>;

// The value at `key`, or nullptr. Valid until the map changes. O(size).
template <typename Value>
const Value* Find(const OrderedMap<Value>& map, std::string_view key) {
  for (const auto& [name, value] : map) {
    if (name == key) return &value;
  }
  return nullptr;
}

// How a process ended.
enum class RecordStatus {
  kOk,           // "ok": the experiment checked its own result; the figures count
  kFailed,       // "failed": it crashed or exited with an error; `reason` says which
  kTimeout,      // "timeout": it was ended after its time was up
  kWrongResult,  // "wrong_result": it ran, but its result check failed; figures do not count
};

// "ok", "failed", "timeout", "wrong_result"; nullopt for any other word.
std::string_view StatusName(RecordStatus status);
std::optional<RecordStatus> StatusFromName(std::string_view name);

// One figure. Exact in the double for integers up to 2^53.
struct Metric {
  double value = 0;    // REQUIRES: finite
  std::string unit;    // "calls", "bytes", "s", "slots", "pages", "collections", "instructions"…
  bool exact = false;  // must repeat bit for bit from process to process

  friend bool operator==(const Metric&, const Metric&) = default;
};

// A parameter's value, as the flag of `lab run` would be given.
using ParamValue = std::variant<bool, std::int64_t, double, std::string>;
using Params = OrderedMap<ParamValue>;          // in the experiment's declared order
using Choices = OrderedMap<std::string>;        // axis -> backend, in the registry's axis order
using UnknownFields = OrderedMap<std::string>;  // name -> JSON text, kept for whoever knows it

// What one subsystem of core/memory did in the measured part. All exact.
struct SubsystemUse {
  std::int64_t malloc_calls = 0;     // every allocating call, realloc included
  std::int64_t free_calls = 0;       // every free, the free half of a realloc included
  std::int64_t bytes_requested = 0;  // bytes asked for, summed over calls
  std::int64_t bytes_usable = 0;     // bytes the allocator gave, summed over calls
  std::int64_t live_bytes = 0;       // usable bytes gained between start and end; may be negative
  std::int64_t peak_bytes = 0;       // highest live_bytes seen in between

  friend bool operator==(const SubsystemUse&, const SubsystemUse&) = default;
};

// Live usable bytes after the n-th allocator call (1-based), thinned so that each bucket keeps its
// minimum and its maximum. INVARIANT: call.size() == bytes.size(); call increases strictly.
struct LiveBytesCurve {
  std::vector<std::int64_t> call;
  std::vector<std::int64_t> bytes;
  std::int64_t calls_total = 0;  // calls in the whole log, thinned or not; >= call.back()

  friend bool operator==(const LiveBytesCurve&, const LiveBytesCurve&) = default;
};

// How the program was built. Empty strings where nobody said.
struct BuildInfo {
  std::string compiler;       // "g++ 12.2.0"
  std::string mode;           // "opt", "dbg", "fastbuild"
  std::string sanitizer;      // "", "asan", "ubsan"
  std::string allocator;      // "glibc", "jemalloc", "mimalloc"
  std::string commit;         // added by the suite
  std::optional<bool> dirty;  // added by the suite: the tree had changes that no commit has
  std::string binary_sha256;  // added by the suite: 64 hex digits
  UnknownFields other;

  friend bool operator==(const BuildInfo&, const BuildInfo&) = default;
};

struct MachineInfo {
  std::string cpu;
  std::int64_t cores = 0;  // that the process may use; 0 = not said
  std::string kernel;
  std::string libc;
  UnknownFields other;

  friend bool operator==(const MachineInfo&, const MachineInfo&) = default;
};

// The circumstances of this one process.
struct RunInfo {
  std::uint64_t hash_seed = 0;
  std::string aslr;                        // "off" or "on": as found by the process itself
  std::vector<std::int64_t> cpu_affinity;  // CPUs it was allowed to use
  // The rest is the suite's.
  std::optional<std::uint64_t> seed;  // of the random order of processes
  std::optional<std::int64_t> round;  // 0-based: the n-th process of this cell and pass
  std::optional<std::int64_t> order;  // 0-based position among all processes of the run
  std::string pass;                   // kTimePass and its siblings below; "" = by hand
  std::string started_at;             // UTC, ISO 8601
  UnknownFields other;

  friend bool operator==(const RunInfo&, const RunInfo&) = default;
};

// Passes: what a process was run for. Times of a process that logs, or that runs under valgrind,
// say nothing about speed, so reports take noisy metrics from kTimePass (and "") alone.
inline constexpr std::string_view kTimePass = "time";
inline constexpr std::string_view kLogPass = "log";
inline constexpr std::string_view kMassifPass = "massif";
inline constexpr std::string_view kInstructionsPass = "instructions";

struct Record {
  RecordStatus status = RecordStatus::kOk;
  std::string reason;  // not empty iff status != kOk
  std::string experiment;
  Params params;
  // CellLabel of this experiment and its parameters, by the program that knows the defaults.
  // Optional: where empty, reports show every parameter.
  std::string cell;
  Choices variant;
  std::string variant_name;
  BuildInfo build;
  MachineInfo machine;
  RunInfo run;
  OrderedMap<Metric> metrics;
  OrderedMap<SubsystemUse> subsystems;
  std::optional<LiveBytesCurve> live_bytes;
  UnknownFields other;  // top-level fields that this version does not know

  friend bool operator==(const Record&, const Record&) = default;
};

// The record as one line of JSON, without a newline. A metric that is not finite is written as
// null, which ParseRecord refuses: it never turns into a number.
std::string ToJsonLine(const Record& record);

}  // namespace rubric

#endif  // RUBRIC_REPORTS_RESULTS_RECORD_H_
