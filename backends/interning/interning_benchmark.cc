// What the axis costs over the bare libraries, and what each backend costs.
//
//   bazel run //backends/interning:interning_benchmark -- --benchmark_filter=AxisAgainstBare
//
// AxisAgainstBare_* measures a backend and the library behind it in turn, batch by batch, in one
// process: `axis_ns` and `bare_ns` are medians over the batches, in CPU time per operation, and
// `ratio` is the median of the ratios of neighbouring batches. Hash, equality and the element type
// are the same, and both sides allocate through counted allocation. The bare side is the library as
// its documentation uses it: it inserts the finished bucket, where the axis calls make() only if
// nothing was found, and it reads the record through an iterator, where the axis copies it.
//
// The others run each backend and each bare library by itself, by google-benchmark's own clock.
// All names are 16 bytes long, hashed beforehand, and asked for in random order. Each batch's
// result is checked.

#include <benchmark/benchmark.h>
#include <htslib/khash.h>
#include <time.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "backends/interning/khash/khash_interning.h"
#include "backends/interning/robin_map/robin_map_interning.h"
#include "backends/interning/st_chained/st_chained_interning.h"
#include "backends/interning/st_open/st_open_interning.h"
#include "backends/interning/swiss/swiss_interning.h"
#include "core/interning/intern_bucket.h"
#include "core/interning/interning.h"
#include "core/interning/test_names.h"
#include "core/object/layout.h"

namespace rubric {
namespace {

using Bucket = InternBucket<FstringRecord>;

// --- Subjects: something that finds and inserts frozen strings. ---

// A backend, through the axis.
template <InterningBackend Backend>
class AxisSubject {
 public:
  RString* Find(const InternKey& key) const {
    const auto found = table_.Find(key);
    return found ? found->string : nullptr;
  }
  void Insert(const InternKey& key, RString* string) {
    table_.FindOrInsert(key, [string] { return FstringRecord{string}; });
  }
  template <typename Visit>
  void ForEach(Visit visit) const {
    table_.ForEach([&](const FstringRecord& record) { visit(record.string); });
  }
  template <typename Dead>
  void EraseIf(Dead dead) {
    table_.EraseIf([&](const FstringRecord& record) { return dead(record.string); });
  }
  std::size_t size() const { return table_.size(); }

 private:
  typename Backend::template Table<FstringRecord> table_{0};
};

// khash, used as its examples do with keys that own memory: put the borrowed key, then replace it.
class BareKhash {
 public:
  BareKhash() : khash_(Khash::kh_init_buckets()) {}
  BareKhash(const BareKhash&) = delete;
  BareKhash& operator=(const BareKhash&) = delete;
  ~BareKhash() { Khash::kh_destroy_buckets(khash_); }

  RString* Find(const InternKey& key) const {
    const khint_t at = Khash::kh_get_buckets(khash_, Khash::ProbeFor(key));
    return at == kh_end(khash_) ? nullptr : kh_key(khash_, at).record.string;
  }
  void Insert(const InternKey& key, RString* string) {
    int added = 0;
    const khint_t at = Khash::kh_put_buckets(khash_, Khash::ProbeFor(key), &added);
    if (added != 0) kh_key(khash_, at).record.string = string;
  }
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (khint_t at = kh_begin(khash_); at != kh_end(khash_); ++at) {
      if (kh_exist(khash_, at)) visit(kh_key(khash_, at).record.string);
    }
  }
  template <typename Dead>
  void EraseIf(Dead dead) {
    for (khint_t at = kh_begin(khash_); at != kh_end(khash_); ++at) {
      if (kh_exist(khash_, at) && dead(kh_key(khash_, at).record.string)) {
        Khash::kh_del_buckets(khash_, at);
      }
    }
  }
  std::size_t size() const { return kh_size(khash_); }

 private:
  using Khash = KhashBuckets<FstringRecord>;
  Khash::kh_buckets_t* khash_;
};

// The two libraries with the interface of std::unordered_set.
template <typename Set>
class BareSet {
 public:
  RString* Find(const InternKey& key) const {
    const auto found = set_.find(key, key.hash);
    return found == set_.end() ? nullptr : found->record.string;
  }
  void Insert(const InternKey& key, RString* string) {
    set_.insert(Bucket{key.hash, FstringRecord{string}});
  }
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (const Bucket& bucket : set_) visit(bucket.record.string);
  }
  template <typename Dead>
  void EraseIf(Dead dead) {
    for (auto place = set_.begin(); place != set_.end();) {
      if (!dead(place->record.string)) {
        ++place;
      } else if constexpr (requires { place = set_.erase(place); }) {
        place = set_.erase(place);
      } else {
        set_.erase(place++);
      }
    }
  }
  std::size_t size() const { return set_.size(); }

