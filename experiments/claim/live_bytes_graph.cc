#include "experiments/claim/live_bytes_graph.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "reports/results/concat.h"
#include "reports/text/escape.h"
#include "reports/text/format.h"

namespace rubric {
namespace {

// Pixels: the picture, and the plot's edges in it.
constexpr int kWidth = 900, kHeight = 480, kLeft = 90, kRight = 20, kTop = 40, kBottom = 60;
constexpr int kTicks = 5;
// Okabe and Ito's colours, which colour-blind people tell apart; lines differ in dash as well.
constexpr std::array<const char*, 6> kColours = {"#000000", "#0072b2", "#d55e00",
                                                 "#009e73", "#cc79a7", "#e69f00"};
constexpr std::array<const char*, 4> kDashes = {"", "8 4", "2 3", "10 3 2 3"};

struct Scale {
  double calls = 1;
  double bytes = 1;

  // To a tenth of a pixel.
  static double Rounded(double pixels) { return std::round(pixels * 10) / 10; }
  double X(double call) const { return Rounded(kLeft + call / calls * (kWidth - kLeft - kRight)); }
  double Y(double live) const {
    return Rounded(kHeight - kBottom - live / bytes * (kHeight - kTop - kBottom));
  }
};

std::string Text(double x, double y, const char* anchor, const std::string& text) {
  return Concat("<text x=\"", x, "\" y=\"", y, "\" text-anchor=\"", anchor, "\">", HtmlText(text),
                "</text>\n");
}

std::string Line(double x1, double y1, double x2, double y2, const std::string& style) {
  return Concat("<line x1=\"", x1, "\" y1=\"", y1, "\" x2=\"", x2, "\" y2=\"", y2, "\" ", style,
                "/>\n");
}

std::string Axes(const Scale& scale) {
  std::string svg;
  for (int i = 0; i <= kTicks; ++i) {
    const double bytes = scale.bytes * i / kTicks;
    const double calls = scale.calls * i / kTicks;
    svg += Line(kLeft, scale.Y(bytes), kWidth - kRight, scale.Y(bytes), "stroke=\"#ddd\"");
    svg += Text(kLeft - 8, scale.Y(bytes) + 4, "end", Figure(bytes, "bytes"));
    svg += Text(scale.X(calls), kHeight - kBottom + 18, "middle", Grouped(std::round(calls)));
  }
  return svg + Text(kLeft + (kWidth - kLeft - kRight) / 2.0, kHeight - 22, "middle",
                    "n-th call of the allocator");
}

}  // namespace

std::string GraphCsv(const Curves& curves) {
  std::map<std::int64_t, std::vector<std::string>> rows;
  std::string csv = "call";
  for (std::size_t v = 0; v < curves.size(); ++v) {
    csv += "," + CsvField(curves[v].first);
    const LiveBytesCurve& curve = curves[v].second;
    for (std::size_t i = 0; i < curve.call.size(); ++i) {
      std::vector<std::string>& row = rows[curve.call[i]];
      row.resize(curves.size());
      row[v] = std::to_string(curve.bytes[i]);
    }
  }
  csv += '\n';
  for (const auto& [call, cells] : rows) {
    csv += std::to_string(call);
    for (const std::string& cell : cells) csv += "," + cell;
    csv += '\n';
  }
  return csv;
}

std::string GraphSvg(const std::string& title, const Curves& curves) {
  Scale scale;
  for (const auto& [name, curve] : curves) {
    scale.calls = std::max(scale.calls, static_cast<double>(curve.calls_total));
    for (const std::int64_t bytes : curve.bytes) {
      scale.bytes = std::max(scale.bytes, static_cast<double>(bytes));
    }
  }
  std::string svg = Concat(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ", kWidth, " ", kHeight,
      "\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" "
      "fill=\"#fff\"/>\n",
      Text(kLeft, 24, "start", title), Axes(scale));
  for (std::size_t v = 0; v < curves.size(); ++v) {
    const auto& [name, curve] = curves[v];
    const std::string style =
        Concat("fill=\"none\" stroke-width=\"2\" stroke=\"", kColours[v % kColours.size()],
               "\" stroke-dasharray=\"", kDashes[v % kDashes.size()], "\"");
    svg += Concat("<polyline ", style, " points=\"");
    for (std::size_t i = 0; i < curve.call.size(); ++i) {
      svg += Concat(i == 0 ? "" : " ", scale.X(static_cast<double>(curve.call[i])), ",",
                    scale.Y(static_cast<double>(curve.bytes[i])));
    }
    svg += "\"/>\n";
    const double y = kTop + 14 + 18.0 * static_cast<double>(v);
    svg += Line(kLeft + 12, y - 4, kLeft + 44, y - 4, style);
    svg += Text(kLeft + 52, y, "start", name);
  }
  return svg + "</svg>\n";
}

}  // namespace rubric
