// Runs one program of ivar operations on every backend and on the model at once, and aborts where
// two disagree. Bytes decode to operations of 4 bytes: what, object, name, value.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "backends/ivars/hash/hash_ivars.h"
#include "backends/ivars/index/index_ivars.h"
#include "core/base/check.h"
#include "core/ivars/model_ivars.h"
#include "core/ivars/test_objects.h"
#include "core/memory/counters.h"

namespace rubric {
namespace {

constexpr std::size_t kObjects = 8;
constexpr std::size_t kClasses = 2;

// A backend and its objects: each flags its own.
template <typename Backend>
struct Subject {
  Subject() : slots(kClasses) {
    for (std::size_t i = 0; i < kObjects; ++i) objects.push_back(slots.New(i % kClasses));
  }
  TestObjects slots;
  std::vector<RBasic*> objects;
  Backend storage;
};

// What an operation gives back, in a form in which backends can be compared.
using Answer = std::vector<std::uint64_t>;

Answer ToAnswer(std::optional<Value> value) { return value ? Answer{1, value->bits()} : Answer{0}; }

template <typename Backend>
Answer Contents(Subject<Backend>& s, std::size_t object) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ivars;
  s.storage.ForEach(s.objects[object],
                    [&](Id name, Value value) { ivars.emplace_back(name.number, value.bits()); });
  RUBRIC_CHECK(s.storage.Count(s.objects[object]) == ivars.size());
  std::sort(ivars.begin(), ivars.end());
  Answer answer;
  for (const auto& [name, value] : ivars) {
    RUBRIC_CHECK(s.storage.Get(s.objects[object], Id{name})->bits() == value);
    answer.insert(answer.end(), {name, value});
  }
  return answer;
}

// Each operation, done on any subject.
struct Get {
  std::size_t object;
  Id name;
  Answer Perform(auto& s) const { return ToAnswer(s.storage.Get(s.objects[object], name)); }
};
struct Set {
  std::size_t object;
  Id name;
  Value value;
  Answer Perform(auto& s) const {
    s.storage.Set(s.objects[object], name, value);
    RUBRIC_CHECK(s.objects[object]->Has(RBasic::kExivar));
    return {};
  }
};
struct Remove {
  std::size_t object;
  Id name;
  Answer Perform(auto& s) const { return ToAnswer(s.storage.Remove(s.objects[object], name)); }
};
struct Copy {
  std::size_t from, to;
  Answer Perform(auto& s) const {
    if (from == to) return {};
    s.storage.Free(s.objects[to]);
    s.storage.Copy(s.objects[from], s.objects[to]);
    return Contents(s, to);
  }
};
struct Free {
  std::size_t object;
  Answer Perform(auto& s) const {
    s.storage.Free(s.objects[object]);
    RUBRIC_CHECK(!s.objects[object]->Has(RBasic::kExivar));
    return Contents(s, object);
  }
};
struct Check {
  std::size_t object;
  Answer Perform(auto& s) const {
    s.storage.CheckInvariants();
    return Contents(s, object);
  }
};

using Operation = std::variant<Get, Set, Remove, Copy, Free, Check>;

Operation Decode(const std::uint8_t* bytes) {
  const std::size_t object = bytes[1] % kObjects;
  const Id name = Name(bytes[2]);
  switch (bytes[0] % 16) {
    case 0:
    case 1:
      return Get{object, name};
    case 2:
    case 3:
    case 4:
      return Remove{object, name};
    case 5:
      return Copy{object, bytes[2] % kObjects};
    case 6:
      return Free{object};
    case 7:
      return Check{object};
    default:
      return Set{object, name, Value::Fixnum(bytes[3])};
  }
}

struct State {
  Subject<HashIvars> hash;
  Subject<IndexIvars> index;
  Subject<ModelIvars> model;

  void Perform(const Operation& operation) {
    std::visit(
        [this](const auto& op) {
          const Answer expected = op.Perform(model);
          RUBRIC_CHECK(op.Perform(hash) == expected);
          RUBRIC_CHECK(op.Perform(index) == expected);
        },
        operation);
  }
  void CheckAll() {
    for (std::size_t i = 0; i < kObjects; ++i) Perform(Check{i});
  }
};

}  // namespace
}  // namespace rubric

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using rubric::Subsystem;
  const std::int64_t live = rubric::TakeSnapshot()[Subsystem::kIvars].live_bytes;
  {
    rubric::State state;
    for (; size >= 4; data += 4, size -= 4) state.Perform(rubric::Decode(data));
    state.CheckAll();
  }
  RUBRIC_CHECK(rubric::TakeSnapshot()[Subsystem::kIvars].live_bytes == live);
  return 0;
}
