#include "core/object/hash.h"

#include <bit>
#include <utility>

#include "core/base/check.h"
#include "core/base/keyed_hash.h"
#include "core/memory/allocate.h"
#include "core/object/big_integer.h"

namespace rubric {
namespace {

std::uint64_t HashOf(Value key, std::uint64_t seed) {
  if (IsType(key, Type::kString)) return KeyedHash(As<RString>(key)->bytes(), seed);
  if (IsType(key, Type::kFloat)) {
    return MixInteger(std::bit_cast<std::uint64_t>(As<RFloat>(key)->number) ^ seed);
  }
  if (const RData* integer = AsBigInteger(key)) {
    return KeyedHash(BigMagnitude(integer), seed + (BigIsNegative(integer) ? 1 : 0));
  }
  return MixInteger(key.bits() ^ seed);
}

bool Eql(Value a, Value b) {
  if (a == b) return true;
  if (IsType(a, Type::kString) && IsType(b, Type::kString)) {
    const RString* s = As<RString>(a);
    const RString* t = As<RString>(b);
    return s->encoding() == t->encoding() && s->bytes() == t->bytes();
  }
  const RData* m = AsBigInteger(a);
  const RData* n = AsBigInteger(b);
  if (m != nullptr && n != nullptr) return EqualBigIntegers(m, n);
  return IsType(a, Type::kFloat) && IsType(b, Type::kFloat) &&
         std::bit_cast<std::uint64_t>(As<RFloat>(a)->number) ==
             std::bit_cast<std::uint64_t>(As<RFloat>(b)->number);
}

auto SameAs(Value key) {
  return [key](Value stored) { return Eql(stored, key); };
}

}  // namespace

void HashStore(Heap& heap, RHash* hash, Value key, Value value, std::uint64_t seed) {
  RUBRIC_CHECK(!hash->frozen(), "a frozen hash is stored to");
  RUBRIC_DCHECK(!IsType(key, Type::kString) || key.AsSlot()->frozen());
  if (hash->table == nullptr) hash->table = Make<Subsystem::kHashes, HashTable>();
  auto stored = hash->table->FindOrInsert(HashOf(key, seed), SameAs(key),
                                          [&] { return std::pair(key, value); });
  *stored.record = value;
  heap.WriteBarrier(hash, key);
  heap.WriteBarrier(hash, value);
}

std::optional<Value> HashFetch(const RHash* hash, Value key, std::uint64_t seed) {
  if (hash->table == nullptr) return std::nullopt;
  const Value* found = std::as_const(*hash->table).Find(HashOf(key, seed), SameAs(key));
  return found == nullptr ? std::nullopt : std::optional(*found);
}

std::optional<Value> HashDelete(RHash* hash, Value key, std::uint64_t seed) {
  RUBRIC_CHECK(!hash->frozen(), "a frozen hash is deleted from");
  if (hash->table == nullptr) return std::nullopt;
  const auto removed = hash->table->Delete(HashOf(key, seed), SameAs(key));
  return removed.has_value() ? std::optional(removed->record) : std::nullopt;
}

void SetHashDefault(Heap& heap, RHash* hash, Value value) {
  RUBRIC_CHECK(!hash->frozen(), "a frozen hash's default is set");
  hash->default_value = value;
  heap.WriteBarrier(hash, value);
}

std::size_t HashSize(const RHash* hash) { return hash->table == nullptr ? 0 : hash->table->size(); }

void FreeHashTable(RHash* hash) { Destroy<Subsystem::kHashes>(hash->table); }

std::size_t HashMemsize(const RHash* hash) {
  return hash->table == nullptr ? 0 : sizeof(HashTable) + hash->table->memory_use().total();
}

}  // namespace rubric
