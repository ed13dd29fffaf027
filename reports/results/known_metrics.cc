#include "reports/results/known_metrics.h"

#include <cmath>

#include "reports/results/concat.h"

namespace rubric {
namespace {

constexpr KnownMetric kMetrics[] = {
    {.name = "malloc_calls", .unit = "calls", .exact = true},
    {.name = "free_calls", .unit = "calls", .exact = true},
    {.name = "bytes_requested", .unit = "bytes", .exact = true},
    {.name = "bytes_usable", .unit = "bytes", .exact = true},
    {.name = "peak_bytes", .unit = "bytes", .exact = true},
    {.name = "live_bytes", .unit = "bytes", .exact = true, .may_be_negative = true},
    {.name = "slots_live", .unit = "slots", .exact = true, .may_be_negative = true},
    {.name = "slots_allocated", .unit = "slots", .exact = true},
    {.name = "heap_pages", .unit = "pages", .exact = true},
    {.name = "gc_count", .unit = "collections", .exact = true},
    {.name = "gc_minor_count", .unit = "collections", .exact = true},
    {.name = "gc_major_count", .unit = "collections", .exact = true},
    {.name = "gc_marked_slots", .unit = "slots", .exact = true},
    {.name = "instructions", .unit = "instructions", .exact = true},
    {.name = "massif_peak_bytes", .unit = "bytes", .exact = true},
    {.name = "wall_s", .unit = "s", .exact = false, .whole = false},
    {.name = "cpu_s", .unit = "s", .exact = false, .whole = false},
    {.name = "gc_s", .unit = "s", .exact = false, .whole = false},
    {.name = "rss_bytes", .unit = "bytes", .exact = false},
    {.name = "vm_hwm_bytes", .unit = "bytes", .exact = false},
    {.name = "minor_faults", .unit = "faults", .exact = false},
};

}  // namespace

const KnownMetric* FindKnownMetric(std::string_view name) {
  if (name.starts_with("live_bytes.")) name = "live_bytes";
  for (const KnownMetric& metric : kMetrics) {
    if (metric.name == name) return &metric;
  }
  return nullptr;
}

std::vector<std::string> KnownMetricNames() {
  std::vector<std::string> names;
  for (const KnownMetric& metric : kMetrics) names.emplace_back(metric.name);
  return names;
}

std::string WhyImpossible(std::string_view name, const Metric& metric) {
  const KnownMetric* known = FindKnownMetric(name);
  if (known == nullptr) return "";
  if (metric.unit != known->unit) {
    return Concat("expected the unit ", known->unit, ", found ", JsonString(metric.unit));
  }
  if (metric.exact != known->exact) {
    return Concat("expected ", known->exact ? "an exact metric" : "one that varies",
                  ", found the opposite");
  }
  if (metric.value < 0 && !known->may_be_negative) {
    return Concat("expected 0 or more, found ", metric.value);
  }
  if (known->whole && metric.value != std::trunc(metric.value)) {
    return Concat("expected a whole number, found ", metric.value);
  }
  return "";
}

}  // namespace rubric
