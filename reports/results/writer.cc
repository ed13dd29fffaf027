#include "reports/results/writer.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "reports/results/concat.h"
#include "reports/results/parse_record.h"

namespace rubric {
namespace {

absl::Status SystemError(const std::string& file, std::string_view what) {
  const int error = errno;
  const std::string message = Concat(file, ": ", what, ": ", std::strerror(error));
  if (error == ENOENT) return absl::NotFoundError(message);
  if (error == EACCES || error == EPERM) return absl::PermissionDeniedError(message);
  return absl::UnavailableError(message);
}

// Reads [offset, offset + size) of the file; shorter where the file is.
absl::StatusOr<std::string> ReadAt(int descriptor, const std::string& file, off_t offset,
                                   std::size_t size) {
  std::string out(size, '\0');
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got = pread(descriptor, out.data() + done, size - done, offset + done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return SystemError(file, "cannot be read");
    if (got == 0) break;
    done += got;
  }
  out.resize(done);
  return out;
}

// Writes all of `content`, in one call unless the system splits it.
bool WriteAll(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    content.remove_prefix(written);
  }
  return true;
}

// Writes [content] to a new file beside [file], whose name it adds to [temporaries].
absl::Status WriteTemporary(const std::string& file, std::string_view content,
                            std::vector<std::string>& temporaries) {
  std::string temporary = file + ".XXXXXX";
  const int descriptor = mkstemp(temporary.data());
  if (descriptor < 0) return SystemError(file, "cannot be written");
  temporaries.push_back(temporary);
  const mode_t mask = umask(0);
  umask(mask);
  const bool written = fchmod(descriptor, 0666 & ~mask) == 0 && WriteAll(descriptor, content) &&
                       fsync(descriptor) == 0;
  const int error = errno;
  close(descriptor);
  errno = error;
  return written ? absl::OkStatus() : SystemError(file, "cannot be written");
}

}  // namespace

absl::StatusOr<ResultsWriter> ResultsWriter::Open(const std::string& file) {
  const int descriptor = open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor < 0) return SystemError(file, "cannot be opened for writing");
  ResultsWriter writer(file, descriptor);
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) {
      return absl::UnavailableError(
          Concat(file, ": another process is writing to it; wait for it or end it"));
    }
    return SystemError(file, "cannot be locked");
  }
  if (absl::Status status = writer.Repair(); !status.ok()) return status;
  return writer;
}

ResultsWriter::ResultsWriter(ResultsWriter&& other) noexcept
    : file_(std::move(other.file_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      bytes_cut_(other.bytes_cut_) {}

ResultsWriter& ResultsWriter::operator=(ResultsWriter&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(bytes_cut_, other.bytes_cut_);
  return *this;
}

ResultsWriter::~ResultsWriter() {
  if (descriptor_ >= 0) close(descriptor_);
}

absl::Status ResultsWriter::Repair() {
  struct stat info;
  if (fstat(descriptor_, &info) != 0) return SystemError(file_, "cannot be examined");
  if (!S_ISREG(info.st_mode)) {
    return absl::InvalidArgumentError(Concat(file_, ": expected a regular file"));
  }
  // Walk back in blocks to the last newline: a record may be longer than one block.
  constexpr off_t kBlock = 64 << 10;
  off_t whole = info.st_size;  // bytes up to and including the last newline
  std::string tail;            // what follows it
  while (whole > 0) {
    const off_t begin = std::max<off_t>(0, whole - kBlock);
    absl::StatusOr<std::string> block = ReadAt(descriptor_, file_, begin, whole - begin);
    if (!block.ok()) return block.status();
    const std::size_t newline = block->rfind('\n');
    if (newline != std::string::npos) {
      tail.insert(0, block->substr(newline + 1));
      whole = begin + static_cast<off_t>(newline) + 1;
      break;
    }
    tail.insert(0, *block);
    whole = begin;
  }
  if (tail.empty()) return absl::OkStatus();
  if (ParseRecord(tail).ok()) return WriteLine("");  // only its newline was lost
  if (ftruncate(descriptor_, whole) != 0) return SystemError(file_, "cannot be cut to whole lines");
  bytes_cut_ = static_cast<std::int64_t>(tail.size());
  return absl::OkStatus();
}

absl::Status ResultsWriter::WriteLine(std::string_view line) {
  const off_t before = lseek(descriptor_, 0, SEEK_END);
  if (before < 0) return SystemError(file_, "cannot be examined");
  // The newline goes with the line in one write, so that a kill cannot come between them.
  const std::string whole = Concat(line, "\n");
  if (WriteAll(descriptor_, whole) && fsync(descriptor_) == 0) return absl::OkStatus();
  absl::Status status = SystemError(file_, "cannot be written");
  if (ftruncate(descriptor_, before) != 0) {
    status = absl::DataLossError(Concat(std::string(status.message()), "; nor can it be cut back"));
  }
  return status;
}

absl::Status ResultsWriter::Append(const Record& record) { return WriteLine(ToJsonLine(record)); }

absl::Status WriteFileAtomically(const std::string& file, std::string_view content) {
  return WriteFilesAtomically({{file, std::string(content)}});
}

absl::Status WriteFilesAtomically(
    const std::vector<std::pair<std::string, std::string>>& contents) {
  std::vector<std::string> temporaries;
  absl::Status status;
  for (const auto& [file, content] : contents) {
    status = WriteTemporary(file, content, temporaries);
    if (!status.ok()) break;
  }
  // A folder in a file's place is the one thing that a rename trips over after this.
  for (std::size_t i = 0; i < contents.size() && status.ok(); ++i) {
    struct stat info;
    if (stat(contents[i].first.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) {
      errno = EISDIR;
      status = SystemError(contents[i].first, "cannot be written");
    }
  }
  for (std::size_t i = 0; i < contents.size() && status.ok(); ++i) {
    if (rename(temporaries[i].c_str(), contents[i].first.c_str()) != 0) {
      status = SystemError(contents[i].first, "cannot be written");
    }
  }
  if (status.ok()) return status;
  for (const std::string& temporary : temporaries) unlink(temporary.c_str());
  return status;
}

}  // namespace rubric
