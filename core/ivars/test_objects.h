// TestObjects: slots and classes without a heap, for tests of the ivars axis.
//
// USE        TestObjects objects(3); RBasic* s = objects.New(1); a String of the class number 1.
//            Names are Name(i). All live until the TestObjects die.
// INVARIANTS Allocates through the plain allocator, so that it does not show in what is counted.
#ifndef RUBRIC_CORE_IVARS_TEST_OBJECTS_H_
#define RUBRIC_CORE_IVARS_TEST_OBJECTS_H_

#include <cstddef>
#include <cstdint>
#include <deque>

#include "core/object/class.h"
#include "core/object/layout.h"
#include "core/value/slot.h"
#include "core/value/value.h"

namespace rubric {

class TestObjects {
 public:
  explicit TestObjects(std::size_t class_count) : extensions_(class_count) {
    for (ClassExtension& extension : extensions_) {
      RClass& klass = classes_.emplace_back(RClass{});
      klass.flags = static_cast<std::uint64_t>(Type::kClass);
      klass.extension = &extension;
    }
  }
  TestObjects(const TestObjects&) = delete;

  // An empty String without ivars.
  RBasic* New(std::size_t class_index) {
    RString& string = strings_.emplace_back(RString{});
    string.flags = static_cast<std::uint64_t>(Type::kString);
    string.klass = &classes_[class_index];
    return &string;
  }

  std::size_t class_count() const { return classes_.size(); }
  ClassExtension& extension(std::size_t class_index) { return extensions_[class_index]; }

 private:
  std::deque<ClassExtension> extensions_;
  std::deque<RClass> classes_;
  std::deque<RString> strings_;
};

// The i-th ivar name; IDs as symbols have them, small and dense.
inline Id Name(std::size_t i) { return Id{i + 1}; }

}  // namespace rubric

#endif  // RUBRIC_CORE_IVARS_TEST_OBJECTS_H_
