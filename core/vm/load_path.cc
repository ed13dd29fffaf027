#include "core/vm/load_path.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "absl/strings/str_cat.h"
#include "core/base/check.h"
#include "core/heap/root_stack.h"
#include "core/object/array.h"
#include "core/object/array_mutation.h"
#include "core/object/array_sharing.h"
#include "core/object/string.h"

namespace rubric {

bool IsCurrentSnapshot(const RArray* snapshot, const RArray* array) {
  if (snapshot->length() != array->length()) return false;
  // Few elements are embedded and cannot be shared: they are compared themselves. (CRuby takes them
  // for changed each time.)
  if (array->length() <= RArray::kEmbedMax) {
    return std::equal(array->elements().begin(), array->elements().end(),
                      snapshot->elements().begin());
  }
  // A frozen array is its own root.
  return SharesWith(snapshot, array) ||
         (snapshot->Has(RBasic::kShared) && snapshot->heap.shared == array);
}

absl::Status CheckPathElement(const RArray* array, std::size_t index, std::string_view what) {
  const Value element = array->elements()[index];
  const auto error = [&](const std::string& problem) {
    return absl::InvalidArgumentError(absl::StrCat("element ", index, " of ", std::string(what),
                                                   " ", problem,
                                                   "; it must be a String without NUL bytes"));
  };
  if (!IsType(element, Type::kString)) {
    const std::string_view type =
        element.IsPointer() ? kTypeNames[static_cast<std::size_t>(element.AsSlot()->type())]
                            : std::string_view("no object");
    return error(absl::StrCat("is ", std::string(type)));
  }
  if (As<RString>(element)->bytes().find('\0') != std::string_view::npos) {
    return error("has a NUL byte");
  }
  return absl::OkStatus();
}

void LoadPath::MakeArrays(RClass* string_class, RClass* array_class) {
  string_class_ = string_class;
  array_ = NewArray(heap_, array_class);
  snapshot_ = NewArray(heap_, nullptr);
  expanded_ = NewArray(heap_, nullptr);
}

void LoadPath::Append(std::string_view folder) {
  Push(heap_, array_, Value(NewString(heap_, string_class_, folder)));
}

void LoadPath::set_working_directory(std::string_view directory) {
  RUBRIC_CHECK(IsAbsolutePath(directory), "a working directory is absolute");
  PathBuffer expanded;
  ExpandPath(directory, "/", expanded);
  working_directory_ = expanded;
  expanded_is_right_ = false;
}

absl::StatusOr<const RArray*> LoadPath::Expanded() {
  if (!expanded_is_right_ || !IsCurrentSnapshot(snapshot_, array_)) {
    if (absl::Status status = Expand(); !status.ok()) return status;
  }
  return expanded_;
}

absl::Status LoadPath::Expand() {
  expanded_is_right_ = false;
  HandleScope scope(heap_.roots());
  RArray* made = scope.Keep(NewArray(heap_, nullptr, array_->length()));
  for (std::size_t i = 0; i < array_->length(); ++i) {
    if (absl::Status status = CheckPathElement(array_, i, "$LOAD_PATH"); !status.ok())
      return status;
    RString* folder = As<RString>(array_->elements()[i]);
    FreezeString(folder);  // so that what is expanded stays what it is
    ExpandPath(folder->bytes(), working_directory_, folder_);
    RString* absolute = NewString(heap_, string_class_, folder_);
    FreezeString(absolute);
    Push(heap_, made, Value(absolute));
    if (intern_) {
      Store(heap_, made, static_cast<std::ptrdiff_t>(i), Value(intern_(absolute)));
    }
  }
  Freeze(made);
  expanded_ = made;
  Replace(heap_, snapshot_, array_);
  expanded_is_right_ = true;
  return absl::OkStatus();
}

absl::StatusOr<bool> LoadPath::FindFile(std::string_view name, FileProbe exists, PathBuffer& out) {
  static constexpr std::string_view kAsItIs[] = {""};
  const absl::StatusOr<int> found = FindFileExtension(name, kAsItIs, exists, out);
  if (!found.ok()) return found.status();
  return *found == 0;
}

absl::StatusOr<int> LoadPath::FindFileExtension(std::string_view name,
                                                std::span<const std::string_view> extensions,
                                                FileProbe exists, PathBuffer& out) {
  const bool explicit_path = IsExplicitPath(name);
  const RArray* folders = nullptr;
  if (!explicit_path) {
    const absl::StatusOr<const RArray*> expanded = Expanded();
    if (!expanded.ok()) return expanded.status();
    folders = *expanded;
  }
  for (std::size_t i = 0; i < extensions.size(); ++i) {
    name_.assign(name);
    name_.append(extensions[i]);
    if (explicit_path) {
      ExpandPath(name_, working_directory_, out);
      if (exists(out)) return static_cast<int>(i);
      continue;
    }
    for (Value folder : folders->elements()) {
      ExpandPath(name_, As<RString>(folder)->bytes(), out);
      if (exists(out)) return static_cast<int>(i);
    }
  }
  return -1;
}

void LoadPath::CheckInvariants() const {
  if (array_ == nullptr) return;
  for (const RArray* array : {array_, snapshot_, expanded_}) CheckArray(array);
  if (!expanded_is_right_ || !IsCurrentSnapshot(snapshot_, array_)) return;
  RUBRIC_CHECK(expanded_->length() == array_->length());
  PathBuffer absolute;
  for (std::size_t i = 0; i < array_->length(); ++i) {
    ExpandPath(As<RString>(array_->elements()[i])->bytes(), working_directory_, absolute);
    RUBRIC_CHECK(As<RString>(expanded_->elements()[i])->bytes() == absolute,
                 "an expanded folder is not its folder, made absolute");
  }
}

}  // namespace rubric
