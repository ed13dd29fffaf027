// JsonTape: one JSON text as a flat list of nodes, made anew for each line without new memory.
//
// USE        Parse(text), then root(). A Json is a place on the tape: Is…, the value, and loops over
//            elements and members. What the value is not may not be asked for.
// LAYOUT     16 bytes a JSON value or key, in order; a container says where it ends. Text of
//            strings is in one block.
// COST       O(text): lists of whole numbers and ASCII texts at some 400 MB a second, all else by
//            nlohmann's SAX parser at 50. No allocation once the tape has grown.
// VALIDITY   A Json and its text are valid until the next Parse.
// ERRORS     Parse gives what is wrong, and at which byte; too deep nesting too.
// TESTED BY  json_tape_test.cc, reader_test.cc, workload_fuzz.cc (both parsers agree).
#ifndef RUBRIC_EXPERIMENTS_WORKLOAD_JSON_TAPE_H_
#define RUBRIC_EXPERIMENTS_WORKLOAD_JSON_TAPE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rubric {

class Json;

class JsonTape {
 public:
  static constexpr int kMaxDepth = 16;

  enum class Kind : std::uint8_t {
    kNull,
    kFalse,
    kTrue,
    kUnsigned,
    kNegative,  // an integer below 0
    kReal,      // any other number
    kText,
    kArray,
    kObject,
  };

  struct Node {
    Kind kind;
    std::uint32_t next;     // the index past the value
    std::uint64_t payload;  // number; offset << 32 | length of text; elements or members
    friend bool operator==(const Node&, const Node&) = default;
  };

  // The message of what is wrong, or nothing.
  std::optional<std::string> Parse(std::string_view text);

  // The same by the general parser alone, for tests.
  std::optional<std::string> ParseAny(std::string_view text);

  friend bool operator==(const JsonTape&, const JsonTape&) = default;

  // REQUIRES: Parse found nothing wrong.
  Json root() const;

 private:
  friend class Json;
  friend class TapeWriter;
  class PlainParser;

  std::vector<Node> nodes_;
  std::string text_;
};

class Json {
 public:
  using Kind = JsonTape::Kind;

  Kind kind() const { return node().kind; }
  bool IsNull() const { return kind() == Kind::kNull; }
  bool IsUnsigned() const { return kind() == Kind::kUnsigned; }
  bool IsText() const { return kind() == Kind::kText; }
  bool IsArray() const { return kind() == Kind::kArray; }
  bool IsObject() const { return kind() == Kind::kObject; }
  bool IsBool() const { return kind() == Kind::kTrue || kind() == Kind::kFalse; }

  std::uint64_t number() const { return node().payload; }
  bool boolean() const { return kind() == Kind::kTrue; }
  std::string_view text() const {
    return std::string_view(tape_->text_).substr(node().payload >> 32, node().payload & UINT32_MAX);
  }
  std::size_t size() const { return node().payload; }  // elements or members

  // Elements of an array, in order: for (Json e = a.first(); e != a.end(); e = e.next()).
  Json first() const { return Json(tape_, at_ + 1); }
  Json end() const { return Json(tape_, node().next); }
  Json next() const { return Json(tape_, node().next); }
  friend bool operator==(const Json& a, const Json& b) { return a.at_ == b.at_; }

  // The member called `name`, the last one if there are several.
  std::optional<Json> Find(std::string_view name) const;

  // "the number -3", "a list of 4": for errors.
  std::string Describe() const;

 private:
  friend class JsonTape;
  Json(const JsonTape* tape, std::uint32_t at) : tape_(tape), at_(at) {}
  const JsonTape::Node& node() const { return tape_->nodes_[at_]; }

  const JsonTape* tape_;
  std::uint32_t at_;
};

inline Json JsonTape::root() const { return Json(this, 0); }

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_WORKLOAD_JSON_TAPE_H_
