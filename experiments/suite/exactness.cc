#include "experiments/suite/exactness.h"

#include <vector>

#include "absl/strings/str_join.h"
#include "reports/results/concat.h"
#include "reports/results/names.h"

namespace rubric {
namespace {

// Every exact figure of the record: name -> value.
std::map<std::string, double> FiguresOf(const Record& record) {
  std::map<std::string, double> figures;
  for (const auto& [name, metric] : record.metrics) {
    if (metric.exact) figures[name] = metric.value;
  }
  for (const auto& [subsystem, use] : record.subsystems) {
    const std::pair<const char*, std::int64_t> fields[] = {
        {"malloc_calls", use.malloc_calls},       {"free_calls", use.free_calls},
        {"bytes_requested", use.bytes_requested}, {"bytes_usable", use.bytes_usable},
        {"live_bytes", use.live_bytes},           {"peak_bytes", use.peak_bytes},
    };
    for (const auto& [name, value] : fields) {
      figures[Concat(subsystem, ".", name)] = static_cast<double>(value);
    }
  }
  return figures;
}

}  // namespace

std::string ExactFigures::Check(const Record& record) {
  Figures& reference = references_[{CellKey(record), record.build.binary_sha256}];
  const std::int64_t order = record.run.order.value_or(-1);
  std::vector<std::string> differences;
  int unnamed = 0;
  for (const auto& [name, value] : FiguresOf(record)) {
    const auto [entry, added] = reference.try_emplace(name, Figure{value, order});
    if (added || entry->second.value == value) continue;
    constexpr std::size_t kNamed = 4;
    if (differences.size() < kNamed) {
      differences.push_back(Concat(name, " ", value, " against ", entry->second.value,
                                   " in process ", entry->second.order));
    } else {
      ++unnamed;
    }
  }
  if (differences.empty()) return "";
  std::string text =
      Concat("exact figures differ between processes: ", absl::StrJoin(differences, ", "));
  if (unnamed > 0) text += Concat(", and ", unnamed, " more");
  return text;
}

}  // namespace rubric
