// InterningConformance: the tests that every backend of the interning axis passes, by invariant.
//
// USE        In a backend's test:
//              INSTANTIATE_TYPED_TEST_SUITE_P(Khash, InterningConformance,
//                                             InterningSubjects<KhashInterning>);
//            Each test runs on both kinds of table. Numbers in names are those of interning.h's
//            invariants.
#ifndef RUBRIC_CORE_INTERNING_INTERNING_CONFORMANCE_H_
#define RUBRIC_CORE_INTERNING_INTERNING_CONFORMANCE_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "core/base/build_mode.h"
#include "core/base/memory_use.h"
#include "core/interning/interning.h"
#include "core/interning/test_names.h"
#include "core/memory/counters.h"
#include "core/memory/malloc_log.h"
#include "core/memory/subsystem.h"
#include "core/object/layout.h"

namespace rubric {

template <InterningBackend B, InternRecord R>
struct InterningSubject {
  using Backend = B;
  using Record = R;
  using Table = typename B::template Table<R>;
};

template <InterningBackend B>
using InterningSubjects =
    testing::Types<InterningSubject<B, FstringRecord>, InterningSubject<B, SymbolRecord>>;

// Two Strings for each of the hostile names, so that who was first can be told.
template <InternRecord Record>
class NamedRecords {
 public:
  explicit NamedRecords(std::size_t plain) : names_(HostileNames(plain)) {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      for (std::vector<Record>& copies : records_) {
        copies.push_back(
            RecordFor<Record>(strings_.New(names_[i].bytes, names_[i].encoding), copies.size()));
      }
      number_of_[records_[0][i].string] = number_of_[records_[1][i].string] = i;
    }
  }

  std::size_t size() const { return names_.size(); }
  InternKey key(std::size_t i) const { return names_[i].key(); }
  Record record(std::size_t i, std::size_t copy = 0) const { return records_[copy][i]; }
  // Which name a record is of.
  std::size_t NumberOf(const Record& record) const { return number_of_.at(record.string); }

 private:
  TestStrings strings_;
  std::vector<TestName> names_;
  std::vector<Record> records_[2];
  std::unordered_map<const RString*, std::size_t> number_of_;
};

// What a table should hold, by the number of the name: obvious, and nothing like a hash table.
template <InternRecord Record>
class InterningOracle {
 public:
  explicit InterningOracle(std::size_t names) : held_(names) {}

  std::optional<Record> Find(std::size_t i) const {
    return held_[i] ? std::optional(held_[i]->record) : std::nullopt;
  }
  void Insert(std::size_t i, Record record) {
    held_[i] = {record, inserted_};
    order_[inserted_++] = i;
  }
  void Delete(std::size_t i) {
    order_.erase(held_[i]->position);
    held_[i].reset();
  }
  void Clear() {
    while (!order_.empty()) Delete(order_.begin()->second);
  }
  std::size_t size() const { return order_.size(); }
  // Numbers of names, in order of insertion.
  std::vector<std::size_t> Order() const {
    std::vector<std::size_t> numbers;
    for (const auto& [position, i] : order_) numbers.push_back(i);
    return numbers;
  }

 private:
  struct Held {
    Record record;
    std::uint64_t position;
  };
  std::vector<std::optional<Held>> held_;
  std::map<std::uint64_t, std::size_t> order_;
  std::uint64_t inserted_ = 0;
};

template <typename Subject>
class InterningConformance : public testing::Test {
 protected:
  using Backend = typename Subject::Backend;
  using Record = typename Subject::Record;
  using Table = typename Subject::Table;

  static AllocatorCounters Counters() { return TakeSnapshot()[Subsystem::kInterning]; }

  // The names of a table in the order in which it visits them.
  std::vector<std::size_t> Visited(const Table& table) const {
    std::vector<std::size_t> numbers;
    table.ForEach([&](const Record& record) { numbers.push_back(names_.NumberOf(record)); });
    return numbers;
  }

