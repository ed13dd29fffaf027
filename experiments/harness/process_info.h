// What a process can say of itself: its build, its machine, its circumstances and its own memory.
//
// TESTED BY  process_info_test.cc.
#ifndef RUBRIC_EXPERIMENTS_HARNESS_PROCESS_INFO_H_
#define RUBRIC_EXPERIMENTS_HARNESS_PROCESS_INFO_H_

#include <cstdint>

#include "reports/results/record.h"

namespace rubric {

// Compiler, optimization, sanitizer, and the allocator that malloc resolves to in this process.
BuildInfo DescribeBuild();

MachineInfo DescribeMachine();

// ASLR as set for this process, and the CPUs it may run on.
RunInfo DescribeRun(std::uint64_t hash_seed);

// Starts this program over with a fixed address layout, once: tables keyed by address differ in
// order from process to process otherwise, and with it malloc's remainders. Returns where the
// layout is fixed already, the system refuses (DescribeRun says which), or valgrind rules it.
void FixAddressLayout(char** argv);

// From /proc/self/status, bytes, and getrusage. To be asked for as the process's last act.
// High-water marks are this process's own: a child's ru_maxrss would start at its parent's.
struct ProcessMemory {
  std::int64_t rss_bytes = 0;
  std::int64_t vm_hwm_bytes = 0;
  std::int64_t minor_faults = 0;
};
ProcessMemory ReadProcessMemory();

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_HARNESS_PROCESS_INFO_H_
