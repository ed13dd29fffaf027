// ReplayReport: how much of what the application did the recording told, and replay did as told.
#ifndef RUBRIC_EXPERIMENTS_REPLAY_REPLAY_REPORT_H_
#define RUBRIC_EXPERIMENTS_REPLAY_REPLAY_REPORT_H_

#include <cstdint>
#include <vector>

#include "experiments/harness/measurement.h"

namespace rubric {

struct ReplayReport {
  std::uint64_t events = 0;
  std::uint64_t marks = 0;
  std::uint64_t requires_by_rule = 0;    // the runtime's own rules gave what Ruby's gave
  std::uint64_t requires_otherwise = 0;  // they did not: loaded by path, or taken as recorded
  std::uint64_t features_unnamed = 0;    // stand-ins for features that no line names
  std::uint64_t symbols_in_order = 0;    // first seen by an event, and so in their order
  std::uint64_t symbols_at_marks = 0;    // first seen in a census
  std::uint64_t fstrings_in_order = 0;
  std::uint64_t fstrings_at_marks = 0;
  std::uint64_t names_interned = 0;     // repeats included
  std::uint64_t symbols_of_ivars = 0;   // that no line names but as an ivar
  std::uint64_t evaluated_counted = 0;  // literals, times
  std::uint64_t evaluated_estimated = 0;
  std::uint64_t evaluated_without_iseq = 0;  // of both: the iseq was dropped at a mark before
  std::uint64_t allocated_by_event = 0;      // slots whose type an event tells
  std::uint64_t allocated_by_mix = 0;        // slots made as the garbage at the next mark is
  std::uint64_t grown_ahead = 0;             // of those: kept, towards the next mark
  std::uint64_t made_at_marks = 0;
  std::uint64_t dropped_at_marks = 0;
  std::uint64_t census_unplaced = 0;  // objects of a census that its own totals had no room for
  std::uint64_t iseqs = 0;
  std::uint64_t literals = 0;
  std::uint64_t classes = 0;  // that code defines
  std::uint64_t methods = 0;
  std::uint64_t string_table_bytes = 0;  // of the harness
};

// The report as figures, in order. All of them repeat bit for bit.
std::vector<NotedFigure> FiguresOf(const ReplayReport& report);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_REPLAY_REPLAY_REPORT_H_
