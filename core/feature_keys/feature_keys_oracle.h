// FeatureKeysOracle: what an index should answer, by standard containers and by the letter of the
// axis: it shares no code with any backend.
//
// TESTED BY  feature_suffixes_test.cc, against paths whose keys are written out.
#ifndef RUBRIC_CORE_FEATURE_KEYS_FEATURE_KEYS_ORACLE_H_
#define RUBRIC_CORE_FEATURE_KEYS_FEATURE_KEYS_ORACLE_H_

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/feature_keys/feature_keys.h"

namespace rubric {

class FeatureKeysOracle {
 public:
  // The whole path and what follows each '/', with and without the extension.
  static std::set<std::string> KeysOf(const std::string& path) {
    std::set<std::string> keys;
    const std::size_t last = path.find_last_of('/') + 1;  // npos + 1 is 0
    const std::size_t dot = path.find_last_of('.');
    const bool has_extension = dot != std::string::npos && dot >= last;
    for (std::size_t i = 0; i <= path.size(); ++i) {
      if (i != 0 && path[i - 1] != '/') continue;
      keys.insert(path.substr(i));
      if (has_extension) keys.insert(path.substr(i, dot - i));
    }
    return keys;
  }

  void Add(const std::string& path, FeaturePosition position) {
    for (const std::string& key : KeysOf(path)) positions_[key].push_back(position);
  }

  std::vector<FeaturePosition> Positions(const std::string& key) const {
    const auto found = positions_.find(key);
    return found == positions_.end() ? std::vector<FeaturePosition>() : found->second;
  }

  // visit(key, positions) for each key.
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (const auto& [key, positions] : positions_) visit(key, positions);
  }

  std::size_t key_count() const { return positions_.size(); }
  void Clear() { positions_.clear(); }

 private:
  std::map<std::string, std::vector<FeaturePosition>> positions_;
};

}  // namespace rubric

#endif  // RUBRIC_CORE_FEATURE_KEYS_FEATURE_KEYS_ORACLE_H_
