#include "experiments/boot/rubygems_boot.h"

#include <string_view>

namespace rubric {
namespace {

constexpr unsigned char kBytes[] = {
#include "experiments/boot/rubygems_boot_bytes.inc"
};

}  // namespace

WorkloadSource RubyGemsBoot() {
  return WorkloadSource::Memory("rubygems-boot.workload.gz",
                                {reinterpret_cast<const char*>(kBytes), sizeof(kBytes)});
}

}  // namespace rubric
