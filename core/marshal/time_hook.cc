#include "core/marshal/time_hook.h"

#include <numeric>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/marshal/format.h"
#include "core/object/string.h"
#include "core/object/time.h"
#include "core/value/slot.h"

namespace rubric {
namespace {

constexpr std::string_view kNanoNum = "nano_num";
constexpr std::string_view kNanoDen = "nano_den";
constexpr std::string_view kSubmicro = "submicro";
constexpr std::string_view kOffset = "offset";
constexpr std::string_view kZone = "zone";

constexpr std::int64_t kFirstYear = 1900;
constexpr std::int64_t kLastYear = kFirstYear + 0xffff;

void AppendWord(std::string& out, std::uint32_t word) {
  for (int i = 0; i < 4; ++i) out.push_back(static_cast<char>(word >> (8 * i) & 0xff));
}

std::uint32_t WordAt(std::string_view bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    word |= std::uint32_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  }
  return word;
}

std::string TimeBytes(const TimeData& time) {
  const CivilTime civil = Civil(time.seconds);
  std::int64_t year = civil.year - kFirstYear;
  std::uint64_t beyond = 0;
  if (civil.year < kFirstYear) {
    beyond = static_cast<std::uint64_t>(kFirstYear - civil.year);
    year = 0;
  } else if (civil.year > kLastYear) {
    beyond = static_cast<std::uint64_t>(civil.year - kLastYear);
    year = 0xffff;
  }
  std::string bytes;
  AppendWord(bytes, std::uint32_t{1} << 31 | std::uint32_t{time.utc} << 30 |
                        static_cast<std::uint32_t>(year) << 14 |
                        static_cast<std::uint32_t>(civil.month - 1) << 10 |
                        static_cast<std::uint32_t>(civil.day) << 5 |
                        static_cast<std::uint32_t>(civil.hour));
  AppendWord(bytes, static_cast<std::uint32_t>(civil.minute) << 26 |
                        static_cast<std::uint32_t>(civil.second) << 20 |
                        static_cast<std::uint32_t>(time.microseconds));
  if (civil.year >= kFirstYear && civil.year <= kLastYear) return bytes;
  std::string distance;
  for (; beyond != 0; beyond >>= 8) distance.push_back(static_cast<char>(beyond & 0xff));
  bytes.append(MarshalLong(static_cast<std::int64_t>(distance.size())).bytes());
  return bytes.append(distance);
}

// The three decimal digits of whole nanoseconds, two a byte, the last byte left out where it is 0.
std::string SubmicroDigits(std::int64_t nanoseconds) {
  std::string digits = {static_cast<char>(nanoseconds / 100 << 4 | nanoseconds / 10 % 10),
                        static_cast<char>(nanoseconds % 10 << 4)};
  if (digits[1] == 0) digits.pop_back();
  return digits;
}

void SetAttribute(MarshalHost& host, RString* data, std::string_view name, Value value) {
  HandleScope scope(host.heap().roots());
  scope.Push(value);
  const Id id = host.IdNamed(name);
  host.IvarSet(data, id, value);
}

absl::StatusOr<RString*> DumpTime(MarshalHost& host, RBasic* object) {
  const TimeData* time = AsTime(Value(object));
  if (time == nullptr) return absl::InvalidArgumentError("a Time that holds no time");
  HandleScope scope(host.heap().roots());
  Heap& heap = host.heap();
  RClass* string_class = host.classes().string;
  RString* data = scope.Keep(NewString(heap, string_class, TimeBytes(*time), Encoding::kBinary));
  host.CopyGenericIvars(object, data);
  if (time->nano_num != 0) {
    SetAttribute(host, data, kNanoNum, Value::Fixnum(time->nano_num));
    SetAttribute(host, data, kNanoDen, Value::Fixnum(time->nano_den));
    SetAttribute(
        host, data, kSubmicro,
        Value(NewString(heap, string_class, SubmicroDigits(time->nano_num / time->nano_den),
                        Encoding::kBinary)));
  }
  if (!time->utc) SetAttribute(host, data, kOffset, Value::Fixnum(time->utc_offset));
  SetAttribute(host, data, kZone, time->zone == nullptr ? Value::Nil() : Value(time->zone));
  return data;
}

absl::Status Bad(std::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("a Time with ", std::string(what)));
}

