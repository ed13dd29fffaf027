#include "experiments/replay/census_plan.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "core/base/check.h"
#include "reports/results/concat.h"

namespace rubric {
namespace {

// The turns in which garbage is made.
constexpr std::size_t kTurns = 1024;

// What lives long may be large; what dies young is not.
std::uint64_t LargestGarbage(RubyType type) { return type == RubyType::kString ? 1024 : 64; }

std::size_t Index(RubyType type) { return static_cast<std::size_t>(type); }

Shape Sized(Type type, std::uint64_t size, bool shared = false) {
  return Shape{.type = type, .shared = shared, .size = size, .klass = Shape::kNoClass, .ivars = {}};
}

// Takes `count` off the unshared objects of `sizes`, in order, and gives them by size. What there is
// no size for is of size 0.
std::vector<std::pair<std::uint64_t, std::uint64_t>> TakeFrom(std::vector<SizeClass>& sizes,
                                                              std::uint64_t count) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> taken;
  for (SizeClass& each : sizes) {
    const std::uint64_t n = std::min(count, each.count - each.shared);
    if (n == 0) continue;
    each.count -= n;
    count -= n;
    taken.push_back({each.size, n});
  }
  if (count > 0) taken.push_back({0, count});
  return taken;
}

// The strings, arrays or hashes of a census that have no ivars.
void AddSizes(Type type, const std::vector<SizeClass>& sizes, CensusPlan& plan) {
  for (const SizeClass& each : sizes) {
    if (each.shared > 0) plan.shapes[Sized(type, each.size, true)] += each.shared;
    if (each.count > each.shared) plan.shapes[Sized(type, each.size)] += each.count - each.shared;
  }
}

// Objects of other types that have ivars; those of `census`' sizes are taken off there.
void AddOthers(Census& census, CensusPlan& plan) {
  for (const ObjectClass& objects : census.others) {
    Shape shape{.type = StandInFor(objects.type),
                .shared = false,
                .size = DataBytes(objects.type),
                .klass = objects.klass,
                .ivars = {census.ivar_names.begin() + objects.ivars.begin,
                          census.ivar_names.begin() + objects.ivars.end}};
    std::vector<SizeClass>* sizes = objects.type == RubyType::kString  ? &census.strings
                                    : objects.type == RubyType::kArray ? &census.arrays
                                    : objects.type == RubyType::kHash  ? &census.hashes
                                                                       : nullptr;
    if (sizes == nullptr) {
      plan.shapes[shape] += objects.count;
      continue;
    }
    for (const auto& [size, count] : TakeFrom(*sizes, objects.count)) {
      shape.size = size;
      plan.shapes[shape] += count;
    }
  }
}

// The garbage by type, and within strings, arrays and hashes by the sizes of the small ones that
// live.
std::vector<Shape> GarbageOf(const Census& census) {
  std::vector<std::pair<Shape, double>> weights;
  for (std::size_t i = 0; i < kRubyTypeCount; ++i) {
    auto type = static_cast<RubyType>(i);
    const auto all = static_cast<double>(census.garbage[i]);
    if (all == 0) continue;
    if (type == RubyType::kSymbol) type = RubyType::kString;  // a name would be needed
    const std::vector<SizeClass>* sizes = type == RubyType::kString  ? &census.strings
                                          : type == RubyType::kArray ? &census.arrays
                                          : type == RubyType::kHash  ? &census.hashes
                                                                     : nullptr;
    double total = 0;
    if (sizes != nullptr) {
      for (const SizeClass& each : *sizes) {
        if (each.size <= LargestGarbage(type)) total += static_cast<double>(each.count);
      }
    }
    if (total == 0) {
      weights.push_back({Sized(StandInFor(type), DataBytes(type)), all});
      continue;
    }
    for (const SizeClass& each : *sizes) {
      if (each.size > LargestGarbage(type)) continue;
      weights.push_back(
          {Sized(StandInFor(type), each.size), all * static_cast<double>(each.count) / total});
    }
  }
  double sum = 0;
  for (const auto& [shape, weight] : weights) sum += weight;
  std::vector<Shape> turns;
  double so_far = 0;
  for (const auto& [shape, weight] : weights) {
    so_far += weight;
    const auto until = static_cast<std::size_t>(so_far / sum * kTurns + 0.5);
    while (turns.size() < std::min(until, kTurns)) turns.push_back(shape);
  }
  // Interleaved: an odd step visits each of a power of two.
  std::vector<Shape> interleaved;
  for (std::size_t i = 0; i < turns.size() && turns.size() == kTurns; ++i) {
    interleaved.push_back(turns[i * 619 % kTurns]);
  }
  return interleaved;
}

absl::Status CheckBytes(const CensusPlan& plan) {
  double bytes = 0;
  for (const std::uint64_t slots : plan.slots) bytes += static_cast<double>(slots) * kSlotBytes;
  for (const auto& [shape, count] : plan.shapes) {
    const double unit = shape.type == Type::kArray ? 8 : shape.type == Type::kHash ? 24 : 1;
    bytes +=
        unit * static_cast<double>(shape.size) * (shape.shared ? 1.0 : static_cast<double>(count));
  }
  if (bytes <= static_cast<double>(kMaxLiveBytes)) return absl::OkStatus();
  return absl::InvalidArgumentError(Concat("expected a mark whose objects take at most ",
                                           kMaxLiveBytes, " bytes, found one of some ", bytes));
}

}  // namespace

