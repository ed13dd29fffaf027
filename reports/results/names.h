// Names of cells and variants: the one place that makes them, so that every table agrees.
//
// USE        VariantName for programs that know the defaults; CellLabel for the text people read;
//            CellKey to compare two cells.
// INVARIANTS (1) CellKey(a) == CellKey(b) iff experiment and parameter values are equal, whatever
//                the order.
//            (2) A label is one line; a value that a shell would split is put in single quotes, so
//                that `lab run LABEL` can be pasted.
// TESTED BY  record_test.cc.

#ifndef RUBRIC_REPORTS_RESULTS_NAMES_H_
#define RUBRIC_REPORTS_RESULTS_NAMES_H_

#include <string>
#include <string_view>
#include <vector>

#include "reports/results/record.h"

namespace rubric {

inline constexpr std::string_view kBaselineName = "baseline";

// "baseline" if every axis has its default; else the others, "interning=khash,ivars=index", in
// the order of `variant`. An axis that `defaults` does not have is always named.
std::string VariantName(const Choices& variant, const Choices& defaults);

// The value as it is written after `--name=`.
std::string ParamText(const ParamValue& value);

// "require --features=500": the parameters that differ from `defaults`, in the order of `params`;
// just the experiment's name if none does. Give no defaults to see every parameter.
std::string CellLabel(std::string_view experiment, const Params& params,
                      const Params& defaults = {});

// The record's own label if it carries one, else CellLabel with every parameter.
std::string CellLabel(const Record& record);

// An identity for experiment and parameters: equal for equal cells, for use as a map key.
std::string CellKey(std::string_view experiment, const Params& params);
std::string CellKey(const Record& record);

// `text` so that a POSIX shell reads it as one word: unchanged if it is harmless.
std::string ShellWord(std::string_view text);

// The candidate closest to `name` by edit distance (insert, delete, replace, swap neighbours), or
// "" if none is near enough to be a slip of the pen (at most 2 edits, or 2/5 of the longer one).
// Ties go to the first. O(candidates x length^2).
std::string NearestName(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace rubric

#endif  // RUBRIC_REPORTS_RESULTS_NAMES_H_
