// Subsystem: the tag that says which part of the runtime an allocation belongs to.
//
// USE        Every allocation of the runtime names one; reports show memory by these names. A free
//            must name the subsystem of its allocation (malloc_log_test.cc holds the two together).
#ifndef RUBRIC_CORE_MEMORY_SUBSYSTEM_H_
#define RUBRIC_CORE_MEMORY_SUBSYSTEM_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace rubric {

enum class Subsystem : std::uint8_t {
  kHeapPages,   // page bodies and their descriptors
  kCollector,   // mark stack, root stack, page list
  kStrings,     // string buffers
  kArrays,      // array buffers
  kHashes,      // T_HASH tables
  kObjects,     // T_OBJECT ivar arrays
  kClasses,     // class extensions, index tables, constant and method names
  kData,        // what T_DATA objects own
  kInterning,   // frozen-string and symbol tables
  kIvars,       // generic ivars
  kFeatures,    // loaded-features index and load path
  kIseqs,       // instruction sequences and their literals
  kVm,          // what remains of the VM itself
  kTls,         // what OpenSSL allocates, where an experiment uses it
  kExperiment,  // what an experiment's own program holds
};

inline constexpr std::size_t kSubsystemCount = 15;

inline constexpr std::array<std::string_view, kSubsystemCount> kSubsystemNames = {
    "heap_pages", "collector", "strings",  "arrays", "hashes", "objects", "classes",   "data",
    "interning",  "ivars",     "features", "iseqs",  "vm",     "tls",     "experiment"};

constexpr std::string_view SubsystemName(Subsystem subsystem) {
  return kSubsystemNames[static_cast<std::size_t>(subsystem)];
}

static_assert(SubsystemName(Subsystem::kExperiment) == "experiment");

}  // namespace rubric

#endif  // RUBRIC_CORE_MEMORY_SUBSYSTEM_H_
