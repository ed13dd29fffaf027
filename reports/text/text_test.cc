#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "reports/comparison/comparison.h"
#include "reports/results/json_text.h"
#include "reports/results/record_builder.h"
#include "reports/text/escape.h"
#include "reports/text/format.h"
#include "reports/text/markdown_report.h"
#include "reports/text/samples_csv.h"
#include "reports/text/text_table.h"
#include "reports/text/verdict.h"
#include "reports/text/verdict_table.h"

namespace rubric {
namespace {

TEST(HtmlTextTest, LeavesNothingThatIsMarkup) {
  EXPECT_EQ(HtmlText("<b a='1' c=\"2\">&</b>"),
            "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;&lt;/b&gt;");
  EXPECT_EQ(HtmlText(std::string("a\0b\x1B", 4)), "a?b?");
  EXPECT_EQ(HtmlText("\xFF"), "\xEF\xBF\xBD");
}

TEST(MarkdownTest, LeavesNothingThatIsMarkup) {
  EXPECT_EQ(MarkdownText("a|b"), "a\\|b");
  EXPECT_EQ(MarkdownText("*x* _y_ `z` [l](u) <b>"), "\\*x\\* \\_y\\_ \\`z\\` \\[l\\](u) \\<b\\>");
  EXPECT_EQ(MarkdownText("# a\n- b"), "\\# a - b");
  EXPECT_EQ(MarkdownText("4 - 3 = 1"), "4 - 3 = 1");
  EXPECT_EQ(MarkdownCode("a=b"), "`a=b`");
  EXPECT_EQ(MarkdownCode("a|b\nc"), "`a\\|b c`");
  EXPECT_EQ(MarkdownCode("a``b"), "```a``b```");
  EXPECT_EQ(MarkdownCode("`"), "`` ` ``");
  EXPECT_EQ(MarkdownCode(""), "` `");
  EXPECT_EQ(MarkdownCode("a\\|b"), "a\\\\\\|b");  // a span would be read in two ways
}

TEST(CsvFieldTest, QuotesAndDefusesFormulas) {
  EXPECT_EQ(CsvField("plain"), "plain");
  EXPECT_EQ(CsvField("a,b"), "\"a,b\"");
  EXPECT_EQ(CsvField("a\"b\n"), "\"a\"\"b\n\"");
  EXPECT_EQ(CsvField("=1+1"), "'=1+1");
  EXPECT_EQ(CsvField("@SUM(A1,B1)"), "\"'@SUM(A1,B1)\"");
  EXPECT_EQ(CsvField("-x"), "'-x");
  EXPECT_EQ(CsvField("\t=x"), "'\t=x");
  EXPECT_EQ(CsvField(std::string("a\0b", 3)), "ab");
  EXPECT_EQ(CsvField("\x1B[31m\xC2\x9B"
                     "1m"),
            "?[31m?1m");
}

TEST(TerminalTextTest, HasNoEscapeSequences) {
  EXPECT_EQ(TerminalText("\x1B[31mred\x07\n"), "?[31mred??");
  EXPECT_EQ(TerminalText("a\xC2\x9B"
                         "31mb"),
            "a?31mb");  // the one-character form of ESC [
  EXPECT_EQ(TerminalText("übermäßig 語"), "übermäßig 語");
}

// No bytes whatever get out of the place they are put in.
TEST(EscapeTest, HoldsForRandomBytes) {
  std::mt19937_64 random(14460);
  constexpr std::string_view kHostile =
      "<>&\"'`|\\\n\r\t=,;*_[](){}#+-.!~$@:/ aZ0\x1B\x9B\xC2\xE2\x80\xA8";
  for (int step = 0; step < 20'000; ++step) {
    std::string text(random() % 12, '\0');
    for (char& c : text) c = kHostile[random() % kHostile.size()];
    ASSERT_EQ(HtmlText(text).find_first_of("<>\"'"), std::string::npos);
    for (const std::string& line : {MarkdownText(text), MarkdownCode(text), TerminalText(text)}) {
      ASSERT_EQ(line.find_first_of("\n\r\x1B"), std::string::npos);
      ASSERT_EQ(ValidUtf8(line), line);
    }
    for (const std::string& cell : {MarkdownText(text), MarkdownCode(text)}) {
      // Every pipe has an odd number of backslashes before it, so a table cell never ends in it.
      for (std::size_t at = cell.find('|'); at != std::string::npos; at = cell.find('|', at + 1)) {
        std::size_t slashes = 0;
        while (slashes < at && cell[at - 1 - slashes] == '\\') ++slashes;
        ASSERT_EQ(slashes % 2, 1u) << cell;
      }
    }
    const std::string field = CsvField(text);
    const char first = field.empty() ? 'x' : field[field[0] == '"' ? 1 : 0];
    ASSERT_EQ(std::string_view("=+-@\t\r\n").find(first), std::string_view::npos) << field;
    if (field.find_first_of(",\n\r\"") != std::string::npos) {
      ASSERT_TRUE(field.size() >= 2 && field.front() == '"' && field.back() == '"') << field;
    }
  }
}

TEST(FormatTest, WritesFiguresAsPeopleReadThem) {
  EXPECT_EQ(Grouped(0), "0");
  EXPECT_EQ(Grouped(310022), "310,022");
  EXPECT_EQ(Grouped(-1234567), "-1,234,567");
  EXPECT_EQ(Grouped(1234.5), "1,234.5");
  EXPECT_EQ(Figure(1023, "bytes"), "1,023 B");
  EXPECT_EQ(Figure(1024, "bytes"), "1.00 KiB");
  EXPECT_EQ(Figure(1024 * 1024 - 1, "bytes"), "1.00 MiB");
  EXPECT_EQ(Figure(-2048, "bytes"), "-2.00 KiB");
  EXPECT_EQ(Figure(19289568, "bytes"), "18.4 MiB");
  EXPECT_EQ(Figure(1.5, "s"), "1.50 s");
  EXPECT_EQ(Figure(0.0412, "s"), "41.2 ms");
  EXPECT_EQ(Figure(0.9999, "s"), "1.00 s");
  EXPECT_EQ(Figure(12e-6, "s"), "12.0 µs");
  EXPECT_EQ(Figure(0, "s"), "0.00 ns");
  EXPECT_EQ(Figure(20014, "calls"), "20,014");
}

TEST(FormatTest, NeverHidesADifferenceByRounding) {
  EXPECT_EQ(RatioText({1, {}, true}), "=");
  EXPECT_EQ(RatioText({1, {}, false}), "1.000");
  EXPECT_EQ(RatioText({0.912345, {}, true}), "0.912");
  EXPECT_EQ(RatioText({1.0000123, {}, true}), "1.00001");
  EXPECT_EQ(RatioText({0.9999999999999, {}, true}), "just below 1");
  EXPECT_EQ(RatioText({12.34, {}, true}), "12.3");
  EXPECT_EQ(RatioWithInterval({0.981, Interval{0.97, 0.9934}, false}), "0.981 [0.970, 0.993]");
  EXPECT_EQ(ChangeText(1), "±0 %");
  EXPECT_EQ(ChangeText(0.912), "−8.8 %");
  EXPECT_EQ(ChangeText(1.0004), "+0.04 %");
  EXPECT_EQ(ChangeText(1.0000004), "+0.00004 %");
  EXPECT_EQ(ChangeText(3.4), "+240 %");
  EXPECT_EQ(ChangeText(0.0001), "−99.99 %");
  EXPECT_EQ(ChangeText(0), "−100 %");
}

TEST(FormatTest, ShowsBothFiguresWhereThereIsNoRatio) {
  const double infinite = std::numeric_limits<double>::infinity();
  const Ratio exact{infinite, {}, true, FigurePair{0, 2048, "bytes"}};
  EXPECT_EQ(RatioText(exact), "0 B → 2.00 KiB");
  EXPECT_EQ(RatioWithInterval(exact), "0 B → 2.00 KiB");
  EXPECT_EQ(ChangeText(exact), "0 B → 2.00 KiB");
  EXPECT_EQ(ChangeText(Ratio{0.912, {}, true}), "−8.8 %");
  const Ratio unsure{infinite, Interval{1, infinite}, false, FigurePair{0, 0.25, "s"}};
  EXPECT_EQ(RatioWithInterval(unsure), "0.00 ns → 250 ms (not sure)");
  EXPECT_EQ(SpreadText(Summarize({0.5})), "–");
  EXPECT_EQ(SpreadText(Summarize({0.5, 0.5})), "± 0.0 %");
}

TEST(TextTableTest, AlignsByCodePoints) {
  TextTable table({"name", "µs"});
  table.Row({"ü", "1,000"});
  table.Row({"longer"});
  EXPECT_EQ(table.ToTerminal("  "), "  name       µs\n  ü       1,000\n  longer\n");
  EXPECT_EQ(table.ToMarkdown(), "| name | µs |\n|---|---:|\n| ü | 1,000 |\n| longer |  |\n");
  EXPECT_EQ(Wrapped("aa bb cc", 5, "  "), "aa bb\n  cc");
  EXPECT_EQ(Wrapped("", 5, ""), "");
}

// One row a cell: baseline, a control, and a variant with the given factors. Five processes each.
struct Effect {
  double peak;
  double calls;
  double time;
};

Comparison Compared(const std::vector<Effect>& effects, double control_time = 1,
                    bool control = true) {
  Results results;
  int index = 0;
  for (const Effect& effect : effects) {
    const std::string experiment = "cell" + std::to_string(index++);
    for (const char* variant : {"baseline", "interning=khash", "control"}) {
      const std::string name = variant;
      if (name == "control" && !control) continue;
      for (int round = 0; round < 5; ++round) {
        Record record = MakeRecord(experiment, name, round);
        record.cell = experiment;
        const Effect factor =
            name == "interning=khash" ? effect : Effect{1, 1, name == "control" ? control_time : 1};
        SetMetric(record, "peak_bytes", 1000 * factor.peak);
        SetMetric(record, "malloc_calls", 500 * factor.calls);
        SetMetric(record, "cpu_s", 0.1 * factor.time * (1 + 0.001 * ((round * 2) % 5)));
        results.records.push_back({record, "r.jsonl", 1});
      }
    }
  }
  const auto comparison = Compare(results, {});
  EXPECT_TRUE(comparison.ok()) << comparison.status();
  return *comparison;
}

std::string All(const Comparison& comparison) {
  const Verdict verdict = MakeVerdict(comparison);
  std::string out;
  for (const Award& award : verdict.awards) out += PlainText(Announce(comparison, award)) + "\n";
  for (const Sentence& sentence : verdict.variants) out += PlainText(sentence) + "\n";
  for (const Sentence& sentence : verdict.caveats) out += PlainText(sentence) + "\n";
  return out;
}

TEST(VerdictTest, SaysWhatWinsByHowMuchAndAtWhatCost) {
  const std::string text = All(Compared({{0.5, 1, 1.2}, {1, 1, 1}}));
  EXPECT_NE(text.find("Least memory: interning=khash, −29.3 % peak bytes on the geometric mean of "
                      "2 of 2 cells; "
                      "−50.0 % in cell0 at its best. At its worst: CPU time +20.0 % in cell0."),
            std::string::npos)
      << text;
  EXPECT_NE(
      text.find("Fewest malloc calls: no variant beats the baseline baseline in malloc calls."),
      std::string::npos);
  EXPECT_NE(text.find("Fastest: no variant beats"), std::string::npos);
  EXPECT_NE(
      text.find(
          "interning=khash: peak bytes −50.0 % in cell0 (differs in 1 of 2); CPU time +20.0 % in "
          "cell0 (differs in 1 of 2)."),
      std::string::npos)
      << text;
}

// The two variants' calls in one cell, or in two; all else is equal.
Comparison ComparedCalls(const std::vector<std::pair<double, double>>& calls) {
  Comparison comparison = Compared(std::vector<Effect>(calls.size(), Effect{1, 1, 1}));
  for (std::size_t row = 0; row < calls.size(); ++row) {
    for (std::size_t v = 0; v < comparison.variants.size(); ++v) {
      const bool khash = comparison.variants[v].name == "interning=khash";
      for (auto& [name, figure] : comparison.rows[row].cells[v].exact) {
        if (name == "malloc_calls") figure.value = khash ? calls[row].second : calls[row].first;
      }
    }
  }
  return comparison;
}

TEST(VerdictTest, AStepFromNothingIsACost) {
  const Comparison comparison = ComparedCalls({{0, 10}});
  const std::string text = All(comparison);
  EXPECT_NE(text.find("interning=khash: malloc calls 0 → 10 in cell0 (differs in 1 of 1)."),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("No experiment shows a cost"), std::string::npos) << text;
  std::ostringstream terminal;
  PrintVerdict(terminal, comparison);
  EXPECT_NE(terminal.str().find("0 → 10"), std::string::npos) << terminal.str();
  EXPECT_EQ(terminal.str().find("no difference: interning=khash"), std::string::npos);
  EXPECT_NE(MarkdownReport(comparison).find("| 10 (0 → 10) |"), std::string::npos);
  // Beside a win elsewhere it is what the win costs; the longer step is the worse.
  Comparison mixed = ComparedCalls({{0, 10}, {0, 20}, {100, 150}});
  for (Row& row : mixed.rows) {
    for (auto& [name, figure] : row.cells[2].exact) figure.value *= name == "peak_bytes" ? 0.5 : 1;
    for (auto& [name, figure] : row.cells[1].exact) figure.value *= name == "peak_bytes" ? 0.5 : 1;
  }
  EXPECT_NE(All(mixed).find("malloc calls 0 → 20 in cell1"), std::string::npos) << All(mixed);
}

TEST(VerdictTest, AStepToNothingIsAWin) {
  const std::string text = All(ComparedCalls({{10, 0}, {7, 7}}));
  EXPECT_NE(text.find("Fewest malloc calls: interning=khash, less malloc calls in 1 of 2 cells and "
                      "more in none; no mean shows it, as a figure is not above 0; 10 → 0 in cell0 "
                      "at its best. No experiment shows a cost in peak bytes or CPU time."),
            std::string::npos)
      << text;
  EXPECT_NE(All(ComparedCalls({{-10, -30}})).find("-10 → -30 in cell0 at its best"),
            std::string::npos);
  // A gain in one cell for a loss in another is none.
  EXPECT_NE(All(ComparedCalls({{10, 0}, {0, 10}})).find("Fewest malloc calls: no variant beats"),
            std::string::npos);
}

// Nothing measured, nothing claimed.
TEST(VerdictTest, SaysThatItCannotBeSaid) {
  Comparison comparison = Compared({{1, 1, 1}, {1, 1, 1}});
  for (Row& row : comparison.rows) {
    for (Cell& cell : row.cells) {
      cell = Cell{};
      cell.state = CellState::kFailed;
    }
  }
  const std::string text = All(comparison);
  for (const char* title : {"Least memory", "Fewest malloc calls", "Fastest"}) {
    EXPECT_NE(text.find(std::string(title) + ": cannot be said"), std::string::npos) << text;
  }
  EXPECT_EQ(text.find("no variant beats"), std::string::npos) << text;
  EXPECT_EQ(text.find("0 of 0"), std::string::npos) << text;
  EXPECT_NE(text.find("shows nothing: in no cell are there CPU time figures of both"),
            std::string::npos)
      << text;
  // One of two cells: what is said is said of that one.
  Comparison half = Compared({{1, 1, 1}, {1, 1, 1}});
  half.rows[0].cells[2] = half.rows[0].cells[1] = Cell{};
  EXPECT_NE(All(half).find("in malloc calls; but of one there are figures in 1 of 2 cells only."),
            std::string::npos)
      << All(half);
  // A win in memory says nothing of times that nobody took.
  Comparison untimed = Compared({{0.5, 1, 1}});
  for (Cell& cell : untimed.rows[0].cells) cell.noisy.clear();
  EXPECT_NE(All(untimed).find("No experiment shows a cost in malloc calls."), std::string::npos)
      << All(untimed);
}

TEST(VerdictTest, SaysThatAWinIsFree) {
  EXPECT_NE(
      All(Compared({{0.5, 1, 1}})).find("No experiment shows a cost in malloc calls or CPU time."),
      std::string::npos);
}

TEST(VerdictTest, NothingIsFasterThanChanceMakesTheControl) {
  // One real gain of 10 % in two cells; the control's mean is off by as much.
  EXPECT_NE(All(Compared({{1, 1, 0.9}, {1, 1, 1}}, 1.06)).find("Fastest: no variant beats"),
            std::string::npos);
  EXPECT_NE(All(Compared({{1, 1, 0.8}, {1, 1, 1}}, 1.0003)).find("Fastest: interning=khash"),
            std::string::npos);
}

TEST(VerdictTest, DoesNotBelieveATimeThatTheControlShowsToo) {
  const Comparison comparison = Compared({{1, 1, 0.8}}, /*control_time=*/0.9);
  const auto ratio = RatioToBaseline(comparison, 0, 2, "cpu_s");
  const auto own = RatioToBaseline(comparison, 0, 1, "cpu_s");
  ASSERT_TRUE(own->is_difference());
  EXPECT_FALSE(IsNoteworthy(comparison, 0, *own, "cpu_s"));
  EXPECT_TRUE(ratio->is_difference());
  const std::string text = All(comparison);
  EXPECT_NE(text.find("interning=khash: no difference that these figures can show, in 1 cell."),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("in 1 of 1 cells its interval excludes 1"), std::string::npos) << text;
}

TEST(VerdictTest, AChunkThatLiesDifferentlyIsNoEffect) {
  const Comparison comparison = Compared({{1.0009, 1, 1}, {1.0011, 1, 1}});
  EXPECT_NE(
      All(comparison).find("interning=khash: peak bytes +0.1 % in cell1 (differs in 1 of 2)."),
      std::string::npos)
      << All(comparison);
}

TEST(VerdictTest, SaysWhatIsNotThere) {
  const std::string text = All(Compared({{1, 1, 1}}, 1, /*control=*/false));
  EXPECT_NE(text.find("There is no A/A control"), std::string::npos);
  Results results;
  results.records.push_back({MakeRecord("a"), "r.jsonl", 1});
  const auto alone = Compare(results, {});
  ASSERT_TRUE(alone.ok());
  EXPECT_NE(All(*alone).find("one variant only, baseline: there is nothing to compare"),
            std::string::npos);
}

Comparison Hostile() {
  const std::string evil = "</script><img src=x onerror=alert(1)>|`\"'\n=cmd()\x1B[31m\xFF";
  Results results;
  for (const std::string& variant : {std::string("baseline"), evil}) {
    for (int round = 0; round < 5; ++round) {
      Record record = MakeRecord(evil, variant, round);
      record.cell = evil;
      record.params = {{evil, evil}};
      record.variant = {{evil, variant}};
      record.build.compiler = evil;
      record.build.commit = evil;
      record.machine.cpu = evil;
      record.metrics.emplace_back(evil, Metric{1, evil, true});
      record.subsystems = {{evil, SubsystemUse{1, 1, 1, 1, 1, 1}}};
      results.records.push_back({record, evil, 1});
    }
  }
  Record failed = MakeRecord("failing", evil);
  failed.build.compiler = evil;
  Fail(failed, RecordStatus::kFailed, evil);
  results.records.push_back({failed, evil, 2});
  results.files = {evil};
  const auto comparison = Compare(results, {});
  EXPECT_TRUE(comparison.ok()) << comparison.status();
  return *comparison;
}

TEST(HostileNamesTest, StayInTheirPlaces) {
  const Comparison comparison = Hostile();
  std::ostringstream terminal;
  PrintVerdict(terminal, comparison);
  EXPECT_EQ(terminal.str().find('\x1B'), std::string::npos);

  // Every table row of the Markdown has the columns of its header.
  std::istringstream markdown(MarkdownReport(comparison));
  std::string line;
  std::size_t columns = 0;
  std::size_t rows = 0;
  while (std::getline(markdown, line)) {
    if (line.empty() || line[0] != '|') {
      columns = 0;
      continue;
    }
    std::size_t pipes = 0;
    for (std::size_t i = 0; i < line.size(); ++i)
      pipes += line[i] == '|' && (i == 0 || line[i - 1] != '\\');
    if (columns == 0) columns = pipes;
    EXPECT_EQ(pipes, columns) << line;
    ++rows;
  }
  EXPECT_GT(rows, 10u);
  EXPECT_EQ(MarkdownReport(comparison).find("\n<img"), std::string::npos);
  EXPECT_EQ(ValidUtf8(MarkdownReport(comparison)), MarkdownReport(comparison));
}

TEST(SamplesCsvTest, HasARowASample) {
  const std::string csv = SamplesCsv(Compared({{0.5, 1, 1}}));
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "experiment,params,variant,pass,round,metric,value,unit,exact");
  std::getline(lines, line);
  EXPECT_EQ(line, "cell0,count=10,baseline,time,0,malloc_calls,500,calls,true");
  std::size_t rows = 1;
  while (std::getline(lines, line)) ++rows;
  EXPECT_EQ(rows, 3u * 5 * 3);  // variants, processes, metrics
}

TEST(PrintVerdictTest, ShowsRatiosAndStates) {
  std::ostringstream out;
  PrintVerdict(out, Compared({{0.5, 1, 1}, {1, 1, 1}}));
  const std::string text = out.str();
  EXPECT_NE(text.find("geometric mean of ratios to baseline"), std::string::npos);
  EXPECT_NE(text.find("control (A/A control)"), std::string::npos);
  EXPECT_NE(text.find("2 of 2"), std::string::npos);
  EXPECT_NE(text.find("no difference: interning=khash, control (A/A control)"), std::string::npos)
      << text;
  std::ostringstream hostile;
  PrintVerdict(hostile, Hostile());
  EXPECT_NE(hostile.str().find("Left out"), std::string::npos);
  EXPECT_NE(hostile.str().find("failed: "), std::string::npos);
}

TEST(MarkdownReportTest, SaysWhatWasLeftOutAndWhereItCameFrom) {
  const std::string text = MarkdownReport(Hostile());
  for (const char* part :
       {"## Verdict", "## Left out", "## Environment", "- machine: ", "- read: "}) {
    EXPECT_NE(text.find(part), std::string::npos) << part;
  }
}

}  // namespace
}  // namespace rubric
