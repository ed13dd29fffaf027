// Hand-made workloads, replayed on every variant: each is checked against its own census.

#include "experiments/replay/replay.h"

#include <memory>
#include <string>
#include <vector>

#include "core/base/build_mode.h"
#include "core/vm/selected.h"
#include "experiments/workload/testing/workload_writer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/results/concat.h"

namespace rubric {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// A VM, and a workload replayed in it.
class Replayed {
 public:
  explicit Replayed(const WorkloadWriter& writer, const ReplayOptions& options = {})
      : bytes_(writer.Finish()), scope_(vm_.roots()), replay_(vm_, scope_, options, observer_) {
    status_ = replay_.Open(WorkloadSource::Memory("w", bytes_));
    if (status_.ok()) status_ = replay_.RunTo("");
    vm_.CheckInvariants();
  }

  Vm& vm() { return vm_; }
  const ReplayReport& report() const { return replay_.report(); }
  bool ok() const { return status_.ok(); }
  bool wrong() const { return IsWrongResult(status_); }
  std::string error() const { return std::string(status_.message()); }
  bool Provided(const std::string& name) { return *vm_.features().IsProvided(name); }

 private:
  const std::string bytes_;
  Vm vm_;
  HandleScope scope_;
  ReplayObserver observer_;
  Replay<Vm> replay_;
  absl::Status status_;
};

// Strings 0 to 9: a folder, three files, and names of 4 to 9 bytes.
WorkloadWriter Begin() {
  WorkloadWriter writer;
  writer.Line(R"({"op":"strings","list":["/lib","/lib/a.rb","/lib/b.rb","/lib/c.so",4,5,6,7,8,9]})")
      .Line(R"({"op":"load_path","folders":[0]})");
  return writer;
}

std::string Require(const std::string& name, int feature, const std::string& result, int thread = 0,
                    const std::string& how = "require") {
  return Concat(R"({"op":"require","name":")", name, R"(","how":")", how, R"(","feature":)",
                feature < 0 ? "null" : std::to_string(feature), R"(,"result":")", result,
                R"(","thread":)", thread, "}");
}
std::string Required(const std::string& result, int thread = 0) {
  return Concat(R"({"op":"required","result":")", result, R"(","thread":)", thread, "}");
}

TEST(ReplayTest, RequiresAreResolvedByTheVmsRules) {
  Replayed replayed(Begin()
                        .Line(Require("a", 1, "new"))
                        .Line(Require("c", 3, "native"))
                        .Line(Require("b.rb", 2, "new"))
                        .Line(Required("loaded"))
                        .Line(Require("c.so", -1, "old"))
                        .Line(Required("loaded"))
                        .Line(Require("/lib/a", -1, "old"))
                        .Line(Require("none", -1, "failed"))
                        .Line(MarkLine("exit", "\"T_STRING\":14", 3, 0, 0)));
  ASSERT_TRUE(replayed.ok()) << replayed.error();
  EXPECT_EQ(replayed.report().requires_by_rule, 6u);
  EXPECT_EQ(replayed.report().requires_otherwise, 0u);
  for (const char* name : {"a", "b", "c", "/lib/b.rb"}) EXPECT_TRUE(replayed.Provided(name));
}

TEST(ReplayTest, AFileThatRaisedIsNotProvidedAndMayBeLoadedAgain) {
  Replayed replayed(Begin()
                        .Line(Require("a", 1, "new"))
                        .Line(Required("raised"))
                        .Line(Require("b", 2, "failed"))
                        .Line(Require("a", 1, "new"))
                        .Line(Required("loaded"))
                        .Line(MarkLine("exit", "\"T_STRING\":12", 1, 0, 0)));
  ASSERT_TRUE(replayed.ok()) << replayed.error();
  EXPECT_EQ(replayed.report().requires_by_rule, 3u);
  EXPECT_TRUE(replayed.Provided("a"));
  EXPECT_FALSE(replayed.Provided("b"));
}

TEST(ReplayTest, LoadProvidesNothingHoweverOften) {
  Replayed replayed(Begin()
                        .Line(Require("/lib/a.rb", 1, "new", 0, "load"))
                        .Line(Required("loaded"))
                        .Line(Require("/lib/a.rb", 1, "new", 0, "load"))
                        .Line(Required("loaded"))
                        .Line(Require("../x/b", 2, "new", 0, "require_relative"))
                        .Line(Required("loaded"))
                        .Line(MarkLine("exit", "\"T_STRING\":12", 1, 0, 0)));
  ASSERT_TRUE(replayed.ok()) << replayed.error();
  EXPECT_FALSE(replayed.Provided("a"));
  EXPECT_EQ(replayed.report().requires_by_rule, 1u);  // require_relative's path is absolute
}

