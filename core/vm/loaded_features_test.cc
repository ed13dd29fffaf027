#include "core/vm/loaded_features.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "backends/feature_keys/copied/copied_feature_keys.h"
#include "backends/feature_keys/hashed/hashed_feature_keys.h"
#include "backends/feature_keys/shared/shared_feature_keys.h"
#include "core/feature_keys/feature_keys_archetype.h"
#include "core/feature_keys/feature_keys_model.h"
#include "core/feature_keys/feature_test_paths.h"
#include "core/memory/counters.h"
#include "core/object/array_mutation.h"
#include "core/object/array_sharing.h"
#include "core/vm/require_world.h"

namespace rubric {

// Loaded features need no more of a backend than the concept says.
template class LoadedFeatures<FeatureKeysArchetype>;

namespace {

using Strings = std::vector<std::string>;

template <typename Keys>
class LoadedFeaturesTest : public testing::Test {
 protected:
  bool Loads(const std::string& name) { return Is(name, RequireResult::kLoaded); }
  bool IsLoaded(const std::string& name) { return Is(name, RequireResult::kAlreadyLoaded); }
  bool IsMissing(const std::string& name) { return Is(name, RequireResult::kNotFound); }
  bool Is(const std::string& name, RequireResult expected) {
    const absl::StatusOr<RequireResult> result = world_.Require(name);
    EXPECT_TRUE(result.ok()) << name << ": " << result.status().ToString();
    world_.features().CheckInvariants();
    return result.ok() && *result == expected;
  }
  bool Provided(const std::string& name) { return *world_.features().IsProvided(name); }
  void Provide(const std::string& path) {
    const absl::Status status = world_.features().Provide(path);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  void AddFolder(const std::string& folder) { world_.features().load_path().Append(folder); }

  RequireWorld<Keys> world_;
};

using AllKeys =
    testing::Types<CopiedFeatureKeys, SharedFeatureKeys, HashedFeatureKeys, ModelFeatureKeys>;

class KeyNames {
 public:
  template <typename Keys>
  static std::string GetName(int) {
    return std::string(Keys::kName);
  }
};

TYPED_TEST_SUITE(LoadedFeaturesTest, AllKeys, KeyNames);

TYPED_TEST(LoadedFeaturesTest, AFileIsLoadedOnce) {
  this->AddFolder("/lib");
  this->world_.AddFile("/lib/set.rb");
  EXPECT_FALSE(this->Provided("set"));
  EXPECT_TRUE(this->Loads("set"));
  for (const char* name : {"set", "set.rb", "/lib/set", "/lib/set.rb", "./../lib/set.rb",
                           "../lib/set", "x/../set", "../lib/./set.rb"}) {
    EXPECT_TRUE(this->IsLoaded(name)) << name;
  }
  EXPECT_EQ(this->world_.log(), Strings{"/lib/set.rb"});
  EXPECT_EQ(this->world_.Provided(), Strings{"/lib/set.rb"});
  for (const char* name : {"set", "set.rb", "/lib/set", "/lib/set.rb", "./lib/set"}) {
    EXPECT_TRUE(this->Provided(name)) << name;
  }
  for (const char* name :
       {"set.so", "lib/set", "/set", "et", "set.rb.rb", "./set", "set.", "SET"}) {
    EXPECT_FALSE(this->Provided(name)) << name;
  }
}

TYPED_TEST(LoadedFeaturesTest, WhatIsNotThereIsNotFound) {
  this->AddFolder("/lib");
  this->world_.AddFile("/lib/set.rb");
  this->world_.AddFile("/lib/native.so");
  for (const char* name : {"sets", "set.so", "/set", "./set", "lib/set", "native.rb", "set.o", "/",
                           "..", ".", "set/", "nothing.tar.gz"}) {
    EXPECT_TRUE(this->IsMissing(name)) << name;
  }
  EXPECT_TRUE(this->world_.log().empty());
}

TYPED_TEST(LoadedFeaturesTest, TheFirstFolderThatHasTheFileWins) {
  for (const char* folder : {"/1", "/2", "/3"}) this->AddFolder(folder);
  for (const char* file : {"/2/a.rb", "/3/a.rb", "/1/b.so", "/3/b.rb"}) this->world_.AddFile(file);
  EXPECT_TRUE(this->Loads("a"));
  EXPECT_TRUE(this->Loads("b"));  // ".rb" in any folder before ".so"
  EXPECT_EQ(this->world_.log(), (Strings{"/2/a.rb", "/3/b.rb"}));
  EXPECT_TRUE(this->Loads("b.so"));
  EXPECT_TRUE(this->Loads("/3/a"));  // another file of the same name
  EXPECT_TRUE(this->IsLoaded("/3/a.rb"));
}

// A feature of any folder satisfies a name, even where an earlier folder has another file for it.
TYPED_TEST(LoadedFeaturesTest, WhatIsLoadedSatisfiesWhateverTheOrder) {
  for (const char* folder : {"/1", "/2"}) this->AddFolder(folder);
  this->world_.AddFile("/1/a.rb");
  this->world_.AddFile("/2/a.rb");
  EXPECT_TRUE(this->Loads("/2/a"));
  EXPECT_TRUE(this->IsLoaded("a"));
  // Until its folder leaves the load path.
  Pop(this->world_.heap(), this->world_.features().load_path().array());
  EXPECT_TRUE(this->Loads("a"));
  EXPECT_EQ(this->world_.log(), (Strings{"/2/a.rb", "/1/a.rb"}));
}

TYPED_TEST(LoadedFeaturesTest, FeaturesWithoutAPath) {
  this->AddFolder("/lib");
  for (const char* path : {"enumerator.so", "thread.rb", "fiber.so", "plain"}) this->Provide(path);
  for (const char* name :
       {"enumerator", "enumerator.so", "thread", "thread.rb", "fiber", "plain"}) {
    EXPECT_TRUE(this->IsLoaded(name)) << name;
    EXPECT_TRUE(this->Provided(name)) << name;
  }
  for (const char* name : {"enumerator.rb", "thread.so", "plain.rb", "/lib/thread", "lib/thread"}) {
    EXPECT_TRUE(this->IsMissing(name)) << name;
  }
  // A native feature does not keep a Ruby file from being loaded.
  this->world_.AddFile("/lib/enumerator.rb");
  EXPECT_TRUE(this->Loads("enumerator"));
  // But a Ruby one does.
  this->world_.AddFile("/lib/thread.rb");
  EXPECT_TRUE(this->IsLoaded("thread"));
}

TYPED_TEST(LoadedFeaturesTest, NativeExtensions) {
  this->AddFolder("/lib");
  this->world_.AddFile("/lib/native.so");
  EXPECT_TRUE(this->Loads("native.o"));  // ".o" is written for portability and means ".so"
  EXPECT_TRUE(this->IsLoaded("native"));
  EXPECT_TRUE(this->IsLoaded("native.so"));
  EXPECT_FALSE(this->Provided("native.rb"));
  this->world_.AddFile("/lib/odd.so.rb");
  EXPECT_TRUE(this->Loads("odd.so"));
  EXPECT_TRUE(this->IsLoaded("odd.so"));
  EXPECT_TRUE(this->IsLoaded("odd.so.rb"));
}

TYPED_TEST(LoadedFeaturesTest, ExtensionsThatAreNone) {
  this->AddFolder("/lib");
  this->world_.AddFile("/lib/a.tar.gz.rb");
  EXPECT_TRUE(this->Loads("a.tar.gz"));
  EXPECT_TRUE(this->IsLoaded("a.tar.gz"));
  EXPECT_TRUE(this->IsLoaded("a.tar.gz.rb"));
  EXPECT_TRUE(this->IsMissing("a.tar"));
  this->Provide("b.yml");
  EXPECT_TRUE(this->Provided("b.yml"));
  EXPECT_TRUE(this->IsLoaded("b.yml"));
  EXPECT_FALSE(this->Provided("b"));
  this->Provide("/lib/c.yml");
  EXPECT_TRUE(this->Provided("c.yml"));
  EXPECT_TRUE(this->IsMissing("c.yml"));  // as Ruby: only the path itself is asked for
  EXPECT_TRUE(this->IsLoaded("/lib/c.yml"));
}

TYPED_TEST(LoadedFeaturesTest, TheRootAsFolder) {
  this->AddFolder("/");
  this->world_.AddFile("/a.rb");
  EXPECT_TRUE(this->Loads("a"));
  EXPECT_TRUE(this->IsLoaded("a"));
  EXPECT_TRUE(this->Provided("a.rb"));
}

TYPED_TEST(LoadedFeaturesTest, FilesRequireFiles) {
  this->AddFolder("/lib");
  auto& world = this->world_;
  this->world_.SetBody("/lib/a.rb", [&] {
    EXPECT_EQ(*world.Require("b"), RequireResult::kLoaded);
    EXPECT_EQ(*world.Require("b"), RequireResult::kAlreadyLoaded);
    EXPECT_TRUE(*world.features().IsProvided("a"));  // it is being loaded
    return absl::OkStatus();
  });
  this->world_.SetBody("/lib/b.rb", [&] {
    EXPECT_EQ(*world.Require("c"), RequireResult::kLoaded);
    return absl::OkStatus();
  });
  // Circles end: by each name that the file has.
  this->world_.SetBody("/lib/c.rb", [&] {
    for (const char* name : {"a", "a.rb", "/lib/a", "/lib/a.rb", "c", "./lib/c.rb", "x/../b"}) {
      EXPECT_EQ(*world.Require(name), RequireResult::kAlreadyLoaded) << name;
    }
    return absl::OkStatus();
  });
  EXPECT_TRUE(this->Loads("a"));
  EXPECT_EQ(this->world_.log(), (Strings{"/lib/a.rb", "/lib/b.rb", "/lib/c.rb"}));
  // Provided when they end, so the innermost first.
  EXPECT_EQ(this->world_.Provided(), (Strings{"/lib/c.rb", "/lib/b.rb", "/lib/a.rb"}));
}

TYPED_TEST(LoadedFeaturesTest, LoadsOfSeveralThreadsOverlap) {
  auto& features = this->world_.features();
  const auto exists = [](std::string_view path) { return path.starts_with("/lib/"); };
  const auto begin = [&](const char* name) { return features.BeginRequire(name, exists); };
  const auto a = begin("/lib/a");
  const auto b = begin("/lib/b");
  const auto c = begin("/lib/c");
  ASSERT_TRUE(a.ok() && b.ok() && c.ok());
  for (const auto& begun : {a, b, c}) EXPECT_EQ(begun->result, RequireResult::kLoaded);
  this->world_.CollectNow();
  EXPECT_EQ(b->path->bytes(), "/lib/b.rb");
  // One that is being loaded, by whichever thread, is not loaded again.
  EXPECT_EQ(begin("/lib/a")->result, RequireResult::kAlreadyLoaded);
  EXPECT_EQ(begin("/none")->result, RequireResult::kNotFound);
  EXPECT_EQ(begin("/none")->path, nullptr);
  // The first one ends first, the one in the middle fails.
  ASSERT_TRUE(features.FinishRequire(a->path, false).ok());
  ASSERT_TRUE(features.FinishRequire(b->path, true).ok());
  EXPECT_EQ(this->world_.Provided(), Strings{"/lib/a.rb"});
  const auto again = begin("/lib/b");
  EXPECT_EQ(again->result, RequireResult::kLoaded);
  ASSERT_TRUE(features.FinishRequire(c->path, false).ok());
  ASSERT_TRUE(features.FinishRequire(again->path, false).ok());
  EXPECT_EQ(this->world_.Provided(), (Strings{"/lib/a.rb", "/lib/c.rb", "/lib/b.rb"}));
  features.CheckInvariants();
}

TYPED_TEST(LoadedFeaturesTest, AFileThatFailsIsNotProvided) {
  this->AddFolder("/lib");
  int attempts = 0;
  auto& world = this->world_;
  this->world_.AddFile("/lib/part.rb");
  this->world_.SetBody("/lib/bad.rb", [&] {
    EXPECT_TRUE(world.Require("part").ok());
    return ++attempts == 1 ? absl::InternalError("SyntaxError") : absl::OkStatus();
  });
  EXPECT_EQ(this->world_.Require("bad").status().message(), "SyntaxError");
  EXPECT_FALSE(this->Provided("bad"));
  EXPECT_TRUE(this->Provided("part"));
  EXPECT_TRUE(this->Loads("bad"));
  EXPECT_TRUE(this->IsLoaded("bad"));
  EXPECT_EQ(attempts, 2);
}

TYPED_TEST(LoadedFeaturesTest, ProvidingTwiceKeepsBoth) {
  this->Provide("/lib/a.rb");
  this->Provide("/lib/b.rb");
  this->Provide("/lib/a.rb");
  EXPECT_EQ(this->world_.Provided(), (Strings{"/lib/a.rb", "/lib/b.rb", "/lib/a.rb"}));
  EXPECT_TRUE(this->Provided("/lib/a"));
}

TYPED_TEST(LoadedFeaturesTest, TheIndexFollowsChangesFromOutside) {
  this->AddFolder("/lib");
  auto& world = this->world_;
  RArray* array = world.features().array();
  for (int i = 0; i < 8; ++i) {
    world.AddFile("/lib/f" + std::to_string(i) + ".rb");
    EXPECT_TRUE(this->Loads("f" + std::to_string(i)));
  }
  EXPECT_EQ(world.features().rebuilds(), 0u);

  // $".delete_at, and the file may be loaded again.
  DeleteAt(world.heap(), array, 3);
  EXPECT_FALSE(this->Provided("f3"));
  EXPECT_TRUE(this->Provided("f7"));
  EXPECT_EQ(world.features().rebuilds(), 1u);
  EXPECT_TRUE(this->Loads("f3"));
  EXPECT_EQ(world.Provided().back(), "/lib/f3.rb");
  EXPECT_EQ(world.features().rebuilds(), 1u);

  // $" << "x.rb", with a String that the program could still change: it is frozen.
  RString* pushed = NewString(world.heap(), nullptr, "/lib/pushed.rb");
  Push(world.heap(), array, Value(pushed));
  EXPECT_TRUE(this->IsLoaded("pushed"));
  EXPECT_TRUE(pushed->frozen());
  EXPECT_EQ(world.features().rebuilds(), 2u);

  // As many as before, but others.
  Pop(world.heap(), array);
  Push(world.heap(), array, Value(NewString(world.heap(), nullptr, "/lib/other.rb")));
  EXPECT_FALSE(this->Provided("pushed"));
  EXPECT_TRUE(this->Provided("other"));
  Store(world.heap(), array, 0, Value(NewString(world.heap(), nullptr, "/lib/first.rb")));
  EXPECT_TRUE(this->Provided("first"));
  EXPECT_FALSE(this->Provided("f0"));

  // A change right before something is provided is seen too.
  Shift(world.heap(), array);
  this->Provide("/lib/last.rb");
  EXPECT_FALSE(this->Provided("first"));
  EXPECT_TRUE(this->Provided("f1"));

  Clear(world.heap(), array);
  world.CollectNow();
  EXPECT_FALSE(this->Provided("f1"));
  EXPECT_TRUE(this->Loads("f1"));
  world.features().CheckInvariants();
}

// Up to three elements are embedded, and cannot share.
TYPED_TEST(LoadedFeaturesTest, ChangesOfFewFeaturesAreSeen) {
  auto& world = this->world_;
  this->Provide("a.rb");
  this->Provide("b.rb");
  EXPECT_TRUE(this->Provided("a"));
  Store(world.heap(), world.features().array(), 0, Value(NewString(world.heap(), nullptr, "c.rb")));
  EXPECT_FALSE(this->Provided("a"));
  EXPECT_TRUE(this->Provided("c"));
  EXPECT_EQ(world.features().rebuilds(), 1u);
  EXPECT_TRUE(this->Provided("c"));
  EXPECT_EQ(world.features().rebuilds(), 1u);
}

TYPED_TEST(LoadedFeaturesTest, ABodyMayChangeTheArrays) {
  this->AddFolder("/lib");
  auto& world = this->world_;
  for (int i = 0; i < 6; ++i) this->Provide("/lib/f" + std::to_string(i) + ".rb");
  world.SetBody("/lib/changes.rb", [&] {
    DeleteAt(world.heap(), world.features().array(), 2);
    world.features().load_path().Append("/more");
    for (int n = 0; n < 2'000; ++n) NewString(world.heap(), nullptr, std::string(40, '#'));
    world.CollectNow();
    return absl::OkStatus();
  });
  world.AddFile("/more/found.rb");
  EXPECT_TRUE(this->Loads("changes"));
  EXPECT_FALSE(this->Provided("f2"));
  EXPECT_TRUE(this->Provided("f5"));
  EXPECT_TRUE(this->IsLoaded("changes"));
  EXPECT_TRUE(this->Loads("found"));
}

TYPED_TEST(LoadedFeaturesTest, AFrozenArrayIsReadButNotAddedTo) {
  this->AddFolder("/lib");
  auto& world = this->world_;
  world.AddFile("/lib/new.rb");
  for (int i = 0; i < 6; ++i) this->Provide("/lib/f" + std::to_string(i) + ".rb");
  Freeze(world.features().array());
  EXPECT_TRUE(this->IsLoaded("f3"));
  const absl::Status status = world.Require("new").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_NE(status.message().find("$LOADED_FEATURES is frozen"), absl::string_view::npos);
  EXPECT_EQ(world.features().Provide("x.rb").code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(this->Provided("f5"));
  world.features().CheckInvariants();
}

TYPED_TEST(LoadedFeaturesTest, NamesThatAreNone) {
  const std::string nul("a\0b", 3);
  for (const absl::Status& status :
       {this->world_.Require("").status(), this->world_.features().Provide(""),
        this->world_.features().IsProvided("").status()}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_NE(status.message().find("is empty; give"), absl::string_view::npos);
  }
  for (const absl::Status& status :
       {this->world_.Require(nul).status(), this->world_.features().Provide(nul),
        this->world_.features().IsProvided(nul).status()}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_NE(status.message().find("NUL byte at offset 1 of 3"), absl::string_view::npos);
  }
}

TYPED_TEST(LoadedFeaturesTest, ElementsThatAreNoPathsAreErrorsUntilTheyLeave) {
  auto& world = this->world_;
  this->Provide("a.rb");
  Push(world.heap(), world.features().array(), Value::Fixnum(1));
  for (int i = 0; i < 2; ++i) {
    const absl::Status status = world.features().IsProvided("a").status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_NE(status.message().find("element 1 of $LOADED_FEATURES"), absl::string_view::npos)
        << status;
    EXPECT_FALSE(world.features().Provide("b.rb").ok());
    world.features().CheckInvariants();
  }
  Pop(world.heap(), world.features().array());
  EXPECT_TRUE(this->Provided("a"));
  Push(world.heap(), world.features().array(),
       Value(NewString(world.heap(), nullptr, std::string_view("a\0.rb", 5))));
  EXPECT_NE(world.features().IsProvided("a").status().message().find("NUL"),
            absl::string_view::npos);
}

TYPED_TEST(LoadedFeaturesTest, InternedPathsAreWhatIsKept) {
  auto& world = this->world_;
  HandleScope scope(world.heap().roots());
  RString* interned = scope.Keep(NewString(world.heap(), nullptr, "/lib/a.rb"));
  FreezeString(interned);
  world.features().SetIntern(
      [&](RString* path) { return path->bytes() == interned->bytes() ? interned : path; });
  this->Provide("/lib/a.rb");
  EXPECT_EQ(world.features().array()->elements()[0], Value(interned));
  // From outside as well, once the index is made anew.
  Push(world.heap(), world.features().array(),
       Value(NewString(world.heap(), nullptr, "/lib/a.rb")));
  EXPECT_TRUE(this->Provided("/lib/a"));
  EXPECT_EQ(world.features().array()->elements()[1], Value(interned));
}

// Lookups allocate nothing, whatever the backend; providing the n-th feature asks for 8 n bytes to
// copy the array, and 8 (n / 2 + n + 1) to grow it.
TYPED_TEST(LoadedFeaturesTest, TheArrayIsCopiedAndGrownForEachFeature) {
  auto& world = this->world_;
  world.heap().set_stress(false);
  this->AddFolder("/lib");
  std::uint64_t expected_bytes = 0, expected_calls = 0;
  const MemorySnapshot before = TakeSnapshot();
  constexpr std::size_t kFeatures = 500;
  for (std::size_t n = 0; n < kFeatures; ++n) {
    this->Provide(DistinctPath(n, 7, ".rb"));
    if (n == 3) {  // the first that does not fit the slot: 20 elements
      expected_bytes += 8 * 20;
      ++expected_calls;
    } else if (n > 3) {
      expected_bytes += 8 * n + 8 * (n + 1 + std::max<std::size_t>(n / 2, 16));
      expected_calls += 2;
    }
  }
  const AllocatorCounters arrays = (TakeSnapshot() - before)[Subsystem::kArrays];
  EXPECT_EQ(arrays.bytes_requested, expected_bytes);
  EXPECT_EQ(arrays.malloc_calls, expected_calls);
  EXPECT_NEAR(static_cast<double>(expected_bytes), 10.0 * kFeatures * kFeatures,
              0.02 * 10.0 * kFeatures * kFeatures);

  const AllocatorCounters all = TakeSnapshot().total;
  const std::uint64_t slots = world.heap().stats().total_allocated_slots;
  for (std::size_t n = 0; n < kFeatures; ++n) {
    ASSERT_TRUE(this->Provided(DistinctPath(n, 7, "")));
    ASSERT_FALSE(this->Provided(DistinctPath(n, 6, "")));
  }
  EXPECT_LE(TakeSnapshot().total.malloc_calls - all.malloc_calls, 2u);  // the load path, once
  EXPECT_LE(world.heap().stats().total_allocated_slots - slots, 3u);
  world.features().CheckInvariants();
}

}  // namespace
}  // namespace rubric
