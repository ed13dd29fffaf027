#include "core/memory/malloc_log.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "core/base/check.h"
#include "core/memory/log_sink.h"

namespace rubric {
namespace memory_internal {

constinit LogSink log_sink;

}  // namespace memory_internal

namespace {

using memory_internal::kLargestEvent;
using memory_internal::log_sink;

constexpr std::string_view kMagic = "RUBRICML\x01";
constexpr std::uint8_t kEndMark = 0xff;
constexpr std::size_t kBufferBytes = 256 * 1024;

struct OpenLog {
  int fd = -1;
  std::uint8_t* buffer = nullptr;
  std::string path;
  absl::Status status;
};

OpenLog& TheLog() {
  static OpenLog* log = new OpenLog;  // never destroyed: memory may be freed after main
  return *log;
}

absl::Status FileError(const std::string& path, const char* what) {
  return absl::UnavailableError(absl::StrCat(path, ": ", what, ": ", std::strerror(errno)));
}

absl::Status CutOff(const std::string& name, std::size_t offset, const std::string& expected) {
  return absl::DataLossError(absl::StrCat(name, ": byte ", offset,
                                          ": the malloc log is cut off or damaged; expected ",
                                          expected, "; record it again with --malloc_log"));
}

// A bounds-checked reader of the log's bytes.
struct Cursor {
  std::string_view bytes;
  std::size_t offset = 0;

  bool Varint(std::uint64_t& value) {
    value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (offset >= bytes.size()) return false;
      const auto byte = static_cast<std::uint8_t>(bytes[offset++]);
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return true;
    }
    return false;
  }
};

}  // namespace

namespace memory_internal {

void FlushLogSink() {
  OpenLog& log = TheLog();
  const std::uint8_t* from = log.buffer;
  while (log.status.ok() && from < log_sink.cursor) {
    const ssize_t written = write(log.fd, from, static_cast<std::size_t>(log_sink.cursor - from));
    if (written >= 0) {
      from += written;
    } else if (errno != EINTR) {
      log.status = FileError(log.path, "the malloc log could not be written");
    }
  }
  log_sink.cursor = log.buffer;
}

}  // namespace memory_internal

namespace {

void EndLog(OpenLog& log) {
  if (close(log.fd) != 0 && log.status.ok()) {
    log.status = FileError(log.path, "the malloc log could not be closed");
  }
  munmap(log.buffer, kBufferBytes);
  log.fd = -1;
  log_sink = {};
}

}  // namespace

absl::Status OpenMallocLog(const std::string& path) {
  OpenLog& log = TheLog();
  RUBRIC_CHECK(log.fd < 0, "a malloc log is already open");
  // Not truncated before it is known to be a file; and a pipe without a reader must not block.
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0644);
  if (fd < 0) return FileError(path, "the malloc log could not be opened for writing");
  struct stat info;
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    close(fd);
    return absl::InvalidArgumentError(absl::StrCat(
        path, ": expected a regular file for the malloc log, which is read back after the run"));
  }
  if (ftruncate(fd, 0) != 0) {
    const absl::Status status = FileError(path, "the malloc log could not be emptied");
    close(fd);
    return status;
  }
  void* buffer = mmap(nullptr, kBufferBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (buffer == MAP_FAILED) {
    close(fd);
    return FileError(path, "no memory for the malloc log's buffer");
  }
  log.fd = fd;
  log.buffer = static_cast<std::uint8_t*>(buffer);
  log.path = path;
  log.status = absl::OkStatus();
  std::memcpy(log.buffer, kMagic.data(), kMagic.size());
  log_sink = {.cursor = log.buffer + kMagic.size(),
              .limit = log.buffer + kBufferBytes - kLargestEvent};
  return absl::OkStatus();
}

void AbandonMallocLog() {
  OpenLog& log = TheLog();
  RUBRIC_CHECK(log.fd >= 0, "no malloc log is open");
  EndLog(log);
  unlink(log.path.c_str());
}

absl::StatusOr<std::uint64_t> CloseMallocLog() {
  OpenLog& log = TheLog();
  RUBRIC_CHECK(log.fd >= 0, "no malloc log is open");
  if (log_sink.cursor >= log_sink.limit) memory_internal::FlushLogSink();
  const std::uint64_t events = log_sink.events;
  *log_sink.cursor++ = kEndMark;
  std::memcpy(log_sink.cursor, &events, sizeof(events));
  log_sink.cursor += sizeof(events);
  memory_internal::FlushLogSink();
  EndLog(log);
  if (log.status.ok()) return events;
  // Half a log is of no use, and the disk may be full.
  unlink(log.path.c_str());
  return log.status;
}

