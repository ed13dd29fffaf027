#include "experiments/workload/event_parser.h"

#include <array>

#include "reports/results/concat.h"

namespace rubric {
namespace {

// Every line but the first begins so: what looks for marks alone need not parse the others.
constexpr std::string_view kBegin = R"({"op":")";

bool Decode(std::string_view hex, std::string* bytes) {
  const auto digit = [](char c) -> int {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
  };
  if (hex.size() % 2 != 0) return false;
  bytes->clear();
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    const int high = digit(hex[i]), low = digit(hex[i + 1]);
    if (high < 0 || low < 0) return false;
    bytes->push_back(static_cast<char>(high << 4 | low));
  }
  return true;
}

std::optional<WorkloadEncoding> EncodingOf(const Json& value) {
  if (!value.IsText()) return std::nullopt;
  if (value.text() == "u") return WorkloadEncoding::kUtf8;
  if (value.text() == "a") return WorkloadEncoding::kUsAscii;
  if (value.text() == "b") return WorkloadEncoding::kBinary;
  return std::nullopt;
}

}  // namespace

// --- Values

bool EventParser::Fail(std::string_view what, std::string_view expected, const Json& found) {
  error_ = Concat(what, ": expected ", expected, ", found ", found.Describe());
  return false;
}

bool EventParser::Required(const Json& object, std::string_view name, Json* out) {
  const std::optional<Json> found = object.Find(name);
  if (!found) {
    error_ = Concat("expected a field \"", name, "\", found none");
    return false;
  }
  *out = *found;
  return true;
}

bool EventParser::Unsigned(const Json& value, std::string_view what, std::uint64_t max,
                           std::uint64_t* out) {
  if (!value.IsUnsigned() || value.number() > max) {
    return Fail(what, Concat("a whole number from 0 to ", max), value);
  }
  *out = value.number();
  return true;
}

bool EventParser::Small(const Json& value, std::string_view what, std::uint64_t max,
                        std::uint32_t* out) {
  std::uint64_t number = 0;
  if (!Unsigned(value, what, max, &number)) return false;
  *out = static_cast<std::uint32_t>(number);
  return true;
}

bool EventParser::List(const Json& value, std::string_view what) {
  return value.IsArray() || Fail(what, "a list", value);
}

bool EventParser::ListOf(const Json& value, std::string_view what, std::size_t size) {
  return (value.IsArray() && value.size() == size) || Fail(what, Concat("a list of ", size), value);
}

bool EventParser::String(const Json& value, std::string_view what, StringId* out) {
  if (!all_) return Small(value, what, UINT32_MAX, out);
  if (!value.IsUnsigned() || value.number() >= strings_.size()) {
    return Fail(what, Concat("the id of one of the ", strings_.size(), " strings defined so far"),
                value);
  }
  *out = static_cast<StringId>(value.number());
  return true;
}

bool EventParser::Strings(const Json& value, std::string_view what, std::vector<StringId>* out) {
  out->clear();
  if (!List(value, what)) return false;
  for (Json e = value.first(); !(e == value.end()); e = e.next()) {
    StringId id = 0;
    if (!String(e, what, &id)) return false;
    out->push_back(id);
  }
  return true;
}

bool EventParser::Thread(const Json& object, std::uint32_t* out) {
  *out = 0;
  const std::optional<Json> thread = object.Find("thread");
  return !thread || Small(*thread, "thread", kMaxThread, out);
}

template <std::size_t n>
bool EventParser::OneOf(const Json& value, std::string_view what,
                        const std::array<std::string_view, n>& names, std::uint8_t* out) {
  std::string all;
  for (std::size_t i = 0; i < n; ++i) {
    if (value.IsText() && value.text() == names[i]) {
      *out = static_cast<std::uint8_t>(i);
      return true;
    }
    all += Concat(i == 0 ? "" : i + 1 == n ? " or " : ", ", names[i]);
  }
  return Fail(what, all, value);
}

