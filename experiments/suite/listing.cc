#include "experiments/suite/listing.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "experiments/suite/estimate.h"
#include "experiments/suite/suites.h"
#include "reports/results/concat.h"
#include "reports/results/names.h"

namespace rubric {
namespace {

// What a parameter takes, for the list.
std::string Takes(const ParamInfo& param) {
  std::string text;
  switch (param.type) {
    case ParamType::kChoice:
      return absl::StrJoin(param.choices, "|");
    case ParamType::kBool:
      return "true|false";
    case ParamType::kText:
      return "text";
    case ParamType::kFile:
      return "a file";
    case ParamType::kInteger:
    case ParamType::kNumber:
      if (param.min && param.max) text = Concat(*param.min, " to ", *param.max);
      if (param.min && !param.max) text = Concat("at least ", *param.min);
      if (!param.min && param.max) text = Concat("at most ", *param.max);
  }
  if (!param.unit.empty()) text += Concat(text.empty() ? "" : " ", param.unit);
  return text;
}

std::string AxesText(const Choices& axes) {
  std::vector<std::string> parts;
  for (const auto& [axis, backend] : axes) parts.push_back(Concat(axis, "=", backend));
  return absl::StrJoin(parts, " ");
}

// The suite's cell as `lab run` would be given it.
std::string CellText(const SuiteCell& cell) {
  std::string text = cell.experiment;
  for (const auto& [name, value] : cell.params) text += Concat(" --", name, "=", ShellWord(value));
  return text;
}

}  // namespace

std::string ListText(const Catalog& catalog, const Bundle& bundle) {
  std::string text = "Experiments, with each parameter's default:\n";
  for (const ExperimentInfo& experiment : catalog.experiments) {
    text += Concat("\n  ", experiment.name, "  ", experiment.summary, "\n");
    std::size_t width = 0;
    for (const ParamInfo& param : experiment.params) {
      width = std::max(width, param.name.size() + ParamText(param.default_value).size());
    }
    for (const ParamInfo& param : experiment.params) {
      const std::string flag = Concat("--", param.name, "=", ParamText(param.default_value));
      const std::string takes = Takes(param);
      absl::StrAppendFormat(&text, "    %-*s  %s%s%s\n", static_cast<int>(width) + 3, flag,
                            param.help, param.help.empty() || takes.empty() ? "" : ": ", takes);
    }
  }
  text += Concat("\nVariants of the matrix ", bundle.matrix, ":\n\n");
  std::size_t width = 0;
  for (const ManifestEntry& entry : bundle.variants) width = std::max(width, entry.name.size());
  for (const ManifestEntry& entry : bundle.variants) {
    absl::StrAppendFormat(&text, "  %-*s  %s\n", static_cast<int>(width), entry.name,
                          AxesText(entry.axes));
  }
  text += "\nSuites:\n";
  for (const Suite& suite : Suites()) {
    text += Concat("\n  ", suite.name, "  ", suite.summary, "; ", suite.rounds, " rounds\n");
    for (const SuiteCell& cell : suite.cells) text += Concat("    ", CellText(cell), "\n");
  }
  return text;
}

double ExpectedSeconds(const Plan& plan) {
  const Estimate estimate(plan);
  double seconds = 0;
  for (const Step& step : ScheduleOf(plan)) seconds += estimate.SecondsOf(step);
  return seconds;
}

std::string DryRunText(const Plan& plan, const Place& place) {
  const std::vector<Step> steps = ScheduleOf(plan);
  std::string text;
  for (const Step& step : steps) {
    text += Concat("# process ", step.order, ": ", step.pass, " pass, round ", step.round, ", ",
                   plan.variants[static_cast<std::size_t>(step.variant)].name, "\n",
                   ShellLine(SpecFor(plan, step, place)), "\n");
  }
  text += Concat("# ", plan.cells.size(), " cells, ", plan.variants.size(), " variants, ",
                 steps.size(), " processes, order by --seed=", plan.seed, "; about ",
                 DurationText(ExpectedSeconds(plan)), "\n");
  return text;
}

}  // namespace rubric
