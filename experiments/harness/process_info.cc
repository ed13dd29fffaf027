#include "experiments/harness/process_info.h"

#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <sched.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <valgrind/valgrind.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "core/base/build_mode.h"

#ifndef __has_feature
#define __has_feature(x) 0
#endif

namespace rubric {
namespace {

std::string Compiler() {
#ifdef __clang__
  return std::string("clang++ ") + std::to_string(__clang_major__) + "." +
         std::to_string(__clang_minor__) + "." + std::to_string(__clang_patchlevel__);
#else
  return std::string("g++ ") + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__) +
         "." + std::to_string(__GNUC_PATCHLEVEL__);
#endif
}

// Checking builds are no measuring builds, whatever their optimization.
std::string Mode() {
#if !defined(__OPTIMIZE__)
  return "dbg";
#elif !defined(NDEBUG)
  return "fastbuild";
#else
  if (kHostile) return "hostile";
  if (kGcStressByDefault) return "gc_stress";
  if (kDchecks) return "checked";
  return "opt";
#endif
}

std::string Sanitizer() {
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
  return "asan";
#elif __has_feature(undefined_behavior_sanitizer)
  return "ubsan";
#else
  // gcc has no macro for it; its runtime's entry point is there iff it is linked in.
  return dlsym(RTLD_DEFAULT, "__ubsan_handle_type_mismatch_v1") != nullptr ? "ubsan" : "";
#endif
}

std::string Allocator() {
  if (dlsym(RTLD_DEFAULT, "mallctl") != nullptr) return "jemalloc";
  if (dlsym(RTLD_DEFAULT, "mi_version") != nullptr) return "mimalloc";
  return "glibc";
}

// The value of the first "name : value" line of a /proc file, or "".
std::string ProcField(const char* path, const std::string& name) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    if (!line.starts_with(name)) continue;
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::size_t value = line.find_first_not_of(" \t", colon + 1);
    return value == std::string::npos ? "" : line.substr(value);
  }
  return "";
}

std::int64_t StatusKilobytes(const std::string& name) {
  std::istringstream field(ProcField("/proc/self/status", name));
  std::int64_t kilobytes = 0;
  field >> kilobytes;
  return 1024 * kilobytes;
}

}  // namespace

BuildInfo DescribeBuild() {
  BuildInfo build;
  build.compiler = Compiler();
  build.mode = Mode();
  build.sanitizer = Sanitizer();
  build.allocator = Allocator();
  return build;
}

MachineInfo DescribeMachine() {
  MachineInfo machine;
  machine.cpu = ProcField("/proc/cpuinfo", "model name");
  machine.cores = sysconf(_SC_NPROCESSORS_ONLN);
  utsname names;
  if (uname(&names) == 0) machine.kernel = std::string(names.sysname) + " " + names.release;
  machine.libc = std::string("glibc ") + gnu_get_libc_version();
  return machine;
}

RunInfo DescribeRun(std::uint64_t hash_seed) {
  RunInfo run;
  run.hash_seed = hash_seed;
  const int persona = personality(0xffffffff);  // asks, changes nothing
  run.aslr = persona != -1 && (persona & ADDR_NO_RANDOMIZE) != 0 ? "off" : "on";
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  if (sched_getaffinity(0, sizeof(cpus), &cpus) == 0) {
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &cpus)) run.cpu_affinity.push_back(cpu);
    }
  }
  return run;
}

void FixAddressLayout(char** argv) {
  constexpr char kTried[] = "RUBRIC_LAB_RESTARTED";  // or a refusal would be a loop
  const bool tried = getenv(kTried) != nullptr;
  unsetenv(kTried);  // nor may a child take it for its own
  if (tried || RUNNING_ON_VALGRIND) return;
  const int persona = personality(0xffffffff);
  if (persona == -1 || (persona & ADDR_NO_RANDOMIZE) != 0) return;
  if (personality(static_cast<unsigned long>(persona) | ADDR_NO_RANDOMIZE) == -1) return;
  setenv(kTried, "1", 1);
  execv("/proc/self/exe", argv);
  // Still the old process: its layout is random, whatever a later one's would be.
  personality(static_cast<unsigned long>(persona));
  unsetenv(kTried);
}

ProcessMemory ReadProcessMemory() {
  ProcessMemory memory;
  memory.rss_bytes = StatusKilobytes("VmRSS");
  memory.vm_hwm_bytes = StatusKilobytes("VmHWM");
  rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) == 0) memory.minor_faults = usage.ru_minflt;
  return memory;
}

}  // namespace rubric
