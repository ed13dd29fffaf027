#include "experiments/suite/progress.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

namespace rubric {
namespace {

// What [body] makes a Progress write to a file that is or is not taken for a terminal.
std::string Written(bool terminal, const std::function<void(Progress&)>& body) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* out = open_memstream(&text, &size);
  Progress progress(out, terminal);
  body(progress);
  std::fclose(out);
  const std::string written(text, size);
  free(text);
  return written;
}

TEST(ProgressTest, RedrawsOneLineOnATerminal) {
  EXPECT_EQ(Written(true,
                    [](Progress& progress) {
                      progress.Show(0, 20, 125, "first");
                      progress.Show(1, 20, 4, "second");
                      progress.Clear();
                      progress.Clear();
                    }),
            "\r\x1b[K[0/20] 2 min 05 s left | first"
            "\r\x1b[K[1/20] 4 s left | second"
            "\r\x1b[K");
}

TEST(ProgressTest, NeverFillsTheLine) {
  const std::string written =
      Written(true, [](Progress& progress) { progress.Show(0, 1, 0, std::string(500, 'x')); });
  EXPECT_EQ(written.size(), std::string("\r\x1b[K").size() + 79);
}

TEST(ProgressTest, PutsNotesOnLinesOfTheirOwn) {
  EXPECT_EQ(Written(true,
                    [](Progress& progress) {
                      progress.Show(0, 20, 1, "first");
                      progress.Note("a note");
                    }),
            "\r\x1b[K[0/20] 1 s left | first\r\x1b[Ka note\n");
}

TEST(ProgressTest, PrintsPlainLinesElsewhereAndNotOneForEachProcess) {
  EXPECT_EQ(Written(false,
                    [](Progress& progress) {
                      progress.Show(0, 2000, 125, "first");
                      for (int i = 1; i < 1000; ++i) progress.Show(i, 2000, 4, "another");
                      progress.Note("a note");
                      progress.Clear();
                    }),
            "0 of 2000 processes done, 2 min 05 s left: first\na note\n");
}

}  // namespace
}  // namespace rubric
