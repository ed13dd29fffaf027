// Small things about files that the driver needs, each with an error that says what was tried.
//
// TESTED BY  files_test.cc.
#ifndef RUBRIC_EXPERIMENTS_SUITE_FILES_H_
#define RUBRIC_EXPERIMENTS_SUITE_FILES_H_

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace rubric {

// The whole file.
absl::StatusOr<std::string> ReadFile(const std::string& file);

// The SHA-256 of the file's bytes, 64 lower-case hex digits.
absl::StatusOr<std::string> Sha256OfFile(const std::string& file);

// The same of an open descriptor, from its first byte; its offset does not change. [name] is for
// the error.
absl::StatusOr<std::string> Sha256OfDescriptor(int descriptor, std::string_view name);

// [path] if it is absolute, else [base]/[path]. Nothing is looked up.
std::string AbsolutePath(const std::string& path, const std::string& base);

// Makes the folder and what is above it; one that exists is fine.
absl::Status MakeFolder(const std::string& folder);

// The executable that a shell would run for [name], by PATH.
std::optional<std::string> FindProgram(const std::string& name);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_SUITE_FILES_H_