Type StandInFor(RubyType type) {
  switch (type) {
    case RubyType::kObject:
    case RubyType::kStruct:
      return Type::kObject;
    case RubyType::kClass:
    case RubyType::kModule:
    case RubyType::kIclass:
      return Type::kClass;
    case RubyType::kFloat:
      return Type::kFloat;
    case RubyType::kString:
      return Type::kString;
    case RubyType::kArray:
      return Type::kArray;
    case RubyType::kHash:
      return Type::kHash;
    case RubyType::kSymbol:
      return Type::kSymbol;
    case RubyType::kImemo:
    case RubyType::kNode:
      return Type::kImemo;
    case RubyType::kRegexp:
    case RubyType::kBignum:
    case RubyType::kFile:
    case RubyType::kData:
    case RubyType::kMatch:
    case RubyType::kComplex:
    case RubyType::kRational:
      return Type::kData;
  }
  return Type::kData;
}

std::uint64_t DataBytes(RubyType type) {
  switch (type) {
    case RubyType::kRegexp:
      return 500;
    case RubyType::kMatch:
      return 130;
    case RubyType::kFile:
      return 240;
    case RubyType::kData:
      return 80;
    default:
      return 0;  // all of it is in the slot
  }
}

absl::StatusOr<CensusPlan> PlanOf(const Census& given) {
  Census census = given;  // sizes are taken off
  CensusPlan plan;
  plan.iseqs = census.iseqs;
  for (std::size_t i = 0; i < kRubyTypeCount; ++i) {
    plan.slots[static_cast<std::size_t>(StandInFor(static_cast<RubyType>(i)))] += census.slots[i];
  }
  for (const auto* list : {&census.objects, &census.others}) {
    for (const ObjectClass& objects : *list) {
      plan.ivars[static_cast<std::size_t>(StandInFor(objects.type))] +=
          objects.count * objects.ivars.size();
    }
  }
  plan.garbage = GarbageOf(census);
  for (const ObjectClass& objects : census.objects) {
    plan.shapes[{.type = Type::kObject,
                 .shared = false,
                 .size = 0,
                 .klass = objects.klass,
                 .ivars = {census.ivar_names.begin() + objects.ivars.begin,
                           census.ivar_names.begin() + objects.ivars.end}}] += objects.count;
  }
  AddOthers(census, plan);
  AddSizes(Type::kString, census.strings, plan);
  AddSizes(Type::kArray, census.arrays, plan);
  AddSizes(Type::kHash, census.hashes, plan);
  SlotsByType with_ivars{};
  for (const ObjectClass& objects : census.others) with_ivars[Index(objects.type)] += objects.count;
  for (std::size_t i = 0; i < kRubyTypeCount; ++i) {
    const auto type = static_cast<RubyType>(i);
    if (StandInFor(type) != Type::kData || census.slots[i] <= with_ivars[i]) continue;
    plan.shapes[Sized(Type::kData, DataBytes(type))] += census.slots[i] - with_ivars[i];
  }
  if (census.SlotsOf(RubyType::kFloat) > 0) {
    plan.shapes[Sized(Type::kFloat, 0)] = census.SlotsOf(RubyType::kFloat);
  }
  if (absl::Status status = CheckBytes(plan); !status.ok()) return status;
  return plan;
}

}  // namespace rubric
