#include "experiments/harness/table.h"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <string>

#include "reports/results/names.h"
#include "reports/results/terminal_text.h"

namespace rubric {
namespace {

// 1234567 as "1,234,567".
std::string Grouped(std::int64_t number) {
  const std::string digits = std::to_string(std::llabs(number));
  std::string grouped(number < 0 ? "-" : "");
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) grouped += ',';
    grouped += digits[i];
  }
  return grouped;
}

std::string Shown(const Metric& metric) {
  if (metric.unit != "s") return Grouped(static_cast<std::int64_t>(std::llround(metric.value)));
  char text[32];
  std::snprintf(text, sizeof(text), "%.6f", metric.value);
  return text;
}

}  // namespace

void PrintRecord(const Record& record, std::FILE* out) {
  std::fprintf(out, "%s\n", TerminalText(CellLabel(record)).c_str());
  std::fprintf(out, "  variant    %s\n", record.variant_name.c_str());
  for (const auto& [axis, backend] : record.variant) {
    std::fprintf(out, "    %-14s %s\n", axis.c_str(), backend.c_str());
  }
  std::fprintf(out, "  parameters");
  for (const auto& [name, value] : record.params) {
    std::fprintf(out, " %s=%s", name.c_str(), TerminalText(ParamText(value)).c_str());
  }
  std::fprintf(out, "\n  build      %s, %s%s%s, %s malloc\n", record.build.compiler.c_str(),
               record.build.mode.c_str(), record.build.sanitizer.empty() ? "" : " with ",
               record.build.sanitizer.c_str(), record.build.allocator.c_str());
  std::fprintf(out, "  result     %s%s%s\n",
               record.status == RecordStatus::kOk ? "checked, right" : "WRONG",
               record.reason.empty() ? "" : ": ", TerminalText(record.reason).c_str());

  std::fprintf(out, "\n  %-18s %16s  unit\n", "of measured part", "value");
  for (const auto& [name, metric] : record.metrics) {
    std::fprintf(out, "  %-18s %16s  %s%s\n", name.c_str(), Shown(metric).c_str(),
                 metric.unit.c_str(), metric.exact ? "" : " (varies)");
  }
  std::fprintf(out, "\n  %-12s %10s %10s %14s %14s %14s\n", "subsystem", "mallocs", "frees",
               "bytes asked", "live bytes", "peak bytes");
  for (const auto& [name, use] : record.subsystems) {
    std::fprintf(out, "  %-12s %10s %10s %14s %14s %14s\n", name.c_str(),
                 Grouped(use.malloc_calls).c_str(), Grouped(use.free_calls).c_str(),
                 Grouped(use.bytes_requested).c_str(), Grouped(use.live_bytes).c_str(),
                 Grouped(use.peak_bytes).c_str());
  }
}

}  // namespace rubric
