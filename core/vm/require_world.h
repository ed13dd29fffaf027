// RequireWorld: loaded features over a heap and a virtual file system, for tests.
//
// USE        Add files, folders of the load path and bodies; Require(name) then says what `require`
//            says. log() has the paths whose bodies ran, in order.
#ifndef RUBRIC_CORE_VM_REQUIRE_WORLD_H_
#define RUBRIC_CORE_VM_REQUIRE_WORLD_H_

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/keyed_hash.h"
#include "core/feature_keys/feature_keys.h"
#include "core/feature_keys/feature_world.h"
#include "core/object/layout.h"
#include "core/vm/loaded_features.h"

namespace rubric {

template <FeatureKeysBackend Keys>
class RequireWorld {
 public:
  RequireWorld() : features_(heap_.heap(), kDefaultHashSeed) {
    heap_.set_roots(
        [this](Marker& marker) { features_.VisitReferences([&](Value v) { marker.Mark(v); }); });
    features_.SetClasses(nullptr, nullptr);
  }

  Heap& heap() { return heap_.heap(); }
  void CollectNow() { heap_.CollectNow(); }
  LoadedFeatures<Keys>& features() { return features_; }
  const std::vector<std::string>& log() const { return log_; }

  void AddFile(const std::string& path) { files_.insert(path); }
  void RemoveFile(const std::string& path) { files_.erase(path); }
  // What the body of the file does; nothing where this was not called.
  void SetBody(const std::string& path, std::function<absl::Status()> body) {
    files_.insert(path);
    bodies_[path] = std::move(body);
  }

  absl::StatusOr<RequireResult> Require(const std::string& name) {
    return features_.Require(
        name, [this](std::string_view path) { return files_.contains(std::string(path)); },
        [this](std::string_view path) -> absl::Status {
          log_.emplace_back(path);
          const auto body = bodies_.find(log_.back());
          return body == bodies_.end() ? absl::OkStatus() : body->second();
        });
  }

  // $LOADED_FEATURES.
  std::vector<std::string> Provided() const { return StringsOf(features_.array()); }
  static std::vector<std::string> StringsOf(const RArray* array) {
    std::vector<std::string> strings;
    for (Value v : array->elements()) strings.emplace_back(As<RString>(v)->bytes());
    return strings;
  }

 private:
  StringAndArrayHeap heap_;
  std::set<std::string> files_;
  std::map<std::string, std::function<absl::Status()>> bodies_;
  std::vector<std::string> log_;
  LoadedFeatures<Keys> features_;
};

}  // namespace rubric

#endif  // RUBRIC_CORE_VM_REQUIRE_WORLD_H_
