#include "experiments/suite/schedule.h"

#include <numeric>
#include <string_view>
#include <utility>

#include "core/base/check.h"
#include "reports/results/record.h"

namespace rubric {
namespace {

// SplitMix64. The standard library's distributions and std::shuffle differ between libraries.
class Generator {
 public:
  explicit Generator(std::uint64_t state) : state_(state) {}

  std::uint64_t Next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  // Uniform in [0, bound) by rejection. REQUIRES: bound > 0.
  std::uint64_t Below(std::uint64_t bound) {
    const std::uint64_t unfair = (0 - bound) % bound;  // 2^64 mod bound
    for (;;) {
      const std::uint64_t drawn = Next();
      if (drawn >= unfair) return drawn % bound;
    }
  }

 private:
  std::uint64_t state_;
};

// The numbers [0, size) in random order (Fisher and Yates).
std::vector<int> Shuffled(int size, Generator& generator) {
  std::vector<int> numbers(static_cast<std::size_t>(size));
  std::iota(numbers.begin(), numbers.end(), 0);
  for (std::size_t i = numbers.size(); i > 1; --i) {
    std::swap(numbers[i - 1], numbers[generator.Below(i)]);
  }
  return numbers;
}

// A generator for one round of one pass, unrelated to the others'.
Generator ForRound(std::uint64_t seed, std::string_view pass, int round) {
  std::uint64_t state = seed;
  for (const char c : pass) state = Generator(state + static_cast<unsigned char>(c)).Next();
  return Generator(Generator(state + static_cast<std::uint64_t>(round)).Next());
}

}  // namespace

std::vector<Step> MakeSchedule(int cells, int variants, int rounds,
                               const std::vector<std::string>& other_passes, std::uint64_t seed) {
  RUBRIC_CHECK(cells >= 0 && variants >= 0 && rounds >= 0);
  std::vector<Step> steps;
  const auto add_round = [&](std::string_view pass, int round) {
    Generator generator = ForRound(seed, pass, round);
    for (const int cell : Shuffled(cells, generator)) {
      for (const int variant : Shuffled(variants, generator)) {
        steps.push_back({static_cast<int>(steps.size()), std::string(pass), round, cell, variant});
      }
    }
  };
  for (int round = 0; round < rounds; ++round) add_round(kTimePass, round);
  for (const std::string& pass : other_passes) add_round(pass, 0);
  return steps;
}

}  // namespace rubric
