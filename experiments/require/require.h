// The require experiment: see README.md. A header, since it is compiled into the one file of each
// variant (experiments/lab/variant_main.cc).
#ifndef RUBRIC_EXPERIMENTS_REQUIRE_REQUIRE_H_
#define RUBRIC_EXPERIMENTS_REQUIRE_REQUIRE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "absl/strings/str_cat.h"
#include "experiments/harness/experiment.h"
#include "experiments/harness/run_on_vm.h"
#include "experiments/require/feature_list.h"

namespace rubric {
namespace require_experiment {

// One file of the tree: how the program asks for it, and the path it is then provided as.
struct File {
  std::string asked_for;
  std::string path;
};

// The folder of the generated files: an absolute path of `slashes` - 1 components. The last two are
// as long as those of Ruby's own require benchmark, the others as short as an installation's.
inline std::string GeneratedFolder(std::int64_t slashes) {
  std::string folder;
  for (std::int64_t i = 1; i < slashes; ++i) {
    const std::int64_t from_end = slashes - i;
    if (slashes > 3 && from_end == 2) {
      folder += "/benchmark";
    } else if (slashes > 3 && from_end == 1) {
      folder += "/bm_require.data";
    } else {
      absl::StrAppend(&folder, "/dir", i);
    }
  }
  return folder;
}

// Defines what a file of `methods` methods defines: a module, a class, and its methods of 5 lines
// each.
inline void RunBody(Vm& vm, std::int64_t file, std::int64_t methods) {
  if (methods == 0) return;
  vm.DefineClass(absl::StrCat("Module", file));
  RClass* klass = vm.DefineClass(absl::StrCat("Class", file));
  for (std::int64_t m = 0; m < methods; ++m) {
    vm.DefineMethod(klass, absl::StrCat("method", m), 24, 5);
  }
}

inline absl::Status CheckCounts(const Vm& vm, std::size_t expected) {
  const std::size_t provided = vm.features().array()->length();
  if (provided != expected) {
    return WrongResult(absl::StrCat(provided, " features are provided, expected ", expected));
  }
  vm.features().CheckInvariants();
  return absl::OkStatus();
}

// `slashes` - 1 folders deep, `features` files; each is required by its name alone, found in the
// load path, and then required again.
inline absl::Status RunGenerated(Vm& vm, const ParameterValues& parameters,
                                 Measurement& measurement) {
  const std::int64_t count = parameters.Int("features");
  const std::int64_t methods = parameters.Int("methods");
  const std::string folder = GeneratedFolder(parameters.Int("slashes"));
  std::vector<File> files;
  for (std::int64_t i = 1; i <= count; ++i) {
    files.push_back({absl::StrCat("c", i), absl::StrCat(folder, "/c", i, ".rb")});
  }
  std::unordered_set<std::string_view> file_system;
  for (const File& file : files) file_system.insert(file.path);
  const auto exists = [&](std::string_view path) { return file_system.contains(path); };
  vm.features().load_path().Append(folder.empty() ? "/" : folder);

  std::int64_t loaded = 0;
  const auto load = [&](std::string_view) {
    RunBody(vm, loaded++, methods);
    return absl::OkStatus();
  };
  measurement.Start();
  for (const File& file : files) {
    const auto result = vm.features().Require(file.asked_for, exists, load);
    if (!result.ok()) return result.status();
  }
  measurement.Mark("required");
  std::int64_t again = 0;
  for (const File& file : files) {
    const auto result = vm.features().Require(file.asked_for, exists, load);
    if (!result.ok()) return result.status();
    again += *result == RequireResult::kAlreadyLoaded ? 1 : 0;
  }
  measurement.Stop();

  measurement.Note("feature_keys", static_cast<double>(vm.features().keys().key_count()), "keys");
  if (loaded != count || again != count) {
    return WrongResult(absl::StrCat(loaded, " files were loaded and ", again,
                                    " found loaded when required again, expected ", count,
                                    " of each"));
  }
  for (const File& file : files) {
    const auto provided = vm.features().IsProvided(file.path);
    if (!provided.ok() || !*provided) return WrongResult(file.path + " is not provided");
  }
  return CheckCounts(vm, static_cast<std::size_t>(count));
}

// An application's own list: what has an absolute path is required, what has none was built in.
inline absl::Status RunList(Vm& vm, const std::string& path, Measurement& measurement) {
  const absl::StatusOr<FeatureList> list = ReadFeatureList(path);
  if (!list.ok()) return list.status();
  std::unordered_set<std::string_view> file_system;
  for (const std::string& feature : list->features) file_system.insert(feature);
  const std::size_t distinct = file_system.size();
  const auto exists = [&](std::string_view file) { return file_system.contains(file); };
  std::size_t loaded = 0;
  const auto load = [&](std::string_view) {
    ++loaded;
    return absl::OkStatus();
  };
  const auto is_file = [](std::string_view feature) {
    return feature.starts_with('/') && (feature.ends_with(".rb") || feature.ends_with(".so"));
  };

  measurement.Start();
  for (const std::string& feature : list->features) {
    if (is_file(feature)) {
      const auto result = vm.features().Require(feature, exists, load);
      if (!result.ok()) return result.status();
    } else if (const auto provided = vm.features().IsProvided(feature); !provided.ok()) {
      return provided.status();
    } else if (!*provided) {
      if (absl::Status status = vm.features().Provide(feature); !status.ok()) return status;
      ++loaded;
    }
  }
  measurement.Mark("required");
  std::size_t again = 0;
  for (const std::string& feature : list->features) {
    const auto provided = vm.features().IsProvided(feature);
    if (!provided.ok()) return provided.status();
    again += *provided ? 1 : 0;
  }
  measurement.Stop();

  measurement.Note("feature_keys", static_cast<double>(vm.features().keys().key_count()), "keys");
  measurement.Note("features", static_cast<double>(loaded), "features");
  if (again != list->features.size()) {
    return WrongResult(absl::StrCat(again, " of ", list->features.size(),
                                    " features are found when asked for again"));
  }
  if (loaded > distinct) return WrongResult("a feature was loaded twice");
  return CheckCounts(vm, loaded);
}

inline absl::Status Run(Vm& vm, const ParameterValues& parameters, Measurement& measurement) {
  const std::string& list = parameters.Text("feature_list");
  return list.empty() ? RunGenerated(vm, parameters, measurement) : RunList(vm, list, measurement);
}

}  // namespace require_experiment

inline const Experiment& RequireExperiment() {
  static const auto* experiment = new Experiment{
      .name = "require",
      .summary = "features required, and required again: generated ones, or an application's",
      .parameters = {Parameter::Int("features", 10'000, 0, 1'000'000, "features",
                                    "generated files"),
                     Parameter::Int("slashes", 7, 1, 64, "slashes", "in the path of each"),
                     Parameter::Int("methods", 0, 0, 1000, "methods",
                                    "that each file defines, in a class"),
                     Parameter::Path("feature_list",
                                     "one path a line, instead of generated ones: ruby -e 'puts "
                                     "$LOADED_FEATURES'")},
      .run = RunOnVm<require_experiment::Run>};
  return *experiment;
}

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_REQUIRE_REQUIRE_H_
