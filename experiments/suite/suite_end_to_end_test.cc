// The real driver on fake variants: whole runs, and every way in which a cell can go wrong.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "experiments/suite/testing/fake_variants.h"
#include "reports/results/record.h"

namespace rubric {
namespace {

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class SuiteTest : public testing::Test {
 protected:
  SuiteTest() : folder_(TestFolder("suite")), results_(folder_ + "/results"), variants_(folder_) {}

  // Runs the driver on the variants; the results go to results_ unless [arguments] say otherwise.
  SuiteEnd Run(std::vector<std::string> arguments, bool with_folder = true) {
    arguments.push_back("--manifest=" + variants_.manifest());
    if (with_folder) arguments.push_back("--out=" + results_);
    return RunSuite(arguments);
  }

  // cell label + "|" + variant -> the statuses of its records.
  static std::map<std::string, std::multiset<std::string>> Statuses(
      const std::vector<Record>& records) {
    std::map<std::string, std::multiset<std::string>> statuses;
    for (const Record& record : records) {
      statuses[record.cell + "|" + record.variant_name].emplace(StatusName(record.status));
    }
    return statuses;
  }

  static const Record* FirstFailure(const std::vector<Record>& records) {
    const auto found = std::find_if(records.begin(), records.end(), [](const Record& record) {
      return record.status != RecordStatus::kOk;
    });
    return found == records.end() ? nullptr : &*found;
  }

  std::string folder_;
  std::string results_;
  FakeVariants variants_;
};

TEST_F(SuiteTest, RunsTheQuickSuiteAndReports) {
  variants_.AddUsual();
  variants_.Write();
  const SuiteEnd end = Run({"--rounds=2", "--seed=5"});
  EXPECT_EQ(end.status, 0) << end.error;

  // Every cell, the three variants and the control, two rounds and a log.
  const std::vector<Record> records = RecordsIn(results_);
  ASSERT_EQ(records.size(), QuickCells() * 4 * 3);
  EXPECT_EQ(variants_.Trace().size(), records.size());
  std::set<std::string> names;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Record& record = records[i];
    EXPECT_EQ(record.status, RecordStatus::kOk) << record.reason;
    EXPECT_EQ(record.run.order, static_cast<std::int64_t>(i));
    EXPECT_EQ(record.run.seed, 5u);
    EXPECT_EQ(record.run.pass, i < QuickCells() * 4 * 2 ? kTimePass : kLogPass);
    EXPECT_EQ(record.live_bytes.has_value(), record.run.pass == kLogPass);
    EXPECT_EQ(record.build.binary_sha256.size(), 64u);
    EXPECT_EQ(record.run.started_at.size(), std::string("2026-01-31T10:15:00.000Z").size());
    names.insert(record.variant_name);
  }
  EXPECT_EQ(names, (std::set<std::string>{"baseline", "baseline (A/A)", "interning=khash",
                                          "ivars=index"}));

  EXPECT_TRUE(Contains(end.output, std::to_string(records.size()) + " processes in "))
      << end.output;
  EXPECT_TRUE(Contains(end.output, "interning=khash")) << end.output;
  EXPECT_TRUE(Contains(end.output, "Report: " + results_ + "/report/index.html")) << end.output;
  EXPECT_GT(std::filesystem::file_size(results_ + "/report/index.html"), 1000u);
  EXPECT_TRUE(std::filesystem::is_empty(results_ + "/scratch"));
  EXPECT_TRUE(Contains(end.error, "0 of " + std::to_string(records.size()) + " processes done"))
      << end.error;
  EXPECT_FALSE(Contains(end.error, "\r")) << "no terminal, no line that is redrawn";
}

TEST_F(SuiteTest, PutsResultsIntoTheWorkspace) {
  variants_.AddUsual();
  variants_.Write();
  const SuiteEnd end = RunSuite({"--manifest=" + variants_.manifest(), "--rounds=1",
                                 "--experiments=require", "--param=require.features=10"},
                                folder_);
  EXPECT_EQ(end.status, 0) << end.error;
  std::vector<std::string> runs;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ + "/results")) {
    runs.push_back(entry.path().filename());
  }
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_TRUE(runs[0].ends_with("-custom")) << runs[0];
  EXPECT_EQ(runs[0].size(), std::string("20260131-101500-custom").size());
}