absl::StatusOr<std::uint64_t> ParseMallocLog(std::string_view bytes, const std::string& name,
                                             const std::function<void(const MallocEvent&)>& visit) {
  if (!bytes.starts_with(kMagic)) {
    return absl::InvalidArgumentError(
        absl::StrCat(name,
                     ": byte 0: not a malloc log of version 1; expected the bytes RUBRICML 0x01; "
                     "name a file written by --malloc_log"));
  }
  Cursor cursor{bytes, kMagic.size()};
  std::uint64_t events = 0;
  std::uint64_t address = 0;
  while (true) {
    const std::size_t start = cursor.offset;
    if (start >= bytes.size()) return CutOff(name, start, "an event or the end mark 0xff");
    const auto head = static_cast<std::uint8_t>(bytes[cursor.offset++]);
    if (head == kEndMark) break;
    MallocEvent event{};
    event.kind = static_cast<MallocEventKind>(head & 3);
    if ((head >> 2) >= kSubsystemCount) return CutOff(name, start, "a known subsystem");
    event.subsystem = static_cast<Subsystem>(head >> 2);
    std::uint64_t zigzag, slack = 0;
    if (!cursor.Varint(zigzag) || !cursor.Varint(event.usable_bytes) ||
        (event.allocates() && !cursor.Varint(slack))) {
      return CutOff(name, cursor.offset, "the rest of an event");
    }
    if (slack > event.usable_bytes)
      return CutOff(name, start, "a request no larger than its block");
    address += 8 * (zigzag >> 1 ^ (~(zigzag & 1) + 1));
    event.address = address;
    event.requested_bytes = event.allocates() ? event.usable_bytes - slack : 0;
    visit(event);
    ++events;
  }
  std::uint64_t promised;
  if (bytes.size() - cursor.offset != sizeof(promised)) {
    return CutOff(name, cursor.offset, "the number of events in 8 bytes and nothing after it");
  }
  std::memcpy(&promised, bytes.data() + cursor.offset, sizeof(promised));
  if (promised != events) {
    return CutOff(name, cursor.offset, absl::StrCat(promised, " events, found ", events));
  }
  return events;
}

absl::StatusOr<std::uint64_t> ReadMallocLog(const std::string& path,
                                            const std::function<void(const MallocEvent&)>& visit) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return FileError(path, "the malloc log could not be opened");
  struct stat info;
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    close(fd);
    return absl::InvalidArgumentError(absl::StrCat(path, ": expected a regular file"));
  }
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size == 0) {
    close(fd);
    return ParseMallocLog({}, path, visit);
  }
  // Mapped, so that a log of any length is streamed by the kernel rather than held.
  void* bytes = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  close(fd);
  if (bytes == MAP_FAILED) return FileError(path, "the malloc log could not be mapped");
  auto result = ParseMallocLog({static_cast<const char*>(bytes), size}, path, visit);
  munmap(bytes, size);
  return result;
}

absl::StatusOr<MallocLogCurve> ThinLiveBytes(const std::string& path, std::size_t max_points) {
  RUBRIC_CHECK(max_points >= 4);
  MallocLogCurve curve;
  absl::StatusOr<std::uint64_t> read = ReadMallocLog(
      path, [&](const MallocEvent& event) { curve.calls_total += event.allocates() ? 1 : 0; });
  if (!read.ok()) return read.status();

  // Each bucket of consecutive calls gives its lowest and highest point, in the order they
  // occurred.
  // One point is kept back for the last call, so that the curve always ends where the run ended.
  const std::uint64_t buckets = (max_points - 1) / 2;
  const std::uint64_t width =
      std::max<std::uint64_t>(1, (curve.calls_total + buckets - 1) / buckets);
  struct Point {
    std::uint64_t call = 0;
    std::int64_t bytes = 0;
  };
  std::uint64_t calls = 0;
  std::int64_t live = 0;
  std::int64_t live_after_last_call = 0;
  Point low, high;
  const auto emit = [&] {
    if (low.call == 0) return;
    const bool low_first = low.call <= high.call;
    const Point& first = low_first ? low : high;
    const Point& second = low_first ? high : low;
    curve.call.push_back(first.call);
    curve.bytes.push_back(first.bytes);
    if (second.call != first.call) {
      curve.call.push_back(second.call);
      curve.bytes.push_back(second.bytes);
    }
    low = high = {};
  };
  read = ReadMallocLog(path, [&](const MallocEvent& event) {
    const auto size = static_cast<std::int64_t>(event.usable_bytes);
    live += event.allocates() ? size : -size;
    if (!event.allocates()) return;
    ++calls;
    live_after_last_call = live;
    if (low.call == 0 || live < low.bytes) low = {calls, live};
    if (high.call == 0 || live > high.bytes) high = {calls, live};
    if (calls % width == 0) emit();
  });
  if (!read.ok()) return read.status();
  emit();
  if (calls > 0 && curve.call.back() != calls) {
    curve.call.push_back(calls);
    curve.bytes.push_back(live_after_last_call);
  }
  return curve;
}

}  // namespace rubric
