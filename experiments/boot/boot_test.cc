// The boot on each prelude, by the lab as a user runs it.

#include <string>

#include "experiments/lab/lab_program.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

constexpr char kEager[] = "experiments/lab/lab_baseline";
constexpr char kLazy[] = "experiments/lab/lab_prelude_lazy";
constexpr char kNone[] = "experiments/lab/lab_prelude_none";

Record Boot(const char* lab, const std::string& program) {
  return RunForRecord("boot --program=" + program, "", lab);
}

double Figure(const Record& record, const char* name) { return MetricOf(record, name); }

// What ruby has without RubyGems, with it, and when it comes.
TEST(BootTest, RubyGemsComesAtThePreludesTime) {
  const Record with = Boot(kEager, "exit");
  const Record without = Boot(kNone, "exit");
  EXPECT_GT(Figure(with, "slots_in_use"), 2 * Figure(without, "slots_in_use"));
  EXPECT_GT(Figure(with, "features"), Figure(without, "features"));
  EXPECT_GT(Figure(with, "malloc_calls"), Figure(without, "malloc_calls"));
  for (const char* figure : {"slots_in_use", "features", "symbols", "frozen_strings"}) {
    EXPECT_EQ(Figure(Boot(kLazy, "exit"), figure), Figure(without, figure)) << figure;
    for (const char* program : {"mention", "require"}) {
      EXPECT_EQ(Figure(Boot(kLazy, program), figure), Figure(with, figure)) << figure;
      EXPECT_EQ(Figure(Boot(kEager, program), figure), Figure(with, figure)) << figure;
      EXPECT_EQ(Figure(Boot(kNone, program), figure), Figure(without, figure)) << figure;
    }
  }
}

// Each collection marks what RubyGems brought, where there are no generations.
TEST(BootTest, ACollectionOfTheTempfileLoopMarksWhatWasBooted) {
  const auto marked = [](const char* lab, const std::string& arguments) {
    const Record record = RunForRecord("gc_tempfile --reads=2000 " + arguments, "", lab);
    EXPECT_GT(Figure(record, "gc_count"), 5);
    return Figure(record, "gc_marked_slots") / Figure(record, "gc_count");
  };
  const double with = marked(kEager, "");
  const double without = marked(kNone, "");
  EXPECT_GT(with, 2 * without);
  EXPECT_EQ(marked(kLazy, ""), without);
  EXPECT_LT(marked(kEager, "--boot=false"), without);
}

}  // namespace
}  // namespace rubric