// --- Lines

bool EventParser::ParseHeader(std::string_view line, std::uint64_t* version,
                              WorkloadHeader* header) {
  if (const auto wrong = tape_.Parse(line)) {
    error_ = *wrong;
    return false;
  }
  const Json root = tape_.root();
  if (!root.IsObject() || !root.Find("rubric_workload")) {
    return Fail("the first line", "{\"rubric_workload\":1,…}", root);
  }
  if (!Unsigned(*root.Find("rubric_workload"), "rubric_workload", UINT64_MAX, version))
    return false;
  if (*version != 1) return true;  // what else a version says is not known
  for (auto [name, out] : {std::pair{"ruby", &header->ruby}, {"platform", &header->platform}}) {
    Json value = root;
    if (!Required(root, name, &value)) return false;
    if (!value.IsText()) return Fail(name, "a text", value);
    *out = std::string(value.text());
  }
  Json text = root;
  if (!Required(root, "text", &text)) return false;
  if (!text.IsBool()) return Fail("text", "true or false", text);
  header->text = text.boolean();
  return true;
}

EventParser::Result EventParser::Parse(std::string_view line, WorkloadEvent* event) {
  if (!line.starts_with(kBegin)) {
    error_ =
        Concat("expected a line that begins with ", kBegin, ", found '", line.substr(0, 20), "'");
    return Result::kError;
  }
  const std::string_view rest = line.substr(kBegin.size());
  if (!all_ && !rest.starts_with("mark\"") && !rest.starts_with("allocated\"") &&
      !rest.starts_with("evaluated\"") && !rest.starts_with("end\"")) {
    return Result::kSkipped;
  }
  if (const auto wrong = tape_.Parse(line)) {
    error_ = *wrong;
    return Result::kError;
  }
  const Json root = tape_.root();
  const Json op = *root.Find("op");
  // A second "op" could hide the first, by which the line was chosen.
  if (!op.IsText() || rest.substr(0, op.text().size()) != op.text()) {
    Fail("op", "one \"op\" a line", op);
    return Result::kError;
  }
  const std::string_view name = op.text();
  const auto done = [&](bool parsed, auto* parsed_event) {
    if (!parsed) return Result::kError;
    *event = parsed_event;
    return Result::kEvent;
  };
  Json value = root;
  if (name == "strings") return done(ParseStrings(root), &std::as_const(strings_event_));
  if (name == "require") return done(ParseRequire(root), &std::as_const(require_));
  if (name == "required") return done(ParseRequired(root), &std::as_const(required_));
  if (name == "code") return done(ParseCode(root), &std::as_const(code_));
  if (name == "symbols") return done(ParseSymbols(root), &std::as_const(symbols_));
  if (name == "evaluated") return done(ParseEvaluated(root), &std::as_const(evaluated_));
  if (name == "allocated") return done(ParseAllocated(root), &std::as_const(allocated_));
  if (name == "mark") return done(ParseMark(root), &std::as_const(mark_));
  if (name == "load_path") {
    return done(Required(root, "folders", &value) && Strings(value, "folders", &load_path_.folders),
                &std::as_const(load_path_));
  }
  if (name == "features") {
    return done(Required(root, "list", &value) && Strings(value, "list", &features_.list),
                &std::as_const(features_));
  }
  if (name == "end") return ParseEnd(root) ? Result::kEnd : Result::kError;
  Fail("op",
       "strings, load_path, features, require, required, code, symbols, evaluated, allocated, mark "
       "or end",
       op);
  return Result::kError;
}

bool EventParser::ParseStrings(const Json& line) {
  Json list = line;
  if (!Required(line, "list", &list) || !List(list, "list")) return false;
  strings_event_.first = static_cast<StringId>(strings_.size());
  strings_event_.count = list.size();
  if (strings_.size() + list.size() > UINT32_MAX / 2) {
    error_ = Concat("list: expected at most ", UINT32_MAX / 2, " strings in all, found more");
    return false;
  }
  for (Json e = list.first(); !(e == list.end()); e = e.next()) {
    if (!ParseStringElement(e)) return false;
  }
  return true;
}

