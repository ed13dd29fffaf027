#include "experiments/workload/json_tape.h"

#include "nlohmann/json.hpp"
#include "reports/results/concat.h"

namespace rubric {

// nlohmann's SAX events, written to a tape.
class TapeWriter {
 public:
  explicit TapeWriter(JsonTape& tape) : tape_(tape) {}

  std::string error;

  bool null() { return Add(JsonTape::Kind::kNull, 0); }
  bool boolean(bool value) {
    return Add(value ? JsonTape::Kind::kTrue : JsonTape::Kind::kFalse, 0);
  }
  bool number_integer(std::int64_t value) {
    return Add(JsonTape::Kind::kNegative, static_cast<std::uint64_t>(value));
  }
  bool number_unsigned(std::uint64_t value) { return Add(JsonTape::Kind::kUnsigned, value); }
  bool number_float(double, const std::string&) { return Add(JsonTape::Kind::kReal, 0); }
  bool string(std::string& value) {
    const std::uint64_t offset = tape_.text_.size();
    tape_.text_ += value;
    return Add(JsonTape::Kind::kText, offset << 32 | value.size());
  }
  bool binary(std::vector<std::uint8_t>&) { return false; }  // JSON text has none
  bool key(std::string& name) {
    ++tape_.nodes_[open_.back()].payload;
    const std::uint64_t offset = tape_.text_.size();
    tape_.text_ += name;
    Push(JsonTape::Kind::kText, offset << 32 | name.size());
    return true;
  }
  bool start_object(std::size_t) { return Open(JsonTape::Kind::kObject); }
  bool start_array(std::size_t) { return Open(JsonTape::Kind::kArray); }
  bool end_object() { return Close(); }
  bool end_array() { return Close(); }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::json::exception& what) {
    const std::string_view message = what.what();
    const std::size_t begin = message.find("syntax error");
    error = Concat("expected JSON, found at byte ", position, ": ",
                   begin == std::string_view::npos ? message : message.substr(begin));
    return false;
  }

 private:
  void Push(JsonTape::Kind kind, std::uint64_t payload) {
    const auto next = static_cast<std::uint32_t>(tape_.nodes_.size() + 1);
    tape_.nodes_.push_back({kind, next, payload});
  }
  // A value: an element, where the innermost container is an array.
  bool Add(JsonTape::Kind kind, std::uint64_t payload) {
    if (!open_.empty() && tape_.nodes_[open_.back()].kind == JsonTape::Kind::kArray) {
      ++tape_.nodes_[open_.back()].payload;
    }
    Push(kind, payload);
    return true;
  }
  bool Open(JsonTape::Kind kind) {
    if (open_.size() == JsonTape::kMaxDepth) {
      error = Concat("expected at most ", JsonTape::kMaxDepth, " levels of nesting, found more");
      return false;
    }
    const auto at = static_cast<std::uint32_t>(tape_.nodes_.size());
    Add(kind, 0);
    open_.push_back(at);
    return true;
  }
  bool Close() {
    tape_.nodes_[open_.back()].next = static_cast<std::uint32_t>(tape_.nodes_.size());
    open_.pop_back();
    return true;
  }

  JsonTape& tape_;
  std::vector<std::uint32_t> open_;  // indexes of containers, innermost last
};

// Most lines are lists of whole numbers between names of letters. This reads such, several times
// faster than a general parser; what is beyond it, or wrong, is left to that.
class JsonTape::PlainParser {
 public:
  PlainParser(JsonTape& tape, std::string_view text)
      : tape_(tape), at_(text.data()), end_(text.data() + text.size()) {}

  bool Parse() { return Value(0) && at_ == end_; }

 private:
  bool Take(char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }

  void Push(Kind kind, std::uint64_t payload) {
    tape_.nodes_.push_back({kind, static_cast<std::uint32_t>(tape_.nodes_.size() + 1), payload});
  }

