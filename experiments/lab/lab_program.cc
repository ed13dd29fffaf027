#include "experiments/lab/lab_program.h"

#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "gtest/gtest.h"
#include "reports/results/parse_record.h"

namespace rubric {
namespace {

std::string Contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

}  // namespace

LabOutput RunLab(const std::string& arguments, const std::string& prefix,
                 const std::string& program) {
  const std::string base = ::testing::TempDir() + "/lab_output";
  const std::string command =
      prefix + " " + program + " " + arguments + " >" + base + ".out 2>" + base + ".err </dev/null";
  const int status = std::system(command.c_str());
  LabOutput output;
  output.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  output.out = Contents(base + ".out");
  output.err = Contents(base + ".err");
  return output;
}

Record RunForRecord(const std::string& arguments, const std::string& prefix,
                    const std::string& program) {
  const LabOutput output = RunLab("run " + arguments + " --json", prefix, program);
  EXPECT_EQ(output.exit_status, 0) << arguments << "\n" << output.err;
  EXPECT_TRUE(output.out.ends_with("\n"));
  std::string line = output.out;
  if (!line.empty()) line.pop_back();
  EXPECT_EQ(line.find('\n'), std::string::npos) << "more than one line: " << line;
  const auto record = ParseRecord(line);
  EXPECT_TRUE(record.ok()) << record.status() << "\n" << line;
  return record.ok() ? *record : Record{};
}

double MetricOf(const Record& record, const std::string& name) {
  const Metric* metric = Find(record.metrics, name);
  EXPECT_NE(metric, nullptr) << "no metric " << name;
  return metric == nullptr ? -1 : metric->value;
}

}  // namespace rubric
