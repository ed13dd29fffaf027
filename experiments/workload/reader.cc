#include "experiments/workload/reader.h"

#include <cstdio>
#include <utility>

#include "experiments/workload/event_parser.h"
#include "reports/results/concat.h"

namespace rubric {
namespace {

constexpr char kRecordAgain[] = "; record it again with experiments/recorder/record.rb";

}  // namespace

WorkloadReader::WorkloadReader(GzipLines lines, std::string name, Mode mode)
    : lines_(std::move(lines)),
      name_(std::move(name)),
      mode_(mode),
      parser_(std::make_unique<EventParser>(mode == Mode::kAll)) {}
WorkloadReader::WorkloadReader(WorkloadReader&&) noexcept = default;
WorkloadReader::~WorkloadReader() = default;

const StringTable& WorkloadReader::strings() const { return parser_->strings(); }
std::uint64_t WorkloadReader::literals() const { return parser_->literals(); }

absl::Status WorkloadReader::Error(std::string_view message) const {
  return absl::InvalidArgumentError(Concat(name_, ":", line_number(), ": ", message, kRecordAgain));
}

absl::StatusOr<WorkloadReader> WorkloadReader::Open(const WorkloadSource& source, Mode mode) {
  absl::StatusOr<GzipLines> lines = GzipLines::Open(source, mode == Mode::kAll);
  if (!lines.ok()) return lines.status();
  WorkloadReader reader(*std::move(lines), source.name, mode);
  if (absl::Status status = reader.ReadHeader(); !status.ok()) return status;
  return reader;
}

absl::Status WorkloadReader::ReadHeader() {
  std::string_view line;
  const absl::StatusOr<bool> more = lines_.Next(&line);
  if (!more.ok()) return more.status();
  if (!*more) return Error("expected the first line of a workload, found an empty file");
  std::uint64_t version = 0;
  if (!parser_->ParseHeader(line, &version, &header_)) return Error(parser_->error());
  if (version != kVersion) {
    return absl::InvalidArgumentError(
        Concat(name_, ":1: the workload is of format version ", version,
               version > kVersion ? ", made by a newer recorder" : "",
               "; this program reads version ", kVersion, kRecordAgain, " of this source tree"));
  }
  return absl::OkStatus();
}

absl::Status WorkloadReader::ReadEnd() {
  const EndRecord& end = parser_->end();
  const std::uint64_t before = lines_.line_number() - 1;
  if (end.lines != before) {
    return Error(Concat("expected \"lines\":", before, ", the lines before it, found ", end.lines));
  }
  if (mode_ == Mode::kMarksOnly) return CheckNothingFollows();  // the other reader sees to the sum
  char crc[9];
  std::snprintf(crc, sizeof crc, "%08x", lines_.crc32_before());
  if (end.crc32 != crc) {
    return Error(Concat("the checksum is wrong: expected \"crc32\":\"", crc, "\", found \"",
                        end.crc32.substr(0, 40), "\""));
  }
  return CheckNothingFollows();
}

absl::Status WorkloadReader::CheckNothingFollows() {
  std::string_view line;
  const absl::StatusOr<bool> more = lines_.Next(&line);
  if (!more.ok()) return more.status();
  if (*more) return Error("expected the end of the file after the line \"end\", found more lines");
  return absl::OkStatus();
}

absl::StatusOr<std::optional<WorkloadEvent>> WorkloadReader::Next() {
  while (true) {
    std::string_view line;
    const absl::StatusOr<bool> more = lines_.Next(&line);
    if (!more.ok()) return more.status();
    if (!*more) {
      return absl::InvalidArgumentError(
          Concat(name_, ":", line_number() + 1,
                 ": the file was cut off: expected a line \"end\", found the end of the file",
                 kRecordAgain));
    }
    WorkloadEvent event;
    switch (parser_->Parse(line, &event)) {
      case EventParser::Result::kEvent:
        return event;
      case EventParser::Result::kSkipped:
        continue;
      case EventParser::Result::kEnd:
        if (absl::Status status = ReadEnd(); !status.ok()) return status;
        return std::nullopt;
      case EventParser::Result::kError:
        return Error(parser_->error());
    }
  }
}

}  // namespace rubric
