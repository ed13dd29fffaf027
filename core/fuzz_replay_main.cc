// The main() of a fuzz target in an ordinary build: runs the empty input and every file given as an
// argument through LLVMFuzzerTestOneInput once, so that a corpus is a plain test. Exits 2 where a
// file cannot be read: a corpus that silently went away would test nothing.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
  const std::uint8_t nothing = 0;
  LLVMFuzzerTestOneInput(&nothing, 0);
  for (int i = 1; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    if (!file) {
      std::fprintf(stderr, "cannot read the fuzz input %s\n", argv[i]);
      return 2;
    }
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    // Named before it runs: if it crashes, this is the last line.
    std::printf("%s (%zu bytes)\n", argv[i], bytes.size());
    std::fflush(stdout);
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  }
  std::printf("replayed %d files and the empty input\n", argc - 1);
  return 0;
}
