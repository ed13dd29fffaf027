// LoadedFeatures: $LOADED_FEATURES, its index, and `require`.
//
// USE        A VM has one. Require(name, exists, load) is `require name`: looks whether the feature
//            is loaded, else for its file (`exists` is the file system), runs `load(path)` and
//            provides the path. Provide(path) is rb_provide, IsProvided(name) rb_provided.
//            array() is $LOADED_FEATURES, which the program may change as it likes: the index is
//            made anew at the next lookup. BeginRequire and FinishRequire are the two halves of
//            Require, for who runs files of several threads, whose loads overlap.
// LAYOUT     The program's array; a hidden snapshot of it, which shares its buffer for as long as
//            nobody writes to the array; the index, of the backend Keys; the load path; and the
//            paths that are being loaded, the latest begun last.
// COST       A lookup: one lookup in the index, then a comparison with each feature and folder of
//            the load path that it may be; no allocation, whatever the backend. Require of a file:
//            one probe a folder of the load path and extension, and Provide. Provide of the n-th
//            feature: the snapshot shares the array, so pushing copies it: 8 n bytes, then 12 n
//            more to grow it, asked for and freed again; 10 n^2 in all for n features. That is
//            Ruby's cost too, 80 % of the bytes of its require benchmark. Then what Keys takes.
// INVARIANTS (1) Unless the program changed the array, the index has all of it; the snapshot, of
//                more than 3 elements, shares its buffer then (up to 3 are compared).
//            (2) A feature is a frozen String without NUL bytes.
//            (3) A file that is being loaded is not loaded again: requiring it says kAlreadyLoaded.
//            (4) Lookups answer alike for every backend.
//            Checked by CheckInvariants().
// ERRORS     A name that is empty or has a NUL, an array that is frozen or holds what is no path: an
//            absl::Status that says which. What `load` fails with is handed on, and nothing is
//            provided then.
// SOURCE     CRuby's load.c between 2.5 and 2.6, by what it does: a feature that is loaded from any
//            folder of the load path satisfies a name, whatever the order of the folders; a name
//            without extension that a ".so" satisfies is still loaded if there is a ".rb". Left out:
//            realpaths, autoload, $SAFE, threads that wait for each other's files, the Strings for
//            path conversion and the 4 KiB buffer for each file search: all alike for every backend.
// TESTED BY  loaded_features_test.cc, loaded_features_model_test.cc.
#ifndef RUBRIC_CORE_VM_LOADED_FEATURES_H_
#define RUBRIC_CORE_VM_LOADED_FEATURES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/check.h"
#include "core/base/memory_use.h"
#include "core/feature_keys/feature_keys.h"
#include "core/heap/heap.h"
#include "core/heap/root_stack.h"
#include "core/memory/counting_allocator.h"
#include "core/object/array.h"
#include "core/object/array_mutation.h"
#include "core/object/layout.h"
#include "core/object/string.h"
#include "core/value/value.h"
#include "core/vm/expand_path.h"
#include "core/vm/feature_match.h"
#include "core/vm/load_path.h"

namespace rubric {

// Runs the body of a file. The path is valid meanwhile.
using LoadBody = absl::FunctionRef<absl::Status(std::string_view path)>;

enum class RequireResult {
  kLoaded,         // `true`: the file was found, run and provided
  kAlreadyLoaded,  // `false`: it was provided before, or is being loaded
  kNotFound,       // LoadError
};

// What makes a name no name of a feature, if anything does.
absl::Status CheckFeatureName(std::string_view name);

template <FeatureKeysBackend Keys>
class LoadedFeatures {
 public:
  LoadedFeatures(Heap& heap, std::uint64_t hash_seed)
      : heap_(heap), keys_(heap, hash_seed), load_path_(heap) {}
  LoadedFeatures(const LoadedFeatures&) = delete;
  LoadedFeatures& operator=(const LoadedFeatures&) = delete;

  // Makes the arrays. May collect. REQUIRES: once, before all else but VisitReferences.
  void SetClasses(RClass* string_class, RClass* array_class) {
    string_class_ = string_class;
    array_ = NewArray(heap_, array_class);
    snapshot_ = NewArray(heap_, nullptr);
    load_path_.MakeArrays(string_class, array_class);
  }

  // How to intern paths, as CRuby does with features and folders; without it they are just frozen.
  void SetIntern(InternPath intern) {
    load_path_.set_intern(intern);
    intern_ = std::move(intern);
  }

  RArray* array() const { return array_; }
  LoadPath& load_path() { return load_path_; }
  const LoadPath& load_path() const { return load_path_; }
  const Keys& keys() const { return keys_; }

  // Times that the index was made anew.
  std::uint64_t rebuilds() const { return rebuilds_; }

  // Adds a feature at the end of $LOADED_FEATURES, whether it is there already or not. May collect.
  absl::Status Provide(std::string_view path) {
    if (absl::Status status = CheckFeatureName(path); !status.ok()) return status;
    HandleScope scope(heap_.roots());
    return ProvideString(scope.Keep(NewString(heap_, string_class_, path)));
  }

