// Loaded features under random operations, against a model of `require` in standard containers.

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "backends/feature_keys/copied/copied_feature_keys.h"
#include "backends/feature_keys/hashed/hashed_feature_keys.h"
#include "backends/feature_keys/shared/shared_feature_keys.h"
#include "core/base/build_mode.h"
#include "core/object/array_mutation.h"
#include "core/vm/loaded_features.h"
#include "core/vm/require_world.h"

namespace rubric {
namespace {

// `require` as a list of rules: every path that a name may mean is written out and looked for.
class RequireModel {
 public:
  std::vector<std::string> provided, folders, loading;
  std::set<std::string> files;

  // "/a/./b/../c" as "/a/c".
  static std::string Absolute(const std::string& path) {
    std::vector<std::string> parts;
    std::string part;
    for (char c : path + "/") {
      if (c != '/') {
        part += c;
        continue;
      }
      if (part == "..") {
        if (!parts.empty()) parts.pop_back();
      } else if (!part.empty() && part != ".") {
        parts.push_back(part);
      }
      part.clear();
    }
    std::string absolute;
    for (const std::string& p : parts) absolute += "/" + p;
    return absolute.empty() ? "/" : absolute;
  }

  RequireResult Require(const std::string& name, std::string* to_load) {
    const std::string extension = Extension(name);
    std::string is;  // the extension of the feature that the name means
    if (extension.empty() || IsKnown(extension)) is = Meant(name, true);
    if (IsKnown(extension)) {
      if (!is.empty()) return RequireResult::kAlreadyLoaded;
      const std::string stem = name.substr(0, name.size() - extension.size());
      if (FindFile(extension == ".rb" ? name : stem + ".so", to_load)) return Unless(*to_load);
      if (extension == ".rb") return RequireResult::kNotFound;
    } else if (is == ".rb") {
      return RequireResult::kAlreadyLoaded;
    }
    if (FindFile(name + ".rb", to_load)) return Unless(*to_load);
    if (FindFile(name + ".so", to_load)) {
      return is.empty() ? Unless(*to_load) : RequireResult::kAlreadyLoaded;
    }
    for (const char* e : {"", ".rb", ".so", ".o"}) {
      if (!is.empty() || Contains(provided, name + e) || Contains(loading, name + e)) {
        return RequireResult::kAlreadyLoaded;
      }
    }
    return RequireResult::kNotFound;
  }

  bool IsProvided(const std::string& name) const {
    const bool relative = name.starts_with("./") || name.starts_with("../");
    return !Meant(relative ? Absolute("/" + name) : name, true).empty();
  }

 private:
  // A folder of the load path, with its last '/'.
  static std::string In(const std::string& folder) {
    const std::string absolute = Absolute(folder);
    return absolute == "/" ? absolute : absolute + "/";
  }
  static std::string Extension(const std::string& name) {
    const std::size_t dot = name.rfind('.');
    if (dot == std::string::npos || name.find('/', dot) != std::string::npos) return "";
    return name.substr(dot);
  }
  static bool IsKnown(const std::string& extension) {
    return extension == ".rb" || extension == ".so" || extension == ".o";
  }
  static bool Contains(const std::vector<std::string>& list, const std::string& path) {
    return std::find(list.begin(), list.end(), path) != list.end();
  }

  // The extension ("plain" for none) of the first feature that `name` means, or else of a file
  // being loaded; "" where there is none.
  std::string Meant(const std::string& name, bool in_load_path) const {
    const std::string extension = Extension(name);
    std::vector<std::string> extensions = {"", ".rb", ".so", ".o"};
    std::string stem = name;
    if (IsKnown(extension)) {
      stem = name.substr(0, name.size() - extension.size());
      extensions = {extension};
      if (extension == ".o") extensions = {".o"};
    }
    const auto means = [&](const std::string& path) -> std::string {
      for (const std::string& e : extensions) {
        if (path == stem + e) return e.empty() ? "plain" : e;
        for (const std::string& folder : folders) {
          if (in_load_path && path == In(folder) + stem + e) {
            return e.empty() ? "plain" : e;
          }
        }
      }
      return "";
    };
    for (const std::string& path : provided) {
      if (const std::string e = means(path); !e.empty()) return e;
    }
    if (extension == ".o") extensions.push_back(".so");
    for (const std::string& path : loading) {
      if (!means(path).empty()) return IsKnown(extension) ? extension : "plain";
    }
    return "";
  }

