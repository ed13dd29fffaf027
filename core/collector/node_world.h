// NodeWorld: a heap of nodes with a collector of any backend, for tests, fuzzers and benchmarks of
// the collector axis.
//
// USE        New makes a node, SetLeft and SetRight store into one, with the write barrier unless it
//            is unprotected. What is on scope() is a root, and so are the client's extra roots.
//            weak() finds leaves that nothing needs to keep alive, as the table of frozen strings
//            does; it asks the collector before it hands one out.
#ifndef RUBRIC_CORE_COLLECTOR_NODE_WORLD_H_
#define RUBRIC_CORE_COLLECTOR_NODE_WORLD_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/collector/collector.h"
#include "core/heap/heap.h"
#include "core/heap/marker.h"
#include "core/heap/root_stack.h"
#include "core/value/slot.h"
#include "core/value/value.h"

namespace rubric {

// A slot of two references and a number that tells it from every other node there ever was.
struct Node : RBasic {
  Value left;
  Value right;
  std::uint64_t number;
};
static_assert(sizeof(Node) == kSlotBytes);

struct NodeClient {
  void MarkRoots(Marker& marker) {
    for (Value v : extra_roots) marker.Mark(v);
  }
  void MarkChildren(Marker& marker, RBasic* slot) {
    marker.Mark(static_cast<Node*>(slot)->left);
    marker.Mark(static_cast<Node*>(slot)->right);
  }
  void FinalizeSlot(RBasic* slot) {
    const std::uint64_t number = static_cast<Node*>(slot)->number;
    weak.erase(number);
    finalized.push_back(number);
  }

  std::vector<Value> extra_roots;
  std::map<std::uint64_t, Node*> weak;   // by number
  std::vector<std::uint64_t> finalized;  // numbers
};

template <CollectorBackend Backend>
class NodeWorld {
 public:
  using Collector = typename Backend::template For<NodeClient>;

  explicit NodeWorld(std::size_t pages = Heap::kInitialPages) : heap_(pages) {
    heap_.set_stress(false);  // each test says when it wants collections
  }

  Heap& heap() { return heap_; }
  Collector& collector() { return collector_; }
  NodeClient& client() { return client_; }
  HandleScope& scope() { return scope_; }
  const GcStats& stats() const { return heap_.stats(); }

  // May collect.
  Node* New(Value left = Value::Nil(), Value right = Value::Nil(), std::uint64_t flags = 0) {
    HandleScope scope(heap_.roots());
    scope.Push(left);
    scope.Push(right);
    auto* node = static_cast<Node*>(static_cast<RBasic*>(
        heap_.Allocate(static_cast<std::uint64_t>(Type::kObject) | flags, nullptr)));
    node->left = left;
    node->right = right;
    node->number = ++made_;
    return node;
  }
  Node* NewWeak() {
    Node* leaf = New();
    client_.weak[leaf->number] = leaf;
    return leaf;
  }
  // The weak leaf of this number, alive from now on as any other slot, if it was not swept.
  std::optional<Node*> FindWeak(std::uint64_t number) {
    const auto found = client_.weak.find(number);
    if (found == client_.weak.end()) return std::nullopt;
    if (collector_.IsGarbage(found->second)) collector_.Resurrect(found->second);
    return found->second;
  }

  void SetLeft(Node* node, Value value) {
    node->left = value;
    Barrier(node, value);
  }
  void SetRight(Node* node, Value value) {
    node->right = value;
    Barrier(node, value);
  }

  void CollectNow() {
    collector_.Collect();
    collector_.FinishSweep();
  }
  void CollectMinorNow() {
    collector_.CollectMinor();
    collector_.FinishSweep();
  }
  // So often that all that lives is old, where there are generations.
  void CollectUntilOld() {
    for (int i = 0; i < 4; ++i) CollectNow();
  }

  void CheckInvariants() const {
    heap_.CheckInvariants();
    collector_.CheckInvariants();
  }

 private:
  void Barrier(Node* node, Value value) {
    if (!node->Has(RBasic::kUnprotected)) heap_.WriteBarrier(node, value);
  }

  Heap heap_;
  NodeClient client_;
  Collector collector_{heap_, client_};
  HandleScope scope_{heap_.roots()};
  std::uint64_t made_ = 0;
};

}  // namespace rubric

#endif  // RUBRIC_CORE_COLLECTOR_NODE_WORLD_H_