 private:
  Set set_;
};

using BareRobinMap = BareSet<RobinBuckets<FstringRecord>>;
using BareSwiss = BareSet<SwissBuckets<FstringRecord>>;

// --- Input ---

// `count` names with their Strings, and as many names that are in no table; both in random order.
class Names {
 public:
  explicit Names(std::size_t count) {
    present_.reserve(count);
    absent_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      char bytes[32];
      std::snprintf(bytes, sizeof(bytes), "fstring_%08zu", i);
      present_.push_back(NameOf(bytes));
      strings_.push_back(made_.New(bytes));
      std::snprintf(bytes, sizeof(bytes), "missing_%08zu", i);
      absent_.push_back(NameOf(bytes));
    }
    for (std::size_t i = 0; i < count; ++i) insert_keys_.push_back(present_[i].key());
    hit_keys_ = insert_keys_;
    for (const TestName& name : absent_) miss_keys_.push_back(name.key());
    std::mt19937_64 random(20260131);
    std::shuffle(hit_keys_.begin(), hit_keys_.end(), random);
    std::shuffle(miss_keys_.begin(), miss_keys_.end(), random);
  }

  std::size_t count() const { return present_.size(); }
  std::span<const InternKey> hit_keys() const { return hit_keys_; }
  std::span<const InternKey> miss_keys() const { return miss_keys_; }

  template <typename Subject>
  void InsertAll(Subject& subject) const {
    for (std::size_t i = 0; i < count(); ++i) subject.Insert(insert_keys_[i], strings_[i]);
  }

 private:
  TestStrings made_;
  std::vector<TestName> present_, absent_;
  std::vector<RString*> strings_;
  std::vector<InternKey> insert_keys_, hit_keys_, miss_keys_;
};

const Names& NamesOf(std::size_t count) {
  static std::vector<std::unique_ptr<Names>> made;
  for (const auto& names : made) {
    if (names->count() == count) return *names;
  }
  return *made.emplace_back(std::make_unique<Names>(count));
}

// --- Operations: each does a batch and tells of how many; 0 if its result was wrong. ---

constexpr std::size_t kBatch = 16'384;  // lookups

template <typename Subject>
std::size_t Look(const Subject& subject, std::span<const InternKey> keys, std::size_t batch,
                 bool expect_found) {
  const std::size_t size = std::min(kBatch, keys.size());
  const std::size_t first = batch * size % (keys.size() - size + 1);
  std::size_t found = 0;
  for (const InternKey& key : keys.subspan(first, size)) {
    RString* string = subject.Find(key);
    benchmark::DoNotOptimize(string);
    found += string != nullptr;
  }
  return found == (expect_found ? size : 0) ? size : 0;
}

struct Hit {
  template <typename Subject>
  static std::size_t Run(Subject& subject, const Names& names, std::size_t batch) {
    return Look(subject, names.hit_keys(), batch, true);
  }
};

struct Miss {
  template <typename Subject>
  static std::size_t Run(Subject& subject, const Names& names, std::size_t batch) {
    return Look(subject, names.miss_keys(), batch, false);
  }
};

// From the empty table through every growth, and giving it back.
struct Insert {
  template <typename Subject>
  static std::size_t Run(Subject&, const Names& names, std::size_t) {
    Subject fresh;
    names.InsertAll(fresh);
    return fresh.size() == names.count() ? names.count() : 0;
  }
};

struct Iterate {
  template <typename Subject>
  static std::size_t Run(Subject& subject, const Names& names, std::size_t) {
    std::size_t visited = 0;
    subject.ForEach([&](RString* string) {
      benchmark::DoNotOptimize(string);
      ++visited;
    });
    return visited == names.count() ? visited : 0;
  }
};

