#include "experiments/replay/replay_report.h"

namespace rubric {

std::vector<NotedFigure> FiguresOf(const ReplayReport& r) {
  std::vector<NotedFigure> figures;
  const auto note = [&](const char* name, std::uint64_t value, const char* unit) {
    figures.push_back({name, static_cast<double>(value), unit});
  };
  note("events", r.events, "events");
  note("marks", r.marks, "marks");
  note("requires_by_rule", r.requires_by_rule, "requires");
  note("requires_otherwise", r.requires_otherwise, "requires");
  note("features_unnamed", r.features_unnamed, "features");
  note("symbols_in_order", r.symbols_in_order, "symbols");
  note("symbols_at_marks", r.symbols_at_marks, "symbols");
  note("symbols_of_ivars", r.symbols_of_ivars, "symbols");
  note("fstrings_in_order", r.fstrings_in_order, "strings");
  note("fstrings_at_marks", r.fstrings_at_marks, "strings");
  note("names_interned", r.names_interned, "names");
  note("iseqs", r.iseqs, "iseqs");
  note("literals", r.literals, "literals");
  note("classes", r.classes, "classes");
  note("methods", r.methods, "methods");
  note("evaluated_counted", r.evaluated_counted, "evaluations");
  note("evaluated_estimated", r.evaluated_estimated, "evaluations");
  note("evaluated_without_iseq", r.evaluated_without_iseq, "evaluations");
  note("allocated_by_event", r.allocated_by_event, "slots");
  note("allocated_by_mix", r.allocated_by_mix, "slots");
  note("grown_ahead", r.grown_ahead, "slots");
  note("made_at_marks", r.made_at_marks, "slots");
  note("dropped_at_marks", r.dropped_at_marks, "slots");
  note("census_unplaced", r.census_unplaced, "slots");
  note("string_table_bytes", r.string_table_bytes, "bytes");
  return figures;
}

}  // namespace rubric
