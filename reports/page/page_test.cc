#include "reports/page/page.h"

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "reports/comparison/comparison.h"
#include "reports/page/chart_data.h"
#include "reports/page/html_writer.h"
#include "reports/page/page_files.h"
#include "reports/page/template.h"
#include "reports/results/record_builder.h"

namespace rubric {
namespace {

constexpr std::string_view kEvil = "</script><script>alert(1)</script><b a=\"'`\">{{title}}|\n";

TEST(HtmlWriterTest, EscapesAndNests) {
  HtmlWriter html;
  html.Open("td", {{"title", "\"<&"}, {"class", ""}}).Text("<i>").Element("b", {}, "&").Close();
  EXPECT_EQ(html.Take(), "<td title=\"&quot;&lt;&amp;\">&lt;i&gt;<b>&amp;</b></td>");
  EXPECT_EQ(html.Take(), "");
  html.Name("a --b=c/d", "=");
  EXPECT_EQ(html.Take(),
            "<code><span class=\"word\">a</span> <span class=\"word\">--b=<wbr>c/d</span></code>");
  html.Name("");
  EXPECT_EQ(html.Take(), "<code></code>");
  html.Name("  x ", "=");
  EXPECT_EQ(html.Take(), "<code>  <span class=\"word\">x</span> </code>");
}

TEST(HtmlWriterDeathTest, RefusesWhatDoesNotNest) {
  EXPECT_DEATH(HtmlWriter().Close(), "");
  EXPECT_DEATH(HtmlWriter().Open("p").Take(), "");
}

TEST(ExpandTemplateTest, FillsPlacesOnce) {
  EXPECT_EQ(ExpandTemplate("<{{a}}|{{b}}|{{a}}>", {{"a", "1"}, {"b", "{{a}}"}}), "<1|{{a}}|1>");
  EXPECT_DEATH(ExpandTemplate("{{a}}", {}), "place \\{\\{a\\}\\} that nothing fills");
  EXPECT_DEATH(ExpandTemplate("", {{"a", "1"}}), "lacks a place");
}

TEST(PageFilesTest, NothingEndsTheElementItIsPutIn) {
  EXPECT_EQ(kECharts.find("</script"), std::string_view::npos);
  EXPECT_EQ(kPageJs.find("</script"), std::string_view::npos);
  EXPECT_EQ(kPageCss.find("</style"), std::string_view::npos);
  EXPECT_GT(kECharts.size(), 500'000u);
}

Comparison Compared(std::string_view variant, std::string_view cell) {
  Results results;
  for (const std::string& name :
       {std::string("baseline"), std::string(variant), std::string("control")}) {
    for (int round = 0; round < 5; ++round) {
      Record record = MakeRecord(std::string(cell), name, round);
      record.cell = cell;
      record.variant = {{"interning", name == "control" ? "baseline" : name}};
      record.params = {{std::string(cell), std::string(cell)}};
      SetMetric(record, "peak_bytes", name == variant ? 100 : 200);
      record.subsystems = {{std::string(cell), SubsystemUse{1, 2, 3, 4, 5, 6}}};
      record.live_bytes = LiveBytesCurve{{1, 2}, {10, name == variant ? 20 : 30}, 2};
      results.records.push_back({record, std::string(cell), round + 1});
    }
  }
  Record failed = MakeRecord("broken", std::string(variant));
  failed.variant = {{"interning", std::string(variant)}};
  Fail(failed, RecordStatus::kWrongResult, std::string(cell));
  results.records.push_back({failed, "r.jsonl", 99});
  const auto comparison = Compare(results, {});
  EXPECT_TRUE(comparison.ok()) << comparison.status();
  return *comparison;
}

TEST(ChartDataTest, SharesEqualCurves) {
  const Comparison comparison = Compared("interning=khash", "require");
  const auto json = nlohmann::json::parse(ChartData(comparison));
  ASSERT_EQ(json["variants"].size(), 3u);
  EXPECT_EQ(json["variants"][2]["control"], true);
  ASSERT_EQ(json["rows"].size(), 2u);
  ASSERT_EQ(json["rows"][0]["curves"].size(), 2u);
  EXPECT_EQ(json["rows"][0]["curves"][0]["variants"], nlohmann::json({0, 2}));
  EXPECT_EQ(json["rows"][0]["curves"][1]["bytes"], nlohmann::json({10, 20}));
  ASSERT_EQ(json["rows"][0]["partings"].size(), 1u);
  EXPECT_EQ(json["rows"][0]["partings"][0]["call"], 2);
  EXPECT_TRUE(json["rows"][1]["curves"].empty());
}

// Tags in order, without text, comments and the contents of script and style.
std::vector<std::string> TagsOf(std::string_view html) {
  std::vector<std::string> tags;
  for (std::size_t at = html.find('<'); at != std::string_view::npos; at = html.find('<', at)) {
    const std::size_t end = html.find('>', at);
    const std::string tag(html.substr(at + 1, end - at - 1));
    const std::string name = tag.substr(0, tag.find_first_of(" /", 1));
    tags.push_back(tag);
    at = end;
    if (name == "script" || name == "style") at = html.find("</" + name, at);
  }
  return tags;
}

TEST(HtmlPageTest, NestsWell) {
  const std::string page = HtmlPage(Compared("interning=khash", "require"));
  const std::set<std::string> kVoid = {"!doctype", "meta", "link", "wbr", "br"};
  std::vector<std::string> open;
  for (const std::string& tag : TagsOf(page)) {
    const std::string name = tag.substr(0, tag.find_first_of(" /", 1));
    if (kVoid.contains(name) || tag.ends_with('/')) continue;
    if (tag[0] == '/') {
      ASSERT_FALSE(open.empty()) << tag;
      ASSERT_EQ("/" + open.back(), tag);
      open.pop_back();
    } else {
      open.push_back(name);
    }
  }
  EXPECT_TRUE(open.empty());
}

// Hostile text changes nothing about the page's structure: the same tags as with harmless text.
TEST(HtmlPageTest, TextIsNeverMarkup) {
  const auto names_of = [](const std::string& page) {
    std::vector<std::string> names;
    for (const std::string& tag : TagsOf(page)) {
      const std::string name = tag.substr(0, tag.find_first_of(" /", 1));
      // Words and break points are as many as the text has.
      if (name != "wbr" && name != "span" && name != "/span") names.push_back(name);
    }
    return names;
  };
  const std::string page = HtmlPage(Compared(kEvil, kEvil));
  EXPECT_EQ(names_of(page), names_of(HtmlPage(Compared("interning=khash", "require"))));
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  // The figures are JSON still.
  const std::size_t begin = page.find("id=\"figures\">") + 13;
  const std::string figures = page.substr(begin, page.find("</script>", begin) - begin);
  EXPECT_EQ(nlohmann::json::parse(figures)["variants"][1]["name"], std::string(kEvil));
}

TEST(HtmlPageTest, SaysWhatWasLeftOut) {
  const std::string page = HtmlPage(Compared("interning=khash", "because of this"));
  EXPECT_NE(page.find("id=\"dropped\""), std::string::npos);
  EXPECT_NE(page.find("because of this (r.jsonl:99)"), std::string::npos);
  EXPECT_NE(page.find("wrong result"), std::string::npos);
}

TEST(HtmlPageTest, LoadsNothing) {
  const std::string page = HtmlPage(Compared("interning=khash", "require"));
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  for (const std::string& tag : TagsOf(page)) {
    for (const char* attribute : {" src=", " srcset=", " action=", "http:", "https:"}) {
      EXPECT_EQ(tag.find(attribute), std::string::npos) << tag;
    }
    const std::size_t href = tag.find("href=\"");
    if (href == std::string::npos) continue;
    EXPECT_TRUE(tag[href + 6] == '#' || tag.substr(href + 6, 5) == "data:") << tag;
  }
}

}  // namespace
}  // namespace rubric
