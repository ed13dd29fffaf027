// Replay: a recorded workload, done again by the operations of a VM.
//
// USE        Replay<Vm> replay(vm, scope, options, observer); replay.Open(source); replay.RunTo("").
//            What it made lives as long as `scope`, a HandleScope that is the VM's innermost one
//            during the calls. The VM may have a state of its own, the workload be bytes of the
//            program, and a replay be stopped at a mark and gone on with later.
// LAYOUT     Kept objects by shape, in KeptSlots; names, features and code in the headers beside.
// COST       Reading the workload twice (Lookahead), and what the VM's operations take. Memory of
//            the harness: 8 bytes a string of the workload, 16 a literal, 4 a kept object.
// INVARIANTS (1) Equal workloads do the same operations in the same order, whatever the variant.
//            (2) At each mark, after a full collection: features, live symbols and frozen strings,
//                visible slots by type, and ivars by type are what the recording says, the VM's own
//                of before the first event left out; else RunTo gives WrongResult.
//            (3) Between marks what lives grows evenly with the slots allocated towards what the
//                next mark says; what code, names and literals make comes when its event does. What
//                is allocated beyond is garbage, of the types of the next mark's garbage, in turn.
// ERRORS     The reader's; WrongResult where a check fails.
// TESTED BY  replay_test.cc, for every variant.
#ifndef RUBRIC_EXPERIMENTS_REPLAY_REPLAY_H_
#define RUBRIC_EXPERIMENTS_REPLAY_REPLAY_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "core/heap/root_stack.h"
#include "core/object/layout.h"
#include "experiments/harness/experiment.h"
#include "experiments/replay/census_plan.h"
#include "experiments/replay/kept_slots.h"
#include "experiments/replay/lookahead.h"
#include "experiments/replay/replay_code.h"
#include "experiments/replay/replay_features.h"
#include "experiments/replay/replay_names.h"
#include "experiments/replay/replay_report.h"
#include "experiments/replay/shape.h"
#include "experiments/replay/slot_maker.h"
#include "experiments/workload/events.h"
#include "experiments/workload/reader.h"
#include "reports/results/concat.h"

namespace rubric {

struct ReplayOptions {
  bool check = true;  // invariant (2)
};

// What goes on, for who measures it.
class ReplayObserver {
 public:
  virtual ~ReplayObserver() = default;
  virtual void AtMark(const std::string& name) { static_cast<void>(name); }
  // Around what is no work of the program.
  virtual void CheckBegins() {}
  virtual void CheckEnded() {}
};

template <typename V>
class Replay {
 public:
  Replay(V& vm, HandleScope& scope, const ReplayOptions& options, ReplayObserver& observer)
      : vm_(vm),
        options_(options),
        observer_(observer),
        kept_(vm.heap(), scope),
        maker_(vm.heap(),
               {vm.classes().klass, vm.classes().object, vm.classes().string, vm.classes().array,
                vm.classes().hash, vm.classes().floating},
               vm.hash_seed()),
        names_(vm, kept_, report_),
        features_(vm, report_),
        code_(vm, kept_, names_, report_) {
    vm_.CollectGarbage();
    own_ = CountVisible();
    own_features_ = vm_.features().array()->length();
  }

  // The workload that RunTo is about. REQUIRES: called once.
  absl::Status Open(const WorkloadSource& source) {
    absl::StatusOr<WorkloadReader> reader = WorkloadReader::Open(source);
    if (!reader.ok()) return reader.status();
    absl::StatusOr<Lookahead> ahead = Lookahead::Open(source);
    if (!ahead.ok()) return ahead.status();
    reader_.emplace(*std::move(reader));
    ahead_.emplace(*std::move(ahead));
    return BeginPhase();
  }

  // Goes on where the last call stopped, to the mark of this name, or to the end where it is empty.
  absl::Status RunTo(const std::string& until) {
    while (true) {
      const auto event = reader_->Next();
      if (!event.ok()) return event.status();
      if (!event->has_value()) break;
      ++report_.events;
      strings_ = &reader_->strings();
      report_.string_table_bytes = strings_->memory_bytes();
      absl::Status status = std::visit([this](const auto* each) { return On(*each); }, **event);
      if (IsWrongResult(status)) {
        const std::string message(status.message());
        return WrongResult(std::string(reader_->Error(message).message()));
      }
      if (!status.ok()) return status;
      const auto* mark = std::get_if<const MarkEvent*>(&**event);
      if (mark != nullptr && !until.empty() && (*mark)->name == until) return absl::OkStatus();
    }
    if (until.empty()) return absl::OkStatus();
    return reader_->Error(Concat("expected a mark called '", until, "', found none"));
  }

