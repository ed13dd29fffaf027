#include "experiments/suite/progress.h"

#include <sys/ioctl.h>

#include "experiments/suite/estimate.h"
#include "reports/results/concat.h"

namespace rubric {
namespace {

// Columns of the terminal behind [out]; 80 where it does not say.
std::size_t Columns(std::FILE* out) {
  winsize size = {};
  if (ioctl(fileno(out), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

constexpr char kEraseLine[] = "\r\x1b[K";

}  // namespace

void Progress::Show(int done, int total, double seconds_left, const std::string& what) {
  const std::string left = Concat(DurationText(seconds_left), " left");
  if (terminal_) {
    std::string line = Concat("[", done, "/", total, "] ", left, " | ", what);
    const std::size_t columns = Columns(out_);
    if (line.size() >= columns) line.resize(columns - 1);
    std::fprintf(out_, "%s%s", kEraseLine, line.c_str());
    std::fflush(out_);
    showing_ = true;
    return;
  }
  const auto now = std::chrono::steady_clock::now();
  if (last_line_ && std::chrono::duration<double>(now - *last_line_).count() < kPlainLineSeconds) {
    return;
  }
  last_line_ = now;
  std::fprintf(out_, "%d of %d processes done, %s: %s\n", done, total, left.c_str(), what.c_str());
  std::fflush(out_);
}

void Progress::Note(const std::string& text) {
  Clear();
  std::fprintf(out_, "%s\n", text.c_str());
  std::fflush(out_);
}

void Progress::Clear() {
  if (!showing_) return;
  std::fprintf(out_, "%s", kEraseLine);
  std::fflush(out_);
  showing_ = false;
}

}  // namespace rubric
