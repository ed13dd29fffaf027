#include "experiments/claim/live_bytes_graph.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Curves Example() {
  return {{"baseline", {{1, 5, 10}, {100, 300, 200}, 10}}, {"a=<b>", {{1, 4}, {50, 60}, 4}}};
}

TEST(LiveBytesGraph, CsvHasARowACallAndAColumnAVariant) {
  EXPECT_EQ(GraphCsv(Example()), "call,baseline,a=<b>\n1,100,50\n4,,60\n5,300,\n10,200,\n");
  EXPECT_EQ(GraphCsv({}), "call\n");
}

TEST(LiveBytesGraph, SvgDrawsEachCurveWithinThePlot) {
  const std::string svg = GraphSvg("live <bytes>", Example());
  EXPECT_THAT(svg, HasSubstr("live &lt;bytes&gt;"));
  EXPECT_THAT(svg, HasSubstr("a=&lt;b&gt;"));
  EXPECT_THAT(svg, Not(HasSubstr("<b>")));
  // The highest point touches the top edge, the last call the right one.
  EXPECT_THAT(svg, HasSubstr("485,40 880,166.7\""));
}

}  // namespace
}  // namespace rubric
