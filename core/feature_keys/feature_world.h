// FeatureWorld: a heap of strings and arrays with its collector, an array of features and its
// index, for tests, fuzzers and benchmarks of the feature_keys axis.
//
// USE        Provide(path) adds a feature to the array and to the index. CollectNow() collects; what
//            only the index keeps alive lives iff the index shows it.
// INVARIANTS Its destructor frees every buffer, so that memory is balanced around it.
#ifndef RUBRIC_CORE_FEATURE_KEYS_FEATURE_WORLD_H_
#define RUBRIC_CORE_FEATURE_KEYS_FEATURE_WORLD_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/check.h"
#include "core/base/keyed_hash.h"
#include "core/feature_keys/feature_keys.h"
#include "core/heap/heap.h"
#include "core/heap/mark_sweep.h"
#include "core/heap/marker.h"
#include "core/heap/root_stack.h"
#include "core/object/array.h"
#include "core/object/array_mutation.h"
#include "core/object/layout.h"
#include "core/object/string.h"
#include "core/value/value.h"

namespace rubric {

// The heap alone, with what else is a root.
class StringAndArrayHeap {
 public:
  StringAndArrayHeap() = default;
  ~StringAndArrayHeap() {
    heap_.ForEachSlot([this](RBasic* slot) { client_.FinalizeSlot(slot); });
  }
  StringAndArrayHeap(const StringAndArrayHeap&) = delete;
  StringAndArrayHeap& operator=(const StringAndArrayHeap&) = delete;

  Heap& heap() { return heap_; }

  // mark_roots(marker) marks what is not on the root stack.
  void set_roots(std::function<void(Marker&)> mark_roots) { client_.mark_roots = mark_roots; }

  void CollectNow() {
    collector_.Collect();
    collector_.FinishSweep();
  }

 private:
  struct Client {
    std::function<void(Marker&)> mark_roots;

    void MarkRoots(Marker& marker) {
      if (mark_roots) mark_roots(marker);
    }
    void MarkChildren(Marker& marker, RBasic* slot) {
      const auto mark = [&](Value v) { marker.Mark(v); };
      if (slot->type() == Type::kArray) {
        VisitArrayReferences(static_cast<RArray*>(slot), mark);
      } else {
        RUBRIC_CHECK(slot->type() == Type::kString);
        VisitStringReferences(static_cast<RString*>(slot), mark);
      }
    }
    void FinalizeSlot(RBasic* slot) {
      if (slot->type() == Type::kArray) FreeArrayBuffer(static_cast<RArray*>(slot));
      if (slot->type() == Type::kString) FreeStringBuffer(static_cast<RString*>(slot));
    }
  };

  Heap heap_{1};
  Client client_;
  MarkSweep<Client> collector_{heap_, client_};
};

template <FeatureKeysBackend Keys>
class FeatureWorld {
 public:
  explicit FeatureWorld(std::uint64_t seed = kDefaultHashSeed) : keys_(heap_.heap(), seed) {
    heap_.set_roots([this](Marker& marker) {
      marker.MarkSlot(features_);
      keys_.VisitReferences([&](Value v) { marker.Mark(v); });
    });
    features_ = NewArray(heap_.heap(), nullptr);
  }

  Heap& heap() { return heap_.heap(); }
  Keys& keys() { return keys_; }
  const RArray* features() const { return features_; }
  void CollectNow() { heap_.CollectNow(); }

  // Adds a feature to the array, not to the index; gives its position.
  FeaturePosition Push(std::string_view path) {
    RString* feature = NewString(heap(), nullptr, path);
    FreezeString(feature);
    rubric::Push(heap(), features_, Value(feature));
    return static_cast<FeaturePosition>(features_->length() - 1);
  }

  FeaturePosition Provide(std::string_view path) {
    const FeaturePosition position = Push(path);
    keys_.Add(features_, position);
    return position;
  }

  std::vector<FeaturePosition> Positions(std::string_view key) const {
    std::vector<FeaturePosition> positions;
    keys_.ForEachPosition(features_, key, [&](FeaturePosition position) {
      positions.push_back(position);
      return true;
    });
    return positions;
  }

  // Forgets the features too.
  void Clear() {
    keys_.Clear();
    features_ = NewArray(heap(), nullptr);
  }

  void CheckInvariants() const { keys_.CheckInvariants(features_); }

 private:
  StringAndArrayHeap heap_;
  Keys keys_;
  RArray* features_ = nullptr;
};

}  // namespace rubric

#endif  // RUBRIC_CORE_FEATURE_KEYS_FEATURE_WORLD_H_
