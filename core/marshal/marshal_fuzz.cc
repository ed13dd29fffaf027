// Bytes are loaded. What loads and can be dumped must load again from that dump, and give it again.

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/base/check.h"
#include "core/marshal/marshal_vm.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rubric;
  MarshalVm m;
  {
    HandleScope scope(m.vm().roots());
    MarshalLoadOptions options;
    options.define_classes = true;
    const absl::StatusOr<Value> value =
        m.Load({reinterpret_cast<const char*>(data), size}, options);
    if (value.ok()) {
      scope.Push(*value);
      const absl::StatusOr<std::string> dump = m.Dump(*value);
      if (dump.ok()) {
        const absl::StatusOr<Value> loaded = m.Load(*dump);
        RUBRIC_CHECK(loaded.ok(), "a dump loads");
        scope.Push(*loaded);
        RUBRIC_CHECK(m.Dump(*loaded).value_or("") == *dump, "what a dump loads to gives it again");
      }
    }
  }
  m.vm().CollectGarbage();
  m.vm().CheckInvariants();
  return 0;
}
