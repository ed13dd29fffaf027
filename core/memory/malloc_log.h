// MallocLog: every malloc and free of the runtime, in order, in a file.
//
// USE        OpenMallocLog(path); … run …; CloseMallocLog() returns how many events the file holds,
//            or why it is not complete. ReadMallocLog streams a file back; ThinLiveBytes makes the
//            graph "live bytes over the n-th allocator call" of at most a few thousand points from
//            it.
// LAYOUT     Bytes 0-7: "RUBRICML"; byte 8: version, 1. Then events, each:
//              byte 0        bits 0-1 kind: 0 alloc, 1 free, 2 and 3 the free and alloc half of a
//                            realloc; bits 2-7 subsystem
//              varint        zigzag of (address - address of the event before) / 8
//              varint        usable bytes
//              varint        alloc kinds only: usable bytes less bytes asked for
//            Varints are little-endian base 128. Last: byte 0xff, then the number of events in 8
//            bytes little-endian, so that a cut-off file is known as such.
// COST       About 10 ns and 5 to 8 bytes an event; one write(2) of 256 KiB when the buffer is
//            full. The buffer is mapped, not malloc'd: the log does not appear in what it logs.
// INVARIANTS Events since OpenMallocLog = malloc_calls + free_calls counted since then.
// ERRORS     absl::Status with the file: no regular file; cannot be opened or written; not a log;
//            cut off at byte N.
// SOURCE     The graphs of Ruby #14460 and #15349 plot live bytes over the n-th call of malloc.
// TESTED BY  malloc_log_test.cc, malloc_log_fuzz.cc.
#ifndef RUBRIC_CORE_MEMORY_MALLOC_LOG_H_
#define RUBRIC_CORE_MEMORY_MALLOC_LOG_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/memory/subsystem.h"

namespace rubric {

enum class MallocEventKind : std::uint8_t { kAlloc, kFree, kReallocFree, kReallocAlloc };

struct MallocEvent {
  MallocEventKind kind;
  Subsystem subsystem;
  std::uint64_t address;
  std::uint64_t usable_bytes;
  std::uint64_t requested_bytes;  // 0 for the free kinds, which are not told it

  bool allocates() const {
    return kind == MallocEventKind::kAlloc || kind == MallocEventKind::kReallocAlloc;
  }
  friend bool operator==(const MallocEvent&, const MallocEvent&) = default;
};

// Starts a log in `path`, a regular file (replaced) or none yet. REQUIRES: no log is open.
absl::Status OpenMallocLog(const std::string& path);

// Ends the log; gives the number of events in the file. Where they could not all be written, the
// file is removed. REQUIRES: a log is open.
absl::StatusOr<std::uint64_t> CloseMallocLog();

// Ends a log that nobody wants and removes its file. REQUIRES: a log is open.
void AbandonMallocLog();

// Calls `visit` for each event of the file in order; gives their number.
absl::StatusOr<std::uint64_t> ReadMallocLog(const std::string& path,
                                            const std::function<void(const MallocEvent&)>& visit);

// The same for a log already in memory; `name` stands for the file in errors.
absl::StatusOr<std::uint64_t> ParseMallocLog(std::string_view bytes, const std::string& name,
                                             const std::function<void(const MallocEvent&)>& visit);

// Live bytes after the n-th allocating call, relative to the start of the log.
struct MallocLogCurve {
  std::vector<std::uint64_t> call;  // n, ascending, from 1
  std::vector<std::int64_t> bytes;  // of the same length
  std::uint64_t calls_total = 0;
};

// The curve of `path`, thinned to at most `max_points` points such that each bucket of calls keeps
// its lowest and its highest point, and that the last call is there. Cost: two passes over the
// file. REQUIRES: max_points >= 4.
absl::StatusOr<MallocLogCurve> ThinLiveBytes(const std::string& path, std::size_t max_points);

}  // namespace rubric

#endif  // RUBRIC_CORE_MEMORY_MALLOC_LOG_H_
