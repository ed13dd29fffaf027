// PrintRecord: a record as the short table that `lab run` shows a person.
#ifndef RUBRIC_EXPERIMENTS_HARNESS_TABLE_H_
#define RUBRIC_EXPERIMENTS_HARNESS_TABLE_H_

#include <cstdio>

#include "reports/results/record.h"

namespace rubric {

void PrintRecord(const Record& record, std::FILE* out);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_HARNESS_TABLE_H_
