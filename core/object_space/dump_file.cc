#include "core/object_space/dump_file.h"

#include <cerrno>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "core/base/check.h"

namespace rubric {

absl::Status DumpFile::Failure(const char* what) const {
  const int reason = errno;
  return absl::UnavailableError(
      absl::StrCat(path_, ": cannot be ", what, ": ", std::strerror(reason)));
}

absl::Status DumpFile::Open() {
  file_ = std::fopen(part_.c_str(), "wb");
  return file_ == nullptr ? Failure("written") : absl::OkStatus();
}

absl::Status DumpFile::Write(std::string_view bytes) {
  RUBRIC_CHECK(file_ != nullptr, "a dump is written before it was opened");
  return std::fwrite(bytes.data(), 1, bytes.size(), file_) == bytes.size() ? absl::OkStatus()
                                                                           : Failure("written");
}

absl::Status DumpFile::Commit() {
  RUBRIC_CHECK(file_ != nullptr, "a dump is kept before it was opened");
  const bool closed = std::fclose(file_) == 0;
  file_ = nullptr;
  absl::Status status = closed ? absl::OkStatus() : Failure("written");
  if (status.ok() && std::rename(part_.c_str(), path_.c_str()) != 0) status = Failure("named");
  if (!status.ok()) std::remove(part_.c_str());
  return status;
}

DumpFile::~DumpFile() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  std::remove(part_.c_str());
}

}  // namespace rubric
