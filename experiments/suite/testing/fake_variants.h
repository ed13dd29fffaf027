// Fake variants, and the real driver run on them: what the end-to-end tests are made of.
//
// USE        FakeVariants variants(folder); variants.Add("baseline", …); variants.Write(); then
//            RunSuite({"--manifest=" + variants.manifest(), …}).
// INVARIANTS Every variant's program is a file of its own, with a hash of its own.
#ifndef RUBRIC_EXPERIMENTS_SUITE_TESTING_FAKE_VARIANTS_H_
#define RUBRIC_EXPERIMENTS_SUITE_TESTING_FAKE_VARIANTS_H_

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "nlohmann/json.hpp"
#include "reports/results/record.h"

namespace rubric {

// Cells of the quick suite, which the fake lab runs whatever they are.
std::size_t QuickCells();

// An empty folder of this test, by name; what an earlier test left there is removed.
std::string TestFolder(const std::string& name);

class FakeVariants {
 public:
  using Json = nlohmann::ordered_json;

  explicit FakeVariants(std::string folder) : folder_(std::move(folder)) {}

  // Adds a variant with these backends. The result is its program's trailer (fake_lab.cc): set
  // ["behaviour"][CELL], ["sleep_ms"] or ["build"][…] in it. Valid until the next Add.
  Json& Add(const std::string& name, const Choices& axes);

  // Adds a variant that is the program of the variant added before, under another name.
  void AddAlias(const std::string& name, const Choices& axes);

  // Writes the programs and the manifest. May be called again after a change.
  void Write() const;

  // The usual three: baseline, interning=khash, ivars=index.
  void AddUsual();

  std::string manifest() const { return folder_ + "/manifest.json"; }
  std::string program(std::size_t variant) const;
  // A line a process that was run, oldest first: "VARIANT EXPERIMENT --arguments…".
  std::vector<std::string> Trace() const;

  Json& trailer(std::size_t variant) { return variants_[variant].trailer; }

 private:
  struct Variant {
    std::string name;
    Json axes;
    Json trailer;
    std::size_t program = 0;  // index of the variant whose program it is
  };
  std::string folder_;
  std::vector<Variant> variants_;
};

// How the driver ended.
struct SuiteEnd {
  int status = -1;  // exit status, or 128 + signal
  std::string output;
  std::string error;
};

// A driver that runs in the background.
class SuiteProcess {
 public:
  // [workspace] becomes BUILD_WORKSPACE_DIRECTORY where it is not empty. [program] is the target in
  // //experiments/suite: `suite` has the real variants along.
  explicit SuiteProcess(const std::vector<std::string>& arguments,
                        const std::string& workspace = "", const std::string& program = "driver");
  SuiteProcess(const SuiteProcess&) = delete;
  SuiteProcess& operator=(const SuiteProcess&) = delete;
  ~SuiteProcess();  // kills it if it still runs

  void Signal(int signal) const;
  bool running();
  SuiteEnd Wait();

 private:
  pid_t pid_ = -1;
  bool ended_ = false;
  int wait_status_ = 0;
  std::string output_file_;
  std::string error_file_;
};

SuiteEnd RunSuite(const std::vector<std::string>& arguments, const std::string& workspace = "",
                  const std::string& program = "driver");

// The records of a results folder; the test fails where they cannot be read.
std::vector<Record> RecordsIn(const std::string& folder);

std::string FileContent(const std::string& file);

// The lines of [text].
std::vector<std::string> LinesOf(const std::string& text);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_SUITE_TESTING_FAKE_VARIANTS_H_
