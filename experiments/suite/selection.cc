#include "experiments/suite/selection.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "reports/results/command_line.h"
#include "reports/results/concat.h"
#include "reports/results/names.h"

namespace rubric {
namespace {

absl::Status Unknown(std::string_view what, std::string_view name,
                     const std::vector<std::string>& known) {
  return absl::InvalidArgumentError(Concat("no ", what, " '", name, "'.", DidYouMean(name, known),
                                           " There are: ", absl::StrJoin(known, ", ")));
}

// The words of [text] between [separator]s, without blanks around them; empty ones are left out.
std::vector<std::string> Words(std::string_view text, char separator) {
  std::vector<std::string> words;
  for (std::string word : std::vector<std::string>(absl::StrSplit(std::string(text), separator))) {
    absl::StripAsciiWhitespace(&word);
    if (!word.empty()) words.push_back(std::move(word));
  }
  return words;
}

// Whether [text] is not empty, but has no word between its separators.
bool NamesNothing(std::string_view text, std::string_view separators) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return absl::ascii_isspace(static_cast<unsigned char>(c)) ||
           separators.find(c) != std::string_view::npos;
  });
}

absl::Status NothingNamed(std::string_view flag, std::string_view text) {
  return absl::InvalidArgumentError(
      Concat(flag, ": expected at least one name, found '", text, "'; leave it out for all"));
}

std::vector<std::string> Names(const std::vector<ManifestEntry>& entries) {
  std::vector<std::string> names;
  for (const ManifestEntry& entry : entries) names.push_back(entry.name);
  return names;
}

// The backends that the manifest has on [axis], each once; empty where there is no such axis.
std::vector<std::string> BackendsOf(const std::vector<ManifestEntry>& all, std::string_view axis) {
  std::vector<std::string> backends;
  for (const ManifestEntry& entry : all) {
    const std::string* backend = Find(entry.axes, axis);
    if (backend != nullptr &&
        std::find(backends.begin(), backends.end(), *backend) == backends.end())
      backends.push_back(*backend);
  }
  return backends;
}

std::vector<std::string> AxesOf(const std::vector<ManifestEntry>& all) {
  std::vector<std::string> axes;
  for (const auto& [axis, backend] : all.front().axes) axes.push_back(axis);
  return axes;
}

// axis -> backends of which one must be there.
using Conditions = std::map<std::string, std::set<std::string>>;

bool Matches(const ManifestEntry& entry, const Conditions& conditions) {
  for (const auto& [axis, backends] : conditions) {
    const std::string* backend = Find(entry.axes, axis);
    if (backend == nullptr || backends.count(*backend) == 0) return false;
  }
  return true;
}

// Adds the names that one alternative of --variants= chooses.
absl::Status AddMatches(const std::vector<ManifestEntry>& all, const std::string& alternative,
                        std::set<std::string>& chosen) {
  Conditions conditions;
  for (const std::string& word : Words(alternative, ',')) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) {
      const std::vector<std::string> names = Names(all);
      if (std::find(names.begin(), names.end(), word) == names.end()) {
        return Unknown("variant", word, names);
      }
      chosen.insert(word);
      continue;
    }
    const std::string axis = word.substr(0, equals);
    const std::string backend = word.substr(equals + 1);
    const std::vector<std::string> backends = BackendsOf(all, axis);
    if (backends.empty()) return Unknown("axis", axis, AxesOf(all));
    if (std::find(backends.begin(), backends.end(), backend) == backends.end()) {
      return Unknown(Concat("variant of this matrix with ", axis), backend, backends);
    }
    conditions[axis].insert(backend);
  }
  if (conditions.empty()) return absl::OkStatus();
  bool any = false;
  for (const ManifestEntry& entry : all) {
    if (!Matches(entry, conditions)) continue;
    chosen.insert(entry.name);
    any = true;
  }
  if (!any) {
    return absl::InvalidArgumentError(
        Concat("no variant of this matrix has all of '", alternative,
               "'; for variants that have one or the other, put ';' between the conditions; for "
               "combinations, build with --matrix=full"));
  }
  return absl::OkStatus();
}

// Whether [param] of [cell]'s experiment names a file; false for one that there is not.
bool IsFile(const Catalog& catalog, const SuiteCell& cell, std::string_view param) {
  const absl::StatusOr<const ExperimentInfo*> info = FindExperiment(catalog, cell.experiment);
  if (!info.ok()) return false;
  const absl::StatusOr<const ParamInfo*> found = FindParam(**info, std::string(param));
  return found.ok() && (*found)->type == ParamType::kFile;
}

bool TakesFile(const Catalog& catalog, const SuiteCell& cell) {
  return std::any_of(cell.params.begin(), cell.params.end(), [&](const auto& given) {
    return !given.second.empty() && IsFile(catalog, cell, given.first);
  });
}

// Puts those of [overrides] into [cell] that are for it and that name files, or that do not.
void Override(const Catalog& catalog, const std::vector<ParamOverride>& overrides, bool files,
              SuiteCell& cell) {
  for (const ParamOverride& given : overrides) {
    if (given.experiment != cell.experiment) continue;
    if (IsFile(catalog, cell, given.param) != files) continue;
    const auto found = std::find_if(cell.params.begin(), cell.params.end(),
                                    [&](const auto& each) { return each.first == given.param; });
    if (found != cell.params.end()) {
      found->second = given.text;
    } else {
      cell.params.emplace_back(given.param, given.text);
    }
  }
}

}  // namespace

