// Any bytes are a record or an error; a record that was accepted is written and read back as
// itself.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "reports/results/parse_record.h"
#include "reports/results/record.h"
#include "reports/results/run_plan.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto record = rubric::ParseRecord(text); record.ok()) {
    const std::string line = rubric::ToJsonLine(*record);
    const auto back = rubric::ParseRecord(line);
    if (!back.ok() || *back != *record || line.find('\n') != std::string::npos) {
      std::fprintf(stderr, "not read back as itself: %s\n", line.c_str());
      std::abort();
    }
  }
  if (const auto plan = rubric::ParseRunPlan(text); plan.ok()) {
    const auto back = rubric::ParseRunPlan(rubric::ToJson(*plan));
    if (!back.ok() || *back != *plan) {
      std::fprintf(stderr, "plan not read back as itself: %s\n", rubric::ToJson(*plan).c_str());
      std::abort();
    }
  }
  return 0;
}
