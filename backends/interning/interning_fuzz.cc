// Fuzzes the interning axis: bytes become a program of operations, which runs on all backends and
// on the model at once; any disagreement, broken invariant or leak aborts. The environment variable
// RUBRIC_FUZZ_VERBOSE prints the program.
//
// LAYOUT     Byte 0: bit 0 chooses the kind of record, bits 1-7 the initial size. Then operations,
//            each a byte of which bits 0-2 are the operation and bits 3-7 its number, and a name
//            where it takes one. A name is a byte below 128, one of the hostile names, or the byte
//            128 + n, n < 32 bytes of it, and a byte that chooses encoding and hash.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "backends/interning/khash/khash_interning.h"
#include "backends/interning/robin_map/robin_map_interning.h"
#include "backends/interning/st_chained/st_chained_interning.h"
#include "backends/interning/st_open/st_open_interning.h"
#include "backends/interning/swiss/swiss_interning.h"
#include "core/base/check.h"
#include "core/interning/interning.h"
#include "core/interning/model_interning.h"
#include "core/interning/test_names.h"
#include "core/memory/counters.h"
#include "core/memory/subsystem.h"
#include "core/object/layout.h"

namespace rubric {
namespace {

// Hands out the input; zeros when it is used up.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : rest_(data, size) {}
  bool empty() const { return rest_.empty(); }
  std::uint8_t Byte() {
    if (rest_.empty()) return 0;
    const std::uint8_t byte = rest_.front();
    rest_.remove_prefix(1);
    return byte;
  }

 private:
  std::basic_string_view<std::uint8_t> rest_;
};

// Names by number. A name's hash is fixed when it is first met, as a keyed hash would be.
class Names {
 public:
  std::size_t Read(Input& input) {
    const std::uint8_t first = input.Byte();
    static const std::vector<TestName> hostile = HostileNames(100);
    if (first < 128) return Number(hostile[first * hostile.size() / 128]);
    std::string bytes;
    for (std::uint8_t n = first & 31; n > 0; --n) bytes.push_back(static_cast<char>(input.Byte()));
    const std::uint8_t choice = input.Byte();
    TestName name = NameOf(bytes, static_cast<Encoding>((choice >> 3) % 3));
    switch (choice & 7) {
      case 0:
        name.hash = 0;
        break;
      case 1:
        name.hash = ~std::uint64_t{0};
        break;
      case 2:
        name.hash <<= 56;
        break;
      case 3:
        name.hash &= 7;
        break;
      default:
        break;
    }
    return Number(name);
  }

  const TestName& operator[](std::size_t number) const { return names_[number]; }
  std::size_t size() const { return names_.size(); }

 private:
  std::size_t Number(const TestName& name) {
    const auto [place, added] = numbers_.try_emplace({name.bytes, name.encoding}, names_.size());
    if (added) names_.push_back(name);
    return place->second;
  }

  std::map<std::pair<std::string, Encoding>, std::size_t> numbers_;
  std::vector<TestName> names_;
};

template <InterningBackend... Backends>
struct BackendList {};
using AllBackends = BackendList<StChainedInterning, StOpenInterning, KhashInterning,
                                RobinMapInterning, SwissInterning>;

template <typename Record, typename List>
struct TablesOf;
template <typename Record, typename... Backends>
struct TablesOf<Record, BackendList<Backends...>> {
  explicit TablesOf(std::size_t n) : tables(std::make_unique<Table<Backends>>(n)...) {}

  template <typename Backend>
  struct Table : Backend::template Table<Record> {
    using Kind = Backend;
    using Backend::template Table<Record>::Table;
  };

  // use(table) for each backend's, whose type names its Kind.
  template <typename Use>
  void ForEach(Use use) {
    std::apply([&](auto&... table) { (use(*table), ...); }, tables);
  }

