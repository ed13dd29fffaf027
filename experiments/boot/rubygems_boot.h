// RubyGemsBoot: the recorded boot of RubyGems (experiments/workloads), as bytes of the program.
//
// LAYOUT     Its mark `start` is what ruby has without RubyGems; what follows is RubyGems.
#ifndef RUBRIC_EXPERIMENTS_BOOT_RUBYGEMS_BOOT_H_
#define RUBRIC_EXPERIMENTS_BOOT_RUBYGEMS_BOOT_H_

#include "experiments/workload/gzip_lines.h"

namespace rubric {

WorkloadSource RubyGemsBoot();

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_BOOT_RUBYGEMS_BOOT_H_
