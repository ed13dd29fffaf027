#include "core/feature_keys/feature_positions.h"

#include <algorithm>
#include <limits>

#include "core/base/check.h"
#include "core/memory/allocate.h"

namespace rubric {
namespace {

constexpr auto kTag = Subsystem::kFeatures;
constexpr std::size_t kLeastGrowth = 16;  // positions, as arrays

}  // namespace

void FeaturePositions::Append(FeaturePosition position) {
  RUBRIC_DCHECK(position >= last());
  if (position == last()) return;

  if (IsOne()) {
    auto* made = static_cast<List*>(AllocateZeroed(kTag, 1, sizeof(List)));
    made->length = 2;
    made->capa = kEmbedMax;
    made->embed[0] = Only();
    made->embed[1] = position;
    bits_ = reinterpret_cast<std::uint64_t>(made);
    return;
  }

  List* list = this->list();
  if (list->length == list->capa) {
    const std::size_t capa = std::max(list->capa / 2, kLeastGrowth) + list->length + 1;
    const bool embedded = list->capa == kEmbedMax;
    auto* buffer = static_cast<std::uint64_t*>(
        Reallocate(kTag, embedded ? nullptr : list->buffer, capa * sizeof(std::uint64_t)));
    if (embedded) std::copy_n(list->embed, kEmbedMax, buffer);
    list->buffer = buffer;
    list->capa = capa;
  }
  std::uint64_t* elements = list->capa == kEmbedMax ? list->embed : list->buffer;
  elements[list->length++] = position;
}

void FeaturePositions::Free() {
  if (IsOne()) return;
  if (list()->capa != kEmbedMax) rubric::Free(kTag, list()->buffer);
  rubric::Free(kTag, list());
}

MemoryUse FeaturePositions::memory_use() const {
  if (IsOne()) return {};
  const List& list = *this->list();
  const bool embedded = list.capa == kEmbedMax;
  const std::size_t used = list.length * sizeof(std::uint64_t);
  const std::size_t room = list.capa * sizeof(std::uint64_t);
  return {.payload = used,
          .metadata = embedded ? sizeof(List) - sizeof(list.embed) : sizeof(List),
          .slack = room - used};
}

void FeaturePositions::CheckInvariants(std::size_t end) const {
  std::uint64_t least = 0;
  ForEach([&](FeaturePosition position) {
    RUBRIC_CHECK(position >= least && position < end, "positions ascend, within the array");
    least = std::uint64_t{position} + 1;
    return true;
  });
  RUBRIC_CHECK(IsOne() || (size() > 1 && size() <= list()->capa));
}

}  // namespace rubric
