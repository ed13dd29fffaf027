// FeatureName, MatchFeature: whether a feature is what a name asks for.
//
// USE        FeatureName name("set"); MatchFeature("/usr/lib/ruby/set.rb", name, folders) gives
//            kRuby where "/usr/lib/ruby" is one of the folders of the load path.
// COST       MatchFeature O(path + folders); no allocation.
// INVARIANTS A feature F is what a name N asks for iff F = S + E or F = folder + "/" + S + E, S
//            being N less its ".rb", ".so" or ".o", and E being an extension that N admits:
//              N has ".rb"          E is ".rb"
//              N has ".so" or ".o"  E is ".so" or ".o"
//              else                 E is ".rb", ".so", ".o" or none
// SOURCE     rb_feature_p and loaded_feature_path in CRuby's load.c, by what they accept. CRuby
//            finds a feature without extension through the load path only if its name has a '.'.
// TESTED BY  loaded_features_test.cc.
#ifndef RUBRIC_CORE_VM_FEATURE_MATCH_H_
#define RUBRIC_CORE_VM_FEATURE_MATCH_H_

#include <cstddef>
#include <string_view>

#include "core/object/layout.h"

namespace rubric {

// What an extension makes of a feature.
enum class FeatureKind {
  kNone,    // no feature, or an extension that is neither
  kRuby,    // .rb
  kNative,  // .so, .o
  kPlain,   // no extension
};

FeatureKind KindOfExtension(std::string_view extension);

struct FeatureName {
  explicit FeatureName(std::string_view name);
  // The name as one without extension, whatever it looks like.
  static FeatureName Plain(std::string_view name) { return {name, name, FeatureKind::kPlain}; }

  std::string_view whole;
  std::string_view stem;  // `whole` less a ".rb", ".so" or ".o"
  // kRuby or kNative where the name has such an extension, kPlain where it has none, kNone where it
  // has another one.
  FeatureKind kind;

 private:
  FeatureName(std::string_view whole, std::string_view stem, FeatureKind kind)
      : whole(whole), stem(stem), kind(kind) {}
};

// The kind of feature `path` if it is what `name` asks for, else kNone. `folders`, of absolute
// Strings, is null where the name must be the path itself.
FeatureKind MatchFeature(std::string_view path, const FeatureName& name, const RArray* folders);

}  // namespace rubric

#endif  // RUBRIC_CORE_VM_FEATURE_MATCH_H_