TEST_F(SuiteTest, RecordsEveryKindOfFailureAndGoesOn) {
  const std::map<std::string, std::pair<std::string, std::string>> kinds = {
      // behaviour -> status, what the reason begins with
      {"crash", {"failed", "killed by SIGSEGV (Segmentation fault); standard error ends: first"}},
      {"abort", {"failed", "killed by SIGABRT"}},
      {"exit_1", {"failed", "exited with status 1"}},
      {"hang", {"timeout", "killed after the time-out of 1 s; standard error ends: about to hang"}},
      {"hang_ignoring_sigterm", {"timeout", "killed after the time-out of 1 s"}},
      {"garbage", {"failed", "printed no record: "}},
      {"silent", {"failed", "printed no record: "}},
      {"two_records", {"failed", "printed no record: "}},
      {"wrong_result", {"wrong_result", "expected 4 elements, found 5"}},
      {"silent_wrong_result", {"wrong_result", "exited with status 3"}},
      {"flood_output", {"failed", "killed after 4194304 bytes of standard output"}},
      {"flood_errors", {"failed", "exited with status 1; standard error ends: "}},
      {"orphan", {"failed", "left 1 processes behind"}},
      {"orphan_session", {"failed", "left 1 processes behind"}},
      {"other_backend", {"failed", "the program says that its backends are interning=swiss"}},
      {"other_params", {"failed", "the record is of "}},
  };
  variants_.Add("baseline", {{"interning", "st_chained"}});
  int number = 0;
  for (const auto& [behaviour, expected] : kinds) {
    const std::string backend = "backend" + std::to_string(number++);
    variants_.Add("interning=" + backend, {{"interning", backend}})["behaviour"]["require"] =
        behaviour;
  }
  variants_.Write();
  const SuiteEnd end = Run({"--rounds=2", "--experiments=require,array_literal", "--timeout=1",
                            "--param=require.feature_list=,array_literal.written=0,"
                            "array_literal.elements=4"});
  EXPECT_EQ(end.status, 3) << end.error;

  const std::vector<Record> records = RecordsIn(results_);
  const auto statuses = Statuses(records);
  number = 0;
  for (const auto& [behaviour, expected] : kinds) {
    const std::string variant = "interning=backend" + std::to_string(number++);
    // The other cell of the same program is fine, and complete.
    EXPECT_EQ(statuses.at("array_literal|" + variant),
              (std::multiset<std::string>{"ok", "ok", "ok"}))
        << behaviour;
    // The failed one has one record; nothing more was run of it.
    EXPECT_EQ(statuses.at("require|" + variant), (std::multiset<std::string>{expected.first}))
        << behaviour;
    for (const Record& record : records) {
      if (record.variant_name != variant || record.status == RecordStatus::kOk) continue;
      EXPECT_TRUE(record.reason.starts_with(expected.second)) << behaviour << ": " << record.reason;
      EXPECT_TRUE(Contains(end.output, "require, " + variant)) << end.output;
    }
  }
  EXPECT_EQ(statuses.at("require|baseline").count("ok"), 3u);
  EXPECT_TRUE(Contains(end.output, "16 cells failed; ")) << end.output;
  EXPECT_TRUE(Contains(end.output, "32 not run, of cells that failed")) << end.output;

  // What was left behind would have written to the trace by now.
  std::this_thread::sleep_for(std::chrono::milliseconds(2200));
  for (const std::string& line : variants_.Trace()) EXPECT_NE(line, "orphan");
}

TEST_F(SuiteTest, DoesNotTakeUnsteadyExactFiguresForNoise) {
  variants_.AddUsual();
  variants_.trailer(1)["behaviour"]["require"] = "unsteady";
  variants_.Write();
  const SuiteEnd end = Run({"--rounds=3", "--experiments=require", "--param=require.features=9"});
  EXPECT_EQ(end.status, 3) << end.error;
  const std::vector<Record> records = RecordsIn(results_);
  const Record* failure = FirstFailure(records);
  ASSERT_NE(failure, nullptr);
  EXPECT_EQ(failure->variant_name, "interning=khash");
  EXPECT_TRUE(failure->reason.starts_with("exact figures differ between processes: malloc_calls "))
      << failure->reason;
}

TEST_F(SuiteTest, AControlThatDiffersFromItsBaselineIsAnError) {
  variants_.AddUsual();
  variants_.trailer(0)["behaviour"]["require"] = "unsteady";
  variants_.Write();
  const SuiteEnd end = Run({"--rounds=1", "--experiments=require", "--variants=baseline",
                            "--param=require.features=9,require.feature_list="});
  EXPECT_EQ(end.status, 3) << end.error;
}

