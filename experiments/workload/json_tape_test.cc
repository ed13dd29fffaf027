#include "experiments/workload/json_tape.h"

#include <random>
#include <string>

#include "gtest/gtest.h"

namespace rubric {
namespace {

TEST(JsonTapeTest, GivesValuesInOrder) {
  JsonTape tape;
  ASSERT_FALSE(tape.Parse(R"({"a":[1,-2,"x"],"b":{"c":[]},"a":7})"));
  const Json root = tape.root();
  EXPECT_EQ(root.size(), 3u);
  EXPECT_EQ(root.Find("a")->number(), 7u);
  EXPECT_EQ(root.Find("b")->Find("c")->size(), 0u);
  EXPECT_FALSE(root.Find("d").has_value());
  const Json list = root.first().next();
  EXPECT_EQ(list.first().next().Describe(), "the number -2");
  EXPECT_EQ(list.first().next().next().text(), "x");
}

// Both parsers give one tape, or one error, on texts near to JSON.
TEST(JsonTapeTest, ThePlainParserAgreesWithTheGeneralOne) {
  const char* const kPieces[] = {"[",
                                 "]",
                                 "{",
                                 "}",
                                 ",",
                                 ":",
                                 "\"a\"",
                                 "1",
                                 "0",
                                 "-1",
                                 "-0",
                                 "01",
                                 "1.5",
                                 "1e3",
                                 "null",
                                 " ",
                                 "true",
                                 "\"\\n\"",
                                 "\"\xc3\xa4\"",
                                 "\"\xff\"",
                                 "\t",
                                 "\"",
                                 "999999999999999999",
                                 "99999999999999999999"};
  std::mt19937 random(5);
  JsonTape tape, general;
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (unsigned n = random() % 12; n > 0; --n) {
      text += kPieces[random() % std::size(kPieces)];
      if (random() % 2 == 0) text += ",";
    }
    if (random() % 2 == 0) text = "[" + text + "]";
    const auto wrong = tape.Parse(text);
    ASSERT_EQ(wrong, general.ParseAny(text)) << text;
    if (!wrong) {
      ASSERT_EQ(tape, general) << text;
    }
  }
  // Well-formed ones, nested and long.
  for (int i = 0; i < 300; ++i) {
    std::string text;
    const auto value = [&](auto& self, int depth) -> void {
      const unsigned kind = depth > 5 ? 2 + random() % 3 : random() % 5;
      if (kind < 2) {
        text += kind == 0 ? '[' : '{';
        for (unsigned n = random() % 5, k = 0; k < n; ++k) {
          if (k > 0) text += ',';
          if (kind == 1) text += "\"k" + std::to_string(k) + "\":";
          self(self, depth + 1);
        }
        text += kind == 0 ? ']' : '}';
      } else if (kind == 2) {
        text += std::to_string(random());
      } else if (kind == 3) {
        text += "-" + std::to_string(1 + random() % 100);
      } else {
        text += "\"text\"";
      }
    };
    value(value, 0);
    ASSERT_FALSE(tape.Parse(text)) << text;
    ASSERT_FALSE(general.ParseAny(text)) << text;
    ASSERT_EQ(tape, general) << text;
  }
}

}  // namespace
}  // namespace rubric