TEST(ReplayTest, FilesOfSeveralThreadsOverlap) {
  Replayed replayed(Begin()
                        .Line(Require("a", 1, "new", 0))
                        .Line(Require("b", 2, "new", 7))
                        .Line(Required("loaded", 0))
                        .Line(Require("c", 3, "native", 7))
                        .Line(Required("raised", 7))
                        .Line(MarkLine("exit", "\"T_STRING\":13", 2, 0, 0)));
  ASSERT_TRUE(replayed.ok()) << replayed.error();
  EXPECT_TRUE(replayed.Provided("a"));
  EXPECT_TRUE(replayed.Provided("c"));
  EXPECT_FALSE(replayed.Provided("b"));
}

TEST(ReplayTest, WhereTheRulesDifferTheFeatureIsLoadedByItsPathAndCounted) {
  Replayed replayed(Begin()
                        .Line(Require("elsewhere", 1, "new"))
                        .Line(Required("loaded"))
                        .Line(Require("unknown", -1, "old"))
                        .Line(MarkLine("exit", "\"T_STRING\":12", 1, 0, 0)));
  ASSERT_TRUE(replayed.ok()) << replayed.error();
  EXPECT_EQ(replayed.report().requires_otherwise, 2u);
  EXPECT_TRUE(replayed.Provided("a"));
}

TEST(ReplayTest, TheProgramMayReplaceItsFeaturesAndFolders) {
  Replayed replayed(Begin()
                        .Line(Require("a", 1, "new"))
                        .Line(Required("loaded"))
                        .Line(R"({"op":"features","list":[2,3]})")
                        .Line(R"({"op":"load_path","folders":[]})")
                        .Line(R"({"op":"load_path","folders":[0,4]})")
                        .Line(Require("a", 1, "new"))
                        .Line(Required("loaded"))
                        .Line(MarkLine("exit", "\"T_STRING\":14", 3, 0, 0)));
  ASSERT_TRUE(replayed.ok()) << replayed.error();
  EXPECT_EQ(replayed.report().requires_otherwise, 0u);
}

TEST(ReplayTest, NamesAreInternedInOrderAndGoWhenTheCensusSaysSo) {
  WorkloadWriter writer = Begin();
  writer.Line(R"({"op":"code","file":1,"iseqs":[["t",-1,4,9,2,[8,8,11,8],[],[]]]})")
      .Line(R"({"op":"symbols","list":[6,7],"dynamic":true})")
      // The folder, 4 symbols' and a string's own name, one more string.
      .Line(MarkLine("one", "\"T_STRING\":18,\"T_SYMBOL\":3,\"T_IMEMO\":1", 0, 4, 6,
                     R"(,"symbols":{"live":4,"dynamic":3,"add_dynamic":[8]},)"
                     R"("fstrings":{"live":6,"add":[9]},"iseqs":1)"))
      // Symbol 6 goes with its name; 7 goes, but its name was added; 9 goes.
      .Line(MarkLine("two", "\"T_STRING\":15,\"T_SYMBOL\":1,\"T_IMEMO\":0", 0, 2, 4,
                     R"(,"symbols":{"live":2,"dynamic":1,"gone":[6,7]},)"
                     R"("fstrings":{"live":4,"add":[7],"gone":[9]})"))
      // And comes again.
      .Line(R"({"op":"symbols","list":[6],"dynamic":true})")
      .Line(MarkLine("three", "\"T_STRING\":16,\"T_SYMBOL\":2", 0, 3, 5,
                     R"(,"symbols":{"live":3,"dynamic":2})"));
  Replayed replayed(writer);
  ASSERT_TRUE(replayed.ok()) << replayed.error();
  EXPECT_EQ(replayed.report().symbols_in_order, 4u);  // 6 twice
  EXPECT_EQ(replayed.report().symbols_at_marks, 1u);
  EXPECT_EQ(replayed.report().fstrings_in_order, 1u);
}

