#include "experiments/gc_tempfile/temp_file.h"

#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"

namespace rubric {
namespace {

absl::Status Failed(const std::string& folder, const char* what) {
  return absl::UnavailableError(absl::StrCat(
      "gc_tempfile: cannot ", what, " a temporary file in ", folder, ": ", std::strerror(errno),
      "; expected a folder that can be written to: set TMPDIR to one"));
}

}  // namespace

absl::StatusOr<TempFile> TempFile::Create(std::string_view content) {
  const char* configured = getenv("TMPDIR");
  const std::string folder = configured == nullptr || *configured == '\0' ? "/tmp" : configured;
  std::string path = folder + "/rubric-gc_tempfile-XXXXXX";
  const int descriptor = mkstemp(path.data());
  if (descriptor < 0) return Failed(folder, "make");
  TempFile file(descriptor, folder);
  unlink(path.c_str());
  for (std::size_t written = 0; written < content.size();) {
    const ssize_t n = write(descriptor, content.data() + written, content.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return Failed(folder, "write");
    written += static_cast<std::size_t>(n);
  }
  return file;
}

TempFile::TempFile(int descriptor, std::string folder)
    : descriptor_(descriptor), folder_(std::move(folder)) {}

TempFile::TempFile(TempFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), folder_(std::move(other.folder_)) {}

TempFile::~TempFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

absl::Status TempFile::ReadFromBegin(std::span<char> buffer) const {
  if (lseek(descriptor_, 0, SEEK_SET) != 0) return Failed(folder_, "rewind");
  for (std::size_t filled = 0; filled < buffer.size();) {
    const ssize_t n = read(descriptor_, buffer.data() + filled, buffer.size() - filled);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Failed(folder_, "read");
    if (n == 0) {
      return absl::OutOfRangeError(absl::StrCat("gc_tempfile: the temporary file in ", folder_,
                                                " ends after ", filled, " bytes, expected ",
                                                buffer.size()));
    }
    filled += static_cast<std::size_t>(n);
  }
  return absl::OkStatus();
}

}  // namespace rubric