  bool FindFile(const std::string& name, std::string* found) const {
    if (name.starts_with("/") || name.starts_with("./") || name.starts_with("../")) {
      *found = Absolute("/" + name);
      return files.contains(*found);
    }
    for (const std::string& folder : folders) {
      *found = Absolute(Absolute(folder) + "/" + name);
      if (files.contains(*found)) return true;
    }
    return false;
  }

  RequireResult Unless(const std::string& file) const {
    return Meant(file, false).empty() ? RequireResult::kLoaded : RequireResult::kAlreadyLoaded;
  }
};

template <typename Keys>
class RequireWalk {
 public:
  explicit RequireWalk(unsigned seed) : rng_(seed) {
    for (const char* folder : {"/lib", "rel", "/gems/a/lib"}) AddFolder(folder);
  }

  void Step(std::size_t depth = 0) {
    switch (rng_() % 32) {
      default:
        return Require(depth);
      case 0:
      case 1:
      case 2: {
        const std::string name = Name();
        const absl::StatusOr<bool> got = world_.features().IsProvided(name);
        ASSERT_TRUE(got.ok()) << got.status();
        ASSERT_EQ(*got, model_.IsProvided(name)) << name;
        return;
      }
      case 3: {
        const std::string path = rng_() % 2 == 0 ? File() : Name();
        ASSERT_TRUE(world_.features().Provide(path).ok());
        model_.provided.push_back(path);
        return;
      }
      case 4:
      case 5: {
        const std::string file = File();
        model_.files.insert(file);
        world_.AddFile(file);
        return;
      }
      case 6: {
        const std::string file = File();
        model_.files.erase(file);
        world_.RemoveFile(file);
        return;
      }
      case 7:
        return ChangeFeatures();
      case 8:
        return ChangeFolders();
      case 9:
        if (rng_() % 16 == 0) world_.CollectNow();
        return;
    }
  }

  void Check() {
    ASSERT_EQ(world_.Provided(), model_.provided);
    world_.features().CheckInvariants();
  }
  RequireWorld<Keys>& world() { return world_; }
  std::size_t loads() const { return loads_; }
  std::size_t deepest() const { return deepest_; }

 private:
  template <std::size_t kN>
  const char* Any(const char* const (&choices)[kN]) {
    return choices[rng_() % kN];
  }

  std::string File() {
    const std::string folder = Any({"/lib", "/rel", "/gems/a/lib", "/gems/b/lib", "", "/lib/sub"});
    return folder + "/" + Any({"a", "b", "c", "version", "x.y", "e"}) +
           Any({".rb", ".rb", ".rb", ".so", ".so", ".o", "", ".txt"});
  }

  std::string Name() {
    std::string name = Any({"", "", "", "", "sub/", "lib/", "/lib/", "./lib/", "../rel/", "/",
                            "/gems/a/lib/", "sub/../", ".//lib/", "/gems/b/lib/"});
    name += Any({"a", "b", "c", "version", "x.y", "e", "none"});
    return name + Any({"", "", "", ".rb", ".rb", ".so", ".o", ".txt", "."});
  }

  void Require(std::size_t depth) {
    const std::string name = Name();
    std::string to_load;
    const RequireResult expected = model_.Require(name, &to_load);
    std::vector<std::string> loading = model_.loading;
    bool failed = false;
    const absl::StatusOr<RequireResult> got = world_.features().Require(
        name, [&](std::string_view path) { return model_.files.contains(std::string(path)); },
        [&](std::string_view path) -> absl::Status {
          EXPECT_EQ(path, to_load) << name;
          model_.loading.emplace_back(path);
          ++loads_;
          deepest_ = std::max(deepest_, depth + 1);
          // What a body does is more of the same.
          if (depth < 6) {
            for (std::size_t i = rng_() % 5; i > 0; --i) Step(depth + 1);
          }
          model_.loading.pop_back();
          failed = rng_() % 8 == 0;
          return failed ? absl::InternalError("raised") : absl::OkStatus();
        });
    if (failed) {
      ASSERT_EQ(got.status().message(), "raised");
    } else {
      ASSERT_TRUE(got.ok()) << got.status();
      ASSERT_EQ(static_cast<int>(*got), static_cast<int>(expected))
          << name << "\n"
          << testing::PrintToString(model_.provided) << "\nloading "
          << testing::PrintToString(model_.loading) << "\nfolders "
          << testing::PrintToString(model_.folders) << "\nfiles "
          << testing::PrintToString(model_.files);
      if (expected == RequireResult::kLoaded) model_.provided.push_back(to_load);
    }
    ASSERT_EQ(model_.loading, loading);
  }

