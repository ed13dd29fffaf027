#include "experiments/workload/reader.h"

#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "experiments/workload/testing/workload_writer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/results/concat.h"

namespace rubric {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Reads all; the error's message, or "" and the number of events in *events.
std::string Read(const std::string& bytes, std::uint64_t* events = nullptr) {
  std::uint64_t count = 0;
  auto reader = WorkloadReader::Open(WorkloadSource::Memory("w.gz", bytes));
  if (!reader.ok()) return std::string(reader.status().message());
  while (true) {
    const auto event = reader->Next();
    if (!event.ok()) return std::string(event.status().message());
    if (!event->has_value()) break;
    ++count;
  }
  if (events != nullptr) *events = count;
  return "";
}

// The error of a workload whose third line is `line`; the second defines three strings.
std::string ErrorOf(const std::string& line) {
  WorkloadWriter writer;
  writer.Line(R"({"op":"strings","list":["/lib/a.rb",7,[5,"a"]]})").Line(line);
  return Read(writer.Finish());
}

TEST(WorkloadReaderTest, GivesWhatTheFormatSays) {
  WorkloadWriter writer;
  writer
      .Line(
          R"({"op":"strings","list":[23,[5,"a"],"/lib/a.rb",["x/yz","a"],{"hex":"c3ff","enc":"b"}]})")
      .Line(R"({"op":"load_path","folders":[2]})")
      .Line(R"({"op":"require","name":"a","how":"require","feature":2,"result":"new","more":[]})")
      .Line(
          R"({"op":"code","file":2,"iseqs":[["t",-1,0,9,2,[2,3,2],[[5,"i4y1"]],[]],["m",0,1,7,1,[],[],[3,1]]]})")
      .Line(R"({"op":"required","result":"raised"})")
      .Line(R"({"op":"evaluated","literals":[[0,7,1]]})");
  const std::string bytes = writer.Finish();
  auto reader = WorkloadReader::Open(WorkloadSource::Memory("w.gz", bytes));
  ASSERT_TRUE(reader.ok());
  EXPECT_EQ(reader->header().ruby, "3.1.2");
  EXPECT_FALSE(reader->header().text);
  const auto next = [&] { return **reader->Next(); };

  EXPECT_EQ(std::get<const StringsEvent*>(next())->count, 5u);
  std::string buffer;
  const StringTable& strings = reader->strings();
  EXPECT_EQ(strings.Length(0), 23u);
  EXPECT_EQ(strings.Bytes(0, buffer).size(), 23u);
  EXPECT_EQ(strings.Bytes(0, buffer)[0], '\x01');
  EXPECT_EQ(strings.encoding(1), WorkloadEncoding::kUsAscii);
  EXPECT_EQ(strings.Bytes(2, buffer), "/lib/a.rb");
  EXPECT_EQ(strings.Bytes(4, buffer), "\xc3\xff");
  EXPECT_EQ(strings.encoding(4), WorkloadEncoding::kBinary);

  EXPECT_EQ(std::get<const LoadPathEvent*>(next())->folders, std::vector<StringId>{2});
  const auto* require = std::get<const RequireEvent*>(next());
  EXPECT_EQ(require->name, "a");
  EXPECT_EQ(require->feature, 2u);
  EXPECT_EQ(require->outcome, RequireOutcome::kNew);
  const auto* code = std::get<const CodeEvent*>(next());
  ASSERT_EQ(code->iseqs.size(), 2u);
  EXPECT_EQ(code->iseqs[1].kind, IseqKind::kMethod);
  EXPECT_EQ(code->iseqs[1].parent, 0);
  EXPECT_EQ(code->iseqs[1].ivars.size(), 2u);
  ASSERT_EQ(code->names.size(), 3u);
  EXPECT_TRUE(code->names[0].is_symbol);
  EXPECT_FALSE(code->names[1].is_symbol);
  EXPECT_EQ(code->names[1].string, 1u);
  ASSERT_EQ(code->literals.size(), 1u);
  EXPECT_EQ(code->literals[0].length, 5u);
  EXPECT_EQ(code->runs[1].kind, 'y');
  EXPECT_TRUE(std::get<const RequiredEvent*>(next())->raised);
  const auto* evaluated = std::get<const EvaluatedEvent*>(next());
  EXPECT_EQ(evaluated->literals[0].times, 7u);
  EXPECT_TRUE(evaluated->literals[0].estimated);
  EXPECT_FALSE(reader->Next()->has_value());
}

TEST(WorkloadReaderTest, EveryMalformedLineIsNamedWithWhatWasExpectedAndFound) {
  const struct {
    const char* line;
    const char* expected;
    const char* found;
  } kCases[] = {
      {R"({"op":"fly"})", "strings, load_path", "'fly'"},
      {R"( {"op":"symbols"})", R"(begins with {"op":")", "found"},
      {R"({"op":"symbols","op":"mark"})", "one \"op\"", "'mark'"},
      {R"({"op":"symbols","list":[0]})", "\"dynamic\"", "none"},
      {R"({"op":"symbols","list":[0],"dynamic":1})", "true or false", "the number 1"},
      {R"({"op":"symbols","list":[3],"dynamic":true})", "one of the 3 strings", "the number 3"},
      {R"({"op":"symbols","list":[-1],"dynamic":true})", "one of the 3 strings", "the number -1"},
      {R"({"op":"symbols","list":[0.5],"dynamic":true})", "one of the 3 strings", "no integer"},
      {R"({"op":"symbols","list":{},"dynamic":true})", "a list", "an object of 0"},
      {R"({"op":"symbols","list":[0})", "expected JSON", "syntax error"},
      {R"({"op":"strings","list":[-1]})", "a length, a text", "the number -1"},
      {R"({"op":"strings","list":[1073741825]})", "0 to 1073741824", "1073741825"},
      {R"({"op":"strings","list":[99999999999999999999]})", "a length", "no integer"},
      {R"({"op":"strings","list":[0,0]})", "fewer strings of that length", "the number 0"},
      {R"({"op":"strings","list":[[3,"x"]]})", "\"u\", \"a\" or \"b\"", "'x'"},
      {R"({"op":"strings","list":[{"hex":"abc"}]})", "hexadecimal", "'abc'"},
      {R"({"op":"strings","list":[{"hex":"ABCD"}]})", "hexadecimal", "'ABCD'"},
      {R"({"op":"require","name":3,"how":"require","result":"old"})", "a text", "the number 3"},
      {R"({"op":"require","name":"a","how":"include","result":"old"})", "require_relative, load or",
       "'include'"},
      {R"({"op":"require","name":"a","how":"require","result":"odd"})", "old, failed", "'odd'"},
      {R"({"op":"require","name":"a","how":"require","result":"new"})", "that of a file", "none"},
      {R"({"op":"require","name":"a","how":"require","feature":9,"result":"old"})",
       "one of the 3 strings", "the number 9"},
      {R"({"op":"require","name":"a","how":"load","result":"old","thread":1000001})",
       "0 to 1000000", "1000001"},
      {R"({"op":"required","result":"loaded"})", "a file being loaded in thread 0",
       "no \"require\""},
      {R"({"op":"require","name":"a","how":"load","feature":0,"result":"new"})",
       "for each \"require\" of the main thread", "1 without one"},
      {R"({"op":"code","file":0,"iseqs":[["t",0,0,1,1,[],[],[]]]})", "an index below its own, 0",
       "the number 0"},
      {R"({"op":"code","file":0,"iseqs":[["t",-2,0,1,1,[],[],[]]]})", "-1, or", "the number -2"},
      {R"({"op":"code","file":0,"iseqs":[["x",-1,0,1,1,[],[],[]]]})", "t, m, b, c, o", "'x'"},
      {R"({"op":"code","file":0,"iseqs":[["t",-1,0,1,1,[],[]]]})", "a list of 8", "a list of 7"},
      {R"({"op":"code","file":0,"iseqs":[["t",-1,0,16777217,1,[],[],[]]]})", "0 to 16777216",
       "16777217"},
      {R"({"op":"code","file":0,"iseqs":[["t",-1,0,1,1,[6],[],[]]]})", "2 x the id", "6"},
      {R"({"op":"code","file":0,"iseqs":[["t",-1,0,1,1,[],[[3,"i2"]],[]]]})", "kinds of 3 elements",
       "'i2'"},
      {R"({"op":"code","file":0,"iseqs":[["t",-1,0,1,1,[],[[3,"i99999999999999999999"]],[]]]})",
       "kinds of 3 elements", "'i999"},
      {R"({"op":"code","file":0,"iseqs":[["t",-1,0,1,1,[],[[3,"q3"]],[]]]})", "ifsynao", "'q3'"},
      {R"({"op":"code","file":0,"iseqs":[["t",-1,0,1,1,[],[[0,"i0"]],[]]]})", "a number from 1",
       "'i0'"},
      {R"({"op":"evaluated","literals":[[0,1,0]]})", "one of the 0 literals", "the number 0"},
      {R"({"op":"allocated","slots":-5})", "from 0", "the number -5"},
      {R"({"op":"allocated","slots":1e3})", "a whole number", "no integer"},
      {R"({"op":"mark","name":"x"})", "\"slots\"", "none"},
      {R"({"op":"mark","name":"","slots":{}})", "1 to 200 bytes", "''"},
      {R"({"op":"mark","name":"x","slots":{"T_BIRD":1}})", "Ruby's names of types", "'T_BIRD'"},
  };
  for (const auto& c : kCases) {
    EXPECT_THAT(ErrorOf(c.line),
                AllOf(HasSubstr("w.gz:"), HasSubstr("expected"), HasSubstr(c.expected),
                      HasSubstr(c.found), HasSubstr("record it again")))
        << c.line;
  }
  // The line number is that of the line, and control characters do not come through.
  EXPECT_THAT(ErrorOf(R"({"op":"fly\u001b[2J"})"),
              AllOf(HasSubstr("w.gz:3:"), HasSubstr("fly?[2J")));
}

TEST(WorkloadReaderTest, ACensusMustNotContradictItself) {
  const auto error = [](const std::string& slots, std::uint64_t fstrings, const std::string& more) {
    return ErrorOf(MarkLine("m", slots, 0, 0, fstrings, more));
  };
  EXPECT_EQ(error("\"T_STRING\":1000", 900, ",\"strings\":[[3,100,0]]"), "");
  EXPECT_THAT(error("\"T_STRING\":1000", 900, ",\"strings\":[[3,500,0]]"),
              AllOf(HasSubstr("at least the 1400 T_STRING"), HasSubstr("found 1000")));
  EXPECT_THAT(error("\"T_ARRAY\":9", 0, ",\"arrays\":[[3,1,2]]"), HasSubstr("shared"));
  EXPECT_THAT(error("\"T_OBJECT\":1", 0, ",\"objects\":[[1,[0],100]]"), HasSubstr("100 T_OBJECT"));
  EXPECT_THAT(error("\"T_FLOAT\":1", 0, ",\"ivars\":[[\"T_FLOAT\",1,[0],1]]"),
              HasSubstr("a type that has ivars"));
  EXPECT_THAT(error("", 0, ",\"gc\":[1,2]"), HasSubstr("a list of 3"));
  EXPECT_THAT(error("", 0, ",\"symbols\":{\"live\":1,\"dynamic\":2}"), HasSubstr("0 to 1"));
}

TEST(WorkloadReaderTest, TheFirstLineSaysTheVersion) {
  const auto read = [](const std::string& first) { return Read(Gzip(first + "\n")); };
  EXPECT_THAT(
      read(R"({"rubric_workload":2,"shape":"new"})"),
      AllOf(HasSubstr("version 2"), HasSubstr("newer recorder"), HasSubstr("reads version 1")));
  EXPECT_THAT(read(R"({"rubric_workload":0})"), HasSubstr("version 0"));
  EXPECT_THAT(read(R"({"rubric_workload":-1})"), HasSubstr("the number -1"));
  EXPECT_THAT(read(R"({"rubric_workload":1})"), HasSubstr("\"ruby\""));
  EXPECT_THAT(read("[1]"), HasSubstr("rubric_workload"));
  EXPECT_THAT(read("hello"), HasSubstr("w.gz:1: expected JSON"));
  EXPECT_THAT(Read(Gzip("")), HasSubstr("empty file"));
}

TEST(WorkloadReaderTest, WhatIsCutOffOrDamagedIsKnownAsSuch) {
  WorkloadWriter writer;
  for (int i = 0; i < 3000; ++i) {
    writer.Line(
        Concat(R"({"op":"strings","list":[)", 10 + i * 7919 % 1000, ",\"text ", i * i, "\"]}"));
  }
  const std::string whole = writer.Finish();
  std::uint64_t events = 0;
  ASSERT_EQ(Read(whole, &events), "");
  EXPECT_EQ(events, 3000u);
  for (std::size_t length = 0; length < whole.size(); length += 1 + length / 7) {
    EXPECT_NE(Read(whole.substr(0, length)), "") << length;
  }
  EXPECT_THAT(Read(whole.substr(0, whole.size() - 1)), HasSubstr("cut off"));
  EXPECT_THAT(Read(Gzip(writer.Plain(false))), AllOf(HasSubstr("w.gz:3002"), HasSubstr("\"end\"")));
  std::string no_feed = writer.Plain();
  no_feed.pop_back();
  EXPECT_THAT(Read(Gzip(no_feed)), HasSubstr("a line feed"));
  EXPECT_THAT(Read(whole + "x"), HasSubstr("more bytes"));
  EXPECT_THAT(Read(whole + whole), HasSubstr("more bytes"));
  EXPECT_THAT(Read(Gzip(writer.Plain() + "{}\n")), HasSubstr("found more lines"));
  EXPECT_THAT(Read("plain text"), HasSubstr("no gzip"));
  EXPECT_THAT(Read(""), HasSubstr("cut off"));

  // One character changed, its length kept.
  std::string changed = writer.Plain();
  changed[changed.find("text 4") + 5] = '5';
  EXPECT_THAT(Read(Gzip(changed)), HasSubstr("checksum"));
  std::string lines = writer.Plain();
  lines.replace(lines.find("\"lines\":3001"), 12, "\"lines\":3002");
  EXPECT_THAT(Read(Gzip(lines)), HasSubstr("\"lines\":3001"));
  std::mt19937 random(1);
  for (int i = 0; i < 100; ++i) {
    std::string damaged = whole;
    damaged[random() % damaged.size()] ^= static_cast<char>(1 + random() % 255);
    if (damaged != whole)
      Read(damaged);  // mostly an error; the gzip header has bytes that may be any
  }
}

TEST(WorkloadReaderTest, BombsAreRefusedBeforeTheyGoOff) {
  WorkloadWriter writer;
  const std::string head = writer.Plain(false);
  EXPECT_THAT(Read(Gzip(head + std::string(GzipLines::kMaxLineBytes + 1, ' '))),
              HasSubstr("w.gz:2: the line is too long"));
  EXPECT_THAT(Read(Gzip(head + std::string(20 << 20, '\n'))), HasSubstr("an empty line"));
  EXPECT_THAT(Read(Gzip(head + R"({"op":"symbols","list":)" + std::string(100'000, '[') + "\n")),
              HasSubstr("levels of nesting"));
}

TEST(WorkloadReaderTest, FilesThatAreNoneAreErrors) {
  const auto open = [](const std::string& path) {
    return std::string(WorkloadReader::Open(WorkloadSource::File(path)).status().message());
  };
  EXPECT_THAT(open("/no/such/workload"), HasSubstr("/no/such/workload: No such file"));
  EXPECT_THAT(open(::testing::TempDir()), HasSubstr("is a folder"));
  const std::string path = ::testing::TempDir() + "/a.workload.gz";
  std::ofstream(path, std::ios::binary) << WorkloadWriter().Finish();
  EXPECT_EQ(open(path), "");
}

TEST(WorkloadReaderTest, LookingForMarksAloneGivesTheSameMarks) {
  WorkloadWriter writer;
  writer.Line(R"({"op":"strings","list":[9,10]})")
      .Line(MarkLine("a", "\"T_ARRAY\":3", 0, 0, 0, ",\"arrays\":[[4,3,1]]"))
      .Line(R"({"op":"symbols","list":[1],"dynamic":false})")
      .Line(R"({"op":"allocated","slots":12})")
      .Line(MarkLine("b", "\"T_OBJECT\":2", 0, 0, 0, ",\"objects\":[[0,[1],2]]"));
  const std::string bytes = writer.Finish();
  auto reader =
      WorkloadReader::Open(WorkloadSource::Memory("w.gz", bytes), WorkloadReader::Mode::kMarksOnly);
  ASSERT_TRUE(reader.ok());
  EXPECT_EQ(std::get<const MarkEvent*>(**reader->Next())->census.arrays[0].shared, 1u);
  EXPECT_EQ(std::get<const AllocatedEvent*>(**reader->Next())->slots, 12u);
  EXPECT_EQ(std::get<const MarkEvent*>(**reader->Next())->name, "b");
  EXPECT_FALSE(reader->Next()->has_value());
}

// Writes a random workload, and reads back what was written.
TEST(WorkloadReaderTest, ReadsBackWhatWasWritten) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    WorkloadWriter writer(round % 2 == 0);
    std::vector<std::uint64_t> lengths, slots;
    std::vector<std::vector<StringId>> symbols;
    for (int i = 0; i < 200; ++i) {
      if (lengths.empty() || random() % 3 == 0) {
        std::string list;
        for (unsigned n = random() % 20; n > 0; --n) {
          lengths.push_back(4 + random() % 300);
          list += Concat(list.empty() ? "" : ",", lengths.back());
        }
        writer.Line(Concat(R"({"op":"strings","list":[)", list, "]}"));
        if (lengths.empty()) continue;
      }
      std::string list;
      symbols.emplace_back();
      for (unsigned n = random() % 5; n > 0 && !lengths.empty(); --n) {
        symbols.back().push_back(static_cast<StringId>(random() % lengths.size()));
        list += Concat(list.empty() ? "" : ",", symbols.back().back());
      }
      writer.Line(Concat(R"({"op":"symbols","list":[)", list, R"(],"dynamic":false})"));
      slots.push_back(random());
      writer.Line(Concat(R"({"op":"allocated","slots":)", slots.back(), "}"));
    }
    const std::string bytes = writer.Finish();
    auto reader = WorkloadReader::Open(WorkloadSource::Memory("w", bytes));
    ASSERT_TRUE(reader.ok());
    std::size_t symbol = 0, slot = 0;
    while (true) {
      const auto event = reader->Next();
      ASSERT_TRUE(event.ok()) << event.status().ToString();
      if (!event->has_value()) break;
      if (const auto* list = std::get_if<const SymbolsEvent*>(&**event)) {
        ASSERT_EQ((*list)->list, symbols[symbol++]);
      } else if (const auto* allocated = std::get_if<const AllocatedEvent*>(&**event)) {
        ASSERT_EQ((*allocated)->slots, slots[slot++]);
      }
    }
    EXPECT_EQ(symbol, symbols.size());
    EXPECT_EQ(slot, slots.size());
    ASSERT_EQ(reader->strings().size(), lengths.size());
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      ASSERT_EQ(reader->strings().Length(static_cast<StringId>(i)), lengths[i]);
    }
  }
}

}  // namespace
}  // namespace rubric
