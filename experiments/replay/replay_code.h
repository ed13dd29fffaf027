// ReplayCode: instruction sequences, their literals, classes and methods of a workload in a VM.
//
// USE        Replay's. Code() compiles a file, Evaluate() runs a literal, TrimIseqs() leaves as many
//            iseqs as a census tells.
// LAYOUT     12 bytes of the harness a live iseq and more for a method; 16 bytes for every literal
//            of the workload, since later lines name it by its number.
// INVARIANTS (1) A method's ID is a static symbol that its parent's code names, of the label's bytes
//                or, where those are withheld, of its length, the next one in order that no method
//                of the parent took; a method without one is kept, but in no table. So it is with a
//                class's name. Compiling makes no symbol that the workload does not name.
//            (2) Of the iseqs of one kind the oldest are dropped first; top-level code goes first,
//                then class bodies, others, blocks and methods.
// TESTED BY  replay_test.cc.
#ifndef RUBRIC_EXPERIMENTS_REPLAY_REPLAY_CODE_H_
#define RUBRIC_EXPERIMENTS_REPLAY_REPLAY_CODE_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/heap/root_stack.h"
#include "core/object/layout.h"
#include "core/object/object_space.h"
#include "experiments/replay/kept_slots.h"
#include "experiments/replay/replay_names.h"
#include "experiments/replay/replay_report.h"
#include "experiments/workload/events.h"
#include "experiments/workload/string_table.h"

namespace rubric {

template <typename V>
class ReplayCode {
 public:
  ReplayCode(V& vm, KeptSlots& kept, ReplayNames<V>& names, ReplayReport& report)
      : vm_(vm), kept_(kept), names_(names), report_(report) {}

  // Compiles a file and runs its class bodies: at most `new_classes` classes are new, the others are
  // opened again. Gives the slots that it made, names aside.
  std::uint64_t Code(const StringTable& strings, const CodeEvent& code, std::uint64_t new_classes) {
    const std::uint64_t classes_before = report_.classes;
    made_.clear();
    for (const IseqRecord& record : code.iseqs) {
      for (std::uint32_t i = record.names.begin; i < record.names.end; ++i) {
        const NameRecord& name = code.names[i];
        if (name.is_symbol) {
          names_.Symbol(strings, name.string, false, false);
        } else {
          names_.Fstring(strings, name.string, false);
        }
      }
      Compile(strings, code, record, classes_before + new_classes);
    }
    report_.iseqs += code.iseqs.size();
    report_.literals += code.literals.size();
    return code.iseqs.size() + code.literals.size() + report_.classes - classes_before;
  }

  // The literal's array; nothing if its iseq was dropped. May collect.
  std::optional<RArray*> Evaluate(std::uint64_t literal) {
    const Literal& at = literals_[literal];
    if (at.iseq == nullptr) return std::nullopt;
    return vm_.EvaluateArrayLiteral(at.iseq, at.index);
  }
  std::uint32_t LengthOf(std::uint64_t literal) const { return literals_[literal].length; }

  // Drops iseqs or makes bare ones until `count` are alive.
  void TrimIseqs(std::uint64_t count) {
    for (const IseqKind kind : {IseqKind::kTop, IseqKind::kClass, IseqKind::kOther,
                                IseqKind::kBlock, IseqKind::kMethod}) {
      std::uint64_t surplus = alive_.size() > count ? alive_.size() - count : 0;
      if (surplus == 0) break;
      std::erase_if(alive_, [&](const Alive& iseq) {
        if (iseq.kind != kind || surplus == 0) return false;
        --surplus;
        Drop(iseq);
        return true;
      });
    }
    while (alive_.size() < count) {
      HandleScope scope(vm_.roots());
      RImemo* iseq = scope.Keep(NewIseq(vm_.heap(), Id{}, kBareWords, kBareLines));
      alive_.push_back({.place = kept_.Add(Value(iseq)), .kind = IseqKind::kBlock});
      ++report_.made_at_marks;
    }
  }

 private:
  // What an iseq has that was there before the recording: the mean of a booted Ruby's.
  static constexpr std::size_t kBareWords = 32, kBareLines = 5;

  struct Alive {
    KeptSlots::Place place;
    IseqKind kind;
    std::uint32_t literals = 0;
    std::uint64_t first_literal = 0;
    RClass* klass = nullptr;  // of a method that is in its table
    Id name = {};
  };
  struct Literal {
    RImemo* iseq;  // null once it was dropped
    std::uint32_t index;
    std::uint32_t length;
  };
  // What the iseqs of the file at hand are, by index.
  struct Made {
    RClass* klass;            // whose body it is, or that encloses it
    std::uint32_t next_name;  // the first of its names that no child took
  };

  void Drop(const Alive& iseq) {
    if (iseq.klass != nullptr) {
      const auto* current = iseq.klass->extension->methods.Find(iseq.name);
      if (current != nullptr && *current == kept_.At(iseq.place)) {
        iseq.klass->extension->methods.Remove(iseq.name);
      }
    }
    for (std::uint32_t i = 0; i < iseq.literals; ++i) {
      literals_[iseq.first_literal + i].iseq = nullptr;
    }
    kept_.Drop(iseq.place);
    ++report_.dropped_at_marks;
  }