  const ReplayReport& report() const { return report_; }

 private:
  using Places = std::vector<KeptSlots::Place>;
  static constexpr std::uint64_t kGrowthSteps = 64;  // between two marks

  struct Visible {
    std::array<std::int64_t, kTypeCount> slots{};
    std::array<std::int64_t, kTypeCount> ivars{};
    std::int64_t fstrings = 0;                       // of slots[kString]
    std::int64_t iseqs = 0;                          // of slots[kImemo]
    std::map<std::uint64_t, std::int64_t> literals;  // of slots[kArray], by length
  };
  static std::size_t Index(Type type) { return static_cast<std::size_t>(type); }

  // --- Events

  absl::Status On(const StringsEvent&) { return absl::OkStatus(); }
  absl::Status On(const LoadPathEvent& event) {
    features_.SetLoadPath(*strings_, event.folders);
    told_ += event.folders.size();
    return absl::OkStatus();
  }
  absl::Status On(const FeaturesEvent& event) {
    features_.SetFeatures(*strings_, event.list);
    return absl::OkStatus();
  }
  absl::Status On(const RequireEvent& event) {
    told_ += event.outcome == RequireOutcome::kOld ? 0 : 1;
    return features_.Require(*strings_, event);
  }
  absl::Status On(const RequiredEvent& event) { return features_.Required(event); }
  absl::Status On(const CodeEvent& event) {
    // As many classes as the next mark has room for.
    const std::uint64_t room = ahead_->plan().SlotsOf(Type::kClass);
    const std::uint64_t there = kept_classes_ + report_.classes;
    told_ += code_.Code(*strings_, event, room > there ? room - there : 0);
    told_ += names_.TakeNewSlots();
    return absl::OkStatus();
  }
  absl::Status On(const SymbolsEvent& event) {
    for (StringId id : event.list) names_.Symbol(*strings_, id, event.dynamic, false);
    told_ += names_.TakeNewSlots();
    return absl::OkStatus();
  }

  absl::Status On(const EvaluatedEvent& event) {
    for (const Evaluation& each : event.literals) {
      (each.estimated ? report_.evaluated_estimated : report_.evaluated_counted) += each.times;
      const std::uint64_t length = code_.LengthOf(each.literal);
      // Results that the next census finds alive still share with their literal.
      const Shape shape{.type = Type::kArray,
                        .shared = length > RArray::kEmbedMax,
                        .size = length,
                        .klass = Shape::kNoClass,
                        .ivars = {}};
      const auto wanted = ahead_->plan().shapes.find(shape);
      Places* places =
          shape.shared && wanted != ahead_->plan().shapes.end() ? &groups_[shape] : nullptr;
      for (std::uint64_t i = 0; i < each.times; ++i) {
        std::optional<RArray*> array = code_.Evaluate(each.literal);
        if (!array) {
          ++report_.evaluated_without_iseq;
          array = static_cast<RArray*>(maker_.Make(shape, nullptr, Value::Undef()));
        }
        if (places != nullptr && places->size() < wanted->second) {
          places->push_back(kept_.Add(Value(*array)));
        }
      }
      report_.allocated_by_event += each.times;
    }
    return absl::OkStatus();
  }

  absl::Status On(const AllocatedEvent& event) {
    allocated_ += event.slots;
    const std::uint64_t told = std::min(told_, event.slots);
    told_ -= told;
    report_.allocated_by_event += told;
    // The evaluations of this phase are allocations too, whenever their line comes.
    const std::uint64_t evaluated =
        Share(ahead_->evaluated(), allocated_, ahead_->allocated()) - evaluated_before_;
    evaluated_before_ += evaluated;
    std::uint64_t left = event.slots - told;
    left -= std::min(left, evaluated);
    report_.allocated_by_mix += left;
    left -= std::min(left, Grow());
    const std::vector<Shape>& garbage = ahead_->plan().garbage;
    for (; left > 0; --left) {
      const Shape& shape = garbage.empty() ? plain_string_ : garbage[turn_++ % garbage.size()];
      maker_.Make(shape, nullptr, Value::Undef());
    }
    return absl::OkStatus();
  }

