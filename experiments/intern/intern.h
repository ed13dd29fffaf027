// The intern experiment: see README.md. A header, since it is compiled into the one file of each
// variant (experiments/lab/variant_main.cc).
#ifndef RUBRIC_EXPERIMENTS_INTERN_INTERN_H_
#define RUBRIC_EXPERIMENTS_INTERN_INTERN_H_

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/object/array.h"
#include "core/object/array_mutation.h"
#include "experiments/harness/experiment.h"
#include "experiments/harness/run_on_vm.h"
#include "experiments/intern/name_set.h"

namespace rubric {
namespace intern_experiment {

// Larger than the last-level cache share of one core on the machines this is run on.
inline constexpr std::size_t kEvictionBytes = 64 * 1024 * 1024;
inline constexpr std::int64_t kLookupsPerEviction = 256;

// Takes every cache line away, outside the clocks.
class CacheEviction {
 public:
  explicit CacheEviction(bool wanted) : junk_(wanted ? kEvictionBytes : 0) {}
  void BeforeLookup(std::int64_t i, Measurement& measurement) {
    if (junk_.empty() || i % kLookupsPerEviction != 0) return;
    measurement.Pause();
    for (std::size_t at = 0; at < junk_.size(); at += 64) ++junk_[at];
    measurement.Resume();
  }