TEST_F(SuiteTest, WantsTheCurveFromTheLogPass) {
  variants_.AddUsual();
  variants_.trailer(2)["behaviour"]["*"] = "no_curve";
  variants_.Write();
  EXPECT_EQ(Run({"--rounds=1", "--experiments=generic_ivars"}).status, 3);
  const std::vector<Record> records = RecordsIn(results_);
  ASSERT_NE(FirstFailure(records), nullptr);
  EXPECT_EQ(FirstFailure(records)->reason, "the record of the log pass has no samples.live_bytes");
}

TEST_F(SuiteTest, AProgramThatDoesNotEvenListFailsCellByCell) {
  variants_.AddUsual();
  variants_.trailer(1)["behaviour"] = {{"list", "crash"}, {"*", "crash"}};
  variants_.Write();
  const SuiteEnd end = Run({"--rounds=1", "--experiments=intern"});
  EXPECT_EQ(end.status, 3) << end.error;
  EXPECT_TRUE(Contains(end.error, "warning: 'interning=khash' does not answer")) << end.error;
  EXPECT_TRUE(Contains(end.output, "6 cells failed; ")) << end.output;
}

TEST_F(SuiteTest, NothingIsMeasuredWhereNoProgramAnswers) {
  variants_.AddUsual();
  for (std::size_t i = 0; i < 3; ++i) variants_.trailer(i)["behaviour"]["list"] = "crash";
  variants_.Write();
  const SuiteEnd end = Run({});
  EXPECT_EQ(end.status, 2);
  EXPECT_TRUE(Contains(end.error, "no variant's program answers")) << end.error;
  EXPECT_FALSE(std::filesystem::exists(results_));
}

TEST_F(SuiteTest, ListsExperimentsVariantsAndSuites) {
  variants_.AddUsual();
  variants_.Write();
  const SuiteEnd end = Run({"--list"}, false);
  EXPECT_EQ(end.status, 0) << end.error;
  for (const char* part :
       {"\n  require  features provided and required again\n", "--features=10000",
        "hit|miss|insert|iterate|sweep",
        "Variants of the matrix custom:", "\n  interning=khash  interning=khash ivars=hash\n",
        "\n  quick  ", "; 7 rounds\n", "    intern --op=miss\n", "\n  standard  "}) {
    EXPECT_TRUE(Contains(end.output, part)) << part << " in:\n" << end.output;
  }
  EXPECT_EQ(variants_.Trace().size(), 0u);
}

TEST_F(SuiteTest, ADryRunPrintsCommandsThatWork) {
  variants_.AddUsual();
  variants_.Write();
  const SuiteEnd end = Run({"--dry_run", "--rounds=3", "--experiments=generic_ivars", "--seed=3"});
  EXPECT_EQ(end.status, 0) << end.error;
  const std::vector<std::string> lines = LinesOf(end.output);
  ASSERT_EQ(lines.size(), 3u * 4 * 4 * 2 + 1);  // cells, variants, rounds and log; a comment each
  EXPECT_EQ(lines[0].substr(0, 33), "# process 0: time pass, round 0, ");
  EXPECT_TRUE(
      lines.back().starts_with("# 3 cells, 4 variants, 48 processes, order by --seed=3; about "))
      << lines.back();
  EXPECT_FALSE(std::filesystem::exists(results_));
  EXPECT_EQ(variants_.Trace().size(), 0u);
  // The command is whole: a shell that knows nothing else runs it.
  EXPECT_EQ(system(("(" + lines[1] + ") > " + folder_ + "/record").c_str()), 0) << lines[1];
  EXPECT_TRUE(Contains(FileContent(folder_ + "/record"), "\"experiment\":\"generic_ivars\""));
}

TEST_F(SuiteTest, ADryRunSaysWhatTheRunWouldSayOfItsFolder) {
  variants_.AddUsual();
  variants_.Write();
  const auto dry = [&](const std::string& out) {
    return RunSuite({"--manifest=" + variants_.manifest(), "--dry_run", "--rounds=1",
                     "--experiments=require", "--out=" + out});
  };
  EXPECT_EQ(dry(folder_ + "/a/b/c").status, 0);
  EXPECT_TRUE(Contains(dry("/dev/null").error, "/dev/null is not a folder"));
  EXPECT_TRUE(Contains(dry("/dev/null/x").error, "/dev/null is not a folder"));
  EXPECT_EQ(dry("/dev/null").status, 2);
  ASSERT_EQ(Run({"--experiments=require", "--rounds=1"}).status, 0);
  const SuiteEnd again = dry(results_);
  EXPECT_EQ(again.status, 2);
  EXPECT_TRUE(Contains(again.error, "holds a run already")) << again.error;
}