  absl::Status On(const MarkEvent& event) {
    const Census& census = event.census;
    absl::StatusOr<CensusPlan> plan = PlanOf(census);
    if (!plan.ok()) return plan.status();
    NameAsCensus(census);
    if (event.name == "start" && Features() < census.features) {
      absl::Status status = features_.AddUnnamed(census.features - Features());
      if (!status.ok()) return status;
    }
    code_.TrimIseqs(plan->iseqs);
    MakeNamedClasses(*plan);
    vm_.CollectGarbage();
    // A symbol's name is found dead only after the symbol was.
    if (!census.symbols.gone.empty()) vm_.CollectGarbage();
    if (absl::Status status = Settle(*plan); !status.ok()) return status;
    vm_.CollectGarbage();
    ++report_.marks;
    if (options_.check) {
      observer_.CheckBegins();
      const absl::Status status = Check(census, *plan);
      observer_.CheckEnded();
      if (!status.ok()) return status;
    }
    observer_.AtMark(event.name);
    return BeginPhase();
  }

  // --- Between marks

  absl::Status BeginPhase() {
    if (absl::Status status = ahead_->Advance(); !status.ok()) return status;
    allocated_ = evaluated_before_ = grown_steps_ = 0;
    starts_.clear();
    for (const auto& [shape, wanted] : ahead_->plan().shapes) {
      // Shared arrays come from their literals, and named objects with their names.
      if (shape.named() || (shape.shared && shape.type == Type::kArray)) continue;
      const auto group = groups_.find(shape);
      const std::uint64_t there = group == groups_.end() ? 0 : group->second.size();
      if (wanted > there) starts_.push_back({shape, there, wanted});
    }
    return absl::OkStatus();
  }

  // whole x part / all, as far as there is an `all`.
  static std::uint64_t Share(std::uint64_t whole, std::uint64_t part, std::uint64_t all) {
    if (all == 0) return 0;
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(whole) * std::min(part, all) /
                                      all);
  }

  // Invariant (3): lets each shape grow, in steps. Gives the slots made.
  std::uint64_t Grow() {
    const std::uint64_t step = Share(kGrowthSteps, allocated_, ahead_->allocated());
    if (step == grown_steps_ || step == kGrowthSteps) return 0;  // the mark makes the last step
    grown_steps_ = step;
    std::uint64_t made = 0;
    for (const auto& [shape, start, wanted] : starts_) {
      Places& places = groups_[shape];
      const std::uint64_t now = start + Share(wanted - start, step, kGrowthSteps);
      for (; places.size() < now; ++made) MakeKept(shape, places);
    }
    report_.grown_ahead += made;
    return made;
  }

  void MakeKept(const Shape& shape, Places& places) {
    HandleScope scope(vm_.roots());
    const Value sibling = places.empty() ? Value::Undef() : kept_.At(places.front());
    RClass* klass = shape.klass == Shape::kNoClass ? nullptr : ClassOf(shape);
    RBasic* made = scope.Keep(maker_.Make(shape, klass, sibling));
    std::int64_t number = 0;
    for (StringId ivar : shape.ivars) {
      vm_.IvarSet(made, IvarId(ivar), Value::Fixnum(number++));
    }
    places.push_back(kept_.Add(Value(made)));
    kept_classes_ += shape.type == Type::kClass ? 1 : 0;
  }

  // The class that a census names; Object stands for a class's own class.
  RClass* ClassOf(const Shape& shape) {
    if (shape.type == Type::kClass) return nullptr;
    const auto found = named_classes_.find(shape.klass);
    return found == named_classes_.end() ? nullptr : found->second;
  }

  Id IvarId(StringId string) {
    const auto [at, added] = ivar_ids_.try_emplace(string);
    if (added) at->second = names_.IvarName(*strings_, string);
    return at->second;
  }

  // --- At marks

  std::uint64_t Features() { return vm_.features().array()->length() - own_features_; }

