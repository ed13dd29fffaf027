// ModelIvars: the backend that is easiest to believe: a list of objects, each with a list of ivars.
//
// USE        The oracle of the axis; satisfies the concept in full and is kept out of the registry.
// COST       Every operation scans: O(objects + ivars of the object).
//            Memory: vectors; 32 bytes an object and 16 an ivar, and their spare capacity.
// TESTED BY  ivars_conformance.h.
#ifndef RUBRIC_CORE_IVARS_MODEL_IVARS_H_
#define RUBRIC_CORE_IVARS_MODEL_IVARS_H_

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/check.h"
#include "core/base/memory_use.h"
#include "core/ivars/ivars.h"
#include "core/memory/counting_allocator.h"
#include "core/memory/subsystem.h"
#include "core/value/slot.h"
#include "core/value/value.h"

namespace rubric {

class ModelIvars {
 public:
  static constexpr std::string_view kName = "model";
  static constexpr IvarsTraits kTraits = {.insertion_ordered = true};

  ModelIvars() = default;
  ModelIvars(const ModelIvars&) = delete;
  ModelIvars& operator=(const ModelIvars&) = delete;

  std::optional<Value> Get(const RBasic* object, Id name) const {
    for (const Object& o : objects_) {
      if (o.object != object) continue;
      for (const Ivar& ivar : o.ivars) {
        if (ivar.name == name) return ivar.value;
      }
    }
    return std::nullopt;
  }

  void Set(RBasic* object, Id name, Value value) {
    auto found = Find(object);
    if (found == objects_.end()) {
      objects_.push_back(Object{object, {}});
      object->Set(RBasic::kExivar);
      found = objects_.end() - 1;
    }
    for (Ivar& ivar : found->ivars) {
      if (ivar.name == name) {
        ivar.value = value;
        return;
      }
    }
    found->ivars.push_back(Ivar{name, value});
  }

  std::optional<Value> Remove(RBasic* object, Id name) {
    const std::optional<Value> gone = Get(object, name);
    if (gone) std::erase_if(Find(object)->ivars, [&](const Ivar& i) { return i.name == name; });
    return gone;
  }

  template <typename Visit>
  void ForEach(const RBasic* object, Visit visit) const {
    for (const Object& o : objects_) {
      if (o.object != object) continue;
      for (const Ivar& ivar : o.ivars) visit(ivar.name, ivar.value);
    }
  }

  template <typename Visit>
  void VisitReferences(const RBasic* object, Visit visit) const {
    ForEach(object, [&](Id, Value value) { visit(value); });
  }

  std::size_t Count(const RBasic* object) const {
    std::size_t count = 0;
    ForEach(object, [&](Id, Value) { ++count; });
    return count;
  }

  void Copy(const RBasic* from, RBasic* to) {
    RUBRIC_CHECK(Find(to) == objects_.end(), "the object has no ivars yet");
    const auto found = Find(from);
    if (found == objects_.end() || found->ivars.empty()) return;
    auto copy = found->ivars;
    objects_.push_back(Object{to, std::move(copy)});
    to->Set(RBasic::kExivar);
  }

  void Free(RBasic* object) {
    object->Clear(RBasic::kExivar);
    std::erase_if(objects_, [&](const Object& o) { return o.object == object; });
  }

  std::size_t Memsize(const RBasic* object) const {
    std::size_t bytes = 0;
    for (const Object& o : objects_) {
      if (o.object == object) bytes += o.ivars.capacity() * sizeof(Ivar);
    }
    return bytes;
  }

  std::size_t object_count() const { return objects_.size(); }

  MemoryUse memory_use() const {
    MemoryUse use = {.metadata = objects_.size() * sizeof(Object),
                     .slack = (objects_.capacity() - objects_.size()) * sizeof(Object)};
    for (const Object& o : objects_) {
      use.payload += o.ivars.size() * sizeof(Ivar);
      use.slack += (o.ivars.capacity() - o.ivars.size()) * sizeof(Ivar);
    }
    return use;
  }

  void CheckInvariants() const {
    for (const Object& o : objects_) RUBRIC_CHECK(o.object->Has(RBasic::kExivar));
  }

 private:
  struct Ivar {
    Id name;
    Value value;
  };
  struct Object {
    const RBasic* object;
    CountedVector<Ivar, Subsystem::kIvars> ivars;
  };

  CountedVector<Object, Subsystem::kIvars>::iterator Find(const RBasic* object) {
    return std::find_if(objects_.begin(), objects_.end(),
                        [&](const Object& o) { return o.object == object; });
  }

  CountedVector<Object, Subsystem::kIvars> objects_;
};

static_assert(IvarsBackend<ModelIvars>);

}  // namespace rubric

#endif  // RUBRIC_CORE_IVARS_MODEL_IVARS_H_