TEST_F(SuiteTest, OutputThatDoesNotArriveIsAnError) {
  variants_.AddUsual();
  variants_.Write();
  const std::string suite = std::string(getenv("TEST_SRCDIR")) + "/rubric/experiments/suite/driver";
  for (const std::string flag : {"--list", "--dry_run", "--help"}) {
    const int status = system((suite + " --manifest=" + variants_.manifest() + " " + flag +
                               " >/dev/full 2>" + folder_ + "/error")
                                  .c_str());
    EXPECT_EQ(WEXITSTATUS(status), 2) << flag;
    EXPECT_TRUE(Contains(FileContent(folder_ + "/error"), "cannot write to standard output"))
        << flag;
  }
}

TEST_F(SuiteTest, NamesTheNearestRightName) {
  variants_.AddUsual();
  variants_.Write();
  const std::map<std::string, std::string> mistakes = {
      {"--experiments=requir", "Did you mean require?"},
      {"--variants=interning=kash", "Did you mean khash?"},
      {"--variants=interna=khash", "There are: interning, ivars"},
      {"--variants=baselin", "Did you mean baseline?"},
      {"--baseline=interning=kash", "Did you mean interning=khash?"},
      {"--suite=quik", "Did you mean quick?"},
      {"--param=require.feature=1", "Did you mean features?"},
      {"--param=intern.op=hot", "Did you mean hit?"},
      {"--param=requires.features=1", "Did you mean require?"},
      {"--param=features=1", "expected EXPERIMENT.PARAMETER=VALUE"},
      {"--param=require.feature_list=/nonexistent", "/nonexistent: cannot be read"},
      {"--experiment=require", "Did you mean experiments?"},
      {"--rounds=-1", "--rounds: expected"},
      {"--rounds=many", "--rounds cannot be 'many': expected a whole number"},
      {"--timeout=nan", "at most 86400, found nan"},
      {"--resume=", "--resume is given nothing"},
      {"--experiments=,", "--experiments: expected at least one name"},
      {"--variants=;", "--variants: expected at least one name"},
      {"--param=require.features=1,require.features=2", "require.features is given twice"},
      {"--suite=\x1b[31m", "no suite '?[31m'"},
      {"--timeout=0", "--timeout: expected"},
      {"--seed=-3", "--seed: expected"},
      {"--cpu=9999", "this process may use the cores"},
      {"--fail_on=peak", "--fail_on: "},
      {"--manifest=/nonexistent", "/nonexistent: cannot be opened"},
      {"surplus", "expected flags alone, found 'surplus'"},
  };
  for (const auto& [argument, message] : mistakes) {
    // The mistake comes last, so that it wins over what Run() adds.
    const SuiteEnd end =
        RunSuite({"--manifest=" + variants_.manifest(), "--out=" + results_, argument});
    EXPECT_EQ(end.status, 2) << argument;
    EXPECT_TRUE(Contains(end.error, message)) << argument << ": " << end.error;
    EXPECT_EQ(end.output, "") << argument;
  }
  const SuiteEnd twice = Run({"--param=require.features=1", "--param=intern.size=3"});
  EXPECT_EQ(twice.status, 2);
  EXPECT_TRUE(Contains(twice.error, "--param is given 2 times")) << twice.error;
  EXPECT_EQ(variants_.Trace().size(), 0u);
  EXPECT_FALSE(std::filesystem::exists(results_));
}

