// FeatureKeysFuzz: a program over features and keys, decoded from bytes, that runs on one backend
// and on the oracle at once.
//
// USE        RunFeatureKeysFuzz<CopiedFeatureKeys>(data, size) aborts where the two disagree. Every
//            byte string is a program of lines; the first byte of a line says what it does with the
//            rest of it: 'p' provide it, 'l' look it up, 'g' collect, 's' make each allocation
//            collect or stop that, 'c' clear. Any other line is provided and then looked up whole.
// SOURCE     The shape (State, one function an operation) is that of tcmalloc's
//            central_freelist_fuzz.cc.
#ifndef RUBRIC_CORE_FEATURE_KEYS_FEATURE_KEYS_FUZZ_H_
#define RUBRIC_CORE_FEATURE_KEYS_FEATURE_KEYS_FUZZ_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/check.h"
#include "core/feature_keys/feature_keys.h"
#include "core/feature_keys/feature_keys_oracle.h"
#include "core/feature_keys/feature_world.h"
#include "core/memory/counters.h"

namespace rubric {

template <FeatureKeysBackend Keys>
class FeatureKeysFuzz {
 public:
  void Perform(const std::string& line) {
    const std::string rest = line.empty() ? line : line.substr(1);
    switch (line.empty() ? '\0' : line[0]) {
      case 'p':
        return Provide(rest);
      case 'l':
        return LookUp(rest);
      case 'g':
        return world_.CollectNow();
      case 's':
        return world_.heap().set_stress(!world_.heap().stress());
      case 'c':
        world_.Clear();
        oracle_.Clear();
        return;
      default:
        Provide(line);
        return LookUp(line);
    }
  }

  void CheckAll() {
    oracle_.ForEach(
        [&](const std::string& key, const std::vector<FeaturePosition>&) { LookUp(key); });
    RUBRIC_CHECK(world_.keys().key_count() <= oracle_.key_count());
    RUBRIC_CHECK(!Keys::kTraits.keys_are_exact || world_.keys().key_count() == oracle_.key_count());
    world_.CheckInvariants();
    world_.heap().CheckInvariants();
  }

 private:
  void Provide(const std::string& path) { oracle_.Add(path, world_.Provide(path)); }
  void LookUp(const std::string& key) {
    RUBRIC_CHECK(world_.Positions(key) == oracle_.Positions(key), "the oracle knows better");
  }

  FeatureWorld<Keys> world_;
  FeatureKeysOracle oracle_;
};

template <FeatureKeysBackend Keys>
void RunFeatureKeysFuzz(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kMaxLine = 12'000;  // bytes; keys of a path are of its square
  const std::int64_t live = TakeSnapshot()[Subsystem::kFeatures].live_bytes;
  {
    FeatureKeysFuzz<Keys> program;
    std::string_view text(reinterpret_cast<const char*>(data), size);
    while (!text.empty()) {
      std::string line(text.substr(0, std::min(text.find('\n'), kMaxLine)));
      text.remove_prefix(std::min(line.size() + 1, text.size()));
      // Paths have no NUL.
      std::replace(line.begin(), line.end(), '\0', '/');
      program.Perform(line);
    }
    program.CheckAll();
  }
  RUBRIC_CHECK(TakeSnapshot()[Subsystem::kFeatures].live_bytes == live, "the index leaked");
}

}  // namespace rubric

#endif  // RUBRIC_CORE_FEATURE_KEYS_FEATURE_KEYS_FUZZ_H_