  // True iff `name` asks for a feature that is provided or being loaded. May collect.
  absl::StatusOr<bool> IsProvided(std::string_view name) {
    if (absl::Status status = CheckFeatureName(name); !status.ok()) return status;
    if (!IsAbsolutePath(name) && IsExplicitPath(name)) {
      ExpandPath(name, load_path_.working_directory(), explicit_path_);
      name = explicit_path_;
    }
    const absl::StatusOr<Found> found = Lookup(FeatureName(name), InLoadPath::kYes);
    if (!found.ok()) return found.status();
    return found->kind != FeatureKind::kNone;
  }

  // `require name`. May collect; `load` may require, provide and collect. REQUIRES: `name` does not
  // lie in an unkept slot.
  absl::StatusOr<RequireResult> Require(std::string_view name, FileProbe exists, LoadBody load) {
    const absl::StatusOr<Begun> begun = BeginRequire(name, exists);
    if (!begun.ok()) return begun.status();
    if (begun->path == nullptr) return begun->result;
    const absl::Status loaded = load(begun->path->bytes());
    const absl::Status finished = FinishRequire(begun->path, !loaded.ok());
    if (!loaded.ok()) return loaded;
    if (!finished.ok()) return finished;
    return RequireResult::kLoaded;
  }

  // What Require does before it runs the file. With kLoaded there is a file to run: its path, which
  // is being loaded from now on and kept alive, until FinishRequire. May collect. REQUIRES: as
  // Require.
  struct Begun {
    RequireResult result;
    RString* path = nullptr;  // null unless kLoaded
  };
  absl::StatusOr<Begun> BeginRequire(std::string_view name, FileProbe exists) {
    if (absl::Status status = CheckFeatureName(name); !status.ok()) return status;
    const absl::StatusOr<RequireResult> state = FindFileToLoad(FeatureName(name), exists);
    if (!state.ok()) return state.status();
    if (*state != RequireResult::kLoaded) return Begun{*state};
    RString* path = NewString(heap_, string_class_, found_);
    FreezeString(path);
    loading_.push_back(path);
    return Begun{*state, path};
  }

  // The file was run: provides its path iff it did not fail. May collect. REQUIRES: `path` is one
  // that BeginRequire gave, and was not finished.
  absl::Status FinishRequire(RString* path, bool failed) {
    HandleScope scope(heap_.roots());
    scope.Keep(path);
    const auto at = std::find(loading_.rbegin(), loading_.rend(), path);
    RUBRIC_CHECK(at != loading_.rend(), "a file that is finished was begun");
    loading_.erase(std::next(at).base());
    return failed ? absl::OkStatus() : ProvideString(path);
  }

  // Calls visit(Value) for each slot that this keeps alive.
  template <typename Visit>
  void VisitReferences(Visit visit) const {
    for (RArray* array : {array_, snapshot_}) {
      if (array != nullptr) visit(Value(array));
    }
    for (RString* path : loading_) visit(Value(path));
    load_path_.VisitReferences(visit);
    keys_.VisitReferences(visit);
  }

  // The index. Arrays and Strings are the heap's.
  MemoryUse memory_use() const { return keys_.memory_use(); }

  void CheckInvariants() const {
    if (array_ == nullptr) return;
    CheckArray(array_);
    CheckArray(snapshot_);
    load_path_.CheckInvariants();
    if (!index_is_whole_) return;
    // What the index was made from, even where the program changed its array since.
    for (std::size_t i = 0; i < snapshot_->length(); ++i) {
      RUBRIC_CHECK(CheckPathElement(snapshot_, i, "the snapshot").ok());
      RUBRIC_CHECK(snapshot_->elements()[i].AsSlot()->frozen());
    }
    keys_.CheckInvariants(snapshot_);
  }

 private:
  enum class InLoadPath { kNo, kYes };

  struct Found {
    FeatureKind kind = FeatureKind::kNone;
    bool loading = false;
  };

  // The first feature that `name` asks for, provided or else being loaded. Where it is one that is
  // being loaded, and the name has no extension, its kind is kPlain.
  absl::StatusOr<Found> Lookup(const FeatureName& name, InLoadPath in_load_path) {
    if (absl::Status status = MakeIndexWhole(); !status.ok()) return status;
    const RArray* folders = nullptr;
    if (in_load_path == InLoadPath::kYes) {
      const absl::StatusOr<const RArray*> expanded = load_path_.Expanded();
      if (!expanded.ok()) return expanded.status();
      folders = *expanded;
    }
    Found found;
    keys_.ForEachPosition(array_, name.whole, [&](FeaturePosition position) {
      const std::string_view path = As<RString>(array_->elements()[position])->bytes();
      found.kind = MatchFeature(path, name, folders);
      return found.kind == FeatureKind::kNone;
    });
    if (found.kind != FeatureKind::kNone) return found;
    for (const RString* path : loading_) {
      if (MatchFeature(path->bytes(), name, folders) == FeatureKind::kNone) continue;
      return Found{.kind = name.kind == FeatureKind::kNone ? FeatureKind::kPlain : name.kind,
                   .loading = true};
    }
    return found;
  }

