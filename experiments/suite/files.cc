#include "experiments/suite/files.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_split.h"
#include "core/base/check.h"
#include "reports/results/concat.h"

namespace rubric {
namespace {

absl::Status SystemError(std::string_view file, std::string_view what) {
  return absl::FailedPreconditionError(Concat(file, ": ", what, ": ", strerror(errno)));
}

// Calls consume(bytes) for one block of the file after the other.
template <typename Consume>
absl::Status ReadBlocks(int descriptor, std::string_view name, const Consume& consume) {
  std::vector<char> block(256 << 10);
  for (off_t offset = 0;;) {
    const ssize_t got = pread(descriptor, block.data(), block.size(), offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return SystemError(name, "cannot be read");
    if (got == 0) return absl::OkStatus();
    consume(std::string_view(block.data(), static_cast<std::size_t>(got)));
    offset += got;
  }
}

}  // namespace

absl::StatusOr<std::string> ReadFile(const std::string& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return SystemError(file, "cannot be opened");
  const absl::Cleanup closer = [&] { close(descriptor); };
  struct stat info;
  // A device may have no end; of a folder the read says what is wrong.
  if (fstat(descriptor, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) {
    return absl::FailedPreconditionError(Concat(file, ": expected a regular file"));
  }
  std::string content;
  const absl::Status status =
      ReadBlocks(descriptor, file, [&](std::string_view block) { content += block; });
  if (!status.ok()) return status;
  return content;
}

absl::StatusOr<std::string> Sha256OfFile(const std::string& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return SystemError(file, "cannot be opened");
  const absl::Cleanup closer = [&] { close(descriptor); };
  return Sha256OfDescriptor(descriptor, file);
}

absl::StatusOr<std::string> Sha256OfDescriptor(int descriptor, std::string_view name) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        &EVP_MD_CTX_free);
  RUBRIC_CHECK(EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1);
  const absl::Status status = ReadBlocks(descriptor, name, [&](std::string_view block) {
    RUBRIC_CHECK(EVP_DigestUpdate(context.get(), block.data(), block.size()) == 1);
  });
  if (!status.ok()) return status;
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  RUBRIC_CHECK(EVP_DigestFinal_ex(context.get(), digest, &size) == 1);
  return absl::BytesToHexString(std::string(reinterpret_cast<const char*>(digest), size));
}

std::string AbsolutePath(const std::string& path, const std::string& base) {
  return (std::filesystem::path(base) / path).lexically_normal();
}

absl::Status MakeFolder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    return absl::FailedPreconditionError(Concat(folder, ": cannot be made: ", error.message()));
  }
  return absl::OkStatus();
}

std::optional<std::string> FindProgram(const std::string& name) {
  const char* path = getenv("PATH");
  const std::string folders = path == nullptr || *path == '\0' ? "/usr/bin:/bin" : path;
  for (const std::string& folder : std::vector<std::string>(absl::StrSplit(folders, ':'))) {
    const std::string candidate = Concat(folder, "/", name);
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return std::nullopt;
}

}  // namespace rubric
