// Both tables under millions of random operations, against a std::unordered_map and a list of keys
// in order of insertion, with hashes that are good, that collide in all their bits, and that
// collide in their low bits only.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <list>
#include <optional>
#include <random>
#include <unordered_map>
#include <utility>

#include "core/base/keyed_hash.h"
#include "core/memory/counters.h"
#include "core/memory/subsystem.h"
#include "core/table/chained_table.h"
#include "core/table/open_table.h"
#include "core/table/table_entry.h"

namespace rubric {
namespace {

using Word = std::uint64_t;
using Chained = ChainedTable<Word, Word, Subsystem::kIvars>;
using Open = OpenTable<Word, Word, Subsystem::kIvars>;

constexpr unsigned kRandomSeed = 20260131;

// What a table should hold: records by key, and keys in order of insertion.
class Model {
 public:
  std::optional<Word> Find(Word key) const {
    const auto found = records_.find(key);
    if (found == records_.end()) return std::nullopt;
    return found->second.record;
  }
  void Insert(Word key, Word record) {
    order_.push_back(key);
    records_[key] = {record, std::prev(order_.end())};
  }
  std::optional<Word> Delete(Word key) {
    const auto found = records_.find(key);
    if (found == records_.end()) return std::nullopt;
    const Word record = found->second.record;
    order_.erase(found->second.place);
    records_.erase(found);
    return record;
  }
  template <typename Dead>
  void EraseIf(Dead dead) {
    for (auto it = order_.begin(); it != order_.end();) {
      const Word key = *it++;
      if (dead(key)) Delete(key);
    }
  }
  void Clear() {
    records_.clear();
    order_.clear();
  }
  const std::list<Word>& order() const { return order_; }
  std::size_t size() const { return records_.size(); }

 private:
  struct Place {
    Word record;
    std::list<Word>::iterator place;
  };
  std::unordered_map<Word, Place> records_;
  std::list<Word> order_;
};

// How keys hash, and how many different ones there are: what collides must stay few.
struct KeyKind {
  const char* name;
  Word (*hash)(Word key);
  Word domain;
  int steps;
};

constexpr KeyKind kKeyKinds[] = {
    {"mixed", [](Word key) { return MixInteger(key); }, 3'000, 1'500'000},
    {"tiny", [](Word key) { return MixInteger(key); }, 12, 500'000},
    {"consecutive", [](Word key) { return key; }, 1'000, 500'000},
    {"all_equal", [](Word) { return Word{42}; }, 60, 200'000},
    {"all_ones", [](Word) { return ~Word{0}; }, 20, 100'000},
    {"low_bits_equal", [](Word key) { return key << 40; }, 200, 300'000},
    {"high_bits_equal", [](Word key) { return ~Word{0} << 8 | key % 5; }, 40, 200'000},
};

template <typename Table>
void ExpectSame(const Table& table, const Model& model) {
  ASSERT_EQ(table.size(), model.size());
  auto expected = model.order().begin();
  table.ForEach([&](Word key, Word record) {
    ASSERT_NE(expected, model.order().end());
    ASSERT_EQ(key, *expected++);
    ASSERT_EQ(record, *model.Find(key));
  });
  table.CheckInvariants();
}

template <typename Table>
void RunDifferential(const KeyKind& kind) {
  SCOPED_TRACE(kind.name);
  const std::int64_t live_before = TakeSnapshot()[Subsystem::kIvars].live_bytes;
  {
    Table table;
    Model model;
    std::mt19937_64 random(kRandomSeed);
    for (int step = 0; step < kind.steps; ++step) {
      const Word key = random() % kind.domain;
      const Word hash = kind.hash(key);
      const auto same = [key](const Word& stored) { return stored == key; };
      // Phases in which insertion outweighs deletion alternate with their opposite, so that tables
      // fill up, empty out and meet their own tombstones.
      const bool growing = step / 5'000 % 2 == 0;
      const Word choice = random() % 100;
      if (choice < (growing ? 50u : 20u)) {
        const Word record = random();
        const auto [stored, inserted] =
            table.FindOrInsert(hash, same, [&] { return std::pair(key, record); });
        const std::optional<Word> expected = model.Find(key);
        ASSERT_EQ(inserted, !expected.has_value()) << "at step " << step;
        ASSERT_EQ(*stored, expected.value_or(record)) << "at step " << step;
        if (inserted) model.Insert(key, record);
      } else if (choice < 70) {
        const auto gone = table.Delete(hash, same);
        const std::optional<Word> expected = model.Delete(key);
        ASSERT_EQ(gone.has_value(), expected.has_value()) << "at step " << step;
        if (gone) {
          ASSERT_EQ(gone->key, key);
          ASSERT_EQ(gone->record, *expected);
        }
      } else {
        const Word* found = std::as_const(table).Find(hash, same);
        const std::optional<Word> expected = model.Find(key);
        ASSERT_EQ(found != nullptr, expected.has_value()) << "at step " << step;
        if (found != nullptr) {
          ASSERT_EQ(*found, *expected);
        }
      }
      ASSERT_EQ(table.size(), model.size());
      if (step % 10'007 == 0) {
        const Word remainder = random() % 7;
        const auto dead = [&](Word k) { return k % 7 == remainder; };
        table.EraseIf([&](Word k, Word) { return dead(k); });
        model.EraseIf(dead);
      }
      if (step % 100'003 == 100'002) {
        table.Clear();
        model.Clear();
      }
      if (step % 60'013 == 0) table.Reserve(random() % 500);
      if (step % 2'003 == 0) {
        ExpectSame(table, model);
        // Usable bytes are what was asked for or a little more.
        ASSERT_LE(static_cast<std::int64_t>(table.memory_use().total()),
                  TakeSnapshot()[Subsystem::kIvars].live_bytes - live_before);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
    ExpectSame(table, model);
    ExpectSame(table.Clone(), model);
  }
  ASSERT_EQ(TakeSnapshot()[Subsystem::kIvars].live_bytes, live_before);
}

template <typename Table>
class TableDifferentialTest : public testing::Test {};
using Tables = testing::Types<Chained, Open>;
TYPED_TEST_SUITE(TableDifferentialTest, Tables);

TYPED_TEST(TableDifferentialTest, AgreesWithTheModelUnderChurn) {
  for (const KeyKind& kind : kKeyKinds) {
    RunDifferential<TypeParam>(kind);
    if (this->HasFatalFailure()) return;
  }
}

// Through every growth point up to widths of bins of 4 bytes.
TYPED_TEST(TableDifferentialTest, KeepsEverythingThroughGrowth) {
  TypeParam table;
  constexpr Word kEntries = 140'000;
  for (Word key = 0; key < kEntries; ++key) {
    table.FindOrInsert(
        MixInteger(key), [key](const Word& stored) { return stored == key; },
        [key] { return std::pair<Word, Word>(key, ~key); });
    // Wherever a power of two was just filled or passed.
    if ((key & (key + 1)) == 0 || (key & (key - 1)) == 0) table.CheckInvariants();
  }
  Word next = 0;
  table.ForEach([&](Word key, Word record) {
    ASSERT_EQ(key, next++);
    ASSERT_EQ(record, ~key);
  });
  ASSERT_EQ(next, kEntries);
  for (Word key = 0; key < kEntries; ++key) {
    ASSERT_NE(table.Find(MixInteger(key), [key](const Word& stored) { return stored == key; }),
              nullptr);
  }
  table.CheckInvariants();
}

}  // namespace
}  // namespace rubric
