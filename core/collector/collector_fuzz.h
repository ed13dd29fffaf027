// CollectorFuzz: a program over a graph of nodes, decoded from bytes, on one backend and on a model
// at once.
//
// USE        RunCollectorFuzz<MarkSweepCollector>(data, size) aborts where the two disagree. Every
//            byte string is a program: random_graph.h takes a byte a choice, so operations are of
//            varying length. The first byte's lowest bit turns gc_stress on. Each minor collection
//            is verified.
#ifndef RUBRIC_CORE_COLLECTOR_COLLECTOR_FUZZ_H_
#define RUBRIC_CORE_COLLECTOR_COLLECTOR_FUZZ_H_

#include <cstddef>
#include <cstdint>

#include "core/base/check.h"
#include "core/collector/collector.h"
#include "core/collector/random_graph.h"
#include "core/memory/counters.h"

namespace rubric {

class ByteSource {
 public:
  ByteSource(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  bool at_end() const { return *at_ >= size_; }
  // 0 beyond the end. REQUIRES: n <= 256, or only the first 256 numbers come up.
  std::size_t Below(std::size_t n) { return at_end() ? 0 : data_[(*at_)++] % n; }
  // Where all copies of this source read on.
  void set_position(std::size_t* at) { at_ = at; }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t* at_ = nullptr;
};

template <CollectorBackend Backend>
void RunCollectorFuzz(const std::uint8_t* data, std::size_t size) {
  const std::int64_t live = TakeSnapshot().total.live_bytes;
  {
    std::size_t at = 0;
    ByteSource source(data, size);
    source.set_position(&at);
    const bool stress = source.Below(2) == 1;
    RandomGraph<Backend, ByteSource> graph(source);
    graph.world().heap().set_stress(stress);
    graph.world().collector().set_verify(true);
    for (int step = 1; !source.at_end(); ++step) {
      graph.Step();
      if (step % 64 == 0) graph.CollectAndCompare();
    }
    graph.CollectAndCompare();
  }
  RUBRIC_CHECK(TakeSnapshot().total.live_bytes == live, "memory leaked");
}

}  // namespace rubric

#endif  // RUBRIC_CORE_COLLECTOR_COLLECTOR_FUZZ_H_
