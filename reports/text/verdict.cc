#include "reports/text/verdict.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "reports/results/concat.h"
#include "reports/stats/summary.h"
#include "reports/text/escape.h"
#include "reports/text/format.h"

namespace rubric {
namespace {

// What a sentence says of a metric that falls.
struct Headline {
  std::string_view metric;
  std::string_view praise;
};

struct Extreme {
  std::size_t row = 0;
  Ratio ratio;
};

// A variant's noteworthy differences in one metric.
struct Effects {
  std::optional<Extreme> lowest;   // less than the baseline
  std::optional<Extreme> highest;  // more
  std::size_t compared = 0;        // rows with a ratio
  std::size_t different = 0;       // of those, with a noteworthy one
};

// Whether [a] says more than [b] in its direction. From 0 every step is endless; there the larger
// figure says more.
bool IsBelow(const Ratio& a, const Ratio& b) {
  if (a.ratio != b.ratio || !a.figures || !b.figures) return a.ratio < b.ratio;
  return a.figures->variant - a.figures->baseline < b.figures->variant - b.figures->baseline;
}

Effects FindEffects(const Comparison& comparison, std::size_t variant, std::string_view metric) {
  Effects effects;
  for (std::size_t row = 0; row < comparison.rows.size(); ++row) {
    const std::optional<Ratio> ratio = RatioToBaseline(comparison, row, variant, metric);
    if (!ratio) continue;
    ++effects.compared;
    if (!IsNoteworthy(comparison, row, *ratio, metric)) continue;
    ++effects.different;
    if (ratio->ratio < 1 && (!effects.lowest || IsBelow(*ratio, effects.lowest->ratio))) {
      effects.lowest = Extreme{row, *ratio};
    }
    if (ratio->ratio > 1 && (!effects.highest || IsBelow(effects.highest->ratio, *ratio))) {
      effects.highest = Extreme{row, *ratio};
    }
  }
  return effects;
}

// Collects phrases; keeps sentences readable where they are made.
class Composer {
 public:
  Composer& Words(std::string_view text) { return Add(Phrase::Kind::kWords, text); }
  Composer& Name(std::string_view text) { return Add(Phrase::Kind::kName, text); }
  // All metrics of verdicts are costs: less is better.
  Composer& Change(const Ratio& ratio) {
    const Phrase::Kind kind = ratio.ratio < 1   ? Phrase::Kind::kBetter
                              : ratio.ratio > 1 ? Phrase::Kind::kWorse
                                                : Phrase::Kind::kWords;
    return Add(kind, ChangeText(ratio));
  }
  Sentence Take() { return std::move(sentence_); }

 private:
  Composer& Add(Phrase::Kind kind, std::string_view text) {
    sentence_.push_back({kind, std::string(text)});
    return *this;
  }