TEST_F(SuiteTest, RefusesTwoVariantsThatAreOneProgram) {
  variants_.AddUsual();
  variants_.AddAlias("ivars=other", {{"interning", "st_chained"}, {"ivars", "other"}});
  variants_.Write();
  const SuiteEnd end = Run({"--experiments=require", "--rounds=1"});
  EXPECT_EQ(end.status, 2);
  EXPECT_TRUE(Contains(end.error, "'ivars=index' and 'ivars=other' are the same program"))
      << end.error;
  EXPECT_TRUE(Contains(end.error, "--force")) << end.error;
  EXPECT_FALSE(std::filesystem::exists(results_));
  // By force it is measured, and found out by what the program says of itself.
  const SuiteEnd forced = Run({"--experiments=require", "--rounds=1", "--force"});
  EXPECT_EQ(forced.status, 3) << forced.error;
  EXPECT_TRUE(Contains(forced.error, "warning: by --force: ")) << forced.error;
  EXPECT_TRUE(Contains(FileContent(results_ + "/run.json"), "are the same program"));
}

TEST_F(SuiteTest, RefusesBuildsThatCannotBeCompared) {
  variants_.AddUsual();
  variants_.trailer(1)["build"] = {
      {"compiler", "clang 14"}, {"mode", "dbg"}, {"sanitizer", "asan"}};
  variants_.Write();
  const SuiteEnd end = Run({"--experiments=require", "--rounds=1"});
  EXPECT_EQ(end.status, 2);
  for (const char* problem :
       {"'interning=khash' is a dbg build", "'interning=khash' is built with the sanitizer asan",
        "mixed compilers: 'baseline' has g++ 12.2.0, 'interning=khash' has clang 14"}) {
    EXPECT_TRUE(Contains(end.error, problem)) << problem << " in:\n" << end.error;
  }
}

TEST_F(SuiteTest, ChoosesVariantsAndBaseline) {
  variants_.AddUsual();
  variants_.Write();
  const SuiteEnd end = Run({"--experiments=require", "--rounds=1", "--variants=ivars=index",
                            "--baseline=interning=khash", "--param=require.features=3"});
  EXPECT_EQ(end.status, 0) << end.error;
  std::set<std::string> names;
  for (const Record& record : RecordsIn(results_)) names.insert(record.variant_name);
  EXPECT_EQ(names,
            (std::set<std::string>{"interning=khash", "interning=khash (A/A)", "ivars=index"}));
}

TEST_F(SuiteTest, FailsOnARegressionWhereAsked) {
  variants_.AddUsual();
  variants_.Write();
  // The fake's figures grow with the length of the variant's name.
  const auto with = [&](const std::string& rule, const std::string& out) {
    return RunSuite({"--manifest=" + variants_.manifest(), "--experiments=require", "--rounds=1",
                     "--fail_on=" + rule, "--out=" + folder_ + "/" + out});
  };
  const SuiteEnd broken = with("malloc_calls>1.01", "a");
  EXPECT_EQ(broken.status, 1) << broken.error;
  EXPECT_TRUE(Contains(broken.output, "Regression: ")) << broken.output;
  EXPECT_EQ(with("malloc_calls>2", "b").status, 0);
  // A mistake is found before anything is run.
  const std::size_t run = variants_.Trace().size();
  for (const auto& [rule, message] :
       std::map<std::string, std::string>{{"malloc_call>1.01", "Did you mean malloc_calls?"},
                                          {"instructions>1", "with --instructions only"},
                                          {"massif_peak_bytes>1", "is not compared"},
                                          {" ", "as in peak_bytes>1.05"}}) {
    const SuiteEnd wrong = with(rule, "c");
    EXPECT_EQ(wrong.status, 2) << rule;
    EXPECT_TRUE(Contains(wrong.error, message)) << rule << ": " << wrong.error;
  }
  EXPECT_EQ(variants_.Trace().size(), run);
  // Whether an experiment has a metric of its own shows at the end; what was measured is reported.
  const SuiteEnd unknown = with("feature_keys>1.01", "c");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_TRUE(Contains(unknown.error, "warning: --fail_on: feature_keys is none of"))
      << unknown.error;
  EXPECT_TRUE(std::filesystem::exists(folder_ + "/c/report/index.html"));
}

TEST_F(SuiteTest, PassesTheHashSeedOn) {
  variants_.AddUsual();
  variants_.Write();
  EXPECT_EQ(Run({"--experiments=require", "--rounds=1", "--hash_seed=99"}).status, 0);
  for (const Record& record : RecordsIn(results_)) EXPECT_EQ(record.run.hash_seed, 99u);
}

