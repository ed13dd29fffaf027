// ReplayFeatures: the requires of a workload, of all its threads, through a VM's own rules.
//
// USE        Replay's. The recorded feature is the only file that there is, so that the VM finds it
//            by the load path iff Ruby's rules and its own agree. Where they do not, the feature is
//            loaded by its path, or taken as recorded, and counted.
// INVARIANTS A file is provided after its body ran, and not if it raised. Loads of several threads
//            overlap.
// ERRORS     Those of LoadedFeatures.
// TESTED BY  replay_test.cc.
#ifndef RUBRIC_EXPERIMENTS_REPLAY_REPLAY_FEATURES_H_
#define RUBRIC_EXPERIMENTS_REPLAY_REPLAY_FEATURES_H_

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "core/heap/root_stack.h"
#include "core/object/array_mutation.h"
#include "core/object/layout.h"
#include "core/vm/loaded_features.h"
#include "experiments/replay/replay_report.h"
#include "experiments/workload/events.h"
#include "experiments/workload/string_table.h"
#include "reports/results/concat.h"

namespace rubric {

template <typename V>
class ReplayFeatures {
 public:
  ReplayFeatures(V& vm, ReplayReport& report) : vm_(vm), report_(report) {}

  absl::Status Require(const StringTable& strings, const RequireEvent& event) {
    const std::string feature =
        event.feature ? std::string(strings.Bytes(*event.feature, buffer_)) : std::string();
    if (event.how == RequireHow::kLoad) {
      if (event.outcome == RequireOutcome::kNew) loading_[event.thread].push_back(nullptr);
      return absl::OkStatus();
    }
    std::string name = event.name;
    // require_relative has made the path absolute before it looks for it.
    if (event.how == RequireHow::kRequireRelative && !feature.empty()) name = Asked(name, feature);
    switch (event.outcome) {
      case RequireOutcome::kOld:
        return Old(name);
      case RequireOutcome::kFailed:
        return Failed(name, feature);
      case RequireOutcome::kNative:
        return Native(name, feature);
      case RequireOutcome::kNew:
        return New(name, feature, event.thread);
    }
    return absl::OkStatus();
  }

  absl::Status Required(const RequiredEvent& event) {
    std::vector<RString*>& open = loading_[event.thread];
    if (open.empty()) return absl::OkStatus();  // begun before this replay did
    RString* path = open.back();
    open.pop_back();
    return path == nullptr ? absl::OkStatus() : features().FinishRequire(path, event.raised);
  }

  // $LOAD_PATH is this now.
  void SetLoadPath(const StringTable& strings, const std::vector<StringId>& folders) {
    const RArray* array = features().load_path().array();
    const std::size_t there = array->length();
    bool longer = folders.size() >= there;
    for (std::size_t i = 0; i < there && longer; ++i) {
      longer = As<RString>(array->elements()[i])->bytes() == strings.Bytes(folders[i], buffer_);
    }
    if (!longer) Clear(vm_.heap(), features().load_path().array());
    for (std::size_t i = longer ? there : 0; i < folders.size(); ++i) {
      features().load_path().Append(strings.Bytes(folders[i], buffer_));
    }
  }

  // $LOADED_FEATURES is this now; the index is made anew at the next lookup.
  void SetFeatures(const StringTable& strings, const std::vector<StringId>& list) {
    Clear(vm_.heap(), features().array());
    for (StringId id : list) {
      HandleScope scope(vm_.roots());
      RString* path = scope.Keep(vm_.NewString(strings.Bytes(id, buffer_)));
      Push(vm_.heap(), features().array(), Value(path));
    }
  }

  // Features that a census counts and no line names: made up, as long as an installation's.
  absl::Status AddUnnamed(std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::string path =
          Concat("/before/the/recording/of/it/", report_.features_unnamed++, ".rb");
      if (absl::Status status = features().Provide(path); !status.ok()) return status;
    }
    return absl::OkStatus();
  }

 private:
  using Begun = typename std::remove_reference_t<decltype(std::declval<V&>().features())>::Begun;

  auto& features() { return vm_.features(); }

  static bool HasExtension(std::string_view name) {
    return name.ends_with(".rb") || name.ends_with(".so");
  }
  // The feature's path, with an extension iff the name has one.
  static std::string Asked(std::string_view name, std::string_view feature) {
    if (!HasExtension(name) && HasExtension(feature)) feature.remove_suffix(3);
    return std::string(feature);
  }

  void ByRule(bool by_rule) { ++(by_rule ? report_.requires_by_rule : report_.requires_otherwise); }

  absl::StatusOr<Begun> Begin(std::string_view name, std::string_view file) {
    return features().BeginRequire(
        name, [&](std::string_view path) { return !file.empty() && path == file; });
  }

  absl::Status Old(const std::string& name) {
    const auto begun = Begin(name, "");
    ByRule(begun.ok() && begun->result == RequireResult::kAlreadyLoaded);
    return absl::OkStatus();
  }

  absl::Status Failed(const std::string& name, const std::string& feature) {
    const auto begun = Begin(name, feature);
    const bool as_recorded =
        begun.ok() &&
        begun->result == (feature.empty() ? RequireResult::kNotFound : RequireResult::kLoaded);
    // A name that is none fails in both.
    ByRule(as_recorded || !begun.ok());
    if (begun.ok() && begun->path != nullptr) return features().FinishRequire(begun->path, true);
    return absl::OkStatus();
  }

  absl::Status Native(const std::string& name, const std::string& feature) {
    if (!feature.starts_with('/')) {
      // Built in: it has no file.
      const auto provided = features().IsProvided(feature.empty() ? name : feature);
      ByRule(provided.ok());
      if (!provided.ok() || *provided) return absl::OkStatus();
      return features().Provide(feature.empty() ? name : feature);
    }
    const auto path = BeginFile(name, feature);
    if (!path.ok()) return path.status();
    return *path == nullptr ? absl::OkStatus() : features().FinishRequire(*path, false);
  }

  absl::Status New(const std::string& name, const std::string& feature, std::uint32_t thread) {
    const auto path = BeginFile(name, feature);
    if (!path.ok()) return path.status();
    loading_[thread].push_back(*path);
    return absl::OkStatus();
  }

  // The path that is being loaded now; null where the VM has the feature already.
  absl::StatusOr<RString*> BeginFile(const std::string& name, const std::string& feature) {
    const auto begun = Begin(name, feature);
    const bool by_rule = begun.ok() && begun->result == RequireResult::kLoaded;
    ByRule(by_rule);
    if (by_rule) return begun->path;
    const auto by_path = Begin(feature, feature);
    if (!by_path.ok()) return by_path.status();
    return by_path->path;
  }

  V& vm_;
  ReplayReport& report_;
  // Thread to the paths that it is loading, innermost last; null for what is not provided.
  std::map<std::uint32_t, std::vector<RString*>> loading_;
  std::string buffer_;
};

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_REPLAY_REPLAY_FEATURES_H_
