// Feeds arbitrary bytes to the malloc log's parser. It must neither crash nor read outside of them;
// of what it accepts, the events must be as many as promised and make sense; and a log that it
// accepts must be refused with its last byte cut off.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/base/check.h"
#include "core/memory/malloc_log.h"

namespace rubric {
namespace {

void CheckParse(std::string_view bytes) {
  std::uint64_t visited = 0;
  const auto visit = [&](const MallocEvent& event) {
    ++visited;
    RUBRIC_CHECK(static_cast<std::size_t>(event.subsystem) < kSubsystemCount);
    RUBRIC_CHECK(event.requested_bytes <= event.usable_bytes);
    RUBRIC_CHECK(event.allocates() || event.requested_bytes == 0);
  };
  const absl::StatusOr<std::uint64_t> read = ParseMallocLog(bytes, "fuzz", visit);
  if (!read.ok()) {
    RUBRIC_CHECK(!read.status().message().empty());
    return;
  }
  RUBRIC_CHECK(*read == visited);
  RUBRIC_CHECK(!ParseMallocLog(bytes.substr(0, bytes.size() - 1), "fuzz", [](auto&) {}).ok());
}

}  // namespace
}  // namespace rubric

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  rubric::CheckParse({reinterpret_cast<const char*>(data), size});
  return 0;
}
