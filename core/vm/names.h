// Names: frozen strings and symbols, over the interning axis.
//
// USE        A VM has one. Fstring(bytes) is String#-@, Intern(bytes) is rb_intern, ToSymbol is
//            String#to_sym.
// LAYOUT     Two tables of the backend, both made for 1,000 records as CRuby's are: the frozen
//            strings, a weak set; and the symbols, from name to static symbol or T_SYMBOL. IDs are
//            dense from 1; an array holds the name and the symbol of each.
// COST       A hit: one hash of the name, one lookup. A miss: a slot and what the backend takes.
// INVARIANTS (1) Equal bytes and encoding give the same fstr, and the same symbol, as long as it
//                lives.
//            (2) A frozen string that nothing refers to leaves its table in the sweep (FstrDied).
//                Found by a lookup before its page is swept, it lives on.
//            (3) A name of a symbol lives as long as the symbol. Symbols made by Intern are
//                immortal; those made by ToSymbol are weak until someone asks for their ID.
//            (4) An fstr owns its bytes, so that it can be hashed while it dies.
// SOURCE     CRuby's rb_fstring in string.c and symbol.c of 2.2 on, with its collectable dynamic
//            symbols.
// TESTED BY  vm_test.cc.
#ifndef RUBRIC_CORE_VM_NAMES_H_
#define RUBRIC_CORE_VM_NAMES_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/build_mode.h"
#include "core/base/check.h"
#include "core/base/keyed_hash.h"
#include "core/heap/heap.h"
#include "core/heap/marker.h"
#include "core/interning/interning.h"
#include "core/memory/counting_allocator.h"
#include "core/object/layout.h"
#include "core/object/string.h"
#include "core/value/value.h"

namespace rubric {

// `Collector` must offer IsGarbage(slot) and Resurrect(slot); kGenerational says whether it calls
// MarkYoungRoots.
template <InterningBackend Backend, typename Collector, bool kGenerational>
class Names {
 public:
  static constexpr std::size_t kInitialSize = kHostile ? 2 : 1000;  // records a table is made for

  Names(Heap& heap, Collector& collector, std::uint64_t hash_seed)
      : heap_(heap),
        collector_(collector),
        hash_seed_(hash_seed),
        fstrings_(kInitialSize),
        symbols_(kInitialSize) {}

  // The classes of the strings and symbols to be made; null until the VM has classes.
  void SetClasses(RClass* string_class, RClass* symbol_class) {
    string_class_ = string_class;
    symbol_class_ = symbol_class;
  }

  // The frozen string of these bytes. May collect; `bytes` must not lie in an unkept slot.
  RString* Fstring(std::string_view bytes, Encoding encoding) {
    return FstringOr(KeyOf(bytes, encoding), [&] {
      return NewStringWithoutCollecting(heap_, string_class_, bytes, encoding);
    });
  }

  // The frozen string equal to `string`, which becomes it if it is the first and owns its bytes.
  RString* Fstring(RString* string) {
    if (string->Has(RBasic::kFstr)) return string;
    HandleScope scope(heap_.roots());
    scope.Keep(string);
    return FstringOr(KeyOf(string->bytes(), string->encoding()), [&] {
      const bool reusable = string->frozen() && !string->Has(RBasic::kShared | RBasic::kExivar);
      return reusable ? string
                      : NewStringWithoutCollecting(heap_, string_class_, string->bytes(),
                                                   string->encoding());
    });
  }

  // The fstr of these bytes if there is one; brings it back if it is dying.
  std::optional<RString*> FindFstring(std::string_view bytes, Encoding encoding) {
    const auto found = fstrings_.Find(KeyOf(bytes, encoding));
    if (!found) return std::nullopt;
    Keep(found->string);
    return found->string;
  }

  // The symbol of this name, made immortal. May collect.
  Value Intern(std::string_view name, Encoding encoding = Encoding::kUtf8) {
    const Value symbol = SymbolOr(KeyOf(name, encoding), [&](RString* fstr) {
      return SymbolRecord{fstr, NewStaticSymbol(fstr)};
    });
    IdOf(symbol);
    return symbol;
  }

  // The symbol of this name, weak if it is made here. May collect.
  Value ToSymbol(std::string_view name, Encoding encoding = Encoding::kUtf8) {
    return SymbolOr(KeyOf(name, encoding), [&](RString* fstr) {
      auto* symbol = static_cast<RSymbol*>(static_cast<RBasic*>(heap_.AllocateEnsured(
          static_cast<std::uint64_t>(Type::kSymbol) | RBasic::kFrozen, symbol_class_)));
      symbol->name = fstr;
      heap_.WriteBarrier(symbol, Value(fstr));
      return SymbolRecord{fstr, Value(symbol)};
    });
  }

  // The symbol of this name, if there is one.
  std::optional<Value> FindSymbol(std::string_view name, Encoding encoding = Encoding::kUtf8) {
    const auto found = symbols_.Find(KeyOf(name, encoding));
    if (!found) return std::nullopt;
    if (found->symbol.IsPointer()) Keep(found->symbol.AsSlot());
    return found->symbol;
  }

  // The ID of a symbol; a T_SYMBOL gets one now, and with it immortality.
  Id IdOf(Value symbol) {
    if (symbol.IsStaticSymbol()) return symbol.AsStaticSymbol();
    RSymbol* slot = As<RSymbol>(symbol);
    if (slot->id.number == 0) {
      ids_.push_back({slot->name, symbol});
      slot->id = Id{ids_.size()};
      AddYoung(slot);
    }
    return slot->id;
  }