bool EventParser::ParseStringElement(const Json& element) {
  Json content = element;
  WorkloadEncoding encoding = WorkloadEncoding::kUtf8;
  if (element.IsArray()) {
    if (!ListOf(element, "list", 2)) return false;
    content = element.first();
    const auto named = EncodingOf(content.next());
    if (!named) return Fail("list: encoding", "\"u\", \"a\" or \"b\"", content.next());
    encoding = *named;
  } else if (element.IsObject()) {
    std::string bytes;
    if (!ParseHex(element, "list: hex", &bytes)) return false;
    if (const auto enc = element.Find("enc")) {
      const auto named = EncodingOf(*enc);
      if (!named) return Fail("list: enc", "\"u\", \"a\" or \"b\"", *enc);
      encoding = *named;
    }
    strings_.AddText(bytes, encoding);
    return true;
  }
  if (content.IsText()) {
    strings_.AddText(content.text(), encoding);
    return true;
  }
  std::uint64_t bytes = 0;
  if (!content.IsUnsigned()) {
    return Fail("list", "a length, a text, [either, encoding] or {\"hex\":…}", content);
  }
  if (!Unsigned(content, "list: length", StringTable::kMaxBytes, &bytes)) return false;
  if (!strings_.AddWithheld(bytes, encoding)) {
    return Fail("list", "fewer strings of that length: there are no more different ones", content);
  }
  return true;
}

bool EventParser::ParseHex(const Json& object, std::string_view what, std::string* out) {
  Json hex = object;
  if (!Required(object, "hex", &hex)) return false;
  return (hex.IsText() && Decode(hex.text(), out)) ||
         Fail(what, "pairs of hexadecimal digits", hex);
}

bool EventParser::ParseRequire(const Json& line) {
  Json value = line;
  std::uint8_t choice = 0;
  if (!Required(line, "name", &value)) return false;
  if (value.IsText()) {
    require_.name = std::string(value.text());
  } else if (!value.IsObject()) {
    return Fail("name", "a text or {\"hex\":…}", value);
  } else if (!ParseHex(value, "name: hex", &require_.name)) {
    return false;
  }
  if (!Required(line, "how", &value) || !OneOf(value, "how", kRequireHowNames, &choice)) {
    return false;
  }
  require_.how = static_cast<RequireHow>(choice);
  if (!Required(line, "result", &value) || !OneOf(value, "result", kRequireOutcomeNames, &choice)) {
    return false;
  }
  require_.outcome = static_cast<RequireOutcome>(choice);
  if (!Thread(line, &require_.thread)) return false;
  require_.feature.reset();
  if (const auto feature = line.Find("feature"); feature && !feature->IsNull()) {
    StringId id = 0;
    if (!String(*feature, "feature", &id)) return false;
    require_.feature = id;
  }
  if (require_.outcome == RequireOutcome::kNew) {
    if (!require_.feature) {
      error_ = "feature: expected that of a file that is new, found none";
      return false;
    }
    ++loading_[require_.thread];
  }
  return true;
}

bool EventParser::ParseRequired(const Json& line) {
  static constexpr std::array<std::string_view, 2> kResults = {"loaded", "raised"};
  Json value = line;
  std::uint8_t choice = 0;
  if (!Required(line, "result", &value) || !OneOf(value, "result", kResults, &choice)) return false;
  required_.raised = choice == 1;
  if (!Thread(line, &required_.thread)) return false;
  const auto open = loading_.find(required_.thread);
  if (open == loading_.end()) {
    error_ = Concat("expected a file being loaded in thread ", required_.thread,
                    ", found none: this \"required\" has no \"require\"");
    return false;
  }
  if (--open->second == 0) loading_.erase(open);
  return true;
}

