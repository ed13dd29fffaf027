#include "core/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace rubric {

void CheckFailed(const char* file, int line, const char* condition, const char* message) {
  if (message == nullptr) {
    std::fprintf(stderr, "%s:%d: broken invariant: %s\n", file, line, condition);
  } else {
    std::fprintf(stderr, "%s:%d: broken invariant: %s (%s)\n", file, line, condition, message);
  }
  std::fflush(stderr);
  std::abort();
}

}  // namespace rubric
