// FeaturePositions: the record of a key: the positions of the features that it names.
//
// USE        A word, so that it fits a table's record. One(p) owns nothing; Append makes a list,
//            which Free gives back: the table's owner calls it, since a record has no destructor.
// LAYOUT     One position: 2 x position + 1, in the word itself. Several: the address of a list of
//            40 bytes (Subsystem::kFeatures): 0 length, 8 capa, 16 up to 3 positions of 8 bytes, or
//            the address of a buffer of capa x 8 bytes.
// COST       The second position: one calloc of 40 bytes; the fourth: one malloc of 20 x 8 bytes;
//            after that the buffer grows by half, as arrays do. ForEach O(positions).
// INVARIANTS Positions are ascending and distinct.
// SOURCE     CRuby keeps hidden arrays here, made without a slot, hence the sizes: those of RArray
//            and of its growth.
// TESTED BY  feature_positions_test.cc, feature_keys_conformance.h.
#ifndef RUBRIC_CORE_FEATURE_KEYS_FEATURE_POSITIONS_H_
#define RUBRIC_CORE_FEATURE_KEYS_FEATURE_POSITIONS_H_

#include <cstddef>
#include <cstdint>

#include "core/base/memory_use.h"

namespace rubric {

using FeaturePosition = std::uint32_t;

class FeaturePositions {
 public:
  static FeaturePositions One(FeaturePosition position) {
    return FeaturePositions(std::uint64_t{position} * 2 + 1);
  }

  // Adds a position, unless it is the last one already (two keys of one feature may fall together
  // where keys are hash sums). REQUIRES: position >= last().
  void Append(FeaturePosition position);

  // Gives the list back; the record must not be used after.
  void Free();

  FeaturePosition last() const {
    return IsOne() ? Only() : static_cast<FeaturePosition>(elements()[list()->length - 1]);
  }
  std::size_t size() const { return IsOne() ? 1 : list()->length; }

  // visit(position) -> bool, ascending; stops when visit says false.
  template <typename Visit>
  void ForEach(Visit&& visit) const {
    if (IsOne()) {
      visit(Only());
      return;
    }
    for (std::size_t i = 0; i < list()->length; ++i) {
      if (!visit(static_cast<FeaturePosition>(elements()[i]))) return;
    }
  }

  // Bytes asked for, the record itself not included: 0 for one position.
  MemoryUse memory_use() const;

  // Aborts unless the positions are ascending, distinct and below `end`.
  void CheckInvariants(std::size_t end) const;

 private:
  static constexpr std::size_t kEmbedMax = 3;  // positions

  struct List {
    std::size_t length;  // positions
    std::size_t capa;    // of the buffer; kEmbedMax where there is none
    union {
      std::uint64_t embed[kEmbedMax];
      std::uint64_t* buffer;
    };
  };
  static_assert(sizeof(List) == 40);

  explicit FeaturePositions(std::uint64_t bits) : bits_(bits) {}

  bool IsOne() const { return (bits_ & 1) != 0; }
  FeaturePosition Only() const { return static_cast<FeaturePosition>(bits_ / 2); }
  List* list() const { return reinterpret_cast<List*>(bits_); }
  const std::uint64_t* elements() const {
    return list()->capa == kEmbedMax ? list()->embed : list()->buffer;
  }

  std::uint64_t bits_;
};
static_assert(sizeof(FeaturePositions) == 8);

}  // namespace rubric

#endif  // RUBRIC_CORE_FEATURE_KEYS_FEATURE_POSITIONS_H_
