// KeyedHash: the 64-bit keyed hash of byte strings that every table of the runtime uses.
//
// USE        Tables receive hashes, they never compute them: a VM hashes a name once with its seed,
//            and each backend sees the same 64 bits. MixInteger is for integer keys (IDs,
//            addresses).
// COST       SipHash-1-3: about 1 ns a byte below 16 bytes, 0.6 ns a byte beyond, no allocation.
// INVARIANTS Equal bytes and equal seed give equal hashes, on every run and machine of one byte
//            order.
// SOURCE     Aumasson and Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012, with one
//            round a block and three to finish, the variant that Ruby, Rust and Python settled on.
//            MixInteger: the finalizer of Steele, Lea and Flood's SplitMix64, OOPSLA 2014.
// TESTED BY  keyed_hash_test.cc.
#ifndef RUBRIC_CORE_BASE_KEYED_HASH_H_
#define RUBRIC_CORE_BASE_KEYED_HASH_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace rubric {

// The seed a VM uses unless --hash_seed says otherwise. Fixed, so that runs repeat bit for bit.
inline constexpr std::uint64_t kDefaultHashSeed = 0x5275627269634d56;

// The hash of `bytes` under `seed`; NUL bytes count.
std::uint64_t KeyedHash(std::string_view bytes, std::uint64_t seed);

// A bijection of 64-bit integers in which every input bit reaches every output bit.
constexpr std::uint64_t MixInteger(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

}  // namespace rubric

#endif  // RUBRIC_CORE_BASE_KEYED_HASH_H_