  void NameAsCensus(const Census& census) {
    for (StringId id : census.symbols.add) names_.Symbol(*strings_, id, false, true);
    for (StringId id : census.symbols.add_dynamic) names_.Symbol(*strings_, id, true, true);
    for (StringId id : census.fstrings.add) names_.Fstring(*strings_, id, true);
    for (StringId id : census.symbols.gone) names_.SymbolGone(*strings_, id);
    for (StringId id : census.fstrings.gone) names_.FstringGone(*strings_, id);
    names_.TakeNewSlots();
  }

  // The classes that a census's objects are of, as far as it has classes enough.
  void MakeNamedClasses(const CensusPlan& plan) {
    for (const auto& [shape, count] : plan.shapes) {
      if (shape.klass == Shape::kNoClass || shape.type == Type::kClass) continue;
      if (named_classes_.contains(shape.klass)) continue;
      if (report_.classes + named_classes_.size() >= plan.SlotsOf(Type::kClass)) return;
      HandleScope scope(vm_.roots());
      RBasic* made = scope.Keep(maker_.Make(
          {.type = Type::kClass, .shared = false, .size = 0, .klass = Shape::kNoClass, .ivars = {}},
          nullptr, Value::Undef()));
      kept_.Add(Value(made));
      named_classes_.emplace(shape.klass, static_cast<RClass*>(made));
    }
  }

  // Drops and makes objects until what is visible is what the plan says. What no shape stands for is
  // there already, such as literals, or is made bare.
  absl::Status Settle(const CensusPlan& plan) {
    const Visible visible = CountVisible();
    std::array<std::int64_t, kTypeCount> room{};
    for (std::size_t i = 0; i < kTypeCount; ++i) {
      room[i] = static_cast<std::int64_t>(plan.slots[i]) - (visible.slots[i] - own_.slots[i]);
    }
    // Frozen strings and iseqs that are to come or to go are settled already.
    for (const auto& [shape, places] : groups_) {
      room[Index(shape.type)] += static_cast<std::int64_t>(places.size());
    }
    std::map<Shape, std::uint64_t> wanted = plan.shapes;
    // Literals are among the census's arrays.
    for (const auto& [length, count] : visible.literals) {
      const auto same = wanted.find({.type = Type::kArray,
                                     .shared = false,
                                     .size = length,
                                     .klass = Shape::kNoClass,
                                     .ivars = {}});
      if (same != wanted.end()) {
        same->second -= std::min(same->second, static_cast<std::uint64_t>(count));
      }
    }
    for (const bool with_ivars : {true, false}) {  // ivars are checked: what has some comes first
      for (auto& [shape, count] : wanted) {
        if (shape.has_ivars() != with_ivars) continue;
        std::int64_t& left = room[Index(shape.type)];
        const auto fitting =
            std::min(count, static_cast<std::uint64_t>(std::max<std::int64_t>(left, 0)));
        report_.census_unplaced += count - fitting;
        count = fitting;
        left -= static_cast<std::int64_t>(fitting);
      }
    }
    for (std::size_t i = 0; i < kTypeCount; ++i) {
      const auto type = static_cast<Type>(i);
      if (type == Type::kNone || type == Type::kSymbol || room[i] == 0) continue;
      if (room[i] < 0) {
        return WrongResult(Concat("expected ", plan.slots[i], " ", kTypeNames[i], ", found ",
                                  -room[i], " more that the workload's own events keep alive"));
      }
      wanted[{.type = type, .shared = false, .size = 0, .klass = Shape::kNoClass, .ivars = {}}] +=
          static_cast<std::uint64_t>(room[i]);
    }
    for (auto& [shape, places] : groups_) {
      const auto found = wanted.find(shape);
      const std::uint64_t count = found == wanted.end() ? 0 : found->second;
      for (; places.size() > count; places.pop_back()) {  // the youngest first
        kept_.Drop(places.back());
        kept_classes_ -= shape.type == Type::kClass ? 1 : 0;
        ++report_.dropped_at_marks;
      }
    }
    std::erase_if(groups_, [](const auto& group) { return group.second.empty(); });
    for (const auto& [shape, count] : wanted) {
      if (count == 0) continue;
      Places& places = groups_[shape];
      for (; places.size() < count; ++report_.made_at_marks) MakeKept(shape, places);
    }
    return absl::OkStatus();
  }

