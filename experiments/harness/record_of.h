// RecordOf: a measured part as the Record that the results schema knows.
//
// USE        RecordOf(experiment name, values, …) then WithMemory(record) as the process's last
//            act.
// INVARIANTS Counts, bytes and slots are marked exact; times, RSS and faults are not. TESTED BY
//            lab_test.py reads the lab's output back.
#ifndef RUBRIC_EXPERIMENTS_HARNESS_RECORD_OF_H_
#define RUBRIC_EXPERIMENTS_HARNESS_RECORD_OF_H_

#include <span>
#include <string>

#include "absl/status/status.h"
#include "experiments/harness/measurement.h"
#include "experiments/harness/parameter.h"
#include "reports/results/record.h"

namespace rubric {

// `outcome` OK, or the wrong result that is to be recorded.
Record RecordOf(const std::string& experiment, std::span<const Parameter> parameters,
                const ParameterValues& values, const absl::Status& outcome,
                const MeasuredPart& part);

// Adds the curve of live bytes from the measurement's malloc log, at most 2,000 points.
absl::Status AddLiveBytes(const std::string& malloc_log_path, Record& record);

// Adds the process-wide memory figures: call it last.
void AddProcessMemory(Record& record);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_HARNESS_RECORD_OF_H_
