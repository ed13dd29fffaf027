// LoadPath: $LOAD_PATH and the search for a file in it.
//
// USE        array() is $LOAD_PATH as the program sees and changes it; Append is `$: << folder`.
//            FindFile and FindFileExtension look for a file as `require` does.
// LAYOUT     Three arrays: the program's; a snapshot, which shares the program's buffer for as long
//            as that is not written to; the expanded folders, hidden, absolute, one a folder.
// COST       A search: one probe a folder (two extensions: up to two). The expanded folders are
//            made anew, O(folders) Strings, only after $LOAD_PATH or the working directory changed.
// INVARIANTS While the snapshot is right, expanded folder i is folder i, made absolute.
// ERRORS     absl::InvalidArgument where $LOAD_PATH holds what is no path.
// SOURCE     rb_get_expanded_load_path in CRuby's load.c and rb_find_file_ext in its file.c, as of
//            2.6: ".rb" is looked for in every folder before ".so" is. Left out: '~', folders that
//            are no Strings (to_path), and the file system's encoding.
// TESTED BY  load_path_test.cc.
#ifndef RUBRIC_CORE_VM_LOAD_PATH_H_
#define RUBRIC_CORE_VM_LOAD_PATH_H_

#include <functional>
#include <span>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/heap/heap.h"
#include "core/object/layout.h"
#include "core/value/value.h"
#include "core/vm/expand_path.h"

namespace rubric {

// The virtual file system: whether there is a file of this absolute path.
using FileProbe = absl::FunctionRef<bool(std::string_view path)>;

// Gives the frozen string that is to be kept for `path`, a frozen String: String#-@.
using InternPath = std::function<RString*(RString* path)>;

// True iff neither array was changed since `snapshot` became a copy of `array` (by Replace).
bool IsCurrentSnapshot(const RArray* snapshot, const RArray* array);

// What is wrong with element `index` of `array`, named `what`, as a path; fine if nothing is.
absl::Status CheckPathElement(const RArray* array, std::size_t index, std::string_view what);

class LoadPath {
 public:
  explicit LoadPath(Heap& heap) : heap_(heap) {}
  LoadPath(const LoadPath&) = delete;
  LoadPath& operator=(const LoadPath&) = delete;

  // Makes the arrays. May collect. REQUIRES: once, before all else.
  void MakeArrays(RClass* string_class, RClass* array_class);
  void set_intern(InternPath intern) { intern_ = std::move(intern); }

  RArray* array() const { return array_; }

  // $LOAD_PATH << folder. May collect. REQUIRES: $LOAD_PATH is not frozen.
  void Append(std::string_view folder);

  // What relative paths are relative to; "/" at first. REQUIRES: absolute.
  void set_working_directory(std::string_view directory);
  std::string_view working_directory() const { return working_directory_; }

  // The folders, absolute, in order; valid until $LOAD_PATH changes. May collect.
  absl::StatusOr<const RArray*> Expanded();

  // The first file that `name` names exactly, in out. May collect. REQUIRES: `name` has no NUL and
  // does not lie in `out`.
  absl::StatusOr<bool> FindFile(std::string_view name, FileProbe exists, PathBuffer& out);

  // The first file that is `name` with one of these extensions, in out: the number of the
  // extension, or -1. As FindFile.
  absl::StatusOr<int> FindFileExtension(std::string_view name,
                                        std::span<const std::string_view> extensions,
                                        FileProbe exists, PathBuffer& out);

  // Calls visit(Value) for each slot that this keeps alive.
  template <typename Visit>
  void VisitReferences(Visit visit) const {
    for (RArray* array : {array_, snapshot_, expanded_}) {
      if (array != nullptr) visit(Value(array));
    }
  }

  void CheckInvariants() const;

 private:
  absl::Status Expand();

  Heap& heap_;
  InternPath intern_;
  RClass* string_class_ = nullptr;
  RArray* array_ = nullptr;     // the program's
  RArray* snapshot_ = nullptr;  // hidden
  RArray* expanded_ = nullptr;  // hidden
  bool expanded_is_right_ = false;
  PathBuffer working_directory_{"/"};
  PathBuffer name_;    // with an extension, while searching
  PathBuffer folder_;  // while expanding
};

}  // namespace rubric

#endif  // RUBRIC_CORE_VM_LOAD_PATH_H_
