// A program whose measured part is known: STEPS random counted allocations, reallocations and
// frees, all of which it gives back. Prints "malloc_calls free_calls bytes_requested peak_bytes" of
// that part on one line. valgrind_agreement_test runs it under valgrind, whose counts it subtracts
// from those of 0 steps.
//
// It prints without stdio, which would call malloc behind the counters' back.

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <random>

#include "core/memory/allocate.h"
#include "core/memory/counters.h"

namespace rubric {
namespace {

void Run(long steps) {
  struct Block {
    void* address = nullptr;
    Subsystem subsystem = Subsystem::kVm;
  };
  std::mt19937 rng(20260131);
  std::array<Block, 256> blocks;
  for (long i = 0; i < steps; ++i) {
    Block& block = blocks[rng() % blocks.size()];
    const std::size_t bytes = rng() % (std::size_t{1} << (rng() % 17));
    if (block.address == nullptr) {
      block.subsystem = static_cast<Subsystem>(rng() % kSubsystemCount);
      switch (rng() % 3) {
        case 0:
          block.address = Allocate(block.subsystem, bytes);
          break;
        case 1:
          block.address = AllocateZeroed(block.subsystem, bytes, 1);
          break;
        default:
          block.address = AllocateAligned(block.subsystem, 64, bytes);
      }
    } else if (rng() % 2 == 0) {
      block.address = Reallocate(block.subsystem, block.address, bytes + 1);
    } else {
      Free(block.subsystem, block.address);
      block.address = nullptr;
    }
  }
  for (const Block& block : blocks) Free(block.subsystem, block.address);
}

void PrintNumber(std::uint64_t number, char after) {
  char text[24];
  char* at = text + sizeof(text);
  *--at = after;
  do {
    *--at = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number > 0);
  const auto length = static_cast<std::size_t>(text + sizeof(text) - at);
  if (write(STDOUT_FILENO, at, length) != static_cast<ssize_t>(length)) std::_Exit(2);
}

}  // namespace
}  // namespace rubric

int main(int argc, char** argv) {
  if (argc != 2) {
    constexpr char kUsage[] = "usage: allocation_script STEPS\n";
    return write(STDERR_FILENO, kUsage, sizeof(kUsage) - 1) > 0 ? 2 : 3;
  }
  rubric::RestartPeaks();
  const rubric::MemorySnapshot before = rubric::TakeSnapshot();
  rubric::Run(std::atol(argv[1]));
  const rubric::AllocatorCounters counted = (rubric::TakeSnapshot() - before).total;
  rubric::PrintNumber(counted.malloc_calls, ' ');
  rubric::PrintNumber(counted.free_calls, ' ');
  rubric::PrintNumber(counted.bytes_requested, ' ');
  rubric::PrintNumber(static_cast<std::uint64_t>(counted.peak_bytes), '\n');
}
