// ModelInterning: the interning backend that is easiest to believe.
//
// USE        The oracle of differential tests and of the fuzzer; it satisfies the axis in full,
//            but is not in the registry.
// LAYOUT     A std::list of {hash, record} in order of insertion, and a std::multimap from hash
//            to places in it.
// COST       Find, FindOrInsert, Delete O(log size + records of the same hash); all else O(size).
//            2 mallocs a record.
// INVARIANTS Each place is in the multimap once, under its hash.  Checked by CheckInvariants().
// TESTED BY  interning_test.cc, by interning_conformance.h.
#ifndef RUBRIC_CORE_INTERNING_MODEL_INTERNING_H_
#define RUBRIC_CORE_INTERNING_MODEL_INTERNING_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <list>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/check.h"
#include "core/base/memory_use.h"
#include "core/interning/interning.h"
#include "core/memory/allocate.h"
#include "core/memory/subsystem.h"

namespace rubric {

// An allocator that also adds up what one container holds, since a standard container does not tell
// the size of its nodes.
template <typename T>
class TallyingAllocator {
 public:
  using value_type = T;

  explicit TallyingAllocator(std::size_t* held) : held_(held) {}
  template <typename U>
  TallyingAllocator(const TallyingAllocator<U>& other) : held_(other.held()) {}  // NOLINT: converts

  T* allocate(std::size_t count) {
    *held_ += count * sizeof(T);
    return static_cast<T*>(Allocate(Subsystem::kInterning, count * sizeof(T)));
  }
  void deallocate(T* block, std::size_t count) {
    *held_ -= count * sizeof(T);
    Free(Subsystem::kInterning, block);
  }

  std::size_t* held() const { return held_; }
  template <typename U>
  friend bool operator==(const TallyingAllocator& a, const TallyingAllocator<U>& b) {
    return a.held() == b.held();
  }

 private:
  std::size_t* held_;
};

struct ModelInterning {
  static constexpr std::string_view kName = "model";
  static constexpr InterningTraits kTraits = {.insertion_ordered = true,
                                              .allocates_per_entry = true};

  template <InternRecord Record>
  class Table {
   public:
    explicit Table(std::size_t) {}
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;

    Found<Record> Find(const InternKey& key) const {
      const auto found = Locate(key);
      if (found == by_hash_.end()) return std::nullopt;
      return found->second->record;
    }

    template <typename Make>
    Insertion<Record> FindOrInsert(const InternKey& key, Make make) {
      const auto found = Locate(key);
      if (found != by_hash_.end()) return {found->second->record, false};
      records_.push_back({key.hash, make()});
      by_hash_.emplace(key.hash, std::prev(records_.end()));
      return {records_.back().record, true};
    }

    std::optional<Record> Delete(const InternKey& key) {
      const auto found = Locate(key);
      if (found == by_hash_.end()) return std::nullopt;
      const Record gone = found->second->record;
      records_.erase(found->second);
      by_hash_.erase(found);
      return gone;
    }

    template <typename Visit>
    void ForEach(Visit visit) const {
      for (const Stored& stored : records_) visit(stored.record);
    }

    template <typename Dead>
    void EraseIf(Dead dead) {
      for (auto place = records_.begin(); place != records_.end();) {
        const auto next = std::next(place);
        if (dead(std::as_const(place->record))) {
          auto named = by_hash_.lower_bound(place->hash);
          while (named->second != place) ++named;
          by_hash_.erase(named);
          records_.erase(place);
        }
        place = next;
      }
    }

    void Clear() {
      by_hash_.clear();
      records_.clear();
    }
    void Reserve(std::size_t) {}
    std::size_t size() const { return records_.size(); }

    MemoryUse memory_use() const {
      const std::size_t payload = size() * sizeof(Record);
      return {.payload = payload, .metadata = held_ - payload, .slack = 0};
    }

    void CheckInvariants() const {
      RUBRIC_CHECK(by_hash_.size() == records_.size());
      for (const auto& [hash, place] : by_hash_) RUBRIC_CHECK(place->hash == hash);
    }

   private:
    struct Stored {
      std::uint64_t hash;
      Record record;
    };
    using Records = std::list<Stored, TallyingAllocator<Stored>>;
    using Place = typename Records::iterator;
    using ByHash = std::multimap<std::uint64_t, Place, std::less<>,
                                 TallyingAllocator<std::pair<const std::uint64_t, Place>>>;

    typename ByHash::const_iterator Locate(const InternKey& key) const {
      auto [it, end] = by_hash_.equal_range(key.hash);
      for (; it != end; ++it) {
        if (SameName(it->second->record.string, key)) return it;
      }
      return by_hash_.end();
    }

    std::size_t held_ = 0;  // bytes that the two containers hold
    Records records_{typename Records::allocator_type(&held_)};
    ByHash by_hash_{typename ByHash::allocator_type(&held_)};
  };
};

static_assert(InterningBackend<ModelInterning>);

}  // namespace rubric

#endif  // RUBRIC_CORE_INTERNING_MODEL_INTERNING_H_
