#include "experiments/workload/testing/workload_writer.h"

#include <zlib.h>

#include <cstdio>

#include "core/base/check.h"
#include "reports/results/concat.h"

namespace rubric {

std::string Gzip(std::string_view plain) {
  z_stream stream{};
  constexpr int kGzip = 15 + 16;
  RUBRIC_CHECK(deflateInit2(&stream, 6, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(deflateBound(&stream, plain.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  RUBRIC_CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

WorkloadWriter::WorkloadWriter(bool text) {
  Line(Concat(
      "{\"rubric_workload\":1,\"ruby\":\"3.1.2\",\"platform\":\"x86_64-linux-gnu\",\"text\":",
      text ? "true" : "false", "}"));
}

WorkloadWriter& WorkloadWriter::Line(std::string_view json) {
  plain_ += Concat(json, "\n");
  ++lines_;
  return *this;
}

std::string WorkloadWriter::Plain(bool with_end) const {
  if (!with_end) return plain_;
  char end[80];
  std::snprintf(
      end, sizeof end, "{\"op\":\"end\",\"lines\":%llu,\"crc32\":\"%08lx\"}\n",
      static_cast<unsigned long long>(lines_),
      crc32(0, reinterpret_cast<const Bytef*>(plain_.data()), static_cast<uInt>(plain_.size())));
  return plain_ + end;
}

std::string MarkLine(std::string_view name, std::string_view slots, std::uint64_t features,
                     std::uint64_t symbols, std::uint64_t fstrings, std::string_view more) {
  std::string line = Concat("{\"op\":\"mark\",\"name\":\"", name, "\",\"slots\":{", slots,
                            "},\"features\":", features);
  if (more.find("\"symbols\"") == std::string_view::npos) {
    line += Concat(",\"symbols\":{\"live\":", symbols, "}");
  }
  if (more.find("\"fstrings\"") == std::string_view::npos) {
    line += Concat(",\"fstrings\":{\"live\":", fstrings, "}");
  }
  return line + Concat(more, "}");
}

}  // namespace rubric
