// Feeds arbitrary bytes to the reader, as a gzip file and as lines within one. It must neither crash
// nor take long; what it accepts satisfies the format, and cut off by a byte it is refused.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/check.h"
#include "experiments/workload/describe.h"
#include "experiments/workload/json_tape.h"
#include "experiments/workload/reader.h"
#include "experiments/workload/testing/workload_writer.h"

namespace rubric {
namespace {

bool Accepts(std::string_view bytes) {
  const auto description = DescribeWorkload(WorkloadSource::Memory("fuzz", bytes));
  if (!description.ok()) RUBRIC_CHECK(!description.status().message().empty());
  if (description.ok()) RUBRIC_CHECK(!JsonOf(*description).empty());
  return description.ok();
}

void CheckReader(std::string_view bytes) {
  JsonTape tape, general;
  const auto wrong = tape.Parse(bytes);
  RUBRIC_CHECK(wrong == general.ParseAny(bytes));
  RUBRIC_CHECK(wrong.has_value() || tape == general);
  if (Accepts(bytes)) RUBRIC_CHECK(!Accepts(bytes.substr(0, bytes.size() - 1)));
  // Lines between a first and a last one that are right.
  WorkloadWriter writer;
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    writer.Line(bytes.substr(0, end));
    bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
  }
  const std::string whole = writer.Finish();
  if (Accepts(whole)) RUBRIC_CHECK(!Accepts(Gzip(writer.Plain(false))));
}

}  // namespace
}  // namespace rubric

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  rubric::CheckReader({reinterpret_cast<const char*>(data), size});
  return 0;
}
