// TestStrings, HostileNames: Strings and names for tests of the interning axis, without a heap.
//
// USE        TestStrings makes slots that look as the heap's do, in memory of the test's own.
//            HostileNames are the names on which a table is most likely to fail.
// VALIDITY   Strings live as long as their TestStrings, keys as long as the names that they were
//            made from.
#ifndef RUBRIC_CORE_INTERNING_TEST_NAMES_H_
#define RUBRIC_CORE_INTERNING_TEST_NAMES_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/keyed_hash.h"
#include "core/interning/interning.h"
#include "core/object/layout.h"
#include "core/value/slot.h"
#include "core/value/value.h"

namespace rubric {

class TestStrings {
 public:
  // A String of those bytes, embedded where it fits.
  RString* New(std::string_view bytes, Encoding encoding = Encoding::kUtf8) {
    RString& string = slots_.emplace_back();
    string.flags = static_cast<std::uint64_t>(Type::kString) | RBasic::kFrozen | RBasic::kFstr |
                   static_cast<std::uint64_t>(encoding) << RBasic::kEncodingShift;
    if (bytes.size() <= RString::kEmbedMax) {
      string.set_embed_length(bytes.size());
      bytes.copy(string.embed, bytes.size());
    } else {
      string.Set(RBasic::kNoembed);
      std::string& buffer = buffers_.emplace_back(bytes);
      string.heap.length = buffer.size();
      string.heap.buffer = buffer.data();
      string.heap.capa = buffer.size();
    }
    return &string;
  }

 private:
  std::deque<RString> slots_;
  std::deque<std::string> buffers_;
};

struct TestName {
  std::string bytes;
  Encoding encoding = Encoding::kUtf8;
  std::uint64_t hash = 0;

  InternKey key() const { return {bytes, encoding, hash}; }
};

inline TestName NameOf(std::string bytes, Encoding encoding = Encoding::kUtf8) {
  const std::uint64_t hash = KeyedHash(bytes, kDefaultHashSeed);
  return {std::move(bytes), encoding, hash};
}

// Distinct names: the empty one, each length to 40 bytes, long ones, NULs in every place, the same
// bytes in other encodings; names of one hash, of hashes that differ in the high or in the low bits
// only, of hash 0 and of all ones; and `plain` ordinary ones.
inline std::vector<TestName> HostileNames(std::size_t plain) {
  std::vector<TestName> names;
  const auto add_in_all_encodings = [&](const std::string& bytes) {
    for (const Encoding encoding : {Encoding::kUtf8, Encoding::kBinary, Encoding::kUsAscii}) {
      names.push_back(NameOf(bytes, encoding));
    }
  };
  add_in_all_encodings("");
  for (std::size_t length = 1; length <= 40; ++length) {
    add_in_all_encodings(std::string(length, 'a'));
    names.push_back(NameOf(std::string(length, '\0')));
    names.push_back(NameOf(std::string(length, 'a') + '\0'));
    names.push_back(NameOf(std::string(length, 'a') + '\0' + 'b'));
  }
  for (std::size_t length = 100; length <= 10'000; length *= 10) {
    names.push_back(NameOf(std::string(length, 'x')));
    names.push_back(NameOf(std::string(length - 1, 'x') + 'y'));
  }
  const auto add_with_hash = [&](const std::string& bytes, std::uint64_t hash) {
    names.push_back({bytes, Encoding::kUtf8, hash});
  };
  for (std::uint64_t i = 0; i < 48; ++i) {
    const std::string number = std::to_string(i);
    add_with_hash("one hash " + number, 0x1234567890abcdef);
    add_with_hash("high bits " + number, i << 56);
    add_with_hash("middle bits " + number, i << 28);
    add_with_hash("low bits " + number, 0xabcdef0000000000 | i);
    if (i < 8) add_with_hash("zero " + number, 0);
    if (i < 8) add_with_hash("all ones " + number, ~std::uint64_t{0});
  }
  for (std::size_t i = 0; i < plain; ++i) names.push_back(NameOf("name_" + std::to_string(i)));
  return names;
}

// A record of each kind for a String.
template <InternRecord Record>
Record RecordFor(RString* string, std::uint64_t number);
template <>
inline FstringRecord RecordFor<FstringRecord>(RString* string, std::uint64_t) {
  return {string};
}
template <>
inline SymbolRecord RecordFor<SymbolRecord>(RString* string, std::uint64_t number) {
  return {string, Value::StaticSymbol(Id{number})};
}

}  // namespace rubric

#endif  // RUBRIC_CORE_INTERNING_TEST_NAMES_H_