  // REQUIRES: `id` was given by this object.
  RString* NameOf(Id id) const {
    RUBRIC_CHECK(id.number != 0 && id.number <= ids_.size(), "no such ID");
    return ids_[id.number - 1].string;
  }

  // Also finds anew which of the roots are young: a weak symbol that died is one no longer.
  // The symbol whose ID it is. REQUIRES: `id` was given by this object.
  Value SymbolOf(Id id) const {
    RUBRIC_CHECK(id.number != 0 && id.number <= ids_.size(), "no such ID");
    return ids_[id.number - 1].symbol;
  }

  void MarkRoots(Marker& marker) {
    young_.clear();
    symbols_.ForEach([&](const SymbolRecord& record) {
      marker.MarkSlot(record.string);
      AddYoung(record.string);
    });
    for (const SymbolRecord& entry : ids_) {
      marker.Mark(entry.symbol);
      if (entry.symbol.IsPointer()) AddYoung(entry.symbol.AsSlot());
    }
  }

  // Marks the roots that are not old.
  void MarkYoungRoots(Marker& marker) {
    std::erase_if(young_, [](const RBasic* slot) { return slot->Has(RBasic::kOld); });
    for (RBasic* slot : young_) marker.MarkSlot(slot);
  }

  // For the sweep: `string` is an fstr that is about to be freed.
  void FstrDied(const RString* string) {
    const auto gone = fstrings_.Delete(KeyOf(string->bytes(), string->encoding()));
    RUBRIC_CHECK(gone.has_value() && gone->string == string, "an fstr is not in its table");
  }

  // For the sweep: `symbol` is about to be freed. Its name is still alive: the table kept it.
  void SymbolDied(const RSymbol* symbol) {
    const auto gone = symbols_.Delete(KeyOf(symbol->name->bytes(), symbol->name->encoding()));
    RUBRIC_CHECK(gone.has_value() && gone->symbol == Value(const_cast<RSymbol*>(symbol)),
                 "a symbol is not in its table");
  }

  InternKey KeyOf(std::string_view bytes, Encoding encoding) const {
    return {bytes, encoding, KeyedHash(bytes, hash_seed_)};
  }

  std::size_t fstring_count() const { return fstrings_.size(); }
  std::size_t symbol_count() const { return symbols_.size(); }
  const auto& fstrings() const { return fstrings_; }
  const auto& symbols() const { return symbols_; }
  auto& mutable_fstrings() { return fstrings_; }

  void CheckInvariants() const {
    fstrings_.CheckInvariants();
    symbols_.CheckInvariants();
    std::size_t found = 0;
    fstrings_.ForEach([&](const FstringRecord& record) {
      ++found;
      if (collector_.IsGarbage(record.string)) return;
      CheckString(record.string);
      RUBRIC_CHECK(record.string->frozen() && record.string->Has(RBasic::kFstr));
      RUBRIC_CHECK(!record.string->Has(RBasic::kShared));
    });
    RUBRIC_CHECK(found == fstrings_.size());
  }

 private:
  void Keep(RBasic* slot) {
    if (collector_.IsGarbage(slot)) [[unlikely]]
      collector_.Resurrect(slot);
  }

  template <typename Make>
  RString* FstringOr(const InternKey& key, Make make) {
    // What make() allocates must not collect, as the sweep would change the table under it, and
    // the marking would read it half changed: the table's own growth may exceed the malloc limit.
    heap_.EnsureFreeSlot();
    const Insertion<FstringRecord> entry = fstrings_.FindOrInsert(key, [&] {
      RString* made = make();
      made->Set(RBasic::kFrozen | RBasic::kFstr);
      return FstringRecord{made};
    });
    if (!entry.inserted) Keep(entry.record.string);
    return entry.record.string;
  }

  template <typename Make>
  Value SymbolOr(const InternKey& key, Make make) {
    if (const auto found = symbols_.Find(key)) {
      if (found->symbol.IsPointer()) Keep(found->symbol.AsSlot());
      return found->symbol;
    }
    HandleScope scope(heap_.roots());
    RString* fstr = scope.Keep(Fstring(key.bytes, key.encoding));
    heap_.EnsureFreeSlot();  // may sweep: only now is the table asked to grow
    AddYoung(fstr);
    return symbols_.FindOrInsert(key, [&] { return make(fstr); }).record.symbol;
  }

  // Of no use to a collector that marks all roots each time.
  void AddYoung(RBasic* slot) {
    if constexpr (kGenerational) {
      if (!slot->Has(RBasic::kOld)) young_.push_back(slot);
    }
  }

  Value NewStaticSymbol(RString* fstr) {
    const Value symbol = Value::StaticSymbol(Id{ids_.size() + 1});
    ids_.push_back({fstr, symbol});
    return symbol;
  }

  Heap& heap_;
  Collector& collector_;
  const std::uint64_t hash_seed_;
  RClass* string_class_ = nullptr;
  RClass* symbol_class_ = nullptr;
  typename Backend::template Table<FstringRecord> fstrings_;
  typename Backend::template Table<SymbolRecord> symbols_;
  CountedVector<SymbolRecord, Subsystem::kVm> ids_;  // ids_[n - 1] is that of Id{n}
  // Slots that MarkRoots marks and that were not old when last looked at: none may be missing.
  CountedVector<RBasic*, Subsystem::kCollector> young_;
};

}  // namespace rubric

#endif  // RUBRIC_CORE_VM_NAMES_H_
