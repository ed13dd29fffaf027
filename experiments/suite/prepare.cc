#include "experiments/suite/prepare.h"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <random>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_join.h"
#include "experiments/suite/files.h"
#include "experiments/suite/selection.h"
#include "experiments/suite/suites.h"
#include "reports/results/command_line.h"
#include "reports/results/concat.h"
#include "reports/results/names.h"

namespace rubric {
namespace {

constexpr char kWorkspace[] = "rubric";

// The runfiles folder of this program, where `file` is; empty where there is none.
std::string RunfilesFolder(const std::string& file) {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  for (const char* variable : {"RUNFILES_DIR", "TEST_SRCDIR"}) {
    const char* folder = getenv(variable);
    if (folder != nullptr && access(Concat(folder, "/", file).c_str(), F_OK) == 0) {
      return std::filesystem::absolute(folder);
    }
  }
  const std::string beside = Concat(self.string(), ".runfiles");
  return access(Concat(beside, "/", file).c_str(), F_OK) == 0 ? beside : "";
}

// The core to pin to: the last one that this process may use, which is the least likely to serve
// interrupts and the shell that started us.
absl::StatusOr<std::optional<int>> ChooseCpu(const std::optional<int>& wanted) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (wanted && *wanted == -1) return std::optional<int>();
  if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return wanted;
  std::vector<int> cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &allowed)) cores.push_back(core);
  }
  if (!wanted) return std::optional<int>(cores.back());
  if (*wanted >= CPU_SETSIZE || !CPU_ISSET(*wanted, &allowed)) {
    return absl::InvalidArgumentError(
        Concat("--cpu=", *wanted, ": this process may use the cores ", absl::StrJoin(cores, ", ")));
  }
  return wanted;
}

// A workload file as the processes are given it: relative to their working directory where it lies
// there, so that labels do not depend on the machine; else absolute.
absl::StatusOr<std::string> ResolveWorkload(const std::string& text,
                                            const std::string& working_directory) {
  if (access(AbsolutePath(text, working_directory).c_str(), R_OK) == 0) return text;
  const std::string file = AbsolutePath(UserPath(text), std::filesystem::current_path());
  if (access(file.c_str(), R_OK) == 0) return file;
  return absl::InvalidArgumentError(Concat(file, ": cannot be read: ", strerror(errno)));
}

// Hashes every file that a cell names.
absl::StatusOr<OrderedMap<std::string>> HashWorkloads(const Catalog& catalog,
                                                      const std::vector<CellSpec>& cells,
                                                      const std::string& working_directory) {
  OrderedMap<std::string> files;
  for (const CellSpec& cell : cells) {
    const absl::StatusOr<const ExperimentInfo*> info = FindExperiment(catalog, cell.experiment);
    if (!info.ok()) return info.status();
    for (const ParamInfo& param : (*info)->params) {
      const ParamValue* value = Find(cell.params, param.name);
      if (param.type != ParamType::kFile || value == nullptr) continue;
      const std::string file = ParamText(*value);
      if (file.empty() || Find(files, file) != nullptr) continue;
      absl::StatusOr<std::string> hash = Sha256OfFile(AbsolutePath(file, working_directory));
      if (!hash.ok()) return hash.status();
      files.emplace_back(file, *std::move(hash));
    }
  }
  return files;
}

// The variants with what their programs say, the control included. Programs that do not answer stay
// in the plan: their cells fail one by one, and the report says so.
struct Opened {
  std::vector<VariantSpec> variants;
  std::vector<int> program_fds;
  std::optional<Catalog> catalog;
  MachineInfo machine;
  std::vector<std::string> warnings;
};

absl::StatusOr<Opened> OpenPrograms(const std::vector<ManifestEntry>& entries,
                                    const std::string& working_directory) {
  Opened opened;
  for (const ManifestEntry& entry : entries) {
    // Not O_PATH: the descriptor is read for the hash as well. What is hashed is what is run, even
    // if the next build replaces the file meanwhile.
    const int fd = open(entry.binary.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0 || access(entry.binary.c_str(), X_OK) != 0) {
      return absl::FailedPreconditionError(Concat(entry.binary, ": the program of '", entry.name,
                                                  "' cannot be run: ", strerror(errno)));
    }
    absl::StatusOr<std::string> hash = Sha256OfDescriptor(fd, entry.binary);
    if (!hash.ok()) return hash.status();
    VariantSpec variant = {entry.name, entry.name, entry.axes, entry.binary, *hash, {}};
    absl::StatusOr<Probed> probed = ProbeProgram(entry.binary, working_directory);
    if (!probed.ok()) {
      opened.warnings.push_back(
          Concat("'", entry.name, "' does not answer: ", std::string(probed.status().message())));
    } else {
      variant.build = probed->build;
      if (opened.machine == MachineInfo{}) opened.machine = probed->machine;
      if (!opened.catalog) {
        opened.catalog = std::move(probed->catalog);
      } else if (opened.catalog->experiments != probed->catalog.experiments) {
        opened.warnings.push_back(Concat("'", entry.name,
                                         "' lists other experiments or parameters than the first "
                                         "variant; cells that it does not take will fail"));
      }
    }
    opened.variants.push_back(std::move(variant));
    opened.program_fds.push_back(fd);
    if (opened.variants.size() == 1) {
      VariantSpec control = opened.variants.front();
      control.name = ControlName(entry.name);
      opened.variants.push_back(std::move(control));
      opened.program_fds.push_back(fd);
    }
  }
  if (!opened.catalog) {
    return absl::FailedPreconditionError(
        Concat("no variant's program answers:\n  ", absl::StrJoin(opened.warnings, "\n  ")));
  }
  return opened;
}

}  // namespace

