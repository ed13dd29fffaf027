// The concept is enough and not too little (archetypes), and the model passes the conformance
// suite.

#include "core/interning/interning.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/memory_use.h"
#include "core/interning/intern_bucket.h"
#include "core/interning/interning_archetype.h"
#include "core/interning/interning_conformance.h"
#include "core/interning/model_interning.h"
#include "core/interning/test_names.h"
#include "core/object/layout.h"

namespace rubric {
namespace {

struct Nameless : InterningArchetype {
  static constexpr int kName = 3;
};
static_assert(!InterningBackend<Nameless>);

struct WithoutTraits {
  static constexpr std::string_view kName = "without_traits";
  template <InternRecord Record>
  using Table = ArchetypeTable<Record>;
};
static_assert(!InterningBackend<WithoutTraits>);

// Two tables would share their memory, or a copy be made unseen.
struct Copyable : InterningArchetype {
  template <InternRecord Record>
  struct Table : ArchetypeTable<Record> {
    using ArchetypeTable<Record>::ArchetypeTable;
    Table(const Table& other) : ArchetypeTable<Record>(other.size()) {}
  };
};
static_assert(!InterningBackend<Copyable>);

// Find must not change the table.
struct FindChanges : InterningArchetype {
  template <InternRecord Record>
  struct Table : ArchetypeTable<Record> {
    using ArchetypeTable<Record>::ArchetypeTable;
    Found<Record> Find(const InternKey&) { return std::nullopt; }
  };
};
static_assert(!InterningBackend<FindChanges>);

// A miss is an empty Found, not a null pointer.
struct FindGivesPointers : InterningArchetype {
  template <InternRecord Record>
  struct Table : ArchetypeTable<Record> {
    using ArchetypeTable<Record>::ArchetypeTable;
    const Record* Find(const InternKey&) const { return nullptr; }
  };
};
static_assert(!InterningBackend<FindGivesPointers>);

struct WithoutSweep : InterningArchetype {
  template <InternRecord Record>
  struct Table : ArchetypeTable<Record> {
    using ArchetypeTable<Record>::ArchetypeTable;
    void EraseIf() {}
  };
};
static_assert(!InterningBackend<WithoutSweep>);

struct WithoutMemoryUse : InterningArchetype {
  template <InternRecord Record>
  struct Table : ArchetypeTable<Record> {
    using ArchetypeTable<Record>::ArchetypeTable;
    std::size_t memory_use() const { return 0; }
  };
};
static_assert(!InterningBackend<WithoutMemoryUse>);

static_assert(InternRecord<FstringRecord> && InternRecord<SymbolRecord>);
static_assert(!InternRecord<RString*>);

TEST(SameNameTest, ComparesBytesAndEncoding) {
  TestStrings strings;
  const std::string_view with_nul("a\0b", 3);
  for (const std::string_view bytes :
       {std::string_view(), with_nul, std::string_view("exactly twenty-three by"),
        std::string_view("more bytes than are embedded")}) {
    const RString* string = strings.New(bytes, Encoding::kUtf8);
    EXPECT_TRUE(SameName(string, InternKey{bytes, Encoding::kUtf8, 0}));
    EXPECT_FALSE(SameName(string, InternKey{bytes, Encoding::kBinary, 0}));
    EXPECT_FALSE(SameName(string, InternKey{"other", Encoding::kUtf8, 0}));
  }
  EXPECT_FALSE(SameName(strings.New(with_nul), InternKey{"a", Encoding::kUtf8, 0}));
}

TEST(InternBucketTest, HashesAndComparesByWhateverNamesIt) {
  using Bucket = InternBucket<SymbolRecord>;
  TestStrings strings;
  const TestName name = NameOf("some name"), other = NameOf("other name");
  const Bucket stored{name.hash, RecordFor<SymbolRecord>(strings.New(name.bytes), 1)};
  const Bucket twin{name.hash, RecordFor<SymbolRecord>(strings.New(name.bytes), 2)};
  const Bucket stranger{name.hash, RecordFor<SymbolRecord>(strings.New(other.bytes), 3)};
  const BucketEqual equal;
  EXPECT_EQ(BucketHash()(stored), name.hash);
  EXPECT_EQ(BucketHash()(name.key()), name.hash);
  EXPECT_TRUE(equal(stored, twin));
  EXPECT_FALSE(equal(stored, stranger)) << "one hash, but another name";
  EXPECT_TRUE(equal(stored, name.key()));
  EXPECT_FALSE(equal(stored, other.key()));
  EXPECT_TRUE(equal(stored, BucketIdentity{name.hash, stored.record.string}));
  EXPECT_FALSE(equal(stored, BucketIdentity{name.hash, twin.record.string}));
}

// The suite itself must not pass whatever comes: its names are distinct, and of every hostile kind.
TEST(HostileNamesTest, AreDistinctAndHostile) {
  const std::vector<TestName> names = HostileNames(10);
  std::map<std::uint64_t, int> of_hash;
  for (std::size_t i = 0; i < names.size(); ++i) {
    ++of_hash[names[i].hash];
    for (std::size_t j = 0; j < i; ++j) {
      ASSERT_FALSE(names[i].bytes == names[j].bytes && names[i].encoding == names[j].encoding)
          << i << " and " << j;
    }
  }
  EXPECT_EQ(of_hash[0x1234567890abcdef], 48);
  EXPECT_GE(of_hash[0], 8);
  EXPECT_GE(of_hash[~std::uint64_t{0}], 8);
}

INSTANTIATE_TYPED_TEST_SUITE_P(Model, InterningConformance, InterningSubjects<ModelInterning>);

}  // namespace
}  // namespace rubric
