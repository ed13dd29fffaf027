// The graph of #14460 and #15349: live bytes over the n-th call of the allocator, a line a variant.
//
// USE        GraphCsv for a spreadsheet, GraphSvg for a page: one file, no script, no font of its
//            own. Curves are those that the log pass records (samples.live_bytes), so they begin
//            with the measured part.
// LAYOUT     CSV: call, then a column a variant, empty where its curve has no point there.
// TESTED BY  live_bytes_graph_test.cc.
#ifndef RUBRIC_EXPERIMENTS_CLAIM_LIVE_BYTES_GRAPH_H_
#define RUBRIC_EXPERIMENTS_CLAIM_LIVE_BYTES_GRAPH_H_

#include <string>

#include "reports/results/record.h"

namespace rubric {

// Name of the variant -> its curve.
using Curves = OrderedMap<LiveBytesCurve>;

std::string GraphCsv(const Curves& curves);

// REQUIRES: a curve has a point.
std::string GraphSvg(const std::string& title, const Curves& curves);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_CLAIM_LIVE_BYTES_GRAPH_H_