  std::tuple<std::unique_ptr<Table<Backends>>...> tables;
};

template <typename Record>
class State {
 public:
  explicit State(std::size_t initial_size) : model_(initial_size), tables_(initial_size) {}
  ~State() { CheckAll(); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  Names& names() { return names_; }
  std::size_t made() const { return made_.size(); }

  void Intern(std::size_t name) {
    const InternKey key = names_[name].key();
    RString* string = strings_.New(names_[name].bytes, names_[name].encoding);
    made_[string] = made_.size();
    const Record made = RecordFor<Record>(string, made_.size());
    const auto expected = model_.FindOrInsert(key, [&] { return made; });
    tables_.ForEach([&](auto& table) {
      const auto got = table.FindOrInsert(key, [&] { return made; });
      Expect(table, got.inserted == expected.inserted && got.record == expected.record, "Intern");
    });
  }

  void Find(std::size_t name) {
    const std::optional<Record> expected = model_.Find(names_[name].key());
    tables_.ForEach(
        [&](auto& table) { Expect(table, table.Find(names_[name].key()) == expected, "Find"); });
  }

  void Delete(std::size_t name) {
    const std::optional<Record> expected = model_.Delete(names_[name].key());
    tables_.ForEach([&](auto& table) {
      Expect(table, table.Delete(names_[name].key()) == expected, "Delete");
    });
  }

  // Dead are some of the Strings, by when they were made.
  void Sweep(std::size_t modulus) {
    Strings expected_asked;
    const auto dead = [&](const Record& record) { return made_.at(record.string) % modulus == 0; };
    model_.EraseIf([&](const Record& record) {
      expected_asked.push_back(record.string);
      return dead(record);
    });
    tables_.ForEach([&](auto& table) {
      Strings asked;
      table.EraseIf([&](const Record& record) {
        asked.push_back(record.string);
        return dead(record);
      });
      Expect(table, Sorted(asked) == Sorted(expected_asked), "Sweep asks once");
    });
  }

  void Clear() {
    model_.Clear();
    tables_.ForEach([](auto& table) { table.Clear(); });
  }

  void Reserve(std::size_t count) {
    model_.Reserve(count);
    tables_.ForEach([count](auto& table) { table.Reserve(count); });
  }

  void CheckSizes() {
    tables_.ForEach([&](auto& table) { Expect(table, table.size() == model_.size(), "size"); });
  }

  // Everything that is in the tables, in order where that is promised, and their invariants.
  void CheckAll() {
    Strings expected;
    model_.CheckInvariants();
    model_.ForEach([&](const Record& record) { expected.push_back(record.string); });
    const Strings expected_sorted = Sorted(expected);
    tables_.ForEach([&](auto& table) {
      table.CheckInvariants();
      Strings visited;
      table.ForEach([&](const Record& record) { visited.push_back(record.string); });
      if (std::decay_t<decltype(table)>::Kind::kTraits.insertion_ordered) {
        Expect(table, visited == expected, "ForEach in order");
      } else {
        Expect(table, Sorted(visited) == expected_sorted, "ForEach");
      }
      Expect(table, table.memory_use().payload == expected.size() * sizeof(Record), "payload");
    });
  }

 private:
  using Strings = std::vector<const RString*>;

  static Strings Sorted(Strings strings) {
    std::sort(strings.begin(), strings.end());
    return strings;
  }

  template <typename Table>
  static void Expect(const Table&, bool agrees, const char* what) {
    if (agrees) return;
    std::fprintf(stderr, "%s disagrees with the model: %s\n",
                 std::string(Table::Kind::kName).c_str(), what);
    RUBRIC_CHECK(agrees, "all backends agree with the model");
  }

  Names names_;
  TestStrings strings_;
  std::unordered_map<const RString*, std::size_t> made_;
  ModelInterning::Table<Record> model_;
  TablesOf<Record, AllBackends> tables_;
};

// --- Operations: each performs itself on the state and prints itself. ---

struct Intern {
  std::size_t name;
  void Perform(auto& state) const { state.Intern(name); }
  void Print() const { std::fprintf(stderr, "Intern(%zu)\n", name); }
};
struct Find {
  std::size_t name;
  void Perform(auto& state) const { state.Find(name); }
  void Print() const { std::fprintf(stderr, "Find(%zu)\n", name); }
};
struct Delete {
  std::size_t name;
  void Perform(auto& state) const { state.Delete(name); }
  void Print() const { std::fprintf(stderr, "Delete(%zu)\n", name); }
};
struct Sweep {
  std::size_t modulus;
  void Perform(auto& state) const { state.Sweep(modulus); }
  void Print() const { std::fprintf(stderr, "Sweep(%zu)\n", modulus); }
};
struct Clear {
  void Perform(auto& state) const { state.Clear(); }
  void Print() const { std::fprintf(stderr, "Clear()\n"); }
};
struct Reserve {
  std::size_t count;
  void Perform(auto& state) const { state.Reserve(count); }
  void Print() const { std::fprintf(stderr, "Reserve(%zu)\n", count); }
};
struct CheckAll {
  void Perform(auto& state) const { state.CheckAll(); }
  void Print() const { std::fprintf(stderr, "CheckAll()\n"); }
};
// Many names, one after the other: growth in few bytes of input.
struct InternRun {
  std::size_t from, count;
  void Perform(auto& state) const {
    for (std::size_t i = from; i < from + count; ++i) {
      std::uint8_t bytes[] = {static_cast<std::uint8_t>(128 + 2), static_cast<std::uint8_t>(i),
                              static_cast<std::uint8_t>(i >> 8), 4};
      Input input(bytes, sizeof(bytes));
      state.Intern(state.names().Read(input));
    }
  }
  void Print() const { std::fprintf(stderr, "InternRun(%zu, %zu)\n", from, count); }
};

using Operation = std::variant<Intern, Find, Delete, Sweep, Clear, Reserve, CheckAll, InternRun>;

Operation Read(Input& input, Names& names) {
  const std::uint8_t byte = input.Byte();
  const std::size_t number = byte >> 3;
  switch (byte & 7) {
    case 0:
      return Intern{names.Read(input)};
    case 1:
      return Find{names.Read(input)};
    case 2:
      return Delete{names.Read(input)};
    case 3:
      return Sweep{number + 1};
    case 4:
      if (number == 0) return Clear{};
      return CheckAll{};
    case 5:
      return Reserve{number * number * 4};
    case 6:
      return InternRun{number * 100, std::size_t{input.Byte()} * 4};
    default:
      return Intern{names.Read(input)};
  }
}

template <typename Record>
void Run(Input input, std::size_t initial_size) {
  // What an input may cost.
  constexpr int kMostSteps = 2'000;
  constexpr std::size_t kMostStrings = 4'000;
  const bool verbose = std::getenv("RUBRIC_FUZZ_VERBOSE") != nullptr;
  const std::int64_t live_before = TakeSnapshot()[Subsystem::kInterning].live_bytes;
  {
    State<Record> state(initial_size);
    for (int step = 0; step < kMostSteps && state.made() < kMostStrings && !input.empty(); ++step) {
      const Operation operation = Read(input, state.names());
      std::visit(
          [&](const auto& op) {
            if (verbose) op.Print();
            op.Perform(state);
          },
          operation);
      state.CheckSizes();
      if (step % 64 == 63) state.CheckAll();
    }
  }
  RUBRIC_CHECK(TakeSnapshot()[Subsystem::kInterning].live_bytes == live_before,
               "tables give everything back");
}

}  // namespace
}  // namespace rubric

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  rubric::Input input(data, size);
  const std::uint8_t head = input.Byte();
  if (head % 2 == 0) {
    rubric::Run<rubric::FstringRecord>(input, head / 2);
  } else {
    rubric::Run<rubric::SymbolRecord>(input, head / 2);
  }
  return 0;
}
