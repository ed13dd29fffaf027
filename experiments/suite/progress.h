// Progress: one line that is kept up to date on a terminal, plain lines elsewhere.
//
// USE        Show() before each process, Note() for what must stay readable, Clear() before
//            anything else prints on the same terminal.
// COST       On a terminal one write a process; elsewhere one line at most every kPlainLineSeconds.
// TESTED BY  progress_test.cc.
#ifndef RUBRIC_EXPERIMENTS_SUITE_PROGRESS_H_
#define RUBRIC_EXPERIMENTS_SUITE_PROGRESS_H_

#include <chrono>
#include <cstdio>
#include <optional>
#include <string>

namespace rubric {

class Progress {
 public:
  // Seconds between two plain lines.
  static constexpr double kPlainLineSeconds = 5;

  // Writes to [out], which must outlive this; [terminal] says whether it is one.
  Progress(std::FILE* out, bool terminal) : out_(out), terminal_(terminal) {}

  // Process number [done] + 1 of [total] is about to start. [what] says which.
  void Show(int done, int total, double seconds_left, const std::string& what);

  // A line of its own.
  void Note(const std::string& text);

  // Removes the line that is kept up to date.
  void Clear();

 private:
  std::FILE* out_;
  bool terminal_;
  bool showing_ = false;
  std::optional<std::chrono::steady_clock::time_point> last_line_;
};

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_SUITE_PROGRESS_H_
