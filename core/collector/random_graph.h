// RandomGraph: a graph of nodes that changes, on a collector of any backend and as a model at once.
//
// USE        RandomGraph<Backend, Source> graph(source); graph.Step() as often as one likes;
//            CollectAndCompare() now and then. source.Below(n) gives a number under n: the suite's
//            is a random generator, the fuzzer's reads bytes. Both abort where they disagree: never
//            is a node finalized that is a root, or that the model still reaches; after a full sweep
//            nothing else is left.
#ifndef RUBRIC_CORE_COLLECTOR_RANDOM_GRAPH_H_
#define RUBRIC_CORE_COLLECTOR_RANDOM_GRAPH_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/collector/collector.h"
#include "core/collector/node_world.h"
#include "core/value/slot.h"
#include "core/value/value.h"

namespace rubric {

template <CollectorBackend Backend, typename Source>
class RandomGraph {
 public:
  explicit RandomGraph(Source source) : world_(1), source_(std::move(source)) {
    for (std::size_t i = 0; i < kRoots; ++i) {
      handles_.push_back(&world_.scope().Push(Value::Nil()));
      roots_.push_back(0);
    }
  }

  NodeWorld<Backend>& world() { return world_; }

  void Step() {
    const std::size_t root = source_.Below(kRoots);
    switch (source_.Below(16)) {
      case 0:
      case 1:
      case 2:
      case 3:
      case 4:
        NewNode(root, 0);
        break;
      case 5:  // one whose stores go unseen
        NewNode(root, RBasic::kUnprotected);
        break;
      case 6:
      case 7:
      case 8:
      case 9:
      case 10:
        SetEdge();
        break;
      case 11:
        SetRoot(root, Walk());
        break;
      case 12:
        SetRoot(root, 0);
        break;
      case 13: {
        Node* leaf = world_.NewWeak();
        model_[leaf->number] = {leaf};
        SetRoot(root, leaf->number);
        break;
      }
      case 14:
        FindWeak(root);
        break;
      default:  // its sweep goes on while we allocate
        switch (source_.Below(40)) {
          case 0:
            world_.collector().Collect();
            break;
          case 1:
          case 2:
          case 3:
            world_.collector().CollectMinor();
            break;
          default:
            break;
        }
    }
    ForgetFinalized();
  }

  void CollectAndCompare() {
    world_.collector().Collect();
    world_.collector().FinishSweep();
    ForgetFinalized();
    const std::unordered_set<std::uint64_t> reachable = Reachable();
    std::size_t live = 0;
    world_.heap().ForEachSlot([&](RBasic* slot) {
      ++live;
      RUBRIC_CHECK(reachable.contains(static_cast<Node*>(slot)->number), "garbage is left");
    });
    RUBRIC_CHECK(live == reachable.size() && live == model_.size());
    for (const auto& [number, node] : model_) {
      RUBRIC_CHECK(node.slot->number == number);
      RUBRIC_CHECK(node.slot->left == SlotOf(node.left));
      RUBRIC_CHECK(node.slot->right == SlotOf(node.right));
    }
    world_.CheckInvariants();
  }

 private:
  static constexpr std::size_t kRoots = 16;

  struct ModelNode {
    Node* slot;
    std::uint64_t left = 0;  // numbers; 0 is none
    std::uint64_t right = 0;
  };

  void NewNode(std::size_t root, std::uint64_t flags) {
    const std::uint64_t left = Walk(), right = Walk();
    Node* node = world_.New(SlotOf(left), SlotOf(right), flags);
    model_[node->number] = {node, left, right};
    SetRoot(root, node->number);
  }

  void SetEdge() {
    const std::uint64_t from = Walk(), to = Walk();
    if (from == 0 || world_.client().weak.contains(from)) return;  // weak ones stay leaves
    ModelNode& node = model_.at(from);
    if (source_.Below(2) == 0) {
      node.left = to;
      world_.SetLeft(node.slot, SlotOf(to));
    } else {
      node.right = to;
      world_.SetRight(node.slot, SlotOf(to));
    }
  }

  void FindWeak(std::size_t root) {
    const auto& weak = world_.client().weak;
    if (weak.empty()) return;
    auto chosen = weak.begin();
    std::advance(chosen, static_cast<std::ptrdiff_t>(source_.Below(weak.size())));
    const std::uint64_t number = chosen->first;
    RUBRIC_CHECK(*world_.FindWeak(number) == model_.at(number).slot);
    SetRoot(root, number);
  }

  void SetRoot(std::size_t root, std::uint64_t number) {
    roots_[root] = number;
    *handles_[root] = SlotOf(number);
  }

  // A node some steps away from a root; 0 where the walk ends.
  std::uint64_t Walk() {
    std::uint64_t at = roots_[source_.Below(kRoots)];
    for (std::size_t steps = source_.Below(12); steps > 0 && at != 0; --steps) {
      const ModelNode& node = model_.at(at);
      const std::uint64_t next = source_.Below(2) == 0 ? node.left : node.right;
      if (next == 0) break;
      at = next;
    }
    return at;
  }

  Value SlotOf(std::uint64_t number) const {
    return number == 0 ? Value::Nil() : Value(model_.at(number).slot);
  }

  // What was finalized by now was dead; the model forgets it. That it was not reachable shows when
  // the model looks for it: at() would throw.
  void ForgetFinalized() {
    for (const std::uint64_t number : world_.client().finalized) {
      RUBRIC_CHECK(model_.erase(number) == 1, "a node is finalized twice");
      RUBRIC_CHECK(std::find(roots_.begin(), roots_.end(), number) == roots_.end(),
                   "a live node is finalized");
    }
    world_.client().finalized.clear();
  }

  std::unordered_set<std::uint64_t> Reachable() const {
    std::unordered_set<std::uint64_t> reached;
    std::vector<std::uint64_t> open(roots_.begin(), roots_.end());
    while (!open.empty()) {
      const std::uint64_t number = open.back();
      open.pop_back();
      if (number == 0 || !reached.insert(number).second) continue;
      const ModelNode& node = model_.at(number);
      open.push_back(node.left);
      open.push_back(node.right);
    }
    return reached;
  }

  NodeWorld<Backend> world_;
  Source source_;
  std::unordered_map<std::uint64_t, ModelNode> model_;  // what was not finalized, by number
  std::vector<std::uint64_t> roots_;
  std::vector<Value*> handles_;
};

}  // namespace rubric

#endif  // RUBRIC_CORE_COLLECTOR_RANDOM_GRAPH_H_