bool EventParser::ParseCode(const Json& line) {
  code_.iseqs.clear();
  code_.names.clear();
  code_.literals.clear();
  code_.runs.clear();
  code_.ivars.clear();
  code_.first_literal = literals_;
  code_.file.reset();
  Json list = line;
  if (const auto file = line.Find("file"); file && !file->IsNull()) {
    StringId id = 0;
    if (!String(*file, "file", &id)) return false;
    code_.file = id;
  }
  if (!Thread(line, &code_.thread)) return false;
  if (!Required(line, "iseqs", &list) || !List(list, "iseqs")) return false;
  for (Json e = list.first(); !(e == list.end()); e = e.next()) {
    if (!ParseIseq(e)) return false;
  }
  literals_ += code_.literals.size();
  return true;
}

bool EventParser::ParseIseq(const Json& element) {
  if (!ListOf(element, "iseqs", 8)) return false;
  IseqRecord iseq;
  Json e = element.first();
  if (!e.IsText() || e.text().size() != 1 ||
      kIseqKindLetters.find(e.text()[0]) == std::string_view::npos) {
    return Fail("iseqs: kind", "one of t, m, b, c, o", e);
  }
  iseq.kind = static_cast<IseqKind>(kIseqKindLetters.find(e.text()[0]));
  e = e.next();
  const std::size_t own = code_.iseqs.size();
  if (e.IsUnsigned() && e.number() < own) {
    iseq.parent = static_cast<std::int32_t>(e.number());
  } else if (e.kind() == Json::Kind::kNegative && static_cast<std::int64_t>(e.number()) == -1) {
    iseq.parent = -1;
  } else {
    return Fail("iseqs: parent", Concat("-1, or an index below its own, ", own), e);
  }
  e = e.next();
  if (!String(e, "iseqs: label", &iseq.label)) return false;
  e = e.next();
  if (!Small(e, "iseqs: words", kMaxElements, &iseq.words)) return false;
  e = e.next();
  if (!Small(e, "iseqs: lines", kMaxElements, &iseq.lines)) return false;

  e = e.next();
  if (!List(e, "iseqs: names")) return false;
  iseq.names.begin = static_cast<std::uint32_t>(code_.names.size());
  for (Json n = e.first(); !(n == e.end()); n = n.next()) {
    if (!n.IsUnsigned() || n.number() / 2 >= strings_.size()) {
      return Fail("iseqs: names",
                  Concat("2 x the id of one of the ", strings_.size(),
                         " strings defined so far, or 1 more"),
                  n);
    }
    code_.names.push_back({static_cast<StringId>(n.number() / 2), n.number() % 2 == 0});
  }
  iseq.names.end = static_cast<std::uint32_t>(code_.names.size());

  e = e.next();
  if (!List(e, "iseqs: literals")) return false;
  iseq.literals.begin = static_cast<std::uint32_t>(code_.literals.size());
  for (Json l = e.first(); !(l == e.end()); l = l.next()) {
    if (!ParseLiteral(l)) return false;
  }
  iseq.literals.end = static_cast<std::uint32_t>(code_.literals.size());

  e = e.next();
  if (!List(e, "iseqs: ivars")) return false;
  iseq.ivars.begin = static_cast<std::uint32_t>(code_.ivars.size());
  for (Json i = e.first(); !(i == e.end()); i = i.next()) {
    StringId id = 0;
    if (!String(i, "iseqs: ivars", &id)) return false;
    code_.ivars.push_back(id);
  }
  iseq.ivars.end = static_cast<std::uint32_t>(code_.ivars.size());
  code_.iseqs.push_back(iseq);
  return true;
}

