// ReplayNames: the symbols and frozen strings of a workload, made, kept and dropped in a VM.
//
// USE        Replay's. Symbol and Fstring name one; SymbolsGone and FstringsGone drop; Check at a
//            mark, after a full collection.
// LAYOUT     8 bytes of the harness a string of the workload: its symbol's place and its frozen
//            string's. A static symbol needs none; a dynamic one, and a frozen string, is kept.
// INVARIANTS An id counts as a live frozen string from when it is named as one until it is gone, and
//            as long as it is a live symbol's name.
// TESTED BY  replay_test.cc.
#ifndef RUBRIC_EXPERIMENTS_REPLAY_REPLAY_NAMES_H_
#define RUBRIC_EXPERIMENTS_REPLAY_REPLAY_NAMES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "core/heap/root_stack.h"
#include "core/object/layout.h"
#include "core/value/value.h"
#include "experiments/harness/experiment.h"
#include "experiments/replay/kept_slots.h"
#include "experiments/replay/replay_report.h"
#include "experiments/workload/string_table.h"
#include "reports/results/concat.h"

namespace rubric {

inline Encoding EncodingFor(WorkloadEncoding encoding) {
  switch (encoding) {
    case WorkloadEncoding::kUtf8:
      return Encoding::kUtf8;
    case WorkloadEncoding::kUsAscii:
      return Encoding::kUsAscii;
    case WorkloadEncoding::kBinary:
      break;
  }
  return Encoding::kBinary;
}

template <typename V>
class ReplayNames {
 public:
  ReplayNames(V& vm, KeptSlots& kept, ReplayReport& report)
      : vm_(vm), kept_(kept), report_(report) {
    // What the VM had before is no part of the workload.
    vm.names().fstrings().ForEach([&](const auto& record) { own_strings_.insert(record.string); });
    vm.names().symbols().ForEach(
        [&](const auto& record) { own_symbols_.insert(record.symbol.bits()); });
  }

  std::string_view Bytes(const StringTable& strings, StringId id) {
    return strings.Bytes(id, buffer_);
  }

  // Names a symbol. May collect.
  Value Symbol(const StringTable& strings, StringId id, bool dynamic, bool at_mark) {
    Grow(strings);
    ++report_.names_interned;
    const std::string_view bytes = Bytes(strings, id);
    const Encoding encoding = EncodingFor(strings.encoding(id));
    HandleScope scope(vm_.roots());
    // Code that names a dynamic symbol does not make it immortal: the recording tells when it goes.
    const bool collectable = dynamic || symbols_[id] >= kFirstPlace;
    const Value symbol =
        collectable ? vm_.names().ToSymbol(bytes, encoding) : vm_.names().Intern(bytes, encoding);
    if (symbols_[id] == kNone) {
      scope.Push(symbol);
      symbols_[id] = symbol.IsPointer() ? kept_.Add(symbol) + kFirstPlace : kStatic;
      ++live_symbols_;
      ++(at_mark ? report_.symbols_at_marks : report_.symbols_in_order);
      new_slots_ += symbol.IsPointer() ? 1 : 0;
      if (fstrings_[id] == kNone) {
        fstrings_[id] = kBySymbol;
        ++live_fstrings_;
        ++new_slots_;
      }
    }
    return symbol;
  }

  // Names a frozen string, and keeps it. May collect.
  RString* Fstring(const StringTable& strings, StringId id, bool at_mark) {
    Grow(strings);
    ++report_.names_interned;
    RString* string = vm_.names().Fstring(Bytes(strings, id), EncodingFor(strings.encoding(id)));
    if (fstrings_[id] < kFirstPlace) {
      if (fstrings_[id] == kNone) {
        ++live_fstrings_;
        ++new_slots_;
        ++(at_mark ? report_.fstrings_at_marks : report_.fstrings_in_order);
      }
      HandleScope scope(vm_.roots());
      scope.Keep(string);
      fstrings_[id] = kept_.Add(Value(string)) + kFirstPlace;
    }
    return string;
  }

  // With it goes its name, unless that was named as a frozen string too.
  void SymbolGone(const StringTable& strings, StringId id) {
    Grow(strings);
    if (symbols_[id] == kNone) return;
    if (fstrings_[id] == kBySymbol) FstringGone(strings, id);
    if (symbols_[id] >= kFirstPlace) kept_.Drop(symbols_[id] - kFirstPlace);
    symbols_[id] = kNone;
    --live_symbols_;
  }
  void FstringGone(const StringTable& strings, StringId id) {
    Grow(strings);
    if (fstrings_[id] == kNone) return;
    if (fstrings_[id] >= kFirstPlace) kept_.Drop(fstrings_[id] - kFirstPlace);
    fstrings_[id] = kNone;
    --live_fstrings_;
  }

