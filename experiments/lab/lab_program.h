// RunLab: the lab as a user runs it, for tests.
#ifndef RUBRIC_EXPERIMENTS_LAB_LAB_PROGRAM_H_
#define RUBRIC_EXPERIMENTS_LAB_LAB_PROGRAM_H_

#include <string>

#include "reports/results/record.h"

namespace rubric {

struct LabOutput {
  int exit_status = -1;  // of the shell's kind: 128 + n after signal n
  std::string out;
  std::string err;
};

// The lab of this build, where tests find it.
inline constexpr char kLab[] = "experiments/lab/lab";

// Runs `prefix program arguments` by the shell; `prefix` may be empty, or "valgrind …".
LabOutput RunLab(const std::string& arguments, const std::string& prefix = "",
                 const std::string& program = kLab);

// Runs `run ARGUMENTS --json`, expects success, and gives the one record that must be there.
Record RunForRecord(const std::string& arguments, const std::string& prefix = "",
                    const std::string& program = kLab);

// The value of an exact or noisy metric; fails the test if it is absent.
double MetricOf(const Record& record, const std::string& name);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_LAB_LAB_PROGRAM_H_