// A weak sweep of a full table in which one in four is dead; filling it is part of it, as a table
// cannot be swept twice.
struct InsertAndSweep {
  template <typename Subject>
  static std::size_t Run(Subject&, const Names& names, std::size_t) {
    Subject fresh;
    names.InsertAll(fresh);
    std::size_t asked = 0;
    fresh.EraseIf([&](RString*) { return asked++ % 4 == 0; });
    return asked == names.count() ? asked : 0;
  }
};

// --- Benchmarks ---

// CPU time of this thread: what others run on the machine does not count.
double CpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double Median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

template <typename Subject>
void Fill(Subject& subject, const Names& names) {
  names.InsertAll(subject);
}

template <typename Operation, typename Axis, typename Bare>
void AxisAgainstBare(benchmark::State& state) {
  const Names& names = NamesOf(static_cast<std::size_t>(state.range(0)));
  Axis axis;
  Bare bare;
  Fill(axis, names);
  Fill(bare, names);
  std::vector<double> axis_seconds, bare_seconds, ratios;
  std::size_t batch = 0;
  const auto timed = [&](auto& subject, std::vector<double>& seconds) {
    const double start = CpuSeconds();
    const std::size_t operations = Operation::Run(subject, names, batch);
    const double taken = CpuSeconds() - start;
    seconds.push_back(taken / static_cast<double>(operations));
    return operations != 0;
  };
  for (auto _ : state) {
    // Who goes first alternates: the second finds keys and Strings in the cache.
    const bool ok = batch % 2 == 0 ? timed(axis, axis_seconds) && timed(bare, bare_seconds)
                                   : timed(bare, bare_seconds) && timed(axis, axis_seconds);
    if (!ok) return state.SkipWithError("wrong result");
    ratios.push_back(axis_seconds.back() / bare_seconds.back());
    ++batch;
  }
  state.counters["axis_ns"] = Median(axis_seconds) * 1e9;
  state.counters["bare_ns"] = Median(bare_seconds) * 1e9;
  state.counters["ratio"] = Median(ratios);
}

template <typename Operation, typename Subject>
void Alone(benchmark::State& state) {
  const Names& names = NamesOf(static_cast<std::size_t>(state.range(0)));
  Subject subject;
  Fill(subject, names);
  std::size_t batch = 0, operations = 0;
  for (auto _ : state) {
    const std::size_t done = Operation::Run(subject, names, batch++);
    if (done == 0) return state.SkipWithError("wrong result");
    operations += done;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(operations));
}

// Sizes: well inside the caches, and beyond them with the Strings that are compared.
constexpr std::int64_t kSizes[] = {4'000, 400'000};

void ForSizes(benchmark::internal::Benchmark* made) {
  made->ArgName("size")->Unit(benchmark::kMicrosecond);
  for (const std::int64_t size : kSizes) made->Arg(size);
}

template <typename Operation, typename Axis, typename Bare>
void RegisterLibrary(const std::string& operation, const std::string& library) {
  ForSizes(benchmark::RegisterBenchmark(("AxisAgainstBare_" + operation + "/" + library).c_str(),
                                        AxisAgainstBare<Operation, Axis, Bare>));
  ForSizes(benchmark::RegisterBenchmark((operation + "/bare_" + library).c_str(),
                                        Alone<Operation, Bare>));
  ForSizes(
      benchmark::RegisterBenchmark((operation + "/" + library).c_str(), Alone<Operation, Axis>));
}

template <typename Operation>
void RegisterOperation(const std::string& operation) {
  ForSizes(benchmark::RegisterBenchmark((operation + "/st_chained").c_str(),
                                        Alone<Operation, AxisSubject<StChainedInterning>>));
  ForSizes(benchmark::RegisterBenchmark((operation + "/st_open").c_str(),
                                        Alone<Operation, AxisSubject<StOpenInterning>>));
  RegisterLibrary<Operation, AxisSubject<KhashInterning>, BareKhash>(operation, "khash");
  RegisterLibrary<Operation, AxisSubject<RobinMapInterning>, BareRobinMap>(operation, "robin_map");
  RegisterLibrary<Operation, AxisSubject<SwissInterning>, BareSwiss>(operation, "swiss");
}

[[maybe_unused]] const bool registered = [] {
  RegisterOperation<Hit>("Hit");
  RegisterOperation<Miss>("Miss");
  RegisterOperation<Insert>("Insert");
  RegisterOperation<Iterate>("Iterate");
  RegisterOperation<InsertAndSweep>("InsertAndSweep");
  return true;
}();

}  // namespace
}  // namespace rubric