TEST(ReplayTest, LiteralsAreEvaluatedAndWhatLivesOnIsKept) {
  WorkloadWriter writer = Begin();
  writer.Line(R"({"op":"code","file":1,"iseqs":[["t",-1,4,9,2,[8],[[5,"i4y1"],[2,"i2"]],[]]]})")
      .Line(R"({"op":"evaluated","literals":[[0,20,0],[1,30,1]]})")
      // Two literals, 8 shared results, 3 short arrays.
      .Line(MarkLine("one", "\"T_STRING\":12,\"T_IMEMO\":1,\"T_ARRAY\":13", 0, 1, 1,
                     R"(,"iseqs":1,"arrays":[[5,9,8],[2,4,0]])"))
      // The iseq goes, and its literals; two results stay.
      .Line(MarkLine("two", "\"T_STRING\":12,\"T_ARRAY\":2", 0, 1, 1, R"(,"arrays":[[5,2,2]])"))
      .Line(R"({"op":"evaluated","literals":[[0,4,0]]})");
  Replayed replayed(writer);
  ASSERT_TRUE(replayed.ok()) << replayed.error();
  EXPECT_EQ(replayed.report().evaluated_counted, 24u);
  EXPECT_EQ(replayed.report().evaluated_estimated, 30u);
  EXPECT_EQ(replayed.report().evaluated_without_iseq, 4u);
}

TEST(ReplayTest, ClassesAndMethodsAreDefinedByTheNamesOfTheirCode) {
  // "<class:" and 4 bytes and ">"; the class's and the methods' names are symbols of their parents.
  WorkloadWriter writer;
  writer.Line(R"({"op":"strings","list":["/lib/a.rb",12,4,5,6,7]})")
      .Line(R"({"op":"code","file":0,"iseqs":[["t",-1,5,9,2,[4],[],[]],["c",0,1,8,2,[6,8],[],[]],)"
            R"(["m",1,3,7,1,[],[],[]],["m",1,4,7,1,[],[],[5]],["b",3,5,3,1,[],[],[]]]})")
      .Line(
          MarkLine("exit", "\"T_STRING\":13,\"T_IMEMO\":5,\"T_CLASS\":3", 0, 3, 3, ",\"iseqs\":5"));
  Replayed replayed(writer);
  ASSERT_TRUE(replayed.ok()) << replayed.error();
  EXPECT_EQ(replayed.report().classes, 1u);
  EXPECT_EQ(replayed.report().methods, 2u);
}

TEST(ReplayTest, TheLiveHeapIsTheCensusAndObjectsAreDropped) {
  const std::string all =
      "\"T_STRING\":40,\"T_ARRAY\":20,\"T_HASH\":9,\"T_OBJECT\":8,\"T_DATA\":3,\"T_REGEXP\":2,"
      "\"T_CLASS\":4,\"T_MODULE\":3,\"T_ICLASS\":2,\"T_FLOAT\":2,\"T_IMEMO\":7,\"T_STRUCT\":2,"
      "\"T_MATCH\":1,\"T_FILE\":1,\"T_BIGNUM\":1,\"T_COMPLEX\":1,\"T_RATIONAL\":1,\"T_NODE\":1";
  const std::string shapes =
      R"(,"iseqs":3,"symbols":{"live":3,"add":[5,6,7]},"fstrings":{"live":3},)"
      R"("strings":[[0,4,2],[30,20,15],[900,3,0]],"arrays":[[0,5,0],[4,6,5],[100,3,0]],)"
      R"("hashes":[[0,3],[40,2]],"objects":[[8,[5,6],4],[9,[],3]],)"
      R"("ivars":[["T_DATA",8,[5,6,7],2],["T_STRING",9,[5],6],["T_CLASS",9,[6,7],2],)"
      R"(["T_ARRAY",9,[5],1],["T_MODULE",9,[7],1],["T_HASH",9,[7],4]])";
  WorkloadWriter writer = Begin();
  writer.Line(R"({"op":"allocated","slots":500})")
      .Line(MarkLine("full", all, 0, 3, 3, shapes))
      .Line(R"({"op":"allocated","slots":2000})")
      .Line(MarkLine("less", "\"T_STRING\":20,\"T_OBJECT\":1,\"T_CLASS\":4", 0, 3, 3,
                     R"(,"strings":[[30,6,6]],"garbage":{"T_STRING":10,"T_ARRAY":5,"T_HASH":1})"))
      .Line(MarkLine("full", all, 0, 3, 3,
                     shapes.substr(0, 10) + shapes.substr(shapes.find(",\"fstrings\""))));
  Replayed replayed(writer);
  ASSERT_TRUE(replayed.ok()) << replayed.error();
  EXPECT_GT(replayed.report().dropped_at_marks, 80u);
  EXPECT_GT(replayed.report().allocated_by_mix, 2000u);
}

