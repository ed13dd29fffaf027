#include "experiments/marshal/marshal_cases.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "core/marshal/dump.h"
#include "core/marshal/load.h"
#include "core/object/array.h"
#include "core/object/array_mutation.h"
#include "core/object/object_space.h"
#include "core/object/string.h"
#include "core/object/time.h"
#include "core/value/slot.h"
#include "experiments/harness/experiment.h"

namespace rubric::marshal_experiment {
namespace {

constexpr std::int64_t kFloatsAtATime = 10'000;
constexpr std::int64_t kSeconds = 1'446'422'400;  // 2015-11-02
constexpr const char* kNames[] = {"@a", "@b", "@c"};
constexpr const char* kValues[] = {"a", "b", "c"};

// What `value` is dumped to and loaded from that.
absl::StatusOr<Value> DumpAndLoad(MarshalHost& host, Value value) {
  const absl::StatusOr<RString*> dump = MarshalDump(host, value);
  if (!dump.ok()) return dump.status();
  HandleScope scope(host.heap().roots());
  return MarshalLoad(host, scope.Keep(*dump)->bytes());
}

// The time of the n-th round: some nanoseconds past a microsecond, as most are.
TimeData TimeOf(std::int64_t n, RString* zone) {
  return {.seconds = kSeconds + n / 1'000'000'000,
          .nano_num = n % 999 + 1,
          .nano_den = 1,
          .zone = zone,
          .microseconds = static_cast<std::int32_t>(n / 1000 % 1'000'000),
          .utc_offset = 3600,
          .utc = false};
}

absl::Status CheckTime(MarshalHost& host, Value loaded, const TimeData& expected) {
  const TimeData* time = AsTime(loaded);
  if (time == nullptr || time->seconds != expected.seconds ||
      time->microseconds != expected.microseconds || time->nano_num != expected.nano_num ||
      time->nano_den != 1 || time->utc_offset != expected.utc_offset || time->utc ||
      time->zone != expected.zone) {
    return WrongResult("a loaded Time is not the one that was dumped");
  }
  const auto kept = host.IvarGet(loaded.AsSlot(), host.IdNamed("nano_num"));
  if (host.IvarCount(loaded.AsSlot()) != 5 || kept != Value::Fixnum(expected.nano_num)) {
    return WrongResult("a loaded Time does not have its attributes as ivars");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status DumpFloats(MarshalHost& host, std::int64_t count, Measurement& measurement) {
  HandleScope scope(host.heap().roots());
  RArray* floats = scope.Keep(NewArray(host.heap(), host.classes().array));
  Value& dump = scope.Push(Value::Nil());
  for (std::int64_t i = 0; i < std::min(count, kFloatsAtATime); ++i) {
    const Value number = NewFloat(host.heap(), host.classes().floating, static_cast<double>(i));
    Push(host.heap(), floats, number);
  }
  absl::Status status;
  measurement.Start();
  for (std::int64_t left = count; left > 0 && status.ok(); left -= kFloatsAtATime) {
    const absl::StatusOr<RString*> bytes = MarshalDump(host, Value(floats));
    if (bytes.ok()) dump = Value(*bytes);
    status = bytes.status();
  }
  measurement.Stop();
  if (!status.ok()) return WrongResult(std::string(status.message()));
  const absl::StatusOr<Value> loaded = MarshalLoad(host, As<RString>(dump)->bytes());
  if (!loaded.ok() || !IsType(*loaded, Type::kArray) ||
      !std::ranges::equal(As<RArray>(*loaded)->elements(), floats->elements())) {
    return WrongResult("the Floats that were loaded are not those that were dumped");
  }
  return absl::OkStatus();
}

absl::Status DumpAndLoadString(MarshalHost& host, std::int64_t count, Measurement& measurement) {
  HandleScope scope(host.heap().roots());
  RString* first = NewString(host.heap(), host.classes().string, {});
  Value& string = scope.Push(Value(first));
  for (int i = 0; i < 3; ++i) {
    const Value value = scope.Push(host.ToSymbol(kValues[i], Encoding::kUtf8));
    host.IvarSet(first, host.IdNamed(kNames[i]), value);
  }
  absl::Status status;
  measurement.Start();
  for (std::int64_t i = 0; i < count && status.ok(); ++i) {
    const absl::StatusOr<Value> loaded = DumpAndLoad(host, string);
    if (loaded.ok()) string = *loaded;
    status = loaded.status();
  }
  measurement.Stop();
  if (!status.ok()) return WrongResult(std::string(status.message()));
  if (!IsType(string, Type::kString) || string.AsSlot() == first ||
      As<RString>(string)->length() != 0 || host.IvarCount(string.AsSlot()) != 3) {
    return WrongResult("what was loaded last is no empty String with three ivars");
  }
  for (int i = 0; i < 3; ++i) {
    const auto value = host.IvarGet(string.AsSlot(), host.IdNamed(kNames[i]));
    if (!value || *value != host.ToSymbol(kValues[i], Encoding::kUtf8)) {
      return WrongResult(absl::StrCat(kNames[i], " is not what was dumped"));
    }
  }
  return absl::OkStatus();
}

absl::Status DumpAndLoadTimes(MarshalHost& host, RClass* time_class, std::int64_t count,
                              Measurement& measurement) {
  HandleScope scope(host.heap().roots());
  RString* cet =
      scope.Keep(NewString(host.heap(), host.classes().string, "CET", Encoding::kUsAscii));
  RString* zone = scope.Keep(host.Fstring(cet));
  Value& last = scope.Push(Value::Nil());
  // The names are there before the first Time, as in a Ruby that has booted.
  for (const char* name : {"nano_num", "nano_den", "submicro", "offset", "zone"}) {
    host.IdNamed(name);
  }
  absl::Status status;
  measurement.Start();
  for (std::int64_t i = 0; i < count && status.ok(); ++i) {
    last = Value(NewTime(host.heap(), time_class, TimeOf(i, zone)));
    const absl::StatusOr<Value> loaded = DumpAndLoad(host, last);
    if (loaded.ok()) last = *loaded;
    status = loaded.status();
  }
  measurement.Stop();
  if (!status.ok()) return WrongResult(std::string(status.message()));
  if (absl::Status right = CheckTime(host, last, TimeOf(count - 1, zone)); !right.ok()) {
    return right;
  }
  // A sample of the others, outside the measured part.
  for (std::int64_t i = 0; i < count; i += std::max<std::int64_t>(1, count / 100)) {
    last = Value(NewTime(host.heap(), time_class, TimeOf(i, zone)));
    const absl::StatusOr<Value> loaded = DumpAndLoad(host, last);
    if (!loaded.ok()) return WrongResult(std::string(loaded.status().message()));
    if (absl::Status right = CheckTime(host, *loaded, TimeOf(i, zone)); !right.ok()) return right;
  }
  return absl::OkStatus();
}

}  // namespace rubric::marshal_experiment