absl::StatusOr<std::vector<ManifestEntry>> SelectVariants(const std::vector<ManifestEntry>& all,
                                                          std::string_view filters,
                                                          std::string_view baseline) {
  std::vector<ManifestEntry> selected;
  for (const ManifestEntry& entry : all) {
    if (entry.name == baseline) selected.push_back(entry);
  }
  if (selected.empty()) return Unknown("variant for --baseline,", baseline, Names(all));

  const std::vector<std::string> alternatives = Words(filters, ';');
  if (NamesNothing(filters, ";,")) return NothingNamed("--variants", filters);
  std::set<std::string> chosen;
  for (const std::string& alternative : alternatives) {
    const absl::Status status = AddMatches(all, alternative, chosen);
    if (!status.ok()) return status;
  }
  for (const ManifestEntry& entry : all) {
    const bool wanted = alternatives.empty() || chosen.count(entry.name) != 0;
    if (wanted && entry.name != baseline) selected.push_back(entry);
  }
  return selected;
}

absl::StatusOr<std::vector<ParamOverride>> ParseParamOverrides(std::string_view text) {
  std::vector<ParamOverride> overrides;
  if (NamesNothing(text, ",")) return NothingNamed("--param", text);
  for (const std::string& word : Words(text, ',')) {
    const std::size_t equals = word.find('=');
    const std::size_t dot = word.find('.');
    if (equals == std::string::npos || dot == std::string::npos || dot > equals || dot == 0 ||
        dot + 1 == equals) {
      return absl::InvalidArgumentError(
          Concat("--param: expected EXPERIMENT.PARAMETER=VALUE, such as require.features=1000, "
                 "found '",
                 word, "'"));
    }
    ParamOverride given = {word.substr(0, dot), word.substr(dot + 1, equals - dot - 1),
                           word.substr(equals + 1)};
    for (const ParamOverride& before : overrides) {
      if (before.experiment != given.experiment || before.param != given.param) continue;
      return absl::InvalidArgumentError(Concat("--param: ", given.experiment, ".", given.param,
                                               " is given twice, as '", before.text, "' and '",
                                               given.text, "'; give it once"));
    }
    overrides.push_back(std::move(given));
  }
  return overrides;
}

absl::StatusOr<std::vector<CellSpec>> SelectCells(const Catalog& catalog, const Suite& suite,
                                                  std::string_view experiments,
                                                  const std::vector<ParamOverride>& overrides,
                                                  const ResolveFile& resolve) {
  const std::vector<std::string> wanted = Words(experiments, ',');
  if (NamesNothing(experiments, ",")) return NothingNamed("--experiments", experiments);
  for (const std::string& name : wanted) {
    const absl::Status status = FindExperiment(catalog, name).status();
    if (!status.ok()) return status;
  }
  const auto is_wanted = [&](const std::string& name) {
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end();
  };

  std::vector<SuiteCell> chosen;
  std::set<std::string> covered;
  for (const SuiteCell& cell : suite.cells) {
    if (!is_wanted(cell.experiment)) continue;
    chosen.push_back(cell);
    covered.insert(cell.experiment);
  }
  for (const std::string& name : wanted) {
    if (covered.insert(name).second) chosen.push_back({name, {}, kUnknownCellSeconds});
  }
  for (const ParamOverride& given : overrides) {
    const absl::Status known = FindExperiment(catalog, given.experiment).status();
    if (!known.ok()) return known;
    if (covered.count(given.experiment) == 0) {
      return absl::InvalidArgumentError(Concat("--param=", given.experiment, ".", given.param,
                                               "=…: this run has no cell of '", given.experiment,
                                               "'"));
    }
  }

  // A file is input that stands in place of what the other parameters make: they would change such
  // a cell's name and nothing else, so that they are for the experiment's other cells, if any.
  for (SuiteCell& each : chosen) Override(catalog, overrides, /*files=*/true, each);
  std::set<std::string> made;  // experiments with a cell that no file is the input of
  for (const SuiteCell& each : chosen) {
    if (!TakesFile(catalog, each)) made.insert(each.experiment);
  }
  for (SuiteCell& each : chosen) {
    if (TakesFile(catalog, each) && made.count(each.experiment) != 0) continue;
    Override(catalog, overrides, /*files=*/false, each);
  }

  std::vector<CellSpec> cells;
  std::set<std::string> keys;
  for (SuiteCell& each : chosen) {
    const absl::StatusOr<const ExperimentInfo*> info = FindExperiment(catalog, each.experiment);
    if (!info.ok()) return info.status();
    for (auto& [param, text] : each.params) {
      const absl::StatusOr<const ParamInfo*> param_info = FindParam(**info, param);
      if (!param_info.ok()) return param_info.status();
      if ((*param_info)->type != ParamType::kFile || text.empty()) continue;
      absl::StatusOr<std::string> resolved = resolve(text);
      if (!resolved.ok()) return resolved.status();
      text = *std::move(resolved);
    }
    absl::StatusOr<CellSpec> cell =
        MakeCell(catalog, each.experiment, each.params, each.expected_s);
    if (!cell.ok()) return cell.status();
    if (keys.insert(CellKey(cell->experiment, cell->params)).second) {
      cells.push_back(*std::move(cell));
    }
  }
  return cells;
}

}  // namespace rubric