  // Visible slots: those of a program, iseqs and their literals; not what the VM or a backend hides
  // for itself, such as shared roots, nor the hidden arrays of KeptSlots.
  Visible CountVisible() const {
    Visible visible;
    vm_.heap().ForEachSlot([&](const RBasic* slot) {
      const std::size_t type = Index(slot->type());
      if (slot->type() == Type::kImemo) {
        ++visible.slots[type];
        const Iseq* iseq = static_cast<const RImemo*>(slot)->iseq;
        if (iseq == nullptr) return;
        ++visible.iseqs;
        visible.slots[Index(Type::kArray)] += static_cast<std::int64_t>(iseq->literals.size());
        for (Value literal : iseq->literals) ++visible.literals[As<RArray>(literal)->length()];
        return;
      }
      if (slot->Has(RBasic::kHidden)) return;
      ++visible.slots[type];
      visible.ivars[type] += static_cast<std::int64_t>(vm_.IvarCount(slot));
      visible.fstrings += slot->Has(RBasic::kFstr) ? 1 : 0;
    });
    return visible;
  }

  absl::Status Check(const Census& census, const CensusPlan& plan) {
    std::string wrong;
    const auto expect = [&](std::string_view what, std::int64_t expected, std::int64_t found) {
      if (expected == found) return;
      wrong +=
          Concat(wrong.empty() ? "" : "; ", "expected ", expected, " ", what, ", found ", found);
    };
    expect("features", static_cast<std::int64_t>(census.features),
           static_cast<std::int64_t>(Features()));
    expect("symbols", static_cast<std::int64_t>(census.symbols.live),
           static_cast<std::int64_t>(names_.live_symbols()));
    expect("frozen strings", static_cast<std::int64_t>(census.fstrings.live),
           static_cast<std::int64_t>(names_.live_fstrings()));
    const Visible visible = CountVisible();
    for (std::size_t i = 1; i < kTypeCount; ++i) {
      expect(kTypeNames[i], static_cast<std::int64_t>(plan.slots[i]),
             visible.slots[i] - own_.slots[i]);
      expect(Concat("ivars of ", kTypeNames[i]), static_cast<std::int64_t>(plan.ivars[i]),
             visible.ivars[i] - own_.ivars[i]);
    }
    expect("iseqs", static_cast<std::int64_t>(plan.iseqs), visible.iseqs - own_.iseqs);
    if (!wrong.empty()) return WrongResult(wrong);
    // What the VM itself refers to: features and folders, also those of before a change that no
    // lookup has seen yet.
    vm_.features().VisitReferences([this](Value held) {
      if (IsType(held, Type::kString)) names_.IsTheVms(As<RString>(held));
      if (!IsType(held, Type::kArray)) return;
      for (Value path : As<RArray>(held)->elements()) names_.IsTheVms(As<RString>(path));
    });
    return names_.Check(*strings_);
  }

  V& vm_;
  const ReplayOptions options_;
  ReplayObserver& observer_;
  ReplayReport report_;
  KeptSlots kept_;
  SlotMaker maker_;
  ReplayNames<V> names_;
  ReplayFeatures<V> features_;
  ReplayCode<V> code_;
  std::optional<WorkloadReader> reader_;
  std::optional<Lookahead> ahead_;
  const StringTable* strings_ = nullptr;

  Visible own_;  // the VM's, before the first event
  std::uint64_t own_features_ = 0;

  std::map<Shape, Places> groups_;  // kept objects; the oldest first
  std::map<StringId, RClass*> named_classes_;
  std::map<StringId, Id> ivar_ids_;
  std::uint64_t kept_classes_ = 0;

  // Since the last mark.
  std::uint64_t allocated_ = 0;
  std::uint64_t told_ = 0;  // slots that events made and no `allocated` has covered yet
  std::uint64_t evaluated_before_ = 0;
  std::uint64_t grown_steps_ = 0;
  struct Growth {
    Shape shape;
    std::uint64_t start, wanted;
  };
  std::vector<Growth> starts_;
  std::uint64_t turn_ = 0;
  const Shape plain_string_{
      .type = Type::kString, .shared = false, .size = 0, .klass = Shape::kNoClass, .ivars = {}};
};

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_REPLAY_REPLAY_H_
