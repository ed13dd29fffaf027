// EventParser: one line of a workload to one event, checked against all lines before it.
//
// USE        WorkloadReader's: ParseHeader once, then Parse a line.
// LAYOUT     An event of each kind, reused for every line of that kind; the string table; how many
//            literals there were; how many files each thread is loading.
// VALIDITY   An event is valid until the next Parse.
// ERRORS     error(): what was expected and what was there, with the field's path. After an error
//            the parser is of no use.
// TESTED BY  reader_test.cc, workload_fuzz.cc.
#ifndef RUBRIC_EXPERIMENTS_WORKLOAD_EVENT_PARSER_H_
#define RUBRIC_EXPERIMENTS_WORKLOAD_EVENT_PARSER_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/workload/events.h"
#include "experiments/workload/json_tape.h"
#include "experiments/workload/string_table.h"

namespace rubric {

struct EndRecord {
  std::uint64_t lines = 0;
  std::string crc32;
};

class EventParser {
 public:
  // The greatest numbers that are not taken for damage.
  static constexpr std::uint64_t kMaxCount = std::uint64_t{1} << 40;     // slots, times, bytes
  static constexpr std::uint64_t kMaxElements = std::uint64_t{1} << 24;  // of a literal; words
  static constexpr std::uint64_t kMaxThread = 1'000'000;

  enum class Result { kEvent, kSkipped, kEnd, kError };

  // With `all` false only marks and allocations are parsed, and no id is checked.
  explicit EventParser(bool all) : all_(all) {}

  bool ParseHeader(std::string_view line, std::uint64_t* version, WorkloadHeader* header);
  Result Parse(std::string_view line, WorkloadEvent* event);

  const StringTable& strings() const { return strings_; }
  std::uint64_t literals() const { return literals_; }
  const EndRecord& end() const { return end_; }
  const std::string& error() const { return error_; }

 private:
  // Each reads a value into *out; false and error_ if it is not what it must be. `what` names it in
  // the error.
  bool Fail(std::string_view what, std::string_view expected, const Json& found);

  bool Required(const Json& object, std::string_view name, Json* out);
  bool Unsigned(const Json& value, std::string_view what, std::uint64_t max, std::uint64_t* out);
  bool Small(const Json& value, std::string_view what, std::uint64_t max, std::uint32_t* out);
  bool List(const Json& value, std::string_view what);
  bool ListOf(const Json& value, std::string_view what, std::size_t size);
  bool String(const Json& value, std::string_view what, StringId* out);
  bool Strings(const Json& value, std::string_view what, std::vector<StringId>* out);
  bool Thread(const Json& object, std::uint32_t* out);
  template <std::size_t n>
  bool OneOf(const Json& value, std::string_view what, const std::array<std::string_view, n>& names,
             std::uint8_t* out);

  bool ParseStrings(const Json& line);
  bool ParseStringElement(const Json& element);
  bool ParseHex(const Json& object, std::string_view what, std::string* out);
  bool ParseRequire(const Json& line);
  bool ParseRequired(const Json& line);
  bool ParseCode(const Json& line);
  bool ParseIseq(const Json& element);
  bool ParseLiteral(const Json& element);
  bool ParseSymbols(const Json& line);
  bool ParseEvaluated(const Json& line);
  bool ParseAllocated(const Json& line);
  bool ParseMark(const Json& line);
  bool ParseEnd(const Json& line);

  // census_parser.cc
  bool ParseCensus(const Json& mark, Census* census);
  bool ParseSlots(const Json& mark, std::string_view name, SlotsByType* out, bool required);
  bool ParseNames(const Json& mark, std::string_view name, bool symbols, NamesCensus* out);
  bool ParseSizes(const Json& mark, std::string_view name, bool with_shared,
                  std::vector<SizeClass>* out, std::uint64_t* total);
  bool ParseObjects(const Json& mark, std::string_view name, bool with_type, Census* census,
                    std::vector<ObjectClass>* out);
  bool CheckCensus(Census* census, std::uint64_t strings, std::uint64_t arrays,
                   std::uint64_t hashes);

  const bool all_;
  std::string error_;
  JsonTape tape_;
  StringTable strings_;
  std::uint64_t literals_ = 0;
  std::map<std::uint32_t, std::uint32_t> loading_;  // thread -> open requires

  StringsEvent strings_event_;
  LoadPathEvent load_path_;
  FeaturesEvent features_;
  RequireEvent require_;
  RequiredEvent required_;
  CodeEvent code_;
  SymbolsEvent symbols_;
  EvaluatedEvent evaluated_;
  AllocatedEvent allocated_;
  MarkEvent mark_;
  EndRecord end_;
};

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_WORKLOAD_EVENT_PARSER_H_
