#include "experiments/intern/name_set.h"

#include <algorithm>
#include <bit>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/base/keyed_hash.h"

namespace rubric {
namespace {

constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuvwxyz";

// Writes `number` into the last bytes of `name`, least digit last; false if it does not fit.
bool WriteNumber(char* name, std::size_t length, std::uint64_t number) {
  for (std::size_t at = length; at-- > 1;) {
    name[at] = kDigits[number % 36];
    number /= 36;
    if (number == 0) return true;
  }
  return number == 0;
}

}  // namespace

absl::StatusOr<NameSet> NameSet::Make(std::size_t count, std::size_t length, Keys keys,
                                      std::uint64_t hash_seed, unsigned salt) {
  NameSet names(count, length);
  names.bytes_.assign(count * length, '_');
  const std::uint64_t mask =
      keys == Keys::kPlain ? 0 : std::bit_ceil(std::max<std::uint64_t>(2 * count, 2)) - 1;
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < count; ++i) {
    char* name = &names.bytes_[i * length];
    name[0] = kDigits[salt];
    do {
      if (!WriteNumber(name, length, number++)) {
        return absl::InvalidArgumentError(
            absl::StrCat("--length=", length, ": too short for ", count,
                         keys == Keys::kPlain ? "" : " colliding",
                         " different names; give a greater length or a smaller --size"));
      }
    } while ((KeyedHash({name, length}, hash_seed) & mask) != 0 && mask != 0);
  }
  return names;
}

}  // namespace rubric