 private:
  std::vector<char> junk_;
};

// One kind of name: what the experiment does to a VM's frozen strings or to its symbols.
struct FrozenStrings {
  static bool Find(Vm& vm, std::string_view name) {
    return vm.names().FindFstring(name, Encoding::kUtf8).has_value();
  }
  static Value Slot(Vm& vm, std::string_view name) {
    return Value(vm.names().Fstring(name, Encoding::kUtf8));
  }
  static std::size_t Count(const Vm& vm) { return vm.names().fstring_count(); }
  static const auto& Table(const Vm& vm) { return vm.names().fstrings(); }
};
struct Symbols {
  static bool Find(Vm& vm, std::string_view name) {
    return vm.names().FindSymbol(name).has_value();
  }
  static Value Slot(Vm& vm, std::string_view name) { return vm.names().ToSymbol(name); }
  static std::size_t Count(const Vm& vm) { return vm.names().symbol_count(); }
  static const auto& Table(const Vm& vm) { return vm.names().symbols(); }
};

struct Setting {
  Vm& vm;
  const ParameterValues& parameters;
  Measurement& measurement;
  const NameSet& names;
  RArray* kept;  // rooted; what is in it stays alive
};

template <typename Kind>
inline void KeepAll(const Setting& s, const NameSet& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    HandleScope scope(s.vm.roots());
    const Value made = scope.Push(Kind::Slot(s.vm, names[i]));
    Push(s.vm.heap(), s.kept, made);
  }
}

inline LookupOrder OrderOf(const Setting& s) {
  return {s.parameters.Text("order") == "strided" ? LookupOrder::Kind::kStrided
                                                  : LookupOrder::Kind::kSequential,
          s.names.size()};
}

// Looks all names up again and again; `expected` says whether they are there.
template <typename Kind>
inline absl::Status Lookups(const Setting& s, const NameSet& asked_for, bool expected) {
  KeepAll<Kind>(s, s.names);
  const std::size_t before = Kind::Count(s.vm);
  const std::int64_t lookups = s.parameters.Int("lookups");
  CacheEviction eviction(s.parameters.Text("cache") == "cold");
  LookupOrder order = OrderOf(s);
  std::int64_t found = 0;
  s.measurement.Start();
  for (std::int64_t i = 0; i < lookups; ++i) {
    eviction.BeforeLookup(i, s.measurement);
    found += Kind::Find(s.vm, asked_for[order.Next()]) ? 1 : 0;
  }
  s.measurement.Stop();
  if (found != (expected ? lookups : 0)) {
    return WrongResult(absl::StrCat("found ", found, " of ", lookups, " names, expected ",
                                    expected ? "all" : "none"));
  }
  if (Kind::Count(s.vm) != before) return WrongResult("lookups changed the table's size");
  return absl::OkStatus();
}

template <typename Kind>
inline absl::Status Insertions(const Setting& s) {
  const std::size_t before = Kind::Count(s.vm);
  CacheEviction eviction(s.parameters.Text("cache") == "cold");
  LookupOrder order = OrderOf(s);
  s.measurement.Start();
  for (std::size_t i = 0; i < s.names.size(); ++i) {
    eviction.BeforeLookup(static_cast<std::int64_t>(i), s.measurement);
    HandleScope scope(s.vm.roots());
    const Value made = scope.Push(Kind::Slot(s.vm, s.names[order.Next()]));
    Push(s.vm.heap(), s.kept, made);
  }
  s.measurement.Stop();
  const std::size_t grown = Kind::Count(s.vm) - before;
  if (grown != s.names.size()) {
    return WrongResult(absl::StrCat("the table grew by ", grown, ", expected ", s.names.size()));
  }
  for (std::size_t i = 0; i < s.names.size(); ++i) {
    if (!Kind::Find(s.vm, s.names[i])) return WrongResult("an inserted name is not found");
  }
  return absl::OkStatus();
}

template <typename Kind>
inline absl::Status Iterations(const Setting& s) {
  KeepAll<Kind>(s, s.names);
  const auto rounds = std::max<std::int64_t>(
      1, s.parameters.Int("lookups") / static_cast<std::int64_t>(s.names.size()));
  std::uint64_t visited = 0, bytes = 0;
  s.measurement.Start();
  for (std::int64_t round = 0; round < rounds; ++round) {
    Kind::Table(s.vm).ForEach([&](const auto& record) {
      ++visited;
      bytes += record.string->length();
    });
  }
  s.measurement.Stop();
  if (visited != static_cast<std::uint64_t>(rounds) * Kind::Count(s.vm)) {
    return WrongResult("an iteration visited too few or too many");
  }
  return bytes >= visited ? absl::OkStatus() : WrongResult("names without bytes were visited");
}

// Half of the names die; the collection that finds them is what is measured.
template <typename Kind>
inline absl::Status WeakSweep(const Setting& s) {
  const std::size_t before = Kind::Count(s.vm);
  for (std::size_t i = 0; i < s.names.size(); ++i) {
    HandleScope scope(s.vm.roots());
    const Value made = scope.Push(Kind::Slot(s.vm, s.names[i]));
    if (i % 2 == 0) Push(s.vm.heap(), s.kept, made);
  }
  s.measurement.Start();
  s.vm.CollectGarbage();
  s.measurement.Stop();
  const std::size_t expected = before + (s.names.size() + 1) / 2;
  if (Kind::Count(s.vm) != expected) {
    return WrongResult(
        absl::StrCat(Kind::Count(s.vm), " names are left after the sweep, expected ", expected));
  }
  for (std::size_t i = 0; i < s.names.size(); ++i) {
    if (Kind::Find(s.vm, s.names[i]) != (i % 2 == 0)) {
      return WrongResult("the sweep took a live name or left a dead one");
    }
  }
  return absl::OkStatus();
}

template <typename Kind>
inline absl::Status RunOp(const Setting& s, const NameSet& absent) {
  const std::string& op = s.parameters.Text("op");
  if (op == "hit") return Lookups<Kind>(s, s.names, true);
  if (op == "miss") return Lookups<Kind>(s, absent, false);
  if (op == "insert") return Insertions<Kind>(s);
  if (op == "iterate") return Iterations<Kind>(s);
  return WeakSweep<Kind>(s);
}

inline absl::Status Run(Vm& vm, const ParameterValues& parameters, Measurement& measurement) {
  const auto size = static_cast<std::size_t>(parameters.Int("size"));
  const auto length = static_cast<std::size_t>(parameters.Int("length"));
  const auto keys =
      parameters.Text("keys") == "colliding" ? NameSet::Keys::kColliding : NameSet::Keys::kPlain;
  const auto names = NameSet::Make(size, length, keys, vm.hash_seed(), 0);
  if (!names.ok()) return names.status();
  const auto absent =
      NameSet::Make(parameters.Text("op") == "miss" ? size : 0, length, keys, vm.hash_seed(), 1);
  if (!absent.ok()) return absent.status();

  HandleScope scope(vm.roots());
  // As long as it will get from the start, so that its growth is not measured.
  RArray* kept = scope.Keep(vm.NewArray(size));
  const Setting setting{vm, parameters, measurement, *names, kept};
  return parameters.Text("kind") == "fstring" ? RunOp<FrozenStrings>(setting, *absent)
                                              : RunOp<Symbols>(setting, *absent);
}

}  // namespace intern_experiment

inline const Experiment& InternExperiment() {
  static const auto* experiment = new Experiment{
      .name = "intern",
      .summary = "frozen strings or symbols inserted, looked up, iterated over, swept",
      .parameters = {Parameter::Choice("op", {"hit", "miss", "insert", "iterate", "sweep"},
                                       "what is measured"),
                     Parameter::Choice("kind", {"fstring", "symbol"}, "which table"),
                     Parameter::Int("size", 4000, 1, 10'000'000, "names", "names in the table"),
                     Parameter::Int("length", 16, 2, 100'000, "bytes", "length of each name"),
                     Parameter::Choice("order", {"strided", "sequential"}, "the order of lookups"),
                     Parameter::Int("lookups", 1'000'000, 1, 1'000'000'000, "lookups",
                                    "lookups of hit and miss; iterate visits as many records"),
                     Parameter::Choice("keys", {"plain", "colliding"},
                                       "colliding names have hashes with equal low bits"),
                     Parameter::Choice(
                         "cache", {"hot", "cold"},
                         "cold takes the caches away every 256 operations, outside the clock")},
      .run = RunOnVm<intern_experiment::Run>};
  return *experiment;
}

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_INTERN_INTERN_H_