  bool Value(int depth) {
    if (at_ == end_) return false;
    switch (*at_) {
      case '[':
        return Container(Kind::kArray, ']', depth);
      case '{':
        return Container(Kind::kObject, '}', depth);
      case '"':
        return Text();
      case '-':
        ++at_;
        return Number(true);
      default:
        return Number(false);
    }
  }

  bool Container(Kind kind, char close, int depth) {
    if (depth == kMaxDepth) return false;
    ++at_;
    const std::size_t own = tape_.nodes_.size();
    Push(kind, 0);
    std::uint64_t members = 0;
    if (!Take(close)) {
      do {
        if (kind == Kind::kObject && (at_ == end_ || *at_ != '"' || !Text() || !Take(':'))) {
          return false;
        }
        if (!Value(depth + 1)) return false;
        ++members;
      } while (Take(','));
      if (!Take(close)) return false;
    }
    tape_.nodes_[own].next = static_cast<std::uint32_t>(tape_.nodes_.size());
    tape_.nodes_[own].payload = members;
    return true;
  }

  // ASCII without escapes.
  bool Text() {
    const char* begin = ++at_;
    while (at_ != end_ && *at_ != '"') {
      if (*at_ < 0x20 || *at_ == '\\') return false;  // bytes from 0x80 on are negative
      ++at_;
    }
    if (at_ == end_) return false;
    const std::uint64_t offset = tape_.text_.size();
    const auto length = static_cast<std::uint64_t>(at_ - begin);
    tape_.text_.append(begin, length);
    ++at_;
    Push(Kind::kText, offset << 32 | length);
    return true;
  }

  // Up to 18 digits, which always fit.
  bool Number(bool negative) {
    const char* begin = at_;
    std::uint64_t number = 0;
    while (at_ != end_ && *at_ >= '0' && *at_ <= '9' && at_ - begin < 18) {
      number = 10 * number + static_cast<std::uint64_t>(*at_++ - '0');
    }
    if (at_ == begin || (*begin == '0' && at_ - begin > 1) || (negative && number == 0))
      return false;
    if (at_ != end_ && *at_ != ',' && *at_ != ']' && *at_ != '}') return false;
    Push(negative ? Kind::kNegative : Kind::kUnsigned, negative ? 0 - number : number);
    return true;
  }

  JsonTape& tape_;
  const char* at_;
  const char* const end_;
};

std::optional<std::string> JsonTape::Parse(std::string_view text) {
  nodes_.clear();
  text_.clear();
  if (PlainParser(*this, text).Parse()) return std::nullopt;
  return ParseAny(text);
}

std::optional<std::string> JsonTape::ParseAny(std::string_view text) {
  nodes_.clear();
  text_.clear();
  TapeWriter writer(*this);
  if (nlohmann::json::sax_parse(text.begin(), text.end(), &writer)) return std::nullopt;
  return writer.error;
}

std::optional<Json> Json::Find(std::string_view name) const {
  std::optional<Json> found;
  for (Json key = first(); !(key == end());) {
    const Json value = key.next();
    if (key.text() == name) found = value;
    key = value.next();
  }
  return found;
}

std::string Json::Describe() const {
  switch (kind()) {
    case Kind::kNull:
      return "null";
    case Kind::kFalse:
      return "false";
    case Kind::kTrue:
      return "true";
    case Kind::kUnsigned:
      return Concat("the number ", number());
    case Kind::kNegative:
      return Concat("the number ", static_cast<std::int64_t>(number()));
    case Kind::kReal:
      return "a number that is no integer of 64 bits";
    case Kind::kText: {
      std::string shown(text().substr(0, 40));
      for (char& c : shown) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
      }
      return Concat("the text '", shown, text().size() > 40 ? "…'" : "'");
    }
    case Kind::kArray:
      return Concat("a list of ", size());
    case Kind::kObject:
      return Concat("an object of ", size(), " fields");
  }
  return "nothing";
}

}  // namespace rubric
