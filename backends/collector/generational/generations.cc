#include "backends/collector/generational/generations.h"

#include <algorithm>
#include <string>

#include "core/base/check.h"

namespace rubric {
namespace {

std::string TypeNameOf(const RBasic* slot) {
  return std::string(kTypeNames[static_cast<std::size_t>(slot->type())]);
}

}  // namespace

std::size_t Generations::BeginMinor() {
  CoverAllPages();
  for (HeapPage* page : heap_.pages()) {
    if (page->untouched) continue;
    const OldBits& old = old_bits_[page->index];
    // Where what the last collection marked is old, and nothing was made since, nothing is young.
    page->untouched =
        !page->allocated && std::equal(old.begin(), old.begin() + kMarkWords, page->mark_bits);
    page->allocated = false;
    std::copy_n(old.begin(), kMarkWords, page->mark_bits);
  }
  if (LiveMallocBytes() > malloc_at_major_ + old_malloc_limit_) {
    major_is_due_ = due_for_malloc_ = true;
    old_malloc_limit_ = std::min(static_cast<std::size_t>(static_cast<double>(old_malloc_limit_) *
                                                          policy_.old_malloc_limit_growth_factor),
                                 policy_.old_malloc_limit_max);
  }
  return heap_.stats().old_slots;
}

void Generations::BeginMajor() {
  for (RBasic* slot : heap_.remembered()) {
    if (slot->Has(RBasic::kUnprotected)) {
      slot->Clear(RBasic::kOld);
    } else {
      slot->Set(RBasic::kGuarded);
    }
  }
  heap_.remembered().clear();
  for (HeapPage* page : heap_.pages()) page->untouched = false;
  old_bits_.assign(heap_.pages().size(), OldBits{});
  heap_.mutable_stats().old_slots = 0;
  unprotected_ = 0;
  malloc_at_major_ = LiveMallocBytes();
  if (!due_for_malloc_) {
    const double shrink = (policy_.old_malloc_limit_growth_factor - 1) / 10 + 1;
    old_malloc_limit_ =
        std::max(static_cast<std::size_t>(static_cast<double>(old_malloc_limit_) / shrink),
                 policy_.old_malloc_limit);
  }
  major_is_due_ = due_for_malloc_ = false;
}

std::size_t Generations::EndMinor(std::size_t live, std::size_t allocatable_pages) {
  if (ProtectedOld() > old_limit_ || unprotected_ > unprotected_limit_) major_is_due_ = true;
  const std::size_t pages = heap_.pages().size();
  if (!LeavesTooFewFree(policy_, pages + allocatable_pages, live)) return allocatable_pages;
  if (heap_.stats().count - last_major_ < kOldAge) return PagesToAdd(policy_, pages, live);
  major_is_due_ = true;
  return allocatable_pages;
}

std::size_t Generations::EndMajor(std::size_t live) {
  last_major_ = heap_.stats().count;
  const auto limit = [this](std::uint64_t slots) {
    return static_cast<std::uint64_t>(static_cast<double>(slots) * policy_.old_limit_factor);
  };
  old_limit_ = limit(ProtectedOld());
  unprotected_limit_ = limit(unprotected_);
  return PagesToAdd(policy_, heap_.pages().size(), live);
}

bool Generations::NextIsMajor() const {
  return major_is_due_ || (heap_.stress() && (heap_.stats().count + 1) % kStressedMajor == 0);
}

void Generations::CheckInvariants() const {
  std::uint64_t old = 0, unprotected = 0, unguarded = 0;
  heap_.ForEachSlot([&](const RBasic* slot) {
    if (!HasOldBit(slot)) {
      RUBRIC_CHECK(!slot->Has(RBasic::kOld) || !IsMarked(slot), "an old slot has no old bit");
      return;
    }
    RUBRIC_CHECK(slot->Has(RBasic::kOld), "a young slot has an old bit");
    ++old;
    if (slot->Has(RBasic::kUnprotected)) {
      ++unprotected;
      RUBRIC_CHECK(!slot->Has(RBasic::kGuarded), "a slot without barriers is guarded");
    } else if (!slot->Has(RBasic::kGuarded)) {
      ++unguarded;
    }
  });
  RUBRIC_CHECK(old == heap_.stats().old_slots);
  RUBRIC_CHECK(unprotected == unprotected_);
  RUBRIC_CHECK(unprotected + unguarded == heap_.remembered().size(),
               "what is old and not guarded is remembered");
  for (const RBasic* slot : heap_.remembered()) {
    RUBRIC_CHECK(HasOldBit(slot) && !slot->Has(RBasic::kGuarded), "a slot is remembered in vain");
  }
}

void MissingBarrier(const RBasic* parent, const RBasic* child) {
  const std::string found = "a minor collection overlooks a " + TypeNameOf(child) +
                            " that an old " + TypeNameOf(parent) +
                            " refers to: its store called no Heap::WriteBarrier";
  CheckFailed(__FILE__, __LINE__, found.c_str());
}

void FailOnLostRoot(const RBasic* slot) {
  const std::string found = "a minor collection overlooks a " + TypeNameOf(slot) +
                            " that a root refers to: MarkYoungRoots does not mark it";
  CheckFailed(__FILE__, __LINE__, found.c_str());
}

}  // namespace rubric
