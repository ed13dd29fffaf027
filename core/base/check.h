// RUBRIC_CHECK: aborts, with file, line and the broken invariant, when a condition is false.
//
// USE        RUBRIC_CHECK(index < size()); or RUBRIC_CHECK(ok, "why it matters"); is always
//            compiled in and always evaluated. RUBRIC_DCHECK is for hot paths: it is evaluated in
//            checking builds (asan, ubsan, hostile, gc_stress, fuzz) only, but compiled in every
//            build, so that it cannot rot. Neither is for bad input: input errors are absl::Status.
// COST       One well-predicted branch; RUBRIC_DCHECK costs nothing outside checking builds.
// TESTED BY  check_test.cc.
#ifndef RUBRIC_CORE_BASE_CHECK_H_
#define RUBRIC_CORE_BASE_CHECK_H_

#include "core/base/build_mode.h"

namespace rubric {

// Prints "file:line: broken invariant: condition (message)" to standard error and aborts.
[[noreturn]] void CheckFailed(const char* file, int line, const char* condition,
                              const char* message = nullptr);

}  // namespace rubric

#define RUBRIC_CHECK(condition, ...)                                                    \
  do {                                                                                  \
    if (!(condition)) [[unlikely]] {                                                    \
      ::rubric::CheckFailed(__FILE__, __LINE__, #condition __VA_OPT__(, ) __VA_ARGS__); \
    }                                                                                   \
  } while (false)

#define RUBRIC_DCHECK(condition, ...)                     \
  do {                                                    \
    if constexpr (::rubric::kDchecks) {                   \
      RUBRIC_CHECK(condition __VA_OPT__(, ) __VA_ARGS__); \
    }                                                     \
  } while (false)

#endif  // RUBRIC_CORE_BASE_CHECK_H_