BundleFiles SuiteFiles() {
  return {"rubric/experiments/manifest.json", "rubric/experiments/suite/matrix.txt"};
}

absl::StatusOr<Bundle> Locate(const Options& options, const BundleFiles& files) {
  Bundle bundle;
  std::string manifest = options.manifest;
  std::string root;
  if (!manifest.empty()) {
    manifest = AbsolutePath(manifest, std::filesystem::current_path());
    root = std::filesystem::path(manifest).parent_path();
    bundle.matrix = "custom";
    bundle.working_directory = root;
  } else {
    root = RunfilesFolder(files.manifest);
    if (root.empty()) {
      return absl::FailedPreconditionError(
          "this program brings no variants along; run it with `bazel run`, or name variants with "
          "--manifest=FILE");
    }
    manifest = Concat(root, "/", files.manifest);
    absl::StatusOr<std::string> matrix = ReadFile(Concat(root, "/", files.matrix));
    if (!matrix.ok()) return matrix.status();
    bundle.matrix = std::string(absl::StripAsciiWhitespace(*matrix));
    bundle.working_directory = Concat(root, "/", kWorkspace);
  }
  absl::StatusOr<std::vector<ManifestEntry>> variants = ReadManifest(manifest, root);
  if (!variants.ok()) return variants.status();
  bundle.variants = *std::move(variants);
  return bundle;
}

absl::StatusOr<Probed> ProbeAny(const std::vector<ManifestEntry>& entries,
                                const std::string& working_directory) {
  absl::Status first;
  for (const ManifestEntry& entry : entries) {
    absl::StatusOr<Probed> probed = ProbeProgram(entry.binary, working_directory);
    if (probed.ok()) return probed;
    first.Update(probed.status());
  }
  return first;
}

absl::StatusOr<Prepared> PreparePlan(const Options& options, const Bundle& bundle,
                                     const Suite& suite) {
  Prepared prepared;
  Plan& plan = prepared.plan;
  plan.suite = suite.name;
  plan.matrix = bundle.matrix;
  plan.baseline = options.baseline.empty() ? std::string(kBaselineName) : options.baseline;
  plan.seed = options.seed ? *options.seed : std::random_device()();
  plan.rounds = options.rounds > 0 ? options.rounds : suite.rounds;
  plan.timeout_s = options.timeout_s;
  plan.hash_seed = options.hash_seed;
  absl::StatusOr<std::optional<int>> cpu = ChooseCpu(options.cpu);
  if (!cpu.ok()) return cpu.status();
  plan.cpu = *cpu;
  plan.other_passes = {std::string(kLogPass)};
  if (options.massif || suite.massif) plan.other_passes.emplace_back(kMassifPass);
  if (options.instructions) plan.other_passes.emplace_back(kInstructionsPass);
  if (plan.other_passes.size() > 1) {
    const std::optional<std::string> valgrind = FindProgram("valgrind");
    if (!valgrind) {
      return absl::FailedPreconditionError(
          "valgrind is not installed, which --massif, --instructions and --suite=standard need: "
          "run third_party/setup");
    }
    prepared.place.valgrind = *valgrind;
  }

  absl::StatusOr<std::vector<ManifestEntry>> entries =
      SelectVariants(bundle.variants, options.variants, plan.baseline);
  if (!entries.ok()) return entries.status();
  absl::StatusOr<std::vector<ParamOverride>> overrides = ParseParamOverrides(options.param);
  if (!overrides.ok()) return overrides.status();
  absl::StatusOr<Opened> opened = OpenPrograms(*entries, bundle.working_directory);
  if (!opened.ok()) return opened.status();
  const ResolveFile resolve = [&](const std::string& text) {
    return ResolveWorkload(text, bundle.working_directory);
  };
  Suite chosen = suite;
  if (!options.workload.empty()) chosen.cells = {WorkloadCell(options.workload)};
  absl::StatusOr<std::vector<CellSpec>> cells =
      SelectCells(*opened->catalog, chosen, options.experiments, *overrides, resolve);
  if (!cells.ok()) return cells.status();
  absl::StatusOr<OrderedMap<std::string>> files =
      HashWorkloads(*opened->catalog, *cells, bundle.working_directory);
  if (!files.ok()) return files.status();

  plan.cells = *std::move(cells);
  plan.files = *std::move(files);
  plan.variants = std::move(opened->variants);
  prepared.place.program_fds = std::move(opened->program_fds);
  prepared.place.working_directory = bundle.working_directory;
  prepared.machine = opened->machine;
  prepared.warnings = std::move(opened->warnings);

  plan.overruled = CheckComparable(plan.variants);
  if (!plan.overruled.empty() && !options.force) {
    return absl::FailedPreconditionError(Concat("these programs must not be compared:\n  ",
                                                absl::StrJoin(plan.overruled, "\n  "),
                                                "\n--force measures them all the same"));
  }
  for (const std::string& problem : plan.overruled) {
    prepared.warnings.push_back(Concat("by --force: ", problem));
  }
  return prepared;
}

}  // namespace rubric