TEST_F(SuiteTest, RunsUnderValgrindWhereAsked) {
  if (system("valgrind --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "valgrind is missing";
  variants_.AddUsual();
  variants_.Write();
  const SuiteEnd end =
      Run({"--experiments=array_literal", "--rounds=1", "--massif", "--instructions",
           "--variants=baseline", "--param=array_literal.elements=1,array_literal.written=1"});
  EXPECT_EQ(end.status, 0) << end.error << end.output;
  int massif = 0;
  std::set<double> instructions;
  for (const Record& record : RecordsIn(results_)) {
    const Metric* peak = Find(record.metrics, "massif_peak_bytes");
    EXPECT_EQ(peak != nullptr, record.run.pass == kMassifPass);
    massif += peak != nullptr && peak->value > 0;
    const Metric* count = Find(record.metrics, "instructions");
    EXPECT_EQ(count != nullptr, record.run.pass == kInstructionsPass);
    if (count != nullptr) instructions.insert(count->value);
  }
  EXPECT_EQ(massif, 2);
  // Baseline and control: exactly as many instructions, and those of the measured loop alone.
  ASSERT_EQ(instructions.size(), 1u);
  EXPECT_GT(*instructions.begin(), 1000);
  EXPECT_LT(*instructions.begin(), 50'000);
  EXPECT_FALSE(std::filesystem::is_empty(results_ + "/massif"));
  EXPECT_FALSE(std::filesystem::is_empty(results_ + "/callgrind"));
}

TEST_F(SuiteTest, SaysWhyAFolderCannotBeUsed) {
  variants_.AddUsual();
  variants_.Write();
  const std::vector<std::string> few = {"--manifest=" + variants_.manifest(), "--rounds=1",
                                        "--experiments=require"};
  const auto into = [&](const std::string& out) {
    std::vector<std::string> arguments = few;
    arguments.push_back("--out=" + out);
    return RunSuite(arguments);
  };
  // Below a file, and where even root cannot write.
  for (const std::string& out : {variants_.manifest() + "/results", std::string("/proc/results")}) {
    const SuiteEnd end = into(out);
    EXPECT_EQ(end.status, 2) << out;
    EXPECT_TRUE(Contains(end.error, out)) << end.error;
  }
  EXPECT_EQ(variants_.Trace().size(), 0u);
  // A folder that holds a run already.
  EXPECT_EQ(into(results_).status, 0);
  const SuiteEnd again = into(results_);
  EXPECT_EQ(again.status, 2);
  EXPECT_TRUE(Contains(again.error, "holds a run already; continue it with --resume="))
      << again.error;
}

// A log that found no room is no failure of its cell, and is written again once there is some.
TEST_F(SuiteTest, AFullDiskFailsNoCell) {
  variants_.AddUsual();
  variants_.trailer(1)["behaviour"]["*"] = "disk_full";
  variants_.Write();
  const SuiteEnd end = Run({"--rounds=1", "--experiments=intern", "--param=intern.op=hit"});
  EXPECT_EQ(end.status, 2) << end.output;
  EXPECT_TRUE(Contains(end.error, "No space left on device")) << end.error;
  EXPECT_TRUE(Contains(end.error, "Continue with: ")) << end.error;
  const std::vector<Record> records = RecordsIn(results_);
  EXPECT_EQ(FirstFailure(records), nullptr);
}

TEST_F(SuiteTest, SaysThatTheDiskIsFullAndKeepsWhatIsThere) {
  variants_.AddUsual();
  variants_.Write();
  // A limit on file sizes stands for a full disk: the write fails in the same place.
  const std::string suite = std::string(getenv("TEST_SRCDIR")) + "/rubric/experiments/suite/driver";
  const std::string error_file = folder_ + "/error";
  const int status =
      system(("bash -c 'ulimit -f 20; exec " + suite + " --manifest=" + variants_.manifest() +
              " --out=" + results_ + " --rounds=5' > /dev/null 2> " + error_file)
                 .c_str());
  EXPECT_EQ(WEXITSTATUS(status), 2);
  const std::string error = FileContent(error_file);
  EXPECT_TRUE(Contains(error, "results.jsonl: cannot be written: File too large")) << error;
  EXPECT_TRUE(Contains(error, "Continue with: ")) << error;
  const std::size_t kept = RecordsIn(results_).size();
  EXPECT_GT(kept, 0u);
  const SuiteEnd end = RunSuite({"--manifest=" + variants_.manifest(), "--resume=" + results_});
  EXPECT_EQ(end.status, 0) << end.error;
  EXPECT_EQ(RecordsIn(results_).size(), QuickCells() * 4 * 6);
}

}  // namespace
}  // namespace rubric
