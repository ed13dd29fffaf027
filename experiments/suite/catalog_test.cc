#include "experiments/suite/catalog.h"

#include <gtest/gtest.h>

#include <string>

#include "absl/status/statusor.h"
#include "experiments/suite/testing/sample_plan.h"

namespace rubric {
namespace {

TEST(CatalogTest, ReadsWhatAProgramLists) {
  const Catalog catalog = SampleCatalog();
  EXPECT_EQ(catalog.variant_name, "interning=khash");
  EXPECT_EQ(catalog.variant, (Choices{{"interning", "khash"}, {"ivars", "hash"}}));
  ASSERT_EQ(catalog.experiments.size(), 2u);
  const ExperimentInfo& intern = catalog.experiments[1];
  ASSERT_EQ(intern.params.size(), 3u);
  EXPECT_EQ(intern.params[0].type, ParamType::kChoice);
  EXPECT_EQ(intern.params[0].default_value, ParamValue(std::string("hit")));
  EXPECT_EQ(intern.params[1].default_value, ParamValue(true));
  EXPECT_EQ(intern.params[2].default_value, ParamValue(0.5));
  EXPECT_EQ(intern.params[2].min, 0.0);
  EXPECT_EQ(intern.params[2].max, std::nullopt);
  EXPECT_EQ(catalog.experiments[0].params[0].unit, "features");
}

TEST(CatalogTest, RefusesWhatIsNoList) {
  EXPECT_FALSE(ParseCatalog("").ok());
  EXPECT_FALSE(ParseCatalog("[]").ok());
  EXPECT_FALSE(ParseCatalog(R"({"variant": {}, "variant_name": "x"})").ok());
  const auto with_param = [](const std::string& param) {
    return ParseCatalog(R"({"variant": {}, "variant_name": "x", "experiments":
        [{"name": "e", "params": [)" +
                        param + "]}]}")
        .status();
  };
  EXPECT_TRUE(with_param(R"({"name": "p", "type": "int", "default": 1})").ok());
  EXPECT_EQ(with_param(R"({"name": "p", "type": "int"})").message(),
            "experiments[0].params[0].default: missing");
  EXPECT_FALSE(with_param(R"({"name": "p", "type": "colour", "default": 1})").ok());
  EXPECT_FALSE(with_param(R"({"name": "p", "type": "int", "default": 1, "max": 0})").ok());
  EXPECT_FALSE(
      with_param(R"({"name": "p", "type": "choice", "default": "a", "choices": ["b"]})").ok());
}

TEST(CatalogTest, ReadsTheBuildThatAProgramTells) {
  const absl::StatusOr<VariantSelf> self = ParseVariantSelf(
      R"({"variant": {}, "build": {"mode": "dbg", "sanitizer": "asan"}, "machine": {"cores": 2}})");
  ASSERT_TRUE(self.ok());
  EXPECT_EQ(self->build.mode, "dbg");
  EXPECT_EQ(self->build.sanitizer, "asan");
  EXPECT_EQ(self->build.compiler, "");
  EXPECT_EQ(self->machine.cores, 2);
  EXPECT_TRUE(ParseVariantSelf("{}").ok());
  EXPECT_FALSE(ParseVariantSelf("no").ok());
}

TEST(CatalogTest, PutsChosenValuesOverTheDefaults) {
  const Catalog catalog = SampleCatalog();
  const absl::StatusOr<Params> params =
      FullParams(catalog.experiments[1], {{"load", "0.75"}, {"keep", "false"}});
  ASSERT_TRUE(params.ok());
  EXPECT_EQ(*params, (Params{{"op", std::string("hit")}, {"keep", false}, {"load", 0.75}}));
}

TEST(CatalogTest, NamesTheNearestRightName) {
  const Catalog catalog = SampleCatalog();
  EXPECT_EQ(FindExperiment(catalog, "requir").status().message(),
            "no experiment 'requir'. Did you mean require? There are: require, intern");
  EXPECT_EQ(FindParam(catalog.experiments[0], "feature").status().message(),
            "experiment 'require' has no parameter 'feature'. Did you mean features? It has: "
            "features, feature_list");
  EXPECT_EQ(FullParams(catalog.experiments[1], {{"op", "hits"}}).status().message(),
            "intern --op: expected one of hit, miss, found 'hits'. Did you mean hit?");
}

TEST(CatalogTest, HoldsValuesToTheirLimits) {
  const ExperimentInfo require = SampleCatalog().experiments[0];
  EXPECT_TRUE(FullParams(require, {{"features", "0"}}).ok());
  EXPECT_TRUE(FullParams(require, {{"features", "1000"}}).ok());
  for (const char* text : {"-1", "1001", "1.5", "many", "", "99999999999999999999"}) {
    EXPECT_FALSE(FullParams(require, {{"features", text}}).ok()) << text;
  }
  EXPECT_EQ(FullParams(require, {{"features", "1001"}}).status().message(),
            "require --features: expected a whole number from 0 to 1000, found '1001'.");
}

}  // namespace
}  // namespace rubric
