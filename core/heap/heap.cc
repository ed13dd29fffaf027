#include "core/heap/heap.h"

#include <algorithm>
#include <cstring>

#include "core/base/check.h"

namespace rubric {

Heap::Heap(std::size_t initial_pages) {
  for (std::size_t i = 0; i < initial_pages; ++i) AddPage();
}

Heap::~Heap() {
  for (HeapPage* page : pages_) {
    Free(Subsystem::kHeapPages, BodyOf(page->slots));
    Free(Subsystem::kHeapPages, page);
  }
}

HeapPage* Heap::AddPage() {
  auto* body =
      static_cast<PageBody*>(AllocateAligned(Subsystem::kHeapPages, kPageAlign, kPageBodyBytes));
  auto* page = static_cast<HeapPage*>(AllocateZeroed(Subsystem::kHeapPages, 1, sizeof(HeapPage)));
  body->page = page;
  page->slots = body->slots;
  page->swept = true;
  page->allocated = page->untouched = false;
  page->index = static_cast<std::uint32_t>(pages_.size());
  // Linked so that slots are handed out in address order.
  FreeSlot* next = nullptr;
  for (std::size_t i = kSlotsPerPage; i-- > 0;) {
    auto* slot = reinterpret_cast<FreeSlot*>(&page->slots[i]);
    slot->flags = 0;
    slot->next = next;
    next = slot;
  }
  page->free_list = next;
  page->free_count = kSlotsPerPage;
  pages_.push_back(page);
  ++stats_.heap_pages;
  return page;
}

void Heap::TakeFreeList(HeapPage* page) {
  RUBRIC_DCHECK(page->free_list != nullptr && page->swept && free_list_ == nullptr);
  current_page_ = page;
  free_list_ = page->free_list;
  page->free_list = nullptr;
  page->free_count = 0;
  page->allocated = true;
  page->untouched = false;
}

void Heap::ReturnFreeList() {
  if (free_list_ == nullptr) return;
  std::uint16_t count = 0;
  for (const FreeSlot* slot = free_list_; slot != nullptr; slot = slot->next) ++count;
  if (current_page_->free_list != nullptr) {
    // Slots of this page were released meanwhile; what was taken goes in front.
    FreeSlot* last = free_list_;
    while (last->next != nullptr) last = last->next;
    last->next = current_page_->free_list;
  }
  current_page_->free_list = free_list_;
  current_page_->free_count = static_cast<std::uint16_t>(current_page_->free_count + count);
  free_list_ = nullptr;
  current_page_ = nullptr;
}

void Heap::Release(HeapPage* page, Slot* slot) {
  if constexpr (kHostile) std::memset(slot, 0xdb, sizeof(Slot));
  auto* free_slot = reinterpret_cast<FreeSlot*>(slot);
  free_slot->flags = 0;
  free_slot->next = page->free_list;
  page->free_list = free_slot;
  ++page->free_count;
  ++stats_.total_freed_slots;
}

void Heap::Remember(RBasic* parent) {
  parent->Clear(RBasic::kGuarded);
  remembered_.push_back(parent);
}

void Heap::RememberIfAnyIsYoung(RBasic* parent, std::span<const Value> children) {
  if (std::any_of(children.begin(), children.end(), IsYoung)) Remember(parent);
}

void Heap::set_stress(bool stress) {
  stress_ = stress;
  if (stress) ReturnFreeList();
}

void Heap::CheckInvariants() const {
  std::uint64_t in_use = 0;
  for (std::size_t at = 0; at < pages_.size(); ++at) {
    const HeapPage* page = pages_[at];
    RUBRIC_CHECK(page->index == at);
    std::size_t free_on_page = 0;
    for (std::size_t i = 0; i < kSlotsPerPage; ++i) {
      if (page->slots[i].type() == Type::kNone) {
        ++free_on_page;
      } else {
        ++in_use;
      }
    }
    std::size_t listed = 0;
    const auto count_list = [&](const FreeSlot* slot) {
      for (; slot != nullptr; slot = slot->next) {
        RUBRIC_CHECK(slot->flags == 0, "a slot in use is on a free list");
        RUBRIC_CHECK(PageOf(reinterpret_cast<const RBasic*>(slot)) == page,
                     "a free list leaves its page");
        RUBRIC_CHECK(++listed <= kSlotsPerPage, "a free list is cyclic");
      }
    };
    count_list(page->free_list);
    RUBRIC_CHECK(listed == page->free_count);
    if (page == current_page_) count_list(free_list_);
    RUBRIC_CHECK(listed == free_on_page, "a free slot is on no free list");
  }
  RUBRIC_CHECK(in_use == stats_.live_slots());
  RUBRIC_CHECK(pages_.size() == stats_.heap_pages);
}

}  // namespace rubric