bool EventParser::ParseLiteral(const Json& element) {
  if (!ListOf(element, "iseqs: literals", 2)) return false;
  LiteralRecord literal;
  if (!Small(element.first(), "iseqs: literal's length", kMaxElements, &literal.length)) {
    return false;
  }
  const Json kinds = element.first().next();
  if (!kinds.IsText()) return Fail("iseqs: literal's kinds", "a text", kinds);
  literal.runs.begin = static_cast<std::uint32_t>(code_.runs.size());
  std::uint64_t total = 0;
  const std::string_view text = kinds.text();
  for (std::size_t i = 0; i < text.size();) {
    const char kind = text[i++];
    std::uint64_t count = 0;
    const std::size_t digits = i;
    for (; i < text.size() && text[i] >= '0' && text[i] <= '9' && count <= kMaxElements; ++i) {
      count = 10 * count + static_cast<std::uint64_t>(text[i] - '0');
    }
    if (kElementKinds.find(kind) == std::string_view::npos || i == digits || count == 0) {
      return Fail("iseqs: literal's kinds", "letters of ifsynao, each with a number from 1", kinds);
    }
    total += count;
    if (total > literal.length) break;
    code_.runs.push_back({kind, static_cast<std::uint32_t>(count)});
  }
  if (total != literal.length) {
    return Fail("iseqs: literal's kinds", Concat("kinds of ", literal.length, " elements"), kinds);
  }
  literal.runs.end = static_cast<std::uint32_t>(code_.runs.size());
  code_.literals.push_back(literal);
  return true;
}

bool EventParser::ParseSymbols(const Json& line) {
  Json value = line;
  if (!Required(line, "list", &value) || !Strings(value, "list", &symbols_.list)) return false;
  if (!Required(line, "dynamic", &value)) return false;
  if (!value.IsBool()) return Fail("dynamic", "true or false", value);
  symbols_.dynamic = value.boolean();
  return true;
}

bool EventParser::ParseEvaluated(const Json& line) {
  evaluated_.literals.clear();
  Json list = line;
  if (!Required(line, "literals", &list) || !List(list, "literals")) return false;
  for (Json e = list.first(); !(e == list.end()); e = e.next()) {
    if (!ListOf(e, "literals", 3)) return false;
    Evaluation evaluation;
    const Json number = e.first();
    if (!number.IsUnsigned() || (all_ && number.number() >= literals_)) {
      return Fail("literals", Concat("the number of one of the ", literals_, " literals so far"),
                  number);
    }
    evaluation.literal = number.number();
    if (!Unsigned(number.next(), "literals: times", kMaxCount, &evaluation.times)) return false;
    std::uint32_t how = 0;
    if (!Small(number.next().next(), "literals: how", 1, &how)) return false;
    evaluation.estimated = how == 1;
    evaluated_.literals.push_back(evaluation);
  }
  return true;
}

bool EventParser::ParseAllocated(const Json& line) {
  Json value = line;
  return Required(line, "slots", &value) && Unsigned(value, "slots", kMaxCount, &allocated_.slots);
}

bool EventParser::ParseMark(const Json& line) {
  Json value = line;
  if (!Required(line, "name", &value)) return false;
  if (!value.IsText() || value.text().empty() || value.text().size() > 200) {
    return Fail("name", "a text of 1 to 200 bytes", value);
  }
  mark_.name = std::string(value.text());
  return ParseCensus(line, &mark_.census);
}

bool EventParser::ParseEnd(const Json& line) {
  Json value = line;
  if (!Required(line, "lines", &value) || !Unsigned(value, "lines", UINT64_MAX, &end_.lines)) {
    return false;
  }
  if (!Required(line, "crc32", &value)) return false;
  if (!value.IsText()) return Fail("crc32", "8 hexadecimal digits", value);
  end_.crc32 = std::string(value.text());
  if (const auto main = loading_.find(0); main != loading_.end() && all_) {
    error_ = Concat("expected a \"required\" for each \"require\" of the main thread, found ",
                    main->second, " without one");
    return false;
  }
  return true;
}

}  // namespace rubric
