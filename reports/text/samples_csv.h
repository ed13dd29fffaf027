// samples.csv: every figure of every record that counts, a row each, for tools of one's own.
//
// LAYOUT     RFC 4180 with "\n" line ends and a header:
//            experiment,params,variant,pass,round,metric,value,unit,exact
//            `params` as name=value words; `round` empty where unknown; `exact` true or false.
// INVARIANTS Values are the shortest decimal that reads back as the same double. Text that a
//            spreadsheet would run as a formula is written with an apostrophe before it.
// TESTED BY  text_test.cc, compare_test.py.

#ifndef RUBRIC_REPORTS_TEXT_SAMPLES_CSV_H_
#define RUBRIC_REPORTS_TEXT_SAMPLES_CSV_H_

#include <string>

#include "reports/comparison/comparison.h"

namespace rubric {

std::string SamplesCsv(const Comparison& comparison);

}  // namespace rubric

#endif  // RUBRIC_REPORTS_TEXT_SAMPLES_CSV_H_
