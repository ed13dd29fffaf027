// ResurrectFuzz: a program over literals and their results, decoded from bytes, that runs on one
// backend and on vectors at once.
//
// USE        RunResurrectFuzz<CopyingResurrect>(data, size) aborts where the backend and the model
//            disagree. Every byte string is a program. An instruction is two bytes, a and b: a % 16
//            is the operation, a / 16 the array or literal it is about, b its argument. The program
//            has 4 literals, empty at first, and 16 arrays.
// SOURCE     The shape (State, one function an operation, the invariants checked after each) is
//            that of tcmalloc's central_freelist_fuzz.cc.
#ifndef RUBRIC_CORE_RESURRECT_RESURRECT_FUZZ_H_
#define RUBRIC_CORE_RESURRECT_RESURRECT_FUZZ_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/check.h"
#include "core/heap/root_stack.h"
#include "core/memory/counters.h"
#include "core/object/array.h"
#include "core/object/array_mutation.h"
#include "core/object/array_sharing.h"
#include "core/object/array_test_heap.h"
#include "core/resurrect/resurrect.h"

namespace rubric {

template <ResurrectBackend Backend>
class ResurrectFuzz {
 public:
  static constexpr std::size_t kLiterals = 4;
  static constexpr std::size_t kArrays = 16;

  ResurrectFuzz() {
    for (auto& literal : literals_) literal.handle = &scope_.Push(NewLiteral({}));
    for (auto& array : arrays_) array.handle = &scope_.Push(Value(NewArray(heap_, klass())));
  }

  void Perform(std::uint8_t a, std::uint8_t b) {
    Pair& target = arrays_[a / 16];
    Pair& literal = literals_[a / 16 % kLiterals];
    Pair& other = arrays_[b % kArrays];
    RArray* array = target.array();
    std::vector<Value>& model = target.model;
    const auto length = static_cast<std::ptrdiff_t>(model.size());
    const Value value = Value::Fixnum(b);
    switch (a % 16) {
      case 0:  // a new literal, of b elements
        literal.model.clear();
        for (int i = 0; i < b; ++i) literal.model.push_back(Value::Fixnum(i));
        *literal.handle = NewLiteral(literal.model);
        break;
      case 1:  // evaluate literal b
        *target.handle =
            Value(Backend::Resurrect(heap_, literals_[b % kLiterals].array(), klass()));
        model = literals_[b % kLiterals].model;
        break;
      case 2:
        Push(heap_, array, value);
        model.push_back(value);
        break;
      case 3:
        RUBRIC_CHECK(Pop(heap_, array) == (model.empty() ? Value::Nil() : model.back()));
        if (!model.empty()) model.pop_back();
        break;
      case 4:
        RUBRIC_CHECK(Shift(heap_, array) == (model.empty() ? Value::Nil() : model.front()));
        if (!model.empty()) model.erase(model.begin());
        break;
      case 5:
        Unshift(heap_, array, value);
        model.insert(model.begin(), value);
        break;
      case 6:
        Store(heap_, array, b, value);
        if (b >= length) model.resize(b + std::size_t{1});
        model[b] = value;
        break;
      case 7:
        if (b > length) break;
        Insert(heap_, array, b, value);
        model.insert(model.begin() + b, value);
        break;
      case 8:
        RUBRIC_CHECK(DeleteAt(heap_, array, b) == (b < length ? model[b] : Value::Nil()));
        if (b < length) model.erase(model.begin() + b);
        break;
      case 9: {
        if (model.size() + other.model.size() > kMaxLength) break;
        const std::vector<Value> added = other.model;
        Concat(heap_, array, other.array());
        model.insert(model.end(), added.begin(), added.end());
        break;
      }
      case 10:
        Clear(heap_, array);
        model.clear();
        break;
      case 11:
        Replace(heap_, array, other.array());
        model = other.model;
        break;
      case 12: {  // the upper four bits of b: how far the slice begins before the end
        const std::ptrdiff_t from =
            -std::min<std::ptrdiff_t>(b / 16 * 4, static_cast<std::ptrdiff_t>(other.model.size()));
        const auto begin = from == 0 ? other.model.begin() : other.model.end() + from;
        std::vector<Value> expected(begin, other.model.end());
        *target.handle = Value(*Slice(heap_, other.array(), from, other.model.size()));
        model = std::move(expected);
        break;
      }
      case 13:
        SortBang(heap_, array, [](Value x, Value y) { return x.bits() < y.bits(); });
        std::sort(model.begin(), model.end(), [](Value x, Value y) { return x.bits() < y.bits(); });
        break;
      case 14:
        if (b == 0) test_heap_.CollectNow();
        break;
      default:  // evaluate a literal and drop the result
        Backend::Resurrect(heap_, literal.array(), klass());
        break;
    }
    RUBRIC_CHECK(literal.Agree() && target.Agree() && other.Agree());
  }

  void CheckAll() {
    for (const Pair& literal : literals_) RUBRIC_CHECK(literal.Agree(), "a literal was changed");
    for (const Pair& array : arrays_) RUBRIC_CHECK(array.Agree(), "an array was changed");
    heap_.CheckInvariants();
    test_heap_.CheckArrays();
  }

 private:
  static constexpr std::size_t kMaxLength = 2000;  // so that doubling does not go on for ever

  struct Pair {
    Value* handle = nullptr;
    std::vector<Value> model;

    RArray* array() const { return static_cast<RArray*>(handle->AsSlot()); }
    bool Agree() const {
      const std::span<const Value> elements = array()->elements();
      return std::equal(elements.begin(), elements.end(), model.begin(), model.end());
    }
  };

  RClass* klass() const { return test_heap_.array_class(); }
  Value NewLiteral(const std::vector<Value>& elements) {
    return Value(NewArrayLiteral(heap_, elements));
  }

  ArrayTestHeap test_heap_{1};
  Heap& heap_ = test_heap_.heap();
  HandleScope scope_{heap_.roots()};
  std::array<Pair, kLiterals> literals_;
  std::array<Pair, kArrays> arrays_;
};

template <ResurrectBackend Backend>
void RunResurrectFuzz(const std::uint8_t* data, std::size_t size) {
  const std::int64_t live = TakeSnapshot()[Subsystem::kArrays].live_bytes;
  {
    ResurrectFuzz<Backend> program;
    for (std::size_t i = 0; i + 1 < size; i += 2) program.Perform(data[i], data[i + 1]);
    program.CheckAll();
  }
  RUBRIC_CHECK(TakeSnapshot()[Subsystem::kArrays].live_bytes == live, "a buffer leaked");
}

}  // namespace rubric

#endif  // RUBRIC_CORE_RESURRECT_RESURRECT_FUZZ_H_
