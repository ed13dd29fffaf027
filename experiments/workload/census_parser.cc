// The census of a mark: the second half of EventParser.

#include "experiments/workload/event_parser.h"
#include "reports/results/concat.h"

namespace rubric {
namespace {

std::optional<RubyType> TypeNamed(std::string_view name) {
  for (std::size_t i = 0; i < kRubyTypeCount; ++i) {
    if (kRubyTypeNames[i] == name) return static_cast<RubyType>(i);
  }
  return std::nullopt;
}

// Types whose objects are frozen from birth, or are no program's, and so have no ivars.
bool HasNoIvars(RubyType type) {
  return type == RubyType::kFloat || type == RubyType::kSymbol || type == RubyType::kImemo ||
         type == RubyType::kNode || type == RubyType::kIclass;
}

}  // namespace

bool EventParser::ParseCensus(const Json& mark, Census* census) {
  *census = Census{};
  if (!ParseSlots(mark, "slots", &census->slots, true) ||
      !ParseSlots(mark, "garbage", &census->garbage, false)) {
    return false;
  }
  if (const auto gc = mark.Find("gc")) {
    if (!ListOf(*gc, "gc", 3)) return false;
    const Json minor = gc->first();
    if (!Unsigned(minor, "gc", kMaxCount, &census->gc_minor) ||
        !Unsigned(minor.next(), "gc", kMaxCount, &census->gc_major) ||
        !Unsigned(minor.next().next(), "gc", UINT64_MAX, &census->gc_allocated)) {
      return false;
    }
  }
  Json value = mark;
  if (!Required(mark, "features", &value) ||
      !Unsigned(value, "features", kMaxCount, &census->features)) {
    return false;
  }
  if (const auto iseqs = mark.Find("iseqs")) {
    if (!Unsigned(*iseqs, "iseqs", kMaxCount, &census->iseqs)) return false;
  }
  std::uint64_t strings = 0, arrays = 0, hashes = 0;
  return ParseNames(mark, "symbols", true, &census->symbols) &&
         ParseNames(mark, "fstrings", false, &census->fstrings) &&
         ParseSizes(mark, "strings", true, &census->strings, &strings) &&
         ParseSizes(mark, "arrays", true, &census->arrays, &arrays) &&
         ParseSizes(mark, "hashes", false, &census->hashes, &hashes) &&
         ParseObjects(mark, "objects", false, census, &census->objects) &&
         ParseObjects(mark, "ivars", true, census, &census->others) &&
         CheckCensus(census, strings, arrays, hashes);
}

bool EventParser::ParseSlots(const Json& mark, std::string_view name, SlotsByType* out,
                             bool required) {
  const auto slots = mark.Find(name);
  if (!slots && !required) return true;
  Json object = mark;
  if (!Required(mark, name, &object)) return false;
  if (!object.IsObject()) return Fail(name, "{\"T_STRING\":n,…}", object);
  for (Json key = object.first(); !(key == object.end());) {
    const Json count = key.next();
    const auto type = TypeNamed(key.text());
    if (!type) return Fail(name, "Ruby's names of types, T_OBJECT to T_ICLASS", key);
    if (!Unsigned(count, Concat(name, ".", key.text()), kMaxCount,
                  &(*out)[static_cast<std::size_t>(*type)])) {
      return false;
    }
    key = count.next();
  }
  return true;
}

bool EventParser::ParseNames(const Json& mark, std::string_view name, bool symbols,
                             NamesCensus* out) {
  Json object = mark;
  Json value = mark;
  if (!Required(mark, name, &object)) return false;
  if (!object.IsObject()) return Fail(name, "{\"live\":n,…}", object);
  if (!Required(object, "live", &value) ||
      !Unsigned(value, Concat(name, ".live"), kMaxCount, &out->live)) {
    return false;
  }
  if (symbols) {
    if (const auto dynamic = object.Find("dynamic")) {
      if (!Unsigned(*dynamic, Concat(name, ".dynamic"), out->live, &out->dynamic)) return false;
    }
    if (const auto add = object.Find("add_dynamic")) {
      if (!Strings(*add, Concat(name, ".add_dynamic"), &out->add_dynamic)) return false;
    }
  }
  if (const auto add = object.Find("add")) {
    if (!Strings(*add, Concat(name, ".add"), &out->add)) return false;
  }
  if (const auto gone = object.Find("gone")) {
    if (!Strings(*gone, Concat(name, ".gone"), &out->gone)) return false;
  }
  return true;
}

bool EventParser::ParseSizes(const Json& mark, std::string_view name, bool with_shared,
                             std::vector<SizeClass>* out, std::uint64_t* total) {
  const auto list = mark.Find(name);
  if (!list) return true;
  if (!List(*list, name)) return false;
  for (Json e = list->first(); !(e == list->end()); e = e.next()) {
    if (!ListOf(e, name, with_shared ? 3 : 2)) return false;
    SizeClass sizes;
    const Json size = e.first();
    const Json count = size.next();
    if (!Unsigned(size, name, kMaxCount, &sizes.size) ||
        !Unsigned(count, name, kMaxCount, &sizes.count)) {
      return false;
    }
    if (with_shared &&
        !Unsigned(count.next(), Concat(name, ": shared"), sizes.count, &sizes.shared)) {
      return false;
    }
    *total += sizes.count;
    out->push_back(sizes);
  }
  return true;
}

bool EventParser::ParseObjects(const Json& mark, std::string_view name, bool with_type,
                               Census* census, std::vector<ObjectClass>* out) {
  const auto list = mark.Find(name);
  if (!list) return true;
  if (!List(*list, name)) return false;
  for (Json e = list->first(); !(e == list->end()); e = e.next()) {
    if (!ListOf(e, name, with_type ? 4 : 3)) return false;
    ObjectClass objects;
    Json value = e.first();
    if (with_type) {
      const auto type = value.IsText() ? TypeNamed(value.text()) : std::nullopt;
      if (!type || *type == RubyType::kObject || HasNoIvars(*type)) {
        return Fail(name, "a type that has ivars of its own, such as T_DATA", value);
      }
      objects.type = *type;
      value = value.next();
    }
    if (!String(value, Concat(name, ": class"), &objects.klass)) return false;
    value = value.next();
    if (!List(value, Concat(name, ": ivars"))) return false;
    objects.ivars.begin = static_cast<std::uint32_t>(census->ivar_names.size());
    for (Json ivar = value.first(); !(ivar == value.end()); ivar = ivar.next()) {
      StringId id = 0;
      if (!String(ivar, Concat(name, ": ivars"), &id)) return false;
      census->ivar_names.push_back(id);
    }
    objects.ivars.end = static_cast<std::uint32_t>(census->ivar_names.size());
    if (!Unsigned(value.next(), Concat(name, ": count"), kMaxCount, &objects.count)) return false;
    out->push_back(objects);
  }
  return true;
}

// No part of the census may tell of more than there is of the whole, but by a little: the recorder
// counts by type and by shape one after the other, and the program may have other threads. Then what
// the parts tell of counts.
bool EventParser::CheckCensus(Census* census, std::uint64_t strings, std::uint64_t arrays,
                              std::uint64_t hashes) {
  SlotsByType told{};
  const auto of = [&](RubyType type) -> std::uint64_t& {
    return told[static_cast<std::size_t>(type)];
  };
  of(RubyType::kArray) = arrays;
  of(RubyType::kHash) = hashes;
  of(RubyType::kImemo) = census->iseqs;
  of(RubyType::kSymbol) = census->symbols.dynamic;
  of(RubyType::kString) = strings + census->fstrings.live;
  for (const ObjectClass& objects : census->objects) of(RubyType::kObject) += objects.count;
  SlotsByType with_ivars{};
  for (const ObjectClass& objects : census->others) {
    with_ivars[static_cast<std::size_t>(objects.type)] += objects.count;
  }
  for (std::size_t i = 0; i < kRubyTypeCount; ++i) {
    std::uint64_t& slots = census->slots[i];
    const std::uint64_t parts = std::max(told[i], with_ivars[i]);
    if (parts > slots + slots / 64 + 16) {
      error_ = Concat("slots: expected at least the ", parts, " ", kRubyTypeNames[i],
                      " that other fields of the mark tell of, found ", slots);
      return false;
    }
    slots = std::max(slots, parts);
  }
  return true;
}

}  // namespace rubric