  Value NewPath(const std::string& path) { return Value(NewString(world_.heap(), nullptr, path)); }

  // $LOADED_FEATURES from outside.
  void ChangeFeatures() {
    RArray* array = world_.features().array();
    std::vector<std::string>& model = model_.provided;
    const std::size_t at = model.empty() ? 0 : rng_() % model.size();
    const auto offset = static_cast<std::ptrdiff_t>(at);
    switch (rng_() % 8) {
      case 0:
      case 1:
      case 2:
        if (model.empty()) return;
        DeleteAt(world_.heap(), array, offset);
        model.erase(model.begin() + offset);
        return;
      case 3: {
        const std::string path = File();
        Push(world_.heap(), array, NewPath(path));
        model.push_back(path);
        return;
      }
      case 4: {
        if (model.empty()) return;
        const std::string path = File();
        Store(world_.heap(), array, offset, NewPath(path));
        model[at] = path;
        return;
      }
      case 5: {
        const std::string path = File();
        HandleScope scope(world_.heap().roots());
        const Value made = scope.Push(NewPath(path));
        Unshift(world_.heap(), array, made);
        model.insert(model.begin(), path);
        return;
      }
      case 6:
        if (model.empty()) return;
        Shift(world_.heap(), array);
        model.erase(model.begin());
        return;
      case 7:
        if (rng_() % 2 != 0) return;
        Clear(world_.heap(), array);
        model.clear();
        return;
    }
  }

  void AddFolder(const std::string& folder) {
    world_.features().load_path().Append(folder);
    model_.folders.push_back(folder);
  }

  void ChangeFolders() {
    RArray* array = world_.features().load_path().array();
    if (model_.folders.size() < 6 && rng_() % 2 == 0) {
      AddFolder(Any({"/lib", "rel", "/gems/a/lib", "/gems/b/lib/", "./", "/lib/../lib/sub"}));
    } else if (model_.folders.size() > 1) {
      Shift(world_.heap(), array);
      model_.folders.erase(model_.folders.begin());
    }
  }

  std::mt19937 rng_;
  RequireModel model_;
  RequireWorld<Keys> world_;
  std::size_t loads_ = 0;
  std::size_t deepest_ = 0;
};

template <typename Keys>
class LoadedFeaturesModelTest : public testing::Test {};
using AllKeys = testing::Types<CopiedFeatureKeys, SharedFeatureKeys, HashedFeatureKeys>;
TYPED_TEST_SUITE(LoadedFeaturesModelTest, AllKeys);

TYPED_TEST(LoadedFeaturesModelTest, RandomOperations) {
  RequireWalk<TypeParam> walk(20260131);
  walk.world().heap().set_stress(false);
  constexpr int kSteps = kDchecks ? 5'000 : 50'000;  // checking builds are slow
  for (int step = 0; step < kSteps; ++step) {
    ASSERT_NO_FATAL_FAILURE(walk.Step()) << "at step " << step;
    if (testing::Test::HasFailure()) FAIL() << "at step " << step;
    if (step % 500 != 0) continue;
    ASSERT_NO_FATAL_FAILURE(walk.Check()) << "at step " << step;
  }
  EXPECT_GT(walk.loads(), kSteps / 100u);
  EXPECT_GE(walk.deepest(), 4u);
}

// A collection at every allocation.
TYPED_TEST(LoadedFeaturesModelTest, RandomOperationsUnderStress) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    RequireWalk<TypeParam> walk(seed);
    walk.world().heap().set_stress(true);
    for (int step = 0; step < 150; ++step) {
      ASSERT_NO_FATAL_FAILURE(walk.Step()) << "seed " << seed << ", step " << step;
      if (testing::Test::HasFailure()) FAIL() << "seed " << seed << ", step " << step;
    }
    ASSERT_NO_FATAL_FAILURE(walk.Check());
  }
}

}  // namespace
}  // namespace rubric
