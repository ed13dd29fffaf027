// T_TIME: points of time, as T_DATA of class Time; and the civil calendar they are written in.
//
// USE        NewTime makes one, AsTime tells Times from other values. Civil and SecondsOf convert
//            between seconds since 1970-01-01 00:00:00 UTC and the proleptic Gregorian calendar.
// LAYOUT     One malloc'd block a Time, Subsystem::kData: a TimeData.
// COST       NewTime: a slot and one malloc. Conversions: some 20 instructions, no loop.
// INVARIANTS (0) |seconds| <= kMaxSeconds. (1) 0 <= microseconds < 1,000,000. (2) 0 <= nano_num / nano_den < 1000, nano_den > 0.
//            (3) utc implies utc_offset 0.
// SOURCE     CRuby's struct time_object. Calendar: Howard Hinnant, "chrono-Compatible Low-Level
//            Date Algorithms".
// TESTED BY  time_test.cc, core/marshal's tests.
#ifndef RUBRIC_CORE_OBJECT_TIME_H_
#define RUBRIC_CORE_OBJECT_TIME_H_

#include <cstdint>

#include "core/heap/heap.h"
#include "core/object/layout.h"
#include "core/value/value.h"

namespace rubric {

struct TimeData {
  std::int64_t seconds = 0;   // since 1970-01-01 00:00:00 UTC
  std::int64_t nano_num = 0;  // nanoseconds beyond the microseconds are nano_num / nano_den
  std::int64_t nano_den = 1;
  RString* zone = nullptr;  // "CET" and the like; null where only the offset is known
  std::int32_t microseconds = 0;
  std::int32_t utc_offset = 0;  // seconds east of UTC
  bool utc = false;
};

// May collect: the zone must be kept by the caller.
RData* NewTime(Heap& heap, RClass* klass, const TimeData& time);

// What a Time holds, or null where `v` is none.
const TimeData* AsTime(Value v);

// A day of the calendar and a time of it. Ranges: month 1-12, day 1-31, hour 0-23, minute and
// second 0-59.
struct CivilTime {
  std::int64_t year;
  int month, day, hour, minute, second;
};

// Years of which every second fits 64 bits.
inline constexpr std::int64_t kMaxYear = 292'000'000'000;

inline constexpr std::int64_t kMaxSeconds = kMaxYear * 31'556'952;

// REQUIRES: -kMaxSeconds <= seconds <= kMaxSeconds, and a little more.
CivilTime Civil(std::int64_t seconds);

// REQUIRES: -kMaxYear <= year <= kMaxYear. A day beyond the month's last counts into the next.
std::int64_t SecondsOf(const CivilTime& civil);

}  // namespace rubric

#endif  // RUBRIC_CORE_OBJECT_TIME_H_