  // Whether `name` is loaded, or not there; kLoaded where the file found_ is to be loaded.
  absl::StatusOr<RequireResult> FindFileToLoad(const FeatureName& name, FileProbe exists) {
    const bool has_extension = name.kind == FeatureKind::kRuby || name.kind == FeatureKind::kNative;
    Found provided;
    if (name.kind != FeatureKind::kNone) {
      const absl::StatusOr<Found> found = Lookup(name, InLoadPath::kYes);
      if (!found.ok()) return found.status();
      provided = *found;
    }
    if (provided.kind == FeatureKind::kRuby || (has_extension && IsThere(provided))) {
      return RequireResult::kAlreadyLoaded;
    }

    if (has_extension) {
      asked_.assign(name.kind == FeatureKind::kRuby ? name.whole : name.stem);
      if (name.kind == FeatureKind::kNative) asked_.append(".so");
      const absl::StatusOr<bool> found = load_path_.FindFile(asked_, exists, found_);
      if (!found.ok()) return found.status();
      if (*found) return LoadUnlessLoaded();
      if (name.kind == FeatureKind::kRuby) return RequireResult::kNotFound;
      // "a.so" may still be "a.so.rb".
    }

    static constexpr std::string_view kExtensions[] = {".rb", ".so"};
    const absl::StatusOr<int> found =
        load_path_.FindFileExtension(name.whole, kExtensions, exists, found_);
    if (!found.ok()) return found.status();
    // A native feature, or one that is being loaded, satisfies the name unless a ".rb" is there.
    if (*found != 0 && IsThere(provided)) return RequireResult::kAlreadyLoaded;
    if (*found >= 0) return LoadUnlessLoaded();
    const absl::StatusOr<Found> exact = Lookup(FeatureName::Plain(name.whole), InLoadPath::kNo);
    if (!exact.ok()) return exact.status();
    return IsThere(*exact) ? RequireResult::kAlreadyLoaded : RequireResult::kNotFound;
  }

  static bool IsThere(const Found& found) { return found.kind != FeatureKind::kNone; }

  // Whether the file found_ itself is loaded or being loaded already.
  absl::StatusOr<RequireResult> LoadUnlessLoaded() {
    const absl::StatusOr<Found> found = Lookup(FeatureName(found_), InLoadPath::kNo);
    if (!found.ok()) return found.status();
    return IsThere(*found) ? RequireResult::kAlreadyLoaded : RequireResult::kLoaded;
  }

  // REQUIRES: `path` is kept, and has no NUL.
  absl::Status ProvideString(RString* path) {
    if (array_->frozen()) {
      return absl::FailedPreconditionError(
          "$LOADED_FEATURES is frozen; a feature can be added only to an array that is not");
    }
    // What the program changed meanwhile would go unseen once the snapshot is taken anew.
    if (absl::Status status = MakeIndexWhole(); !status.ok()) return status;
    FreezeString(path);
    Push(heap_, array_, Value(intern_ ? intern_(path) : path));
    keys_.Add(array_, static_cast<FeaturePosition>(array_->length() - 1));
    Replace(heap_, snapshot_, array_);
    return absl::OkStatus();
  }

  // Makes the index anew if the program changed the array.
  absl::Status MakeIndexWhole() {
    if (index_is_whole_ && IsCurrentSnapshot(snapshot_, array_)) return absl::OkStatus();
    index_is_whole_ = false;
    ++rebuilds_;
    keys_.Clear();
    for (std::size_t i = 0; i < array_->length(); ++i) {
      if (absl::Status status = CheckPathElement(array_, i, "$LOADED_FEATURES"); !status.ok()) {
        return status;
      }
      RString* entry = As<RString>(array_->elements()[i]);
      FreezeString(entry);
      RString* path = intern_ ? intern_(entry) : entry;
      if (path != entry && !array_->frozen()) {
        Store(heap_, array_, static_cast<std::ptrdiff_t>(i), Value(path));
      }
      keys_.Add(array_, static_cast<FeaturePosition>(i));
    }
    Replace(heap_, snapshot_, array_);
    index_is_whole_ = true;
    return absl::OkStatus();
  }

  Heap& heap_;
  Keys keys_;
  LoadPath load_path_;
  InternPath intern_;
  RClass* string_class_ = nullptr;
  RArray* array_ = nullptr;     // the program's
  RArray* snapshot_ = nullptr;  // hidden
  bool index_is_whole_ = true;  // false after a rebuild that failed
  std::uint64_t rebuilds_ = 0;
  CountedVector<RString*, Subsystem::kFeatures> loading_;  // the latest begun last
  // Paths that are put together; in use until the next file is run.
  PathBuffer explicit_path_, asked_, found_;
};

}  // namespace rubric

#endif  // RUBRIC_CORE_VM_LOADED_FEATURES_H_