// Seconds, microseconds and utc of the data's bytes.
absl::Status ReadTimeBytes(std::string_view bytes, TimeData& time) {
  if (bytes.size() < 8) return Bad("less than 8 bytes");
  const std::uint32_t high = WordAt(bytes, 0);
  const std::uint32_t low = WordAt(bytes, 4);
  bytes.remove_prefix(8);
  if (high >> 31 == 0) {  // Ruby 1.6 wrote seconds and microseconds
    time.seconds = static_cast<std::int32_t>(high);
    time.microseconds = static_cast<std::int32_t>(low);
    return low < 1'000'000 ? absl::OkStatus() : Bad("a million microseconds or more");
  }
  CivilTime civil = {.year = (high >> 14 & 0xffff) + kFirstYear,
                     .month = static_cast<int>(high >> 10 & 0xf) + 1,
                     .day = static_cast<int>(high >> 5 & 0x1f),
                     .hour = static_cast<int>(high & 0x1f),
                     .minute = static_cast<int>(low >> 26),
                     .second = static_cast<int>(low >> 20 & 0x3f)};
  if (!bytes.empty() && (civil.year == kFirstYear || civil.year == kLastYear)) {
    const int length = static_cast<unsigned char>(bytes[0]);
    const std::size_t count = length == 0 ? 0 : static_cast<std::size_t>(length - 5);
    if ((length != 0 && length < 6) || count > 6 || bytes.size() < 1 + count) {
      return Bad("a year out of range");
    }
    std::int64_t beyond = 0;
    for (std::size_t i = count; i > 0; --i) {
      beyond = beyond << 8 | static_cast<unsigned char>(bytes[i]);
    }
    civil.year += civil.year == kFirstYear ? -beyond : beyond;
  }
  // Leaves a year for the month and day.
  if (civil.year <= -kMaxYear || civil.year >= kMaxYear) return Bad("a year out of range");
  if (civil.month > 12) return Bad("a month out of range");
  if (civil.day == 0) return Bad("a day out of range");
  if (civil.hour > 23 || civil.minute > 59 || civil.second > 59) {
    return Bad("an hour, minute or second out of range");
  }
  time.seconds = SecondsOf(civil);
  if (time.seconds < -kMaxSeconds || time.seconds > kMaxSeconds) return Bad("a year out of range");
  time.microseconds = static_cast<std::int32_t>(low & 0xfffff);
  time.utc = (high >> 30 & 1) != 0;
  return time.microseconds < 1'000'000 ? absl::OkStatus() : Bad("a million microseconds or more");
}

// The attribute, nil if there is none; taken off the data unless it is to stay.
Value TakeAttribute(MarshalHost& host, RString* data, std::string_view name, bool keep) {
  const Id id = host.IdNamed(name);
  const std::optional<Value> value = keep ? host.IvarGet(data, id) : host.IvarRemove(data, id);
  return value.value_or(Value::Nil());
}

absl::Status ReadFraction(Value num, Value den, Value digits, TimeData& time) {
  if (num.IsFixnum() && den.IsFixnum()) {
    const std::int64_t divisor = std::gcd(num.AsFixnum(), den.AsFixnum());
    if (num.AsFixnum() < 0 || den.AsFixnum() <= 0 || num.AsFixnum() / den.AsFixnum() >= 1000) {
      return Bad("nanoseconds out of range");
    }
    time.nano_num = num.AsFixnum() / divisor;
    time.nano_den = den.AsFixnum() / divisor;
    return absl::OkStatus();
  }
  if (!num.IsNil() || !den.IsNil()) return Bad("nanoseconds that are no fraction of fixnums");
  if (digits.IsNil()) return absl::OkStatus();
  if (!IsType(digits, Type::kString)) return Bad("digits that are no String");
  constexpr int kWeights[] = {100, 10, 1};
  const std::string_view bytes = As<RString>(digits)->bytes();
  for (std::size_t i = 0; i < 3 && i / 2 < bytes.size(); ++i) {
    const int digit = static_cast<unsigned char>(bytes[i / 2]) >> (i % 2 == 0 ? 4 : 0) & 0xf;
    if (digit > 9) return Bad("digits that are none");
    time.nano_num += digit * kWeights[i];
  }
  return absl::OkStatus();
}

template <bool kKeepAttributes>
absl::StatusOr<RBasic*> LoadTime(MarshalHost& host, RClass* klass, RString* data) {
  TimeData time;
  if (absl::Status status = ReadTimeBytes(data->bytes(), time); !status.ok()) return status;
  HandleScope scope(host.heap().roots());
  // Each is kept: once taken off, nothing else may refer to it.
  const auto take = [&](std::string_view name) {
    return scope.Push(TakeAttribute(host, data, name, kKeepAttributes));
  };
  const Value num = take(kNanoNum), den = take(kNanoDen), digits = take(kSubmicro);
  if (absl::Status status = ReadFraction(num, den, digits, time); !status.ok()) return status;
  const Value offset = take(kOffset);
  if (offset.IsFixnum() && offset.AsFixnum() > -86'400 && offset.AsFixnum() < 86'400) {
    if (!time.utc) time.utc_offset = static_cast<std::int32_t>(offset.AsFixnum());
  } else if (!offset.IsNil()) {
    return Bad("an offset that is not less than a day");
  }
  const Value zone = take(kZone);
  if (IsType(zone, Type::kString)) {
    // Equal zones are one String, which a dump then links to.
    time.zone = scope.Keep(host.Fstring(As<RString>(zone)));
  } else if (!zone.IsNil()) {
    return Bad("a zone that is neither a String nor nil");
  }
  RData* made = scope.Keep(NewTime(host.heap(), klass, time));
  host.CopyGenericIvars(data, made);
  return made;
}

}  // namespace

const UserDefinedHook kTimeHook = {&DumpTime, &LoadTime<false>};
const UserDefinedHook kAttributesKeepingTimeHook = {&DumpTime, &LoadTime<true>};

}  // namespace rubric