TEST(ReplayTest, ACensusThatTheEventsContradictIsAWrongResult) {
  const auto error = [](const std::string& mark) {
    Replayed replayed(Begin()
                          .Line(R"({"op":"symbols","list":[5,6],"dynamic":false})")
                          .Line(Require("a", 1, "new"))
                          .Line(Required("loaded"))
                          .Line(mark));
    EXPECT_TRUE(replayed.wrong()) << replayed.error();
    EXPECT_THAT(replayed.error(), HasSubstr("w:7:"));
    return replayed.error();
  };
  EXPECT_THAT(error(MarkLine("m", "\"T_STRING\":14", 2, 2, 2)),
              HasSubstr("expected 2 features, found 1"));
  EXPECT_THAT(
      error(MarkLine("m", "\"T_STRING\":15", 1, 3, 3)),
      AllOf(HasSubstr("expected 3 symbols, found 2"), HasSubstr("3 frozen strings, found 2")));
  EXPECT_THAT(error(MarkLine("m", "\"T_STRING\":14,\"T_SYMBOL\":1", 1, 2, 2)),
              HasSubstr("expected 1 T_SYMBOL, found 0"));
}

TEST(ReplayTest, AMarkThatNeedsTooMuchIsRefused) {
  Replayed replayed(Begin().Line(
      MarkLine("m", "\"T_STRING\":1000000", 0, 0, 0, ",\"strings\":[[1000000,900000,0]]")));
  EXPECT_FALSE(replayed.ok() || replayed.wrong());
  EXPECT_THAT(replayed.error(), HasSubstr("at most 17179869184 bytes"));
}

TEST(ReplayTest, EveryShippedWorkloadIsRight) {
  // A collection before each of a million allocations would take hours.
  if (kGcStressByDefault || kHostile) GTEST_SKIP();
  for (const char* name : {"ruby31-exit", "ruby31-exit-disable-gems", "rubygems-boot",
                           "asciidoctor", "rails61-boot"}) {
    Vm vm;
    HandleScope scope(vm.roots());
    ReplayObserver observer;
    Replay<Vm> replay(vm, scope, {}, observer);
    absl::Status status =
        replay.Open(WorkloadSource::File(Concat("experiments/workloads/", name, ".workload.gz")));
    if (status.ok()) status = replay.RunTo("");
    ASSERT_TRUE(status.ok()) << status.ToString();
    vm.CheckInvariants();
  }
}

TEST(ReplayTest, StopsAtAMarkAndGoesOn) {
  const std::string bytes = Begin()
                                .Line(MarkLine("one", "\"T_STRING\":11", 0, 0, 0))
                                .Line(Require("a", 1, "new"))
                                .Line(Required("loaded"))
                                .Finish();
  Vm vm;
  HandleScope scope(vm.roots());
  ReplayObserver observer;
  Replay<Vm> replay(vm, scope, {}, observer);
  ASSERT_TRUE(replay.Open(WorkloadSource::Memory("w", bytes)).ok());
  ASSERT_TRUE(replay.RunTo("one").ok());
  EXPECT_EQ(replay.report().events, 3u);
  EXPECT_FALSE(*vm.features().IsProvided("a"));
  ASSERT_TRUE(replay.RunTo("").ok());
  EXPECT_EQ(replay.report().events, 5u);
  EXPECT_TRUE(*vm.features().IsProvided("a"));
  Replay<Vm> other(vm, scope, {.check = false}, observer);
  ASSERT_TRUE(other.Open(WorkloadSource::Memory("w", bytes)).ok());
  EXPECT_THAT(std::string(other.RunTo("two").message()),
              HasSubstr("expected a mark called 'two', found none"));
}

TEST(ReplayTest, RunsInAVmThatHasAStateAndAfterAnother) {
  const std::string bytes =
      Begin().Line(MarkLine("one", "\"T_STRING\":19,\"T_ARRAY\":7", 0, 0, 0)).Finish();
  Vm vm;
  HandleScope scope(vm.roots());
  RString* own = scope.Keep(vm.names().Fstring("/lib", Encoding::kUtf8));
  ReplayObserver observer;
  Replay<Vm> first(vm, scope, {}, observer);
  ASSERT_TRUE(first.Open(WorkloadSource::Memory("w", bytes)).ok());
  ASSERT_TRUE(first.RunTo("").ok());
  Replay<Vm> second(vm, scope, {.check = false}, observer);
  ASSERT_TRUE(second.Open(WorkloadSource::Memory("w", bytes)).ok());
  ASSERT_TRUE(second.RunTo("").ok());
  vm.CollectGarbage();
  EXPECT_EQ(own->bytes(), "/lib");
  vm.CheckInvariants();
}

}  // namespace
}  // namespace rubric
