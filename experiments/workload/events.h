// The events of a recorded workload, as typed values: what a line of it says.
//
// USE        WorkloadReader gives them one by one. Strings are ids into its StringTable.
// VALIDITY   An event and what it holds are valid until the reader's next one.
// SOURCE     experiments/workloads/README.md: the format, field by field.
#ifndef RUBRIC_EXPERIMENTS_WORKLOAD_EVENTS_H_
#define RUBRIC_EXPERIMENTS_WORKLOAD_EVENTS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace rubric {

using StringId = std::uint32_t;

struct WorkloadHeader {
  std::string ruby;      // "3.1.2"
  std::string platform;  // "x86_64-linux-gnu"
  bool text = false;     // contents of strings were kept
};

// Strings `first` to `first + count` were added to the table.
struct StringsEvent {
  StringId first = 0;
  std::size_t count = 0;
};

struct LoadPathEvent {
  std::vector<StringId> folders;
};

struct FeaturesEvent {
  std::vector<StringId> list;
};

enum class RequireHow : std::uint8_t { kRequire, kRequireRelative, kLoad, kAutoload };
inline constexpr std::array<std::string_view, 4> kRequireHowNames = {"require", "require_relative",
                                                                     "load", "autoload"};

enum class RequireOutcome : std::uint8_t { kOld, kFailed, kNative, kNew };
inline constexpr std::array<std::string_view, 4> kRequireOutcomeNames = {"old", "failed", "native",
                                                                         "new"};

struct RequireEvent {
  std::string name;  // as the program wrote it, components renamed
  RequireHow how = RequireHow::kRequire;
  std::optional<StringId> feature;
  RequireOutcome outcome = RequireOutcome::kOld;
  std::uint32_t thread = 0;
};

struct RequiredEvent {
  bool raised = false;
  std::uint32_t thread = 0;
};

// A half-open range of one of a CodeEvent's lists.
struct Range {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t size() const { return end - begin; }
};

enum class IseqKind : std::uint8_t { kTop, kMethod, kBlock, kClass, kOther };
inline constexpr std::string_view kIseqKindLetters = "tmbco";

struct IseqRecord {
  IseqKind kind = IseqKind::kTop;
  std::int32_t parent = -1;  // its index in the event; less than its own
  StringId label = 0;
  std::uint32_t words = 0;  // of 8 bytes, of instructions
  std::uint32_t lines = 0;  // entries of the line table
  Range names;              // in CodeEvent::names
  Range literals;           // in CodeEvent::literals
  Range ivars;              // in CodeEvent::ivars
};

// An interned name: a symbol or a frozen string.
struct NameRecord {
  StringId string = 0;
  bool is_symbol = false;
};

inline constexpr std::string_view kElementKinds = "ifsynao";

struct KindRun {
  char kind = 'n';  // one of kElementKinds
  std::uint32_t count = 0;
};

struct LiteralRecord {
  std::uint32_t length = 0;  // elements
  Range runs;                // in CodeEvent::runs; they add up to `length`
};

struct CodeEvent {
  std::optional<StringId> file;  // none: an eval
  std::uint32_t thread = 0;
  std::uint64_t first_literal = 0;  // the number of literals[0] in the whole workload
  std::vector<IseqRecord> iseqs;
  std::vector<NameRecord> names;
  std::vector<LiteralRecord> literals;
  std::vector<KindRun> runs;
  std::vector<StringId> ivars;
};

struct SymbolsEvent {
  std::vector<StringId> list;
  bool dynamic = false;
};

struct Evaluation {
  std::uint64_t literal = 0;
  std::uint64_t times = 0;
  bool estimated = false;
};

struct EvaluatedEvent {
  std::vector<Evaluation> literals;
};

struct AllocatedEvent {
  std::uint64_t slots = 0;
};

enum class RubyType : std::uint8_t {
  kObject,
  kClass,
  kModule,
  kIclass,
  kFloat,
  kString,
  kRegexp,
  kArray,
  kHash,
  kStruct,
  kBignum,
  kFile,
  kData,
  kMatch,
  kComplex,
  kRational,
  kSymbol,
  kImemo,
  kNode,
};
inline constexpr std::size_t kRubyTypeCount = 19;
inline constexpr std::array<std::string_view, kRubyTypeCount> kRubyTypeNames = {
    "T_OBJECT",  "T_CLASS",    "T_MODULE", "T_ICLASS", "T_FLOAT", "T_STRING", "T_REGEXP",
    "T_ARRAY",   "T_HASH",     "T_STRUCT", "T_BIGNUM", "T_FILE",  "T_DATA",   "T_MATCH",
    "T_COMPLEX", "T_RATIONAL", "T_SYMBOL", "T_IMEMO",  "T_NODE"};

using SlotsByType = std::array<std::uint64_t, kRubyTypeCount>;

struct SizeClass {
  std::uint64_t size = 0;  // bytes, elements or entries
  std::uint64_t count = 0;
  std::uint64_t shared = 0;  // of `count`; 0 for hashes
};

struct ObjectClass {
  RubyType type = RubyType::kObject;
  StringId klass = 0;
  Range ivars;  // in Census::ivar_names; in order of setting
  std::uint64_t count = 0;
};

struct NamesCensus {
  std::uint64_t live = 0;
  std::uint64_t dynamic = 0;  // symbols only: T_SYMBOL slots
  std::vector<StringId> add;
  std::vector<StringId> add_dynamic;  // symbols only
  std::vector<StringId> gone;
};

struct Census {
  SlotsByType slots{};
  SlotsByType garbage{};
  std::uint64_t gc_minor = 0, gc_major = 0, gc_allocated = 0;
  std::uint64_t features = 0;
  std::uint64_t iseqs = 0;
  NamesCensus symbols;
  NamesCensus fstrings;
  std::vector<SizeClass> strings;
  std::vector<SizeClass> arrays;
  std::vector<SizeClass> hashes;
  std::vector<ObjectClass> objects;  // T_OBJECT
  std::vector<ObjectClass> others;   // all other types, if they have ivars
  std::vector<StringId> ivar_names;

  std::uint64_t SlotsOf(RubyType type) const { return slots[static_cast<std::size_t>(type)]; }
};

struct MarkEvent {
  std::string name;
  Census census;
};

using WorkloadEvent =
    std::variant<const StringsEvent*, const LoadPathEvent*, const FeaturesEvent*,
                 const RequireEvent*, const RequiredEvent*, const CodeEvent*, const SymbolsEvent*,
                 const EvaluatedEvent*, const AllocatedEvent*, const MarkEvent*>;

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_WORKLOAD_EVENTS_H_