  Sentence sentence_;
};

void SayExtreme(Composer& say, const Comparison& comparison, const Extreme& extreme) {
  say.Change(extreme.ratio).Words(" in ").Name(comparison.rows[extreme.row].label);
}

// "; it costs up to +12 % CPU time (in …)" for each of the other metrics, or that it costs nothing.
void SayCosts(Composer& say, const Comparison& comparison, std::size_t variant,
              std::string_view won) {
  bool first = true;
  std::vector<std::string> free;
  for (const std::string_view metric :
       {kPeakMetric, kCallsMetric, std::string_view(comparison.time_metric)}) {
    const Effects effects = FindEffects(comparison, variant, metric);
    if (metric != won && effects.compared > 0) free.push_back(MetricTitle(metric));
    if (!effects.highest) continue;
    say.Words(first ? " At its worst: " : "; ");
    say.Words(MetricTitle(metric) + " ");
    SayExtreme(say, comparison, *effects.highest);
    first = false;
  }
  if (!first) {
    say.Words(".");
    return;
  }
  // Of what nobody measured nothing is said.
  if (free.empty()) return;
  say.Words(Concat(" No experiment shows a cost in ", free[0],
                   free.size() > 1 ? " or " + free[1] : "", "."));
}

// The variant whose mean of `metric` is lowest, if it is lower than chance makes the control's and
// rests on a real difference.
std::optional<std::pair<std::size_t, MeanRatio>> FindBest(const Comparison& comparison,
                                                          std::string_view metric) {
  std::optional<std::pair<std::size_t, MeanRatio>> best;
  // What chance alone does to a mean, the A/A control shows; an award takes more than that.
  double by_chance = 1;
  if (comparison.control) {
    const std::optional<MeanRatio> mean =
        MeanRatioToBaseline(comparison, *comparison.control, metric);
    if (mean) by_chance = std::min(mean->ratio, 1 / mean->ratio);
  }
  for (std::size_t v = 1; v < comparison.variants.size(); ++v) {
    if (comparison.variants[v].is_control) continue;
    const std::optional<MeanRatio> mean = MeanRatioToBaseline(comparison, v, metric);
    if (!mean || mean->ratio >= by_chance || !FindEffects(comparison, v, metric).lowest) continue;
    if (!best || mean->ratio < best->second.ratio) best = {v, *mean};
  }
  return best;
}

// Where no mean tells: the variant that is lower somewhere, and higher nowhere; in most cells, if
// there are several.
std::optional<std::size_t> FindNowhereWorse(const Comparison& comparison, std::string_view metric) {
  std::optional<std::size_t> best;
  std::size_t most = 0;
  for (std::size_t v = 1; v < comparison.variants.size(); ++v) {
    if (comparison.variants[v].is_control) continue;
    const Effects effects = FindEffects(comparison, v, metric);
    if (!effects.lowest || !effects.lowest->ratio.figures || effects.highest) continue;
    if (effects.different > most) {
      best = v;
      most = effects.different;
    }
  }
  return best;
}

void SayNoWinner(Composer& say, const Comparison& comparison, std::string_view metric) {
  std::size_t compared = 0;
  std::size_t complete = comparison.rows.size();  // rows that the least compared variant has
  for (std::size_t v = 1; v < comparison.variants.size(); ++v) {
    if (comparison.variants[v].is_control) continue;
    const std::size_t rows = FindEffects(comparison, v, metric).compared;
    compared = std::max(compared, rows);
    complete = std::min(complete, rows);
  }
  if (compared == 0) {
    say.Words(Concat("cannot be said: in no cell are there ", MetricTitle(metric), " of both "));
    say.Name(comparison.baseline().name).Words(" and another variant.");
    return;
  }
  say.Words("no variant beats the baseline ").Name(comparison.baseline().name);
  say.Words(Concat(" in ", MetricTitle(metric)));
  if (complete < comparison.rows.size()) {
    say.Words(Concat("; but of one there are figures in ",
                     CountOf(complete, comparison.rows.size()), " cells only"));
  }
  say.Words(".");
}

Award MakeAward(const Comparison& comparison, const Headline& headline) {
  Award award;
  award.title = headline.praise;
  award.metric = headline.metric;
  const std::string title = MetricTitle(headline.metric);
  Composer say;
  if (const auto best = FindBest(comparison, headline.metric)) {
    award.variant = best->first;
    award.mean = best->second.ratio;
    say.Words(Concat(title, " on the geometric mean of ",
                     CountOf(best->second.rows, best->second.total), " cells; "));
  } else if (const auto dominant = FindNowhereWorse(comparison, headline.metric)) {
    award.variant = *dominant;
    const Effects effects = FindEffects(comparison, *dominant, headline.metric);
    say.Words(Concat("less ", title, " in ", CountOf(effects.different, effects.compared),
                     " cells and more in none; no mean shows it, as a figure is not above 0; "));
  } else {
    SayNoWinner(say, comparison, headline.metric);
    award.detail = say.Take();
    return award;
  }
  SayExtreme(say, comparison, *FindEffects(comparison, *award.variant, headline.metric).lowest);
  say.Words(" at its best.");
  SayCosts(say, comparison, *award.variant, headline.metric);
  award.detail = say.Take();
  return award;
}

Sentence SayVariant(const Comparison& comparison, std::size_t variant) {
  Composer say;
  say.Name(comparison.variants[variant].name).Words(": ");
  bool first = true;
  std::size_t compared = 0;
  for (const std::string_view metric :
       {kPeakMetric, kCallsMetric, std::string_view(comparison.time_metric)}) {
    const Effects effects = FindEffects(comparison, variant, metric);
    compared = std::max(compared, effects.compared);
    if (effects.different == 0) continue;
    say.Words(Concat(first ? "" : "; ", MetricTitle(metric), " "));
    if (effects.lowest) SayExtreme(say, comparison, *effects.lowest);
    if (effects.lowest && effects.highest) say.Words(" and ");
    if (effects.highest) SayExtreme(say, comparison, *effects.highest);
    say.Words(Concat(" (differs in ", CountOf(effects.different, effects.compared), ")"));
    first = false;
  }
  if (compared == 0) return say.Words("no cell can be compared with the baseline.").Take();
  if (first) {
    say.Words(Concat("no difference that these figures can show, in ",
                     Counted(compared, "cell", "cells"), "."));
    return say.Take();
  }
  return say.Words(".").Take();
}

// The A/A control: how often chance alone made a difference, and how large.
void SayControl(const Comparison& comparison, std::vector<Sentence>& caveats) {
  Composer say;
  if (!comparison.control) {
    say.Words(
        "There is no A/A control in these results: nothing shows how much chance alone changes "
        "times.");
    caveats.push_back(say.Take());
    return;
  }
  std::size_t compared = 0;
  std::size_t alarms = 0;
  Ratio farthest{.ratio = 1, .interval = {}};
  for (std::size_t row = 0; row < comparison.rows.size(); ++row) {
    const auto ratio =
        RatioToBaseline(comparison, row, *comparison.control, comparison.time_metric);
    if (!ratio) continue;
    ++compared;
    alarms += ratio->is_difference() ? 1 : 0;
    const auto distance = [](const Ratio& r) {
      if (r.figures) return std::numeric_limits<double>::infinity();
      return r.ratio < 1 ? 1 / r.ratio : r.ratio;
    };
    if (distance(*ratio) > distance(farthest)) farthest = *ratio;
  }
  say.Words("The A/A control (").Name(comparison.variants[*comparison.control].name);
  if (compared == 0) {
    say.Words(Concat("), the baseline a second time, shows nothing: in no cell are there ",
                     MetricTitle(comparison.time_metric), " figures of both."));
    caveats.push_back(say.Take());
    return;
  }
  say.Words(Concat("), the baseline a second time, differs in ",
                   MetricTitle(comparison.time_metric), " by at most ", ChangeText(farthest),
                   "; in ", CountOf(alarms, compared),
                   " cells its interval excludes 1, where there is nothing to find."));
  caveats.push_back(say.Take());
}

// The smallest effect that this run could have told from nothing: half a typical interval.
void SaySensitivity(const Comparison& comparison, std::vector<Sentence>& caveats) {
  std::vector<double> halves;
  std::size_t without = 0;
  std::size_t fewest = 0;
  for (std::size_t row = 0; row < comparison.rows.size(); ++row) {
    for (std::size_t v = 1; v < comparison.variants.size(); ++v) {
      const auto ratio = RatioToBaseline(comparison, row, v, comparison.time_metric);
      if (!ratio || ratio->figures) continue;
      const NoisyFigure* figure = Find(comparison.rows[row].cells[v].noisy, comparison.time_metric);
      fewest = fewest == 0 ? figure->samples.size() : std::min(fewest, figure->samples.size());
      if (ratio->interval) {
        halves.push_back((ratio->interval->high - ratio->interval->low) / 2);
      } else {
        ++without;
      }
    }
  }
  Composer say;
  if (!halves.empty()) {
    say.Words(Concat(
        "Times come from at least ", Counted(fewest, "process", "processes"),
        " a cell; 95 % intervals are half as wide as ", PercentText(Summarize(halves).median),
        " at the median: smaller effects were not to be seen. Of ", halves.size(),
        " intervals about ", std::ceil(static_cast<double>(halves.size()) * (1 - kConfidence)),
        " exclude 1 by chance alone."));
    caveats.push_back(say.Take());
  }
  if (without > 0) {
    say.Words(Concat(Counted(without, "time has", "times have"),
                     " no interval: that takes at least 4 processes on both sides."));
    caveats.push_back(say.Take());
  }
}

void SayDropped(const Comparison& comparison, std::vector<Sentence>& caveats) {
  if (comparison.dropped.empty()) return;
  Composer say;
  say.Words(Concat(Counted(comparison.dropped.size(), "cell is", "cells are"),
                   " left out and counted in no mean, among them "));
  say.Name(comparison.dropped[0].cell).Words(" of ").Name(comparison.dropped[0].variant);
  say.Words(Concat(" (", comparison.dropped[0].state, ")."));
  caveats.push_back(say.Take());
}

}  // namespace

bool IsNoteworthy(const Comparison& comparison, std::size_t row, const Ratio& ratio,
                  std::string_view metric) {
  if (!ratio.is_difference()) return false;
  // A few chunks that lie differently are no effect of the swap.
  constexpr double kLayoutShare = 0.001;
  if (DependsOnHeapLayout(metric) && std::fabs(ratio.ratio - 1) < kLayoutShare) return false;
  if (ratio.exact || !comparison.control) return true;
  const auto control = RatioToBaseline(comparison, row, *comparison.control, metric);
  return !control || !control->is_difference();
}

Verdict MakeVerdict(const Comparison& comparison) {
  Verdict verdict;
  if (comparison.variants.size() == 1) {
    Composer say;
    say.Words("These results have one variant only, ").Name(comparison.baseline().name);
    verdict.caveats.push_back(say.Words(": there is nothing to compare it with.").Take());
  } else {
    const Headline headlines[] = {{kPeakMetric, "Least memory"},
                                  {kCallsMetric, "Fewest malloc calls"},
                                  {comparison.time_metric, "Fastest"}};
    for (const Headline& headline : headlines) {
      verdict.awards.push_back(MakeAward(comparison, headline));
    }
    for (std::size_t v = 1; v < comparison.variants.size(); ++v) {
      if (!comparison.variants[v].is_control) {
        verdict.variants.push_back(SayVariant(comparison, v));
      }
    }
    SayControl(comparison, verdict.caveats);
    SaySensitivity(comparison, verdict.caveats);
  }
  SayDropped(comparison, verdict.caveats);
  for (const std::string& warning : comparison.warnings) {
    verdict.caveats.push_back({{Phrase::Kind::kWords, warning + "."}});
  }
  return verdict;
}

Sentence Announce(const Comparison& comparison, const Award& award) {
  Composer say;
  say.Words(award.title + ": ");
  if (award.variant) {
    say.Name(comparison.variants[*award.variant].name).Words(", ");
    if (award.mean) say.Change(Ratio{.ratio = *award.mean, .interval = {}}).Words(" ");
  }
  Sentence sentence = say.Take();
  sentence.insert(sentence.end(), award.detail.begin(), award.detail.end());
  return sentence;
}

std::string PlainText(const Sentence& sentence) {
  std::string out;
  for (const Phrase& phrase : sentence) out += TerminalText(phrase.text);
  return out;
}

std::string Markdown(const Sentence& sentence) {
  std::string out;
  for (const Phrase& phrase : sentence) {
    switch (phrase.kind) {
      case Phrase::Kind::kName:
        out += MarkdownCode(phrase.text);
        break;
      case Phrase::Kind::kBetter:
      case Phrase::Kind::kWorse:
        out += "**" + MarkdownText(phrase.text) + "**";
        break;
      case Phrase::Kind::kWords:
        out += MarkdownText(phrase.text);
        break;
    }
  }
  return out;
}

}  // namespace rubric
