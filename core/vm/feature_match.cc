#include "core/vm/feature_match.h"

#include "core/feature_keys/feature_suffixes.h"
#include "core/value/slot.h"

namespace rubric {
namespace {

bool Admits(FeatureKind asked, FeatureKind got) {
  if (asked == FeatureKind::kRuby || asked == FeatureKind::kNative) return got == asked;
  return got != FeatureKind::kNone;
}

bool IsFolder(const RArray* folders, std::string_view path) {
  for (Value v : folders->elements()) {
    const std::string_view folder = As<RString>(v)->bytes();
    // "/" is the one folder that ends with a '/'.
    if ((folder == "/" ? folder.substr(1) : folder) == path) return true;
  }
  return false;
}

// Whether `path`, of which an extension was taken, is the stem or a folder's.
bool IsStem(std::string_view path, std::string_view stem, const RArray* folders) {
  if (!path.ends_with(stem)) return false;
  path.remove_suffix(stem.size());
  if (path.empty()) return true;
  if (folders == nullptr || path.back() != '/') return false;
  path.remove_suffix(1);
  return IsFolder(folders, path);
}

}  // namespace

FeatureKind KindOfExtension(std::string_view extension) {
  if (extension.empty()) return FeatureKind::kPlain;
  if (extension == ".rb") return FeatureKind::kRuby;
  if (extension == ".so" || extension == ".o") return FeatureKind::kNative;
  return FeatureKind::kNone;
}

FeatureName::FeatureName(std::string_view name) : whole(name), stem(name) {
  const std::size_t length = StemLength(name);
  kind = KindOfExtension(name.substr(length));
  if (kind == FeatureKind::kRuby || kind == FeatureKind::kNative) stem = name.substr(0, length);
}

FeatureKind MatchFeature(std::string_view path, const FeatureName& name, const RArray* folders) {
  const std::size_t length = StemLength(path);
  const FeatureKind kind = KindOfExtension(path.substr(length));
  if (kind != FeatureKind::kNone && Admits(name.kind, kind) &&
      IsStem(path.substr(0, length), name.stem, folders)) {
    return kind;
  }
  // What looks like an extension may belong to the name: "a.b" asks for the feature "a.b".
  if (kind != FeatureKind::kPlain && Admits(name.kind, FeatureKind::kPlain) &&
      IsStem(path, name.stem, folders)) {
    return FeatureKind::kPlain;
  }
  return FeatureKind::kNone;
}

}  // namespace rubric
