#include "core/object/time.h"

#include "core/base/check.h"
#include "core/heap/marker.h"
#include "core/memory/allocate.h"
#include "core/object/object_space.h"
#include "core/value/slot.h"

namespace rubric {
namespace {

constexpr DataType kTimeType = {
    .name = "time",
    .mark =
        [](void* data, Marker& marker) {
          if (data != nullptr) marker.MarkSlot(static_cast<TimeData*>(data)->zone);
        },
    .free = [](void* data) { Destroy<Subsystem::kData>(static_cast<TimeData*>(data)); },
    .memsize = [](const void*) { return sizeof(TimeData); }};

constexpr std::int64_t kSecondsADay = 86'400;
constexpr std::int64_t kDaysAnEra = 146'097;    // 400 years
constexpr std::int64_t kDaysToEpoch = 719'468;  // from 0000-03-01 to 1970-01-01

constexpr std::int64_t FloorDivide(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

}  // namespace

RData* NewTime(Heap& heap, RClass* klass, const TimeData& time) {
  RUBRIC_CHECK(time.microseconds >= 0 && time.microseconds < 1'000'000);
  RUBRIC_CHECK(time.seconds >= -kMaxSeconds && time.seconds <= kMaxSeconds);
  RUBRIC_CHECK(time.nano_den > 0 && time.nano_num >= 0);
  RUBRIC_CHECK(!time.utc || time.utc_offset == 0);
  RData* slot = NewData(heap, klass, &kTimeType, nullptr);
  slot->data = Make<Subsystem::kData, TimeData>(time);
  return slot;
}

const TimeData* AsTime(Value v) {
  if (!IsType(v, Type::kData) || As<RData>(v)->data_type != &kTimeType) return nullptr;
  return static_cast<const TimeData*>(As<RData>(v)->data);
}

// Years begin with March here, so that the leap day is a year's last.
CivilTime Civil(std::int64_t seconds) {
  const std::int64_t day_number = FloorDivide(seconds, kSecondsADay);
  const auto of_day = static_cast<int>(seconds - day_number * kSecondsADay);
  const std::int64_t since_march = day_number + kDaysToEpoch;
  const std::int64_t era = FloorDivide(since_march, kDaysAnEra);
  const std::int64_t day_of_era = since_march - era * kDaysAnEra;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const auto day_of_year =
      static_cast<int>(day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100));
  const int month_from_march = (5 * day_of_year + 2) / 153;
  const int month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
  return {.year = year_of_era + era * 400 + (month <= 2 ? 1 : 0),
          .month = month,
          .day = day_of_year - (153 * month_from_march + 2) / 5 + 1,
          .hour = of_day / 3600,
          .minute = of_day / 60 % 60,
          .second = of_day % 60};
}

std::int64_t SecondsOf(const CivilTime& civil) {
  RUBRIC_CHECK(civil.year >= -kMaxYear && civil.year <= kMaxYear);
  const std::int64_t year = civil.year - (civil.month <= 2 ? 1 : 0);
  const std::int64_t era = FloorDivide(year, 400);
  const std::int64_t year_of_era = year - era * 400;
  const int month_from_march = civil.month > 2 ? civil.month - 3 : civil.month + 9;
  const std::int64_t day_of_year = (153 * month_from_march + 2) / 5 + civil.day - 1;
  const std::int64_t day_of_era =
      year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  const std::int64_t days = era * kDaysAnEra + day_of_era - kDaysToEpoch;
  return days * kSecondsADay + civil.hour * 3600 + civil.minute * 60 + civil.second;
}

}  // namespace rubric
