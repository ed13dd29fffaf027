#include "core/base/keyed_hash.h"

#include <bit>
#include <cstring>

namespace rubric {
namespace {

// The four words of SipHash's state, and its one primitive.
struct SipState {
  std::uint64_t v0, v1, v2, v3;

  void Round() {
    v0 += v1;
    v2 += v3;
    v1 = std::rotl(v1, 13) ^ v0;
    v3 = std::rotl(v3, 16) ^ v2;
    v0 = std::rotl(v0, 32);
    v2 += v1;
    v0 += v3;
    v1 = std::rotl(v1, 17) ^ v2;
    v3 = std::rotl(v3, 21) ^ v0;
    v2 = std::rotl(v2, 32);
  }

  void Absorb(std::uint64_t block) {
    v3 ^= block;
    Round();
    v0 ^= block;
  }
};

}  // namespace

std::uint64_t KeyedHash(std::string_view bytes, std::uint64_t seed) {
  // The paper's key is 128 bits; the second half is derived, since one 64-bit seed is enough to
  // vary runs.
  const std::uint64_t k0 = seed;
  const std::uint64_t k1 = MixInteger(seed);
  SipState state{k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d, k0 ^ 0x6c7967656e657261,
                 k1 ^ 0x7465646279746573};
  const char* p = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; p += 8, left -= 8) {
    std::uint64_t block;
    std::memcpy(&block, p, 8);
    state.Absorb(block);
  }
  std::uint64_t last = static_cast<std::uint64_t>(bytes.size()) << 56;
  for (std::size_t i = 0; i < left; ++i) {
    last |= static_cast<std::uint64_t>(static_cast<unsigned char>(p[i])) << (8 * i);
  }
  state.Absorb(last);
  state.v2 ^= 0xff;
  state.Round();
  state.Round();
  state.Round();
  return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
}

}  // namespace rubric
