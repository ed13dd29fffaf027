#include "reports/results/reader.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "reports/results/concat.h"
#include "reports/results/parse_record.h"

namespace rubric {
namespace {

namespace fs = std::filesystem;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

absl::Status FileError(const std::string& path, std::string_view what, int error) {
  const std::string message = Concat(path, ": ", what, ": ", std::strerror(error));
  if (error == EACCES || error == EPERM) return absl::PermissionDeniedError(message);
  return error == ENOENT ? absl::NotFoundError(message) : absl::InvalidArgumentError(message);
}

// Takes the lines of one file, whole or cut off, and turns them into records.
class LineParser {
 public:
  LineParser(std::string file, Results& results) : file_(std::move(file)), results_(results) {}

  absl::Status Take(std::string_view line, bool has_newline) {
    ++line_;
    const bool blank = line.find_first_not_of(" \t\r") == std::string_view::npos;
    if (blank && line.size() <= kMaxRecordBytes) return absl::OkStatus();
    absl::StatusOr<Record> record = ParseRecord(line);
    if (record.ok()) {
      results_.records.push_back({*std::move(record), file_, line_});
      return absl::OkStatus();
    }
    if (!has_newline) {
      results_.warnings.push_back(
          Concat(file_, ":", line_, ": the last line is cut off (", line.size(),
                 " bytes, no newline) and was left out, as after a run that was ended half-way"));
      return absl::OkStatus();
    }
    return absl::InvalidArgumentError(
        Concat(file_, ":", line_, ": ", std::string(record.status().message())));
  }

 private:
  std::string file_;
  Results& results_;
  std::int64_t line_ = 0;
};

absl::Status ReadLines(const std::string& file, Results& results) {
  std::error_code error;
  const fs::file_status found = fs::status(file, error);
  if (!fs::exists(found))
    return FileError(file, "cannot be read", error.value() ? error.value() : ENOENT);
  if (!fs::is_regular_file(found)) {
    return absl::InvalidArgumentError(
        Concat(file, ": expected a results folder or a file of JSON Lines, found neither"));
  }
  const std::unique_ptr<std::FILE, CloseFile> stream(std::fopen(file.c_str(), "rb"));
  if (stream == nullptr) return FileError(file, "cannot be opened", errno);
  results.files.push_back(file);
  LineParser parser(file, results);
  std::string pending;  // the start of a line whose newline has not come yet
  std::string chunk(std::size_t{64} << 10, '\0');
  while (const std::size_t size = std::fread(chunk.data(), 1, chunk.size(), stream.get())) {
    std::string_view rest(chunk.data(), size);
    for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
      pending += rest.substr(0, end);
      if (absl::Status status = parser.Take(pending, true); !status.ok()) return status;
      pending.clear();
      rest.remove_prefix(end + 1);
    }
    pending += rest;
    // Without this, a file with no newline in it would be read into memory whole.
    if (pending.size() > kMaxRecordBytes) return parser.Take(pending, true);
  }
  if (std::ferror(stream.get()) != 0) return FileError(file, "cannot be read", errno);
  return pending.empty() ? absl::OkStatus() : parser.Take(pending, false);
}

// What to say of a folder without results: perhaps the user meant one of the folders in it.
absl::Status NoResultsIn(const std::string& folder, const fs::directory_iterator& entries) {
  std::vector<std::string> inner;
  for (const fs::directory_entry& entry : entries) {
    std::error_code ignored;
    if (fs::exists(entry.path() / kRecordsFile, ignored)) inner.push_back(entry.path().string());
  }
  std::sort(inner.begin(), inner.end());
  std::string message =
      Concat(folder, ": expected a results folder, found no ", kRecordsFile, " in it");
  if (inner.empty()) {
    message += "; `bazel run //experiments:suite` makes one";
  } else {
    constexpr std::size_t kShown = 5;
    message += inner.size() == 1 ? "; there is one in " : "; there are some in ";
    for (std::size_t i = 0; i < std::min(inner.size(), kShown); ++i) {
      message += (i > 0 ? ", " : "") + inner[i];
    }
    if (inner.size() > kShown) message += Concat(" and ", inner.size() - kShown, " more");
  }
  return absl::NotFoundError(message);
}

// The records file that `path` stands for.
absl::StatusOr<std::string> ResolveRecordsFile(const std::string& path, bool* is_folder) {
  std::error_code error;
  *is_folder = fs::is_directory(path, error);
  if (!*is_folder) return path;
  const fs::directory_iterator entries(path, error);
  if (error) return FileError(path, "cannot be read", error.value());
  const fs::path records = fs::path(path) / kRecordsFile;
  if (!fs::exists(records, error)) {
    if (error) return FileError(path, "cannot be read", error.value());
    return NoResultsIn(path, entries);
  }
  return records.string();
}

}  // namespace

absl::StatusOr<Results> ReadRecordsFile(const std::string& file) {
  Results results;
  if (absl::Status status = ReadLines(file, results); !status.ok()) return status;
  return results;
}

absl::StatusOr<RunPlan> ReadRunPlan(const std::string& folder) {
  const std::string file = (fs::path(folder) / kPlanFile).string();
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return FileError(file, "cannot be opened", errno);
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  absl::StatusOr<RunPlan> plan = ParseRunPlan(text);
  if (plan.ok()) return plan;
  return absl::InvalidArgumentError(Concat(file, ": ", std::string(plan.status().message())));
}

absl::StatusOr<Results> ReadResults(const std::vector<std::string>& paths) {
  if (paths.empty()) {
    return absl::InvalidArgumentError("expected a results folder or a file of JSON Lines");
  }
  Results results;
  std::set<std::string> seen;
  for (const std::string& path : paths) {
    bool is_folder = false;
    absl::StatusOr<std::string> file = ResolveRecordsFile(path, &is_folder);
    if (!file.ok()) return file.status();
    std::error_code ignored;
    const fs::path canonical = fs::weakly_canonical(*file, ignored);
    if (!seen.insert(canonical.empty() ? *file : canonical.string()).second) {
      results.warnings.push_back(Concat(path, ": given before, and read once only"));
      continue;
    }
    if (absl::Status status = ReadLines(*file, results); !status.ok()) return status;
    if (!is_folder) continue;
    absl::StatusOr<RunPlan> plan = ReadRunPlan(path);
    if (plan.ok()) {
      results.plans.push_back(*std::move(plan));
    } else if (absl::IsNotFound(plan.status())) {
      results.warnings.push_back(
          Concat(path, ": has no ", kPlanFile, ", so that cells which are missing go unnoticed"));
    } else {
      return plan.status();
    }
  }
  if (results.records.empty()) {
    std::string message = "no records in";
    for (const std::string& path : paths) message += " " + path;
    for (const std::string& warning : results.warnings) message += "; " + warning;
    return absl::NotFoundError(message);
  }
  return results;
}

}  // namespace rubric
