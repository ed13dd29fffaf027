// LogSink: the writing end of the malloc log, as allocate.cc sees it. Internal to core/memory.
//
// USE        LogAlloc and LogFree are called by every counted allocation; they return at once,
//            after one predicted branch, while no log is open.
// LAYOUT     That of the file: malloc_log.h.
#ifndef RUBRIC_CORE_MEMORY_LOG_SINK_H_
#define RUBRIC_CORE_MEMORY_LOG_SINK_H_

#include <cstddef>
#include <cstdint>

#include "core/memory/subsystem.h"

namespace rubric::memory_internal {

// One event is at most 1 + 3 * 10 bytes; the sink flushes while fewer than this are left.
inline constexpr std::size_t kLargestEvent = 32;

struct LogSink {
  std::uint8_t* cursor = nullptr;  // null iff no log is open
  std::uint8_t* limit = nullptr;
  std::uint64_t last_address = 0;
  std::uint64_t events = 0;
};

extern LogSink log_sink;

// Writes the buffer out. After an error the sink goes on counting, and CloseMallocLog reports it.
void FlushLogSink();

// The writers keep the cursor in a register: a store of bytes may alias anything, so that the
// compiler would otherwise read it back after each.
inline std::uint8_t* PutVarint(std::uint8_t* out, std::uint64_t value) {
  while (value >= 0x80) {
    *out++ = static_cast<std::uint8_t>(value | 0x80);
    value >>= 7;
  }
  *out++ = static_cast<std::uint8_t>(value);
  return out;
}

inline std::uint8_t* PutEventHead(unsigned kind, Subsystem subsystem, const void* block) {
  if (log_sink.cursor >= log_sink.limit) [[unlikely]]
    FlushLogSink();
  const std::uint64_t address = reinterpret_cast<std::uint64_t>(block);
  const std::int64_t delta = static_cast<std::int64_t>(address - log_sink.last_address) / 8;
  log_sink.last_address = address;
  ++log_sink.events;
  std::uint8_t* out = log_sink.cursor;
  *out++ = static_cast<std::uint8_t>(kind | static_cast<unsigned>(subsystem) << 2);
  return PutVarint(
      out, static_cast<std::uint64_t>(delta) << 1 ^ static_cast<std::uint64_t>(delta >> 63));
}

inline void LogAlloc(unsigned kind, Subsystem subsystem, const void* block, std::size_t requested,
                     std::size_t usable) {
  if (log_sink.cursor == nullptr) [[likely]]
    return;
  std::uint8_t* out = PutVarint(PutEventHead(kind, subsystem, block), usable);
  log_sink.cursor = PutVarint(out, usable - requested);
}

inline void LogFree(unsigned kind, Subsystem subsystem, const void* block, std::size_t usable) {
  if (log_sink.cursor == nullptr) [[likely]]
    return;
  log_sink.cursor = PutVarint(PutEventHead(kind, subsystem, block), usable);
}

}  // namespace rubric::memory_internal

#endif  // RUBRIC_CORE_MEMORY_LOG_SINK_H_
