#include "experiments/workload/describe.h"

#include <string>

#include "experiments/workload/testing/workload_writer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace rubric {
namespace {

using ::testing::HasSubstr;

TEST(DistributionTest, BucketsArePowersOfTwo) {
  Distribution sizes;
  for (const std::uint64_t size : {0u, 1u, 2u, 3u, 4u, 7u, 8u}) sizes.Add(size);
  sizes.Add(UINT64_MAX / 4, 2);
  EXPECT_EQ(sizes.count(), 9u);
  EXPECT_EQ(sizes.max(), UINT64_MAX / 4);
  for (const auto& [bucket, n] : {std::pair{0, 1u}, {1, 1u}, {2, 2u}, {3, 2u}, {4, 1u}, {62, 2u}}) {
    EXPECT_EQ(sizes.in_bucket(static_cast<std::size_t>(bucket)), n) << bucket;
  }
  EXPECT_EQ(Distribution::FirstOf(3), 4u);
  EXPECT_EQ(Distribution::LastOf(3), 7u);
  EXPECT_EQ(Distribution::LastOf(64), UINT64_MAX);
}

TEST(DescribeTest, CountsWhatIsThere) {
  WorkloadWriter writer;
  writer.Line(R"({"op":"strings","list":[23,"/lib/a.rb","/lib/b.rb"]})")
      .Line(R"({"op":"require","name":"a","how":"require","feature":1,"result":"new"})")
      .Line(R"({"op":"code","file":1,"iseqs":[["t",-1,0,9,2,[2,3,2],[[5,"i5"],[200,"i200"]],[]]]})")
      .Line(R"({"op":"require","name":"b","how":"autoload","feature":2,"result":"new"})")
      .Line(R"({"op":"required","result":"raised"})")
      .Line(R"({"op":"required","result":"loaded"})")
      .Line(R"({"op":"evaluated","literals":[[0,7,0],[1,3,1]]})")
      .Line(MarkLine("e\\u001bxit", "\"T_STRING\":5", 1, 1, 3));
  const std::string bytes = writer.Finish();
  const auto description = DescribeWorkload(WorkloadSource::Memory("w", bytes));
  ASSERT_TRUE(description.ok()) << description.status().ToString();
  const nlohmann::json json = nlohmann::json::parse(JsonOf(*description));
  const nlohmann::json& counts = json["counts"];
  EXPECT_EQ(counts["strings"], 3);
  EXPECT_EQ(counts["strings_withheld"], 1);
  EXPECT_EQ(counts["requires.new"], 2);
  EXPECT_EQ(counts["requires_by.autoload"], 1);
  EXPECT_EQ(counts["requires_raised"], 1);
  EXPECT_EQ(counts["names.symbols"], 2);
  EXPECT_EQ(counts["names.fstrings"], 1);
  EXPECT_EQ(counts["literals"], 2);
  EXPECT_EQ(counts["literals_evaluated.counted"], 7);
  EXPECT_EQ(counts["literals_evaluated.estimated"], 3);
  EXPECT_EQ(json["distributions"]["require_depth"]["max"], 2);
  EXPECT_EQ(json["distributions"]["literal_length"]["total"], 205);
  EXPECT_EQ(json["marks"][0]["figures"]["live.T_STRING"], 5);
  const std::string text = TextOf(*description);
  EXPECT_THAT(text, HasSubstr("contents withheld"));
  EXPECT_THAT(text, HasSubstr("128-255  1"));
  EXPECT_THAT(text, HasSubstr("mark e?xit"));
}

TEST(DescribeTest, BadInputIsAnError) {
  EXPECT_FALSE(DescribeWorkload(WorkloadSource::Memory("w", "nothing")).ok());
  EXPECT_FALSE(DescribeWorkload(WorkloadSource::File("/no/such")).ok());
}

}  // namespace
}  // namespace rubric
