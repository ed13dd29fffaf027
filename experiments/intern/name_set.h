// NameSet: generated names for the intern experiment, and the order in which they are looked up.
//
// USE        NameSet::Make(count, length, kind, seed): `count` distinct names of `length` bytes
//            each. Plain names are a number in base 36 behind a fixed filling. Colliding names are
//            chosen so that the low bits of their hash, those that choose a bin in a table of up to
//            2 x count bins, are the same: each lookup then meets the others.
// COST       Plain: O(count x length). Colliding: about 2 x count tries a name, 20 ns each.
// ERRORS     InvalidArgument if so many names of that length do not exist, or cannot be found.
// TESTED BY  name_set_test.cc.
#ifndef RUBRIC_EXPERIMENTS_INTERN_NAME_SET_H_
#define RUBRIC_EXPERIMENTS_INTERN_NAME_SET_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace rubric {

class NameSet {
 public:
  enum class Keys { kPlain, kColliding };

  // Names of different `salt` are disjoint, whatever else is the same. REQUIRES: salt < 36.
  static absl::StatusOr<NameSet> Make(std::size_t count, std::size_t length, Keys keys,
                                      std::uint64_t hash_seed, unsigned salt);

  std::size_t size() const { return count_; }
  std::string_view operator[](std::size_t i) const { return {&bytes_[i * length_], length_}; }

 private:
  NameSet(std::size_t count, std::size_t length) : count_(count), length_(length) {}

  std::size_t count_;
  std::size_t length_;
  std::string bytes_;  // all names, one after the other
};

// The i-th index to look up of `size`: 0, 1, 2, … or strides of 7,919, which visit all before any
// repeats.
class LookupOrder {
 public:
  enum class Kind { kSequential, kStrided };

  LookupOrder(Kind kind, std::size_t size)
      : size_(size),
        stride_(kind == Kind::kSequential ? 1 : (size % 7919 == 0 ? 7907 : 7919) % size) {}

  std::size_t Next() {
    const std::size_t now = at_;
    at_ += stride_;
    if (at_ >= size_) at_ -= size_;
    return now;
  }

 private:
  std::size_t size_;
  std::size_t stride_;
  std::size_t at_ = 0;
};

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_INTERN_NAME_SET_H_
