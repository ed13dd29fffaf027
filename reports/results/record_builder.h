// Records for tests: complete and valid, so that a test says only what it is about.
//
// USE        Record r = MakeRecord("require", "interning=khash"); SetMetric(r, "cpu_s", 0.5);

#ifndef RUBRIC_REPORTS_RESULTS_RECORD_BUILDER_H_
#define RUBRIC_REPORTS_RESULTS_RECORD_BUILDER_H_

#include <string>
#include <string_view>

#include "reports/results/record.h"

namespace rubric {

// Replaces the metric if the record has it. Names that end in "_s" or are rss_bytes are noisy, in
// seconds or bytes; others are exact.
inline void SetMetric(Record& record, const std::string& name, double value) {
  const bool seconds = name.ends_with("_s");
  const bool bytes = name.find("bytes") != std::string::npos;
  const Metric metric{value,
                      seconds ? "s"
                      : bytes ? "bytes"
                              : "calls",
                      !seconds && name != "rss_bytes"};
  for (auto& [known, old] : record.metrics) {
    if (known == name) {
      old = metric;
      return;
    }
  }
  record.metrics.emplace_back(name, metric);
}

// An ok record of the time pass. `variant` is a variant's name as VariantName makes it.
inline Record MakeRecord(const std::string& experiment, const std::string& variant = "baseline",
                         std::int64_t round = 0) {
  Record record;
  record.experiment = experiment;
  record.params = {{"count", std::int64_t{10}}};
  record.variant = {{"interning", "st_chained"}, {"resurrect", "copying"}};
  for (auto& [axis, backend] : record.variant) {
    const std::size_t at = variant.find(axis + "=");
    if (at == std::string::npos) continue;
    const std::size_t begin = at + axis.size() + 1;
    backend = variant.substr(begin, variant.find(',', begin) - begin);
  }
  record.variant_name = variant;
  record.build.compiler = "g++ 12.2.0";
  record.build.mode = "opt";
  record.build.allocator = "glibc";
  record.machine = {"a CPU", 2, "Linux 6.1", "glibc 2.36", {}};
  record.run.hash_seed = 7;
  record.run.aslr = "off";
  record.run.cpu_affinity = {1};
  record.run.round = round;
  record.run.pass = kTimePass;
  SetMetric(record, "malloc_calls", 100);
  SetMetric(record, "peak_bytes", 4096);
  SetMetric(record, "cpu_s", 0.5);
  return record;
}

inline void Fail(Record& record, RecordStatus status, const std::string& reason) {
  record.status = status;
  record.reason = reason;
  record.metrics.clear();
  record.subsystems.clear();
  record.live_bytes.reset();
}

}  // namespace rubric

#endif  // RUBRIC_REPORTS_RESULTS_RECORD_BUILDER_H_