  // Fails unless the table visits `expected`: in that order iff it promises to keep order.
  void ExpectVisits(const Table& table, std::vector<std::size_t> expected) const {
    std::vector<std::size_t> visited = Visited(table);
    if (!Backend::kTraits.insertion_ordered) {
      std::sort(visited.begin(), visited.end());
      std::sort(expected.begin(), expected.end());
    }
    ASSERT_EQ(visited, expected);
    ASSERT_EQ(table.size(), expected.size());
  }

  Insertion<Record> Insert(Table& table, std::size_t i, std::size_t copy = 0) {
    return table.FindOrInsert(names_.key(i), [&] { return names_.record(i, copy); });
  }

  // What `expression` asked for and did not give back, in bytes asked for: the counters have live
  // bytes as usable ones only, so it is read from the malloc log.
  static std::int64_t BytesAskedAndHeld(const std::function<void()>& expression) {
    const std::string path = testing::TempDir() + "/interning.malloc_log";
    EXPECT_TRUE(OpenMallocLog(path).ok());
    expression();
    EXPECT_TRUE(CloseMallocLog().ok());
    std::unordered_map<std::uint64_t, std::uint64_t> live;
    const auto read = ReadMallocLog(path, [&](const MallocEvent& event) {
      if (event.subsystem != Subsystem::kInterning) return;
      if (event.allocates()) {
        live[event.address] = event.requested_bytes;
      } else {
        live.erase(event.address);
      }
    });
    EXPECT_TRUE(read.ok()) << read.status().ToString();
    std::int64_t bytes = 0;
    for (const auto& [address, requested] : live) bytes += static_cast<std::int64_t>(requested);
    return bytes;
  }

