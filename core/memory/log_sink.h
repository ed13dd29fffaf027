// LogSink: the writing end of the malloc log, as allocate.cc sees it. Internal to core/memory.
//
// USE        LogAlloc and LogFree are called by every counted allocation; they return at once,
// after one
//            predicted branch, while no log is open.
// COST, LAYOUT  malloc_log.h.
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

inline void PutVarint(std::uint64_t value) {
  while (value >= 0x80) {
    *log_sink.cursor++ = static_cast<std::uint8_t>(value | 0x80);
    value >>= 7;
  }
  *log_sink.cursor++ = static_cast<std::uint8_t>(value);
}

inline void PutEventHead(unsigned kind, Subsystem subsystem, const void* block) {
  if (log_sink.cursor >= log_sink.limit) FlushLogSink();
  const std::uint64_t address = reinterpret_cast<std::uint64_t>(block);
  const std::int64_t delta = static_cast<std::int64_t>(address - log_sink.last_address) / 8;
  log_sink.last_address = address;
  ++log_sink.events;
  *log_sink.cursor++ = static_cast<std::uint8_t>(kind | static_cast<unsigned>(subsystem) << 2);
  PutVarint(static_cast<std::uint64_t>(delta) << 1 ^ static_cast<std::uint64_t>(delta >> 63));
}

inline void LogAlloc(unsigned kind, Subsystem subsystem, const void* block, std::size_t requested,
                     std::size_t usable) {
  if (log_sink.cursor == nullptr) [[likely]]
    return;
  PutEventHead(kind, subsystem, block);
  PutVarint(usable);
  PutVarint(usable - requested);
}

inline void LogFree(unsigned kind, Subsystem subsystem, const void* block, std::size_t usable) {
  if (log_sink.cursor == nullptr) [[likely]]
    return;
  PutEventHead(kind, subsystem, block);
  PutVarint(usable);
}

}  // namespace rubric::memory_internal

#endif  // RUBRIC_CORE_MEMORY_LOG_SINK_H_
