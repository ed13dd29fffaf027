// RubyStart: a VM as Ruby's is when the program begins: what ruby has without RubyGems, and RubyGems
// at the time that the prelude axis says.
//
// USE        RubyStart start(vm, scope, observer); start.Boot(); then the program runs, and may ask
//            for the prelude (Vm::Require, Vm::MentionPrelude) as long as `scope` is the innermost.
// COST       A replay of rubygems-boot.workload.gz, once: up to its mark `start` in Boot, from there
//            on when the prelude is loaded.
// VALIDITY   What it makes lives as long as `scope`; this must outlive the last ask.
// TESTED BY  boot_test.cc, for every prelude.
#ifndef RUBRIC_EXPERIMENTS_BOOT_RUBY_START_H_
#define RUBRIC_EXPERIMENTS_BOOT_RUBY_START_H_

#include "absl/status/status.h"
#include "core/heap/root_stack.h"
#include "experiments/boot/rubygems_boot.h"
#include "experiments/replay/replay.h"

namespace rubric {

template <typename V>
class RubyStart {
 public:
  RubyStart(V& vm, HandleScope& scope, ReplayObserver& observer)
      : vm_(vm), replay_(vm, scope, {}, observer) {}
  RubyStart(const RubyStart&) = delete;
  RubyStart& operator=(const RubyStart&) = delete;

  absl::Status Boot() {
    if (absl::Status status = replay_.Open(RubyGemsBoot()); !status.ok()) return status;
    if (absl::Status status = replay_.RunTo("start"); !status.ok()) return status;
    return vm_.Boot([this] { return replay_.RunTo(""); });
  }

 private:
  V& vm_;
  Replay<V> replay_;
};

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_BOOT_RUBY_START_H_