  void Compile(const StringTable& strings, const CodeEvent& code, const IseqRecord& record,
               std::uint64_t most_classes) {
    Made own{vm_.classes().object, record.names.begin};
    std::optional<Id> name;
    if (record.parent >= 0) {
      Made& parent = made_[static_cast<std::size_t>(record.parent)];
      own.klass = parent.klass;
      if (record.kind == IseqKind::kMethod) {
        name = NameOf(strings, code, record, parent, "", "");
      } else if (record.kind == IseqKind::kClass) {
        name = NameOf(strings, code, record, parent, "<class:", ">");
        if (!name) name = NameOf(strings, code, record, parent, "<module:", ">");
        if (name) own.klass = ClassNamed(*name, parent.klass, most_classes);
      }
    }
    made_.push_back(own);

    HandleScope scope(vm_.roots());
    RImemo* iseq = scope.Keep(NewIseq(vm_.heap(), name.value_or(Id{}), record.words, record.lines));
    Alive alive{.place = kept_.Add(Value(iseq)),
                .kind = record.kind,
                .literals = record.literals.size(),
                .first_literal = literals_.size()};
    for (std::uint32_t i = record.literals.begin; i < record.literals.end; ++i) {
      AddLiteral(strings, code, record, code.literals[i], iseq);
    }
    if (record.kind == IseqKind::kMethod && name) {
      own.klass->extension->methods.Set(*name, Value(iseq));
      vm_.heap().WriteBarrier(own.klass, Value(iseq));
      alive.klass = own.klass;
      alive.name = *name;
      ++report_.methods;
    }
    alive_.push_back(alive);
  }

  // Invariant (1). The label is `before`, the name, `after`.
  std::optional<Id> NameOf(const StringTable& strings, const CodeEvent& code,
                           const IseqRecord& record, Made& parent, std::string_view before,
                           std::string_view after) {
    const IseqRecord& outer = code.iseqs[static_cast<std::size_t>(record.parent)];
    const std::size_t around = before.size() + after.size();
    const std::size_t length = strings.Length(record.label);
    if (length <= around) return std::nullopt;
    std::string wanted;  // empty: not known
    if (!strings.IsWithheld(record.label)) {
      wanted = std::string(strings.Bytes(record.label, buffer_));
      if (!wanted.starts_with(before) || !wanted.ends_with(after)) return std::nullopt;
      wanted = wanted.substr(before.size(), length - around);
    }
    for (std::uint32_t i = parent.next_name; i < outer.names.end; ++i) {
      const NameRecord& candidate = code.names[i];
      if (!candidate.is_symbol || strings.Length(candidate.string) != length - around) continue;
      if (!wanted.empty() && strings.Bytes(candidate.string, buffer_) != wanted) continue;
      const std::optional<Id> id = names_.StaticId(strings, candidate.string);
      if (!id) continue;
      parent.next_name = i + 1;
      return id;
    }
    return std::nullopt;
  }

  RClass* ClassNamed(Id name, RClass* enclosing, std::uint64_t most_classes) {
    RClass* object = vm_.classes().object;
    if (const Value* found = object->extension->constants.Find(name)) {
      return As<RClass>(*found);
    }
    if (report_.classes >= most_classes) return enclosing;
    HandleScope scope(vm_.roots());
    RClass* made = scope.Keep(NewClass(vm_.heap(), vm_.classes().klass, object, name));
    object->extension->constants.Set(name, Value(made));
    vm_.heap().WriteBarrier(object, Value(made));
    ++report_.classes;
    return made;
  }

  // Symbols among the elements are the iseq's own static ones, in turn. Strings and arrays are nil:
  // the recording does not tell which they are, and one that is kept here might be gone there.
  void AddLiteral(const StringTable& strings, const CodeEvent& code, const IseqRecord& record,
                  const LiteralRecord& literal, RImemo* iseq) {
    elements_.clear();
    std::uint32_t at = record.names.begin;
    std::uint32_t tries = record.names.size();  // once there was no symbol, there is none
    const auto next_symbol = [&] {
      for (; tries > 0; --tries) {
        const NameRecord& name = code.names[at];
        at = at + 1 == record.names.end ? record.names.begin : at + 1;
        const auto id = name.is_symbol ? names_.StaticId(strings, name.string) : std::nullopt;
        if (!id) continue;
        tries = record.names.size();
        return Value::StaticSymbol(*id);
      }
      return Value::Nil();
    };
    for (std::uint32_t r = literal.runs.begin; r < literal.runs.end; ++r) {
      const KindRun& run = code.runs[r];
      for (std::uint32_t i = 0; i < run.count; ++i) {
        Value value = Value::Nil();
        if (run.kind == 'i') value = Value::Fixnum(i);
        if (run.kind == 'f') value = Value::Flonum(1.0 + i).value_or(Value::Nil());
        if (run.kind == 'y') value = next_symbol();
        elements_.push_back(value);
      }
    }
    const std::size_t index = vm_.AddArrayLiteral(iseq, elements_);
    literals_.push_back({iseq, static_cast<std::uint32_t>(index), literal.length});
  }

  V& vm_;
  KeptSlots& kept_;
  ReplayNames<V>& names_;
  ReplayReport& report_;
  std::vector<Alive> alive_;
  std::vector<Literal> literals_;
  std::vector<Made> made_;
  std::vector<Value> elements_;
  std::string buffer_;
};

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_REPLAY_REPLAY_CODE_H_