  // The ID of an ivar's name, a symbol; one that no line named before is not the workload's. May
  // collect.
  Id IvarName(const StringTable& strings, StringId id) {
    Grow(strings);
    const std::string_view bytes = Bytes(strings, id);
    for (const Encoding encoding :
         {EncodingFor(strings.encoding(id)), Encoding::kUsAscii, Encoding::kUtf8}) {
      if (const auto symbol = vm_.names().FindSymbol(bytes, encoding)) return IdOf(*symbol);
    }
    const Value symbol = vm_.names().Intern(bytes, EncodingFor(strings.encoding(id)));
    own_symbols_.insert(symbol.bits());
    own_strings_.insert(vm_.names().NameOf(IdOf(symbol)));
    ++report_.symbols_of_ivars;
    return IdOf(symbol);
  }

  // The static symbol that was named by this id, if there is one: its ID is had without making a
  // dynamic symbol immortal.
  std::optional<Id> StaticId(const StringTable& strings, StringId id) {
    Grow(strings);
    if (symbols_[id] != kStatic) return std::nullopt;
    const auto symbol =
        vm_.names().FindSymbol(Bytes(strings, id), EncodingFor(strings.encoding(id)));
    if (!symbol || !symbol->IsStaticSymbol()) return std::nullopt;
    return symbol->AsStaticSymbol();
  }

  std::uint64_t live_symbols() const { return live_symbols_; }
  std::uint64_t live_fstrings() const { return live_fstrings_; }

  // A frozen string that the VM may keep for itself.
  void IsTheVms(const RString* string) { own_strings_.insert(string); }

  // Slots that naming made since the last call, by the workload's count.
  std::uint64_t TakeNewSlots() { return std::exchange(new_slots_, 0); }

  // Every live name is in its table, each by itself, and nothing else but what is the VM's.
  // REQUIRES: a full collection has just ended.
  absl::Status Check(const StringTable& strings) {
    std::unordered_set<const RString*> found_strings;
    std::unordered_set<std::uint64_t> found_symbols;
    for (StringId id = 0; id < symbols_.size(); ++id) {
      const bool is_symbol = symbols_[id] != kNone, is_fstring = fstrings_[id] != kNone;
      if (!is_symbol && !is_fstring) continue;
      const std::string_view bytes = Bytes(strings, id);
      const Encoding encoding = EncodingFor(strings.encoding(id));
      if (is_symbol) {
        const auto symbol = vm_.names().FindSymbol(bytes, encoding);
        if (!symbol || !found_symbols.insert(symbol->bits()).second) {
          return WrongResult(Concat("the symbol of string ", id, " is not in the table once"));
        }
      }
      if (is_fstring) {
        const auto string = vm_.names().FindFstring(bytes, encoding);
        if (!string || !found_strings.insert(*string).second) {
          return WrongResult(Concat("the frozen string ", id, " is not in the table once"));
        }
      }
    }
    std::uint64_t more_strings = 0, more_symbols = 0;
    vm_.names().fstrings().ForEach([&](const auto& record) {
      more_strings +=
          found_strings.contains(record.string) || own_strings_.contains(record.string) ? 0 : 1;
    });
    vm_.names().symbols().ForEach([&](const auto& record) {
      const std::uint64_t bits = record.symbol.bits();
      more_symbols += found_symbols.contains(bits) || own_symbols_.contains(bits) ? 0 : 1;
    });
    if (more_strings > 0 || more_symbols > 0) {
      return WrongResult(Concat(more_strings, " frozen strings and ", more_symbols,
                                " symbols are alive that are gone by the workload"));
    }
    return absl::OkStatus();
  }

 private:
  static constexpr std::uint32_t kNone = 0;
  static constexpr std::uint32_t kStatic = 1;    // symbols_: lives as long as the VM
  static constexpr std::uint32_t kBySymbol = 1;  // fstrings_: the symbol's table keeps it
  static constexpr std::uint32_t kFirstPlace = 2;

  Id IdOf(Value symbol) { return vm_.names().IdOf(symbol); }

  void Grow(const StringTable& strings) {
    if (symbols_.size() >= strings.size()) return;
    symbols_.resize(strings.size(), kNone);
    fstrings_.resize(strings.size(), kNone);
  }

  V& vm_;
  KeptSlots& kept_;
  ReplayReport& report_;
  std::vector<std::uint32_t> symbols_;   // by string id
  std::vector<std::uint32_t> fstrings_;  // by string id
  std::uint64_t live_symbols_ = 0;
  std::uint64_t live_fstrings_ = 0;
  std::uint64_t new_slots_ = 0;
  std::unordered_set<const RString*> own_strings_;
  std::unordered_set<std::uint64_t> own_symbols_;
  std::string buffer_;
};

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_REPLAY_REPLAY_NAMES_H_
