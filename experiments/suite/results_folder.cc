#include "experiments/suite/results_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "experiments/suite/command.h"
#include "experiments/suite/files.h"
#include "reports/results/concat.h"

namespace rubric {
namespace {

std::string RecordsFileOf(const std::string& folder) { return Concat(folder, "/", kRecordsFile); }
std::string PlanFileOf(const std::string& folder) { return Concat(folder, "/", kPlanFile); }

absl::Status HoldsARun(const std::string& folder) {
  return absl::FailedPreconditionError(
      Concat(folder, ": holds a run already; continue it with --resume=", folder,
             ", or choose another folder with --out"));
}

absl::Status MakeToolFolders(const std::string& folder, const std::vector<std::string>& passes) {
  for (const std::string& pass : passes) {
    const std::string tool_folder = ToolFolder(pass);
    if (tool_folder.empty()) continue;
    const absl::Status status = MakeFolder(Concat(folder, "/", tool_folder));
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace

std::string DefaultResultsFolder(const std::string& parent, const std::string& matrix) {
  const std::string name =
      Concat(parent, "/", absl::FormatTime("%Y%m%d-%H%M%S", absl::Now(), absl::UTCTimeZone()), "-",
             matrix);
  std::string folder = name;
  // A second run within one second.
  for (int i = 2; access(folder.c_str(), F_OK) == 0; ++i) folder = Concat(name, "-", i);
  return folder;
}

absl::Status ResultsFolder::CheckFresh(const std::string& folder) {
  struct stat info;
  if (access(PlanFileOf(folder).c_str(), F_OK) == 0 ||
      (stat(RecordsFileOf(folder).c_str(), &info) == 0 && info.st_size > 0)) {
    return HoldsARun(folder);
  }
  // The nearest folder that there is.
  std::filesystem::path there = folder;
  while (stat(there.c_str(), &info) != 0 && there.has_relative_path()) there = there.parent_path();
  if (stat(there.c_str(), &info) == 0 && !S_ISDIR(info.st_mode)) {
    return absl::FailedPreconditionError(
        Concat(folder, ": cannot be made: ", there.string(), " is not a folder"));
  }
  if (access(there.c_str(), W_OK | X_OK) != 0) {
    return absl::FailedPreconditionError(
        Concat(folder, ": cannot be made: ", there.string(), ": ", std::strerror(errno)));
  }
  return absl::OkStatus();
}

absl::StatusOr<ResultsFolder> ResultsFolder::OpenFresh(const std::string& folder,
                                                       const RunPlan& run,
                                                       const std::vector<std::string>& passes) {
  absl::Status status = MakeFolder(folder);
  if (!status.ok()) return status;
  // The writer comes first: it is the lock.
  absl::StatusOr<ResultsWriter> writer = ResultsWriter::Open(RecordsFileOf(folder));
  if (!writer.ok()) return writer.status();
  absl::StatusOr<Results> found = ReadRecordsFile(RecordsFileOf(folder));
  if (!found.ok()) return found.status();
  if (!found->records.empty() || access(PlanFileOf(folder).c_str(), F_OK) == 0) {
    return HoldsARun(folder);
  }
  status = MakeToolFolders(folder, passes);
  if (!status.ok()) return status;
  status = WriteFileAtomically(PlanFileOf(folder), ToJson(run));
  if (!status.ok()) return status;
  return ResultsFolder(folder, *std::move(writer));
}

absl::StatusOr<ResultsFolder> ResultsFolder::OpenStored(const std::string& folder,
                                                        const RunPlan& now,
                                                        const std::vector<std::string>& passes) {
  absl::StatusOr<RunPlan> stored = ReadRunPlan(folder);
  if (!stored.ok()) return stored.status();
  absl::Status status = CheckSamePlan(*stored, now);
  if (!status.ok()) {
    return absl::FailedPreconditionError(
        Concat(folder, ": this is another run than the one that was started there:\n  ",
               std::string(status.message()),
               "\nFigures of two runs must not be mixed: undo the change, or start a new run"));
  }
  absl::StatusOr<ResultsWriter> writer = ResultsWriter::Open(RecordsFileOf(folder));
  if (!writer.ok()) return writer.status();
  absl::StatusOr<Results> found = ReadRecordsFile(RecordsFileOf(folder));
  if (!found.ok()) return found.status();
  status = MakeToolFolders(folder, passes);
  if (!status.ok()) return status;
  ResultsFolder result(folder, *std::move(writer));
  result.earlier_ = std::move(found->records);
  return result;
}

}  // namespace rubric
