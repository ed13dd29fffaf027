// Shape: what replay knows of an object that it keeps or drops: enough to make one like it.
#ifndef RUBRIC_EXPERIMENTS_REPLAY_SHAPE_H_
#define RUBRIC_EXPERIMENTS_REPLAY_SHAPE_H_

#include <compare>
#include <cstdint>
#include <vector>

#include "core/value/slot.h"
#include "experiments/workload/events.h"

namespace rubric {

struct Shape {
  static constexpr StringId kNoClass = UINT32_MAX;

  Type type = Type::kObject;
  bool shared = false;          // points into another's buffer
  std::uint64_t size = 0;       // bytes, elements, entries, or bytes of a T_DATA's data
  StringId klass = kNoClass;    // the class that the workload names
  std::vector<StringId> ivars;  // in order of setting

  bool has_ivars() const { return !ivars.empty(); }
  // True iff the strings of the workload are needed to make one.
  bool named() const { return klass != kNoClass || has_ivars(); }

  friend auto operator<=>(const Shape&, const Shape&) = default;
};

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_REPLAY_SHAPE_H_
