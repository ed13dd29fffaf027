#include "experiments/workload/gzip_lines.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "reports/results/concat.h"

namespace rubric {
namespace {

constexpr std::size_t kInputBytes = 64 * 1024;
constexpr std::size_t kOutputBytes = 256 * 1024;

constexpr char kHowToMakeOne[] = "make one with: ruby -r ./experiments/recorder/record.rb app.rb";

}  // namespace

struct GzipLines::State {
  std::string name;
  int descriptor = -1;      // -1: all input is in `memory`
  std::string_view memory;  // what is left of it
  std::vector<unsigned char> input;
  std::vector<char> output;
  std::size_t at = 0, end = 0;  // of what is inflated and not given yet
  std::string partial;          // the begin of a line that goes on in the next output
  bool partial_given = false;
  z_stream stream{};
  bool inflating = false;  // the stream was made
  bool ended = false;      // the gzip stream's end was seen
  bool input_ended = false;
  std::uint64_t line = 0;
  bool with_crc = true;
  std::uint32_t crc_before = 0, crc_after = 0;

  ~State() {
    if (descriptor >= 0) close(descriptor);
    if (inflating) inflateEnd(&stream);
  }

  absl::Status Error(std::uint64_t line_number, std::string_view message) const {
    return absl::InvalidArgumentError(Concat(name, ":", line_number, ": ", message));
  }

  // More input, if there is any.
  absl::Status Fill() {
    if (stream.avail_in > 0 || input_ended) return absl::OkStatus();
    if (descriptor < 0) {
      // Inflate never writes to its input; its interface just does not say so.
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(memory.data()));
      const std::size_t taken = std::min(memory.size(), std::size_t{1} << 30);
      stream.avail_in = static_cast<uInt>(taken);
      memory.remove_prefix(taken);
      input_ended = taken == 0;
      return absl::OkStatus();
    }
    while (true) {
      const ssize_t got = read(descriptor, input.data(), input.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) {
        return absl::InvalidArgumentError(
            Concat(name, ": could not be read: ", std::strerror(errno)));
      }
      stream.next_in = input.data();
      stream.avail_in = static_cast<uInt>(got);
      input_ended = got == 0;
      return absl::OkStatus();
    }
  }

  // More output in [at, end); none iff the stream ended.
  absl::Status Inflate() {
    at = end = 0;
    while (end == 0 && !ended) {
      if (absl::Status status = Fill(); !status.ok()) return status;
      if (stream.avail_in == 0) {
        return Error(line + 1, Concat("the file was cut off: expected more of its gzip stream, "
                                      "found its end; ",
                                      kHowToMakeOne));
      }
      stream.next_out = reinterpret_cast<Bytef*>(output.data());
      stream.avail_out = static_cast<uInt>(output.size());
      const int result = inflate(&stream, Z_NO_FLUSH);
      end = output.size() - stream.avail_out;
      if (result == Z_STREAM_END) {
        ended = true;
      } else if (result != Z_OK && result != Z_BUF_ERROR) {
        return Error(line + 1, Concat(stream.total_out == 0 ? "expected gzipped JSON Lines, found "
                                                              "no gzip"
                                                            : "the gzip stream is damaged",
                                      " (", stream.msg == nullptr ? "zlib" : stream.msg, "); ",
                                      kHowToMakeOne));
      }
    }
    return absl::OkStatus();
  }

  // After the stream's end there must be nothing.
  absl::Status CheckNothingFollows() {
    if (absl::Status status = Fill(); !status.ok()) return status;
    if (stream.avail_in == 0) return absl::OkStatus();
    return Error(line, "expected the end of the file after its gzip stream, found more bytes");
  }
};

GzipLines::GzipLines(std::unique_ptr<State> state) : state_(std::move(state)) {}
GzipLines::GzipLines(GzipLines&&) noexcept = default;
GzipLines::~GzipLines() = default;

std::uint64_t GzipLines::line_number() const { return state_->line; }
std::uint32_t GzipLines::crc32_before() const { return state_->crc_before; }

absl::StatusOr<GzipLines> GzipLines::Open(const WorkloadSource& source, bool with_crc) {
  auto state = std::make_unique<State>();
  state->name = source.name;
  state->with_crc = with_crc;
  if (source.in_memory) {
    state->memory = source.bytes;
  } else {
    state->descriptor = open(source.name.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat info;
    if (state->descriptor < 0 || fstat(state->descriptor, &info) != 0) {
      return absl::NotFoundError(Concat(source.name, ": ", std::strerror(errno),
                                        "; expected a workload; ", kHowToMakeOne));
    }
    if (S_ISDIR(info.st_mode)) {
      return absl::InvalidArgumentError(
          Concat(source.name, ": is a folder; expected a workload; ", kHowToMakeOne));
    }
    state->input.resize(kInputBytes);
  }
  state->output.resize(kOutputBytes);
  constexpr int kGzipOnly = 15 + 16;
  RUBRIC_CHECK(inflateInit2(&state->stream, kGzipOnly) == Z_OK, "zlib starts");
  state->inflating = true;
  return GzipLines(std::move(state));
}

absl::StatusOr<bool> GzipLines::Next(std::string_view* line) {
  State& s = *state_;
  if (s.partial_given) {
    s.partial.clear();
    s.partial_given = false;
  }
  s.crc_before = s.crc_after;
  while (true) {
    if (s.at == s.end) {
      if (absl::Status status = s.Inflate(); !status.ok()) return status;
      if (s.end == 0) break;
    }
    const char* begin = s.output.data() + s.at;
    const auto* feed = static_cast<const char*>(std::memchr(begin, '\n', s.end - s.at));
    const std::size_t length =
        feed == nullptr ? s.end - s.at : static_cast<std::size_t>(feed - begin);
    if (s.partial.size() + length > kMaxLineBytes) {
      return s.Error(s.line + 1, Concat("the line is too long: expected at most ", kMaxLineBytes,
                                        " bytes; the recorder splits what is longer"));
    }
    s.at += length + (feed == nullptr ? 0 : 1);
    s.crc_after =
        static_cast<std::uint32_t>(crc32(s.crc_after, reinterpret_cast<const Bytef*>(begin),
                                         static_cast<uInt>(length + (feed == nullptr ? 0 : 1))));
    if (feed == nullptr) {
      s.partial.append(begin, length);
      continue;
    }
    ++s.line;
    if (s.partial.empty()) {
      *line = std::string_view(begin, length);
    } else {
      s.partial.append(begin, length);
      s.partial_given = true;
      *line = s.partial;
    }
    if (line->empty()) return s.Error(s.line, "expected a JSON object, found an empty line");
    return true;
  }
  if (!s.partial.empty()) {
    return s.Error(s.line + 1, "the file was cut off: expected a line feed, found the end");
  }
  if (absl::Status status = s.CheckNothingFollows(); !status.ok()) return status;
  return false;
}

}  // namespace rubric
