// The verdict: what wins, by how much and at what cost, as sentences made from the figures.
//
// USE        MakeVerdict once; render each Sentence as HTML, Markdown or plain text.
// LAYOUT     A Sentence is a run of phrases, so that names and figures can be set apart from words
//            without any of them being parsed back out of text.
// INVARIANTS (1) A time is called a difference only if its interval excludes 1 and the A/A
//                control's of the same row does not. An exact metric's difference counts;
//                one of usable bytes only from 0.1 %, as some chunks lie differently by chance.
//            (2) A mean is said with the n of N rows that it is over.
//            (3) Of what nobody measured the verdict says that, and neither a win nor that there is
//                none.
//            (4) An A/A control wins nothing; it is reported as what chance does. A variant wins
//                only with a mean that is farther from 1 than the control's.
// TESTED BY  text_test.cc.

#ifndef RUBRIC_REPORTS_TEXT_VERDICT_H_
#define RUBRIC_REPORTS_TEXT_VERDICT_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/comparison/comparison.h"

namespace rubric {

struct Phrase {
  enum class Kind { kWords, kName, kBetter, kWorse };
  Kind kind = Kind::kWords;
  std::string text;
};

using Sentence = std::vector<Phrase>;

// The best variant by one metric.
struct Award {
  std::string title;  // "Least memory"
  std::string metric;
  std::optional<std::size_t> variant;  // none: no variant beats the baseline, or nobody can say
  std::optional<double> mean;  // geometric mean of its ratios to the baseline, if that tells
  Sentence detail;             // what the mean is over, where it wins most, what it costs
};

struct Verdict {
  std::vector<Award> awards;       // memory, calls, time; empty if there is nothing to compare
  std::vector<Sentence> variants;  // one each, in column order, controls left out
  std::vector<Sentence> caveats;   // noise, what was left out, what could not have been seen
};

Verdict MakeVerdict(const Comparison& comparison);

// An award as one sentence: title, variant, mean, detail.
Sentence Announce(const Comparison& comparison, const Award& award);

std::string PlainText(const Sentence& sentence);
std::string Markdown(const Sentence& sentence);

// Whether a variant's ratio in a row is worth a sentence, by invariant (1).
bool IsNoteworthy(const Comparison& comparison, std::size_t row, const Ratio& ratio,
                  std::string_view metric);

}  // namespace rubric

#endif  // RUBRIC_REPORTS_TEXT_VERDICT_H_