  NamedRecords<Record> names_{/*plain=*/3'000};
};

TYPED_TEST_SUITE_P(InterningConformance);

TYPED_TEST_P(InterningConformance, Invariant1_OneRecordAKey) {
  typename TestFixture::Table table(0);
  for (std::size_t i = 0; i < this->names_.size(); ++i) {
    const auto first = this->Insert(table, i, 0);
    ASSERT_TRUE(first.inserted) << "name " << i;
    ASSERT_EQ(first.record, this->names_.record(i, 0));
    const auto second = this->Insert(table, i, 1);
    ASSERT_FALSE(second.inserted) << "name " << i;
    ASSERT_EQ(second.record, this->names_.record(i, 0)) << "the first record stays";
  }
  EXPECT_EQ(table.size(), this->names_.size());
  table.CheckInvariants();
}

TYPED_TEST_P(InterningConformance, Invariant1_MakeIsCalledIffNothingWasFound) {
  typename TestFixture::Table table(10);
  int calls = 0;
  const auto make = [&] {
    ++calls;
    return this->names_.record(5);
  };
  table.FindOrInsert(this->names_.key(5), make);
  EXPECT_EQ(calls, 1);
  table.FindOrInsert(this->names_.key(5), make);
  EXPECT_EQ(calls, 1);
}

TYPED_TEST_P(InterningConformance, Invariant2_FindsThroughGrowth) {
  for (const std::size_t initial : {0, 1, 1'000}) {
    typename TestFixture::Table table(initial);
    for (std::size_t i = 0; i < this->names_.size(); ++i) {
      ASSERT_FALSE(table.Find(this->names_.key(i)).has_value()) << "name " << i;
      this->Insert(table, i);
      // All of them while the table is small, then some: the oldest, the newest and one between.
      const std::size_t step = i < 100 ? 1 : i / 2;
      for (std::size_t j = 0; j <= i; j += step) {
        ASSERT_EQ(table.Find(this->names_.key(j)), this->names_.record(j)) << j << " of " << i;
      }
    }
    for (std::size_t i = 0; i < this->names_.size(); ++i) {
      ASSERT_EQ(table.Find(this->names_.key(i)), this->names_.record(i)) << "name " << i;
    }
    table.CheckInvariants();
  }
}

TYPED_TEST_P(InterningConformance, Invariant2_DeleteGivesTheRecordAndForgetsIt) {
  typename TestFixture::Table table(0);
  for (std::size_t i = 0; i < this->names_.size(); ++i) this->Insert(table, i);
  for (std::size_t i = 0; i < this->names_.size(); i += 2) {
    ASSERT_EQ(table.Delete(this->names_.key(i)), this->names_.record(i)) << "name " << i;
    ASSERT_FALSE(table.Delete(this->names_.key(i)).has_value()) << "name " << i;
  }
  for (std::size_t i = 0; i < this->names_.size(); ++i) {
    ASSERT_EQ(table.Find(this->names_.key(i)).has_value(), i % 2 == 1) << "name " << i;
  }
  table.CheckInvariants();
}

TYPED_TEST_P(InterningConformance, Invariant3And4_VisitsEachOnceInPromisedOrder) {
  typename TestFixture::Table table(0);
  std::vector<std::size_t> expected;
  this->ExpectVisits(table, expected);
  // 7 has no factor in common with the number of names.
  for (std::size_t i = 0; i < this->names_.size(); ++i) {
    const std::size_t name = (i * 7) % this->names_.size();
    if (!this->Insert(table, name).inserted) continue;
    expected.push_back(name);
    if (i < 50 || i % 500 == 0) this->ExpectVisits(table, expected);
  }
  this->ExpectVisits(table, expected);
  // A key deleted and inserted again counts from its last insertion.
  for (const std::size_t name : {std::size_t{0}, std::size_t{7}, std::size_t{70}}) {
    table.Delete(this->names_.key(name));
    this->Insert(table, name, 1);
    expected.erase(std::find(expected.begin(), expected.end(), name));
    expected.push_back(name);
  }
  this->ExpectVisits(table, expected);
}

TYPED_TEST_P(InterningConformance, Invariant5_EraseIfAsksOnceAndLeavesTheRest) {
  using Record = typename TestFixture::Record;
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{6}, std::size_t{17},
                                  std::size_t{600}, this->names_.size()}) {
    for (const std::size_t kept_of_ten : {0, 1, 5, 9, 10}) {
      typename TestFixture::Table table(0);
      std::vector<std::size_t> all, kept, asked;
      for (std::size_t i = 0; i < count; ++i) {
        this->Insert(table, i);
        all.push_back(i);
        if (i % 10 < kept_of_ten) kept.push_back(i);
      }
      table.EraseIf([&](const Record& record) {
        const std::size_t i = this->names_.NumberOf(record);
        EXPECT_EQ(record, this->names_.record(i));
        asked.push_back(i);
        return i % 10 >= kept_of_ten;
      });
      std::sort(asked.begin(), asked.end());
      ASSERT_EQ(asked, all) << "each record is asked about once";
      this->ExpectVisits(table, kept);
      for (const std::size_t i : all) {
        ASSERT_EQ(table.Find(this->names_.key(i)).has_value(), i % 10 < kept_of_ten);
      }
      table.CheckInvariants();
      // What was swept can come again.
      for (const std::size_t i : all) this->Insert(table, i, 1);
      ASSERT_EQ(table.size(), count);
      table.CheckInvariants();
    }
  }
}

