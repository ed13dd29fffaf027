// CensusPlan: what must be alive at a mark, and what the garbage before it is made of, in the
// runtime's own types.
//
// USE        PlanOf(census) once a mark. `shapes` is what the census tells of; what it does not
//            tell of is the difference to `slots`, and is made as bare slots of the type.
// LAYOUT     Ruby's types that the runtime does not have stand as others: T_MODULE and T_ICLASS as
//            T_CLASS, T_STRUCT as T_OBJECT, T_NODE as T_IMEMO; T_REGEXP, T_MATCH, T_FILE, T_BIGNUM,
//            T_RATIONAL and T_COMPLEX as T_DATA, with DataBytes of their own.
// ERRORS     InvalidArgument where what is to live would take more than kMaxLiveBytes.
// TESTED BY  replay_test.cc.
#ifndef RUBRIC_EXPERIMENTS_REPLAY_CENSUS_PLAN_H_
#define RUBRIC_EXPERIMENTS_REPLAY_CENSUS_PLAN_H_

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "absl/status/statusor.h"
#include "core/value/slot.h"
#include "experiments/replay/shape.h"
#include "experiments/workload/events.h"

namespace rubric {

using CountsByType = std::array<std::uint64_t, kTypeCount>;

inline constexpr std::uint64_t kMaxLiveBytes = std::uint64_t{1} << 34;

// The runtime's type for one of Ruby's.
Type StandInFor(RubyType type);

// Bytes that an object of this type owns outside its slot, typically: the mean of memsize_of over a
// booted Ruby 3.1, less the slot.
std::uint64_t DataBytes(RubyType type);

struct CensusPlan {
  CountsByType slots{};                   // alive in all
  CountsByType ivars{};                   // set in all, by the type of the object
  std::uint64_t iseqs = 0;                // of slots[kImemo]
  std::map<Shape, std::uint64_t> shapes;  // how many of each
  std::vector<Shape> garbage;             // to be made in turn, again and again; may be empty

  std::uint64_t SlotsOf(Type type) const { return slots[static_cast<std::size_t>(type)]; }
};

absl::StatusOr<CensusPlan> PlanOf(const Census& census);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_REPLAY_CENSUS_PLAN_H_
