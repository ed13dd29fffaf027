#include "experiments/suite/testing/fake_variants.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "absl/status/statusor.h"
#include "experiments/suite/suites.h"
#include "reports/results/concat.h"
#include "reports/results/reader.h"

namespace rubric {
namespace {

std::string Runfile(const std::string& path) {
  return Concat(getenv("TEST_SRCDIR"), "/rubric/experiments/suite/", path);
}

int files_made = 0;

}  // namespace

std::size_t QuickCells() { return (*FindSuite("quick"))->cells.size(); }

std::string TestFolder(const std::string& name) {
  const std::string folder = Concat(getenv("TEST_TMPDIR"), "/", name);
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

FakeVariants::Json& FakeVariants::Add(const std::string& name, const Choices& axes) {
  Variant variant;
  variant.name = name;
  for (const auto& [axis, backend] : axes) variant.axes[axis] = backend;
  variant.trailer = {{"name", name},
                     {"axes", variant.axes},
                     {"build", {{"compiler", "g++ 12.2.0"}, {"mode", "opt"}}},
                     {"trace", folder_ + "/trace"},
                     {"behaviour", Json::object()}};
  variant.program = variants_.size();
  variants_.push_back(std::move(variant));
  return variants_.back().trailer;
}

void FakeVariants::AddAlias(const std::string& name, const Choices& axes) {
  const std::size_t program = variants_.back().program;
  Add(name, axes);
  variants_.back().program = program;
}

void FakeVariants::AddUsual() {
  Add("baseline", {{"interning", "st_chained"}, {"ivars", "hash"}});
  Add("interning=khash", {{"interning", "khash"}, {"ivars", "hash"}});
  Add("ivars=index", {{"interning", "st_chained"}, {"ivars", "index"}});
}

std::string FakeVariants::program(std::size_t variant) const {
  return Concat(folder_, "/lab", variants_[variant].program);
}

void FakeVariants::Write() const {
  const std::string fake_lab = FileContent(Runfile("testing/fake_lab"));
  Json manifest = Json::array();
  for (std::size_t i = 0; i < variants_.size(); ++i) {
    const Variant& variant = variants_[i];
    manifest.push_back({{"name", variant.name},
                        {"axes", variant.axes},
                        {"binary", Concat("lab", variant.program)}});
    if (variant.program != i) continue;
    // A new file, not new bytes in the old one: the old program may be running.
    unlink(program(i).c_str());
    std::ofstream(program(i), std::ios::binary) << fake_lab << "\nFAKE" << variant.trailer.dump();
    ASSERT_EQ(chmod(program(i).c_str(), 0755), 0);
  }
  std::ofstream(folder_ + "/manifest.json") << manifest.dump();
  // Where the suites expect their workloads, relative to the manifest.
  for (const Suite& suite : Suites()) {
    for (const SuiteCell& cell : suite.cells) {
      for (const auto& [param, text] : cell.params) {
        if (text.find('/') == std::string::npos) continue;
        const std::filesystem::path file = std::filesystem::path(folder_) / text;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << "/a/b.rb\n";
      }
    }
  }
}

std::vector<std::string> FakeVariants::Trace() const {
  return LinesOf(FileContent(folder_ + "/trace"));
}

SuiteProcess::SuiteProcess(const std::vector<std::string>& arguments, const std::string& workspace,
                           const std::string& program) {
  const std::string files = Concat(getenv("TEST_TMPDIR"), "/suite-", ++files_made);
  output_file_ = files + ".out";
  error_file_ = files + ".err";
  const std::string driver = Runfile(program);
  std::vector<std::string> words = {driver};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_ = fork();
  if (pid_ == 0) {
    dup2(open(output_file_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666), 1);
    dup2(open(error_file_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666), 2);
    if (!workspace.empty()) setenv("BUILD_WORKSPACE_DIRECTORY", workspace.c_str(), 1);
    execv(driver.c_str(), argv.data());
    _exit(127);
  }
}

SuiteProcess::~SuiteProcess() {
  if (!running()) return;
  Signal(SIGKILL);
  Wait();
}

void SuiteProcess::Signal(int signal) const { kill(pid_, signal); }

bool SuiteProcess::running() {
  if (!ended_) ended_ = waitpid(pid_, &wait_status_, WNOHANG) == pid_;
  return !ended_;
}

SuiteEnd SuiteProcess::Wait() {
  while (!ended_) ended_ = waitpid(pid_, &wait_status_, 0) == pid_ || errno != EINTR;
  SuiteEnd end;
  end.status = WIFEXITED(wait_status_) ? WEXITSTATUS(wait_status_) : 128 + WTERMSIG(wait_status_);
  end.output = FileContent(output_file_);
  end.error = FileContent(error_file_);
  return end;
}

SuiteEnd RunSuite(const std::vector<std::string>& arguments, const std::string& workspace,
                  const std::string& program) {
  return SuiteProcess(arguments, workspace, program).Wait();
}

std::vector<Record> RecordsIn(const std::string& folder) {
  std::vector<Record> records;
  const absl::StatusOr<Results> results = ReadRecordsFile(folder + "/results.jsonl");
  EXPECT_TRUE(results.ok()) << results.status();
  if (!results.ok()) return records;
  EXPECT_TRUE(results->warnings.empty()) << results->warnings[0];
  for (const SourcedRecord& sourced : results->records) records.push_back(sourced.record);
  return records;
}

std::string FileContent(const std::string& file) {
  std::stringstream content;
  content << std::ifstream(file, std::ios::binary).rdbuf();
  return content.str();
}

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::stringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace rubric