TYPED_TEST_P(InterningConformance, Invariant6_ClearMakesItAsFresh) {
  for (const std::size_t initial : {0, 6, 1'000}) {
    typename TestFixture::Table table(initial);
    const MemoryUse fresh = table.memory_use();
    for (int round = 0; round < 3; ++round) {
      for (std::size_t i = 0; i < this->names_.size(); ++i) this->Insert(table, i);
      table.Clear();
      EXPECT_EQ(table.size(), 0u);
      EXPECT_EQ(table.memory_use(), fresh);
      EXPECT_FALSE(table.Find(this->names_.key(3)).has_value());
      this->ExpectVisits(table, {});
      table.CheckInvariants();
    }
  }
}

TYPED_TEST_P(InterningConformance, Invariant6_AllMemoryIsCountedAndGivenBack) {
  const MemorySnapshot before = TakeSnapshot();
  {
    typename TestFixture::Table table(1'000);
    for (std::size_t i = 0; i < this->names_.size(); ++i) this->Insert(table, i);
    EXPECT_GT(this->Counters().live_bytes, before[Subsystem::kInterning].live_bytes);
    EXPECT_EQ((TakeSnapshot() - before).total, (TakeSnapshot() - before)[Subsystem::kInterning])
        << "nothing is counted elsewhere";
    for (std::size_t i = 0; i < this->names_.size(); i += 3) table.Delete(this->names_.key(i));
  }
  const AllocatorCounters change = (TakeSnapshot() - before).total;
  EXPECT_EQ(change.live_bytes, 0);
  EXPECT_EQ(change.malloc_calls, change.free_calls);
}

TYPED_TEST_P(InterningConformance, Invariant7_MemoryUseIsWhatIsHeld) {
  using Table = typename TestFixture::Table;
  using Record = typename TestFixture::Record;
  for (const std::size_t initial : {0, 10, 1'000}) {
    std::optional<Table> table;
    std::size_t told = 0;
    const auto expect_told = [&](const std::function<void()>& grow) {
      const std::int64_t held = this->BytesAskedAndHeld([&] {
        grow();
        told = table->memory_use().total();
        EXPECT_EQ(table->memory_use().payload, table->size() * sizeof(Record));
      });
      EXPECT_EQ(held, static_cast<std::int64_t>(told));
      table.reset();
    };
    expect_told([&] { table.emplace(initial); });
    for (const std::size_t count : {1, 4, 5, 6, 7, 8, 9, 16, 17, 33, 500, 789, 1'001, 3'000}) {
      const auto fill = [&] {
        table.emplace(initial);
        for (std::size_t i = 0; i < count; ++i) this->Insert(*table, i);
      };
      expect_told(fill);
      expect_told([&] {
        fill();
        for (std::size_t i = 0; i < count; i += 2) table->Delete(this->names_.key(i));
      });
      expect_told([&] {
        fill();
        table->EraseIf([&](const Record& record) { return this->names_.NumberOf(record) % 5 > 0; });
        table->Reserve(2'000);
      });
      expect_told([&] {
        fill();
        table->Clear();
      });
    }
  }
}

// Dead Strings may be gone already when a sweep asks about their records; and ForEach reads none.
TYPED_TEST_P(InterningConformance, Invariant8_SweepReadsNoString) {
  using Record = typename TestFixture::Record;
  TestStrings strings;
  std::vector<TestName> names;
  std::vector<RString*> made;
  typename TestFixture::Table table(0);
  for (std::size_t i = 0; i < 2'000; ++i) {
    names.push_back(NameOf("dying_" + std::to_string(i)));
    made.push_back(strings.New(names[i].bytes));
    table.FindOrInsert(names[i].key(), [&] { return RecordFor<Record>(made[i], i); });
  }
  // A String whose buffer points nowhere: reading its bytes ends the test.
  for (std::size_t i = 0; i < made.size(); i += 2) {
    made[i]->Set(RBasic::kNoembed);
    made[i]->heap = {1'000'000, reinterpret_cast<char*>(8), {0}};
  }
  std::size_t visited = 0;
  table.ForEach([&](const Record&) { ++visited; });
  EXPECT_EQ(visited, made.size());
  table.CheckInvariants();
  table.EraseIf([](const Record& record) { return record.string->Has(RBasic::kNoembed); });
  EXPECT_EQ(table.size(), made.size() / 2);
  for (std::size_t i = 0; i < made.size(); ++i) {
    ASSERT_EQ(table.Find(names[i].key()).has_value(), i % 2 == 1);
  }
}

TYPED_TEST_P(InterningConformance, ReserveLeavesEverythingAndAvoidsGrowth) {
  typename TestFixture::Table table(0);
  for (std::size_t i = 0; i < 100; ++i) this->Insert(table, i);
  table.Reserve(2'500);
  this->ExpectVisits(table, this->Visited(table));
  const std::uint64_t frees = this->Counters().free_calls;
  for (std::size_t i = 0; i < 2'500; ++i) this->Insert(table, i);
  if (!kHostile) {
    EXPECT_EQ(this->Counters().free_calls, frees) << "no array was replaced";
  }
  table.Reserve(0);
  EXPECT_EQ(table.size(), 2'500u);
  table.CheckInvariants();
}

TYPED_TEST_P(InterningConformance, AgreesWithTheOracleUnderChurn) {
  using Record = typename TestFixture::Record;
  constexpr int kSteps = 1'000'000;
  constexpr unsigned kRandomSeed = 20260131;
  SCOPED_TRACE(testing::Message() << "random seed " << kRandomSeed);
  typename TestFixture::Table table(0);
  InterningOracle<Record> oracle(this->names_.size());
  std::mt19937_64 random(kRandomSeed);
  std::size_t domain = this->names_.size();
  for (int step = 0; step < kSteps; ++step) {
    // Every so often fewer names take part, so that the same ones come and go.
    if (step % 50'000 == 0) domain = this->names_.size() >> (step / 50'000 % 4);
    const std::size_t i = random() % domain;
    const std::optional<Record> expected = oracle.Find(i);
    const bool growing = step / 20'000 % 2 == 0;
    const unsigned choice = random() % 100;
    if (choice < (growing ? 50u : 20u)) {
      const std::size_t copy = random() % 2;
      const auto got = this->Insert(table, i, copy);
      ASSERT_EQ(got.inserted, !expected) << "name " << i << " at step " << step;
      ASSERT_EQ(got.record, expected.value_or(this->names_.record(i, copy))) << "step " << step;
      if (got.inserted) oracle.Insert(i, got.record);
    } else if (choice < 70) {
      ASSERT_EQ(table.Delete(this->names_.key(i)), expected) << "name " << i << " at step " << step;
      if (expected) oracle.Delete(i);
    } else {
      ASSERT_EQ(table.Find(this->names_.key(i)), expected) << "name " << i << " at step " << step;
    }
    ASSERT_EQ(table.size(), oracle.size()) << "step " << step;
    if (step % 10'007 == 0) {
      const std::size_t remainder = random() % 7;
      table.EraseIf([&](const Record& r) { return this->names_.NumberOf(r) % 7 == remainder; });
      for (const std::size_t name : oracle.Order()) {
        if (name % 7 == remainder) oracle.Delete(name);
      }
    }
    if (step % 300'007 == 300'006) {
      table.Clear();
      oracle.Clear();
    }
    if (step % 70'001 == 0) table.Reserve(random() % 2'000);
    if (step % 5'003 == 0) {
      table.CheckInvariants();
      this->ExpectVisits(table, oracle.Order());
      if (this->HasFatalFailure()) return;
    }
  }
  this->ExpectVisits(table, oracle.Order());
}

REGISTER_TYPED_TEST_SUITE_P(
    InterningConformance, Invariant1_OneRecordAKey, Invariant1_MakeIsCalledIffNothingWasFound,
    Invariant2_FindsThroughGrowth, Invariant2_DeleteGivesTheRecordAndForgetsIt,
    Invariant3And4_VisitsEachOnceInPromisedOrder, Invariant5_EraseIfAsksOnceAndLeavesTheRest,
    Invariant6_ClearMakesItAsFresh, Invariant6_AllMemoryIsCountedAndGivenBack,
    Invariant7_MemoryUseIsWhatIsHeld, Invariant8_SweepReadsNoString,
    ReserveLeavesEverythingAndAvoidsGrowth, AgreesWithTheOracleUnderChurn);

}  // namespace rubric

#endif  // RUBRIC_CORE_INTERNING_INTERNING_CONFORMANCE_H_
