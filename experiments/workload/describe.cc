#include "experiments/workload/describe.h"

#include <algorithm>
#include <bit>
#include <map>
#include <variant>

#include "experiments/workload/reader.h"
#include "reports/results/concat.h"
#include "reports/results/json_text.h"
#include "reports/results/terminal_text.h"

namespace rubric {
namespace {

using Figure = WorkloadDescription::Figure;

class Collector {
 public:
  void On(const StringsEvent& event, const StringTable& strings) {
    for (std::size_t i = 0; i < event.count; ++i) {
      const auto id = static_cast<StringId>(event.first + i);
      string_length_.Add(strings.Length(id));
      withheld_ += strings.IsWithheld(id) ? 1 : 0;
    }
  }
  void On(const LoadPathEvent& event, const StringTable&) {
    ++load_paths_;
    folders_ = std::max<std::uint64_t>(folders_, event.folders.size());
  }
  void On(const FeaturesEvent&, const StringTable&) { ++features_changed_; }
  void On(const RequireEvent& event, const StringTable& strings) {
    ++outcomes_[static_cast<std::size_t>(event.outcome)];
    ++hows_[static_cast<std::size_t>(event.how)];
    threads_ = std::max<std::uint64_t>(threads_, event.thread + std::uint64_t{1});
    if (event.feature) feature_length_.Add(strings.Length(*event.feature));
    if (event.outcome == RequireOutcome::kNew) depth_.Add(++open_[event.thread]);
  }
  void On(const RequiredEvent& event, const StringTable&) {
    raised_ += event.raised ? 1 : 0;
    if (--open_[event.thread] == 0) open_.erase(event.thread);
  }
  void On(const CodeEvent& event, const StringTable&) {
    ++(event.file ? files_ : evals_);
    for (const IseqRecord& iseq : event.iseqs) {
      ++kinds_[static_cast<std::size_t>(iseq.kind)];
      iseq_words_.Add(iseq.words);
      iseq_ivars_ += iseq.ivars.size();
    }
    iseqs_in_file_.Add(event.iseqs.size());
    for (const NameRecord& name : event.names) ++(name.is_symbol ? symbol_names_ : string_names_);
    for (const LiteralRecord& literal : event.literals) literal_length_.Add(literal.length);
  }
  void On(const SymbolsEvent& event, const StringTable&) {
    (event.dynamic ? dynamic_symbols_ : static_symbols_) += event.list.size();
  }
  void On(const EvaluatedEvent& event, const StringTable&) {
    for (const Evaluation& each : event.literals) {
      (each.estimated ? estimated_ : counted_) += each.times;
      evaluations_.Add(each.times);
    }
  }
  void On(const AllocatedEvent& event, const StringTable&) { allocated_ += event.slots; }
  void On(const MarkEvent& event, const StringTable&) {
    const Census& census = event.census;
    std::vector<Figure> figures = {
        {"features", census.features, "features"},
        {"symbols", census.symbols.live, "symbols"},
        {"dynamic_symbols", census.symbols.dynamic, "symbols"},
        {"symbols_first_seen", census.symbols.add.size() + census.symbols.add_dynamic.size(),
         "symbols"},
        {"fstrings", census.fstrings.live, "strings"},
        {"fstrings_first_seen", census.fstrings.add.size(), "strings"},
        {"iseqs", census.iseqs, "iseqs"},
        {"minor_collections", census.gc_minor, "collections"},
        {"major_collections", census.gc_major, "collections"},
        {"allocated_since_start", census.gc_allocated, "slots"}};
    std::uint64_t live = 0, with_ivars = 0;
    for (const std::uint64_t slots : census.slots) live += slots;
    for (const auto* list : {&census.objects, &census.others}) {
      for (const ObjectClass& objects : *list) {
        with_ivars += objects.ivars.size() > 0 ? objects.count : 0;
      }
    }
    figures.push_back({"live", live, "slots"});
    figures.push_back({"with_ivars", with_ivars, "slots"});
    for (std::size_t i = 0; i < kRubyTypeCount; ++i) {
      if (census.slots[i] > 0) {
        figures.push_back({"live." + std::string(kRubyTypeNames[i]), census.slots[i], "slots"});
      }
    }
    for (std::size_t i = 0; i < kRubyTypeCount; ++i) {
      if (census.garbage[i] > 0) {
        figures.push_back(
            {"garbage." + std::string(kRubyTypeNames[i]), census.garbage[i], "slots"});
      }
    }
    marks_.push_back({event.name, std::move(figures)});
    // The last one counts.
    live_strings_ = Sizes(census.strings);
    live_arrays_ = Sizes(census.arrays);
    live_hashes_ = Sizes(census.hashes);
  }

  WorkloadDescription Describe(const WorkloadReader& reader) const {
    WorkloadDescription d;
    d.header = reader.header();
    d.marks = marks_;
    const auto figure = [&](const std::string& name, std::uint64_t value, const char* unit) {
      d.figures.push_back({name, value, unit});
    };
    figure("lines", reader.line_number(), "lines");
    figure("strings", reader.strings().size(), "strings");
    figure("strings_withheld", withheld_, "strings");
    figure("string_table_bytes", reader.strings().memory_bytes(), "bytes");
    figure("load_path_changes", load_paths_, "changes");
    figure("load_path_folders_most", folders_, "folders");
    figure("features_changed_by_program", features_changed_, "changes");
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
      figure(Concat("requires.", kRequireOutcomeNames[i]), outcomes_[i], "requires");
    }
    for (std::size_t i = 0; i < hows_.size(); ++i) {
      figure(Concat("requires_by.", kRequireHowNames[i]), hows_[i], "requires");
    }
    figure("requires_raised", raised_, "requires");
    figure("threads", threads_, "threads");
    figure("files_compiled", files_, "files");
    figure("evals_compiled", evals_, "evals");
    constexpr std::array<const char*, 5> kKinds = {"top", "method", "block", "class", "other"};
    for (std::size_t i = 0; i < kKinds.size(); ++i) {
      figure(Concat("iseqs.", kKinds[i]), kinds_[i], "iseqs");
    }
    figure("names.symbols", symbol_names_, "names");
    figure("names.fstrings", string_names_, "names");
    figure("names.ivars", iseq_ivars_, "names");
    figure("runtime_symbols.static", static_symbols_, "symbols");
    figure("runtime_symbols.dynamic", dynamic_symbols_, "symbols");
    figure("literals", reader.literals(), "literals");
    figure("literals_evaluated.counted", counted_, "evaluations");
    figure("literals_evaluated.estimated", estimated_, "evaluations");
    figure("allocated", allocated_, "slots");
    d.distributions = {{"string_length", "bytes", string_length_},
                       {"feature_length", "bytes", feature_length_},
                       {"require_depth", "files", depth_},
                       {"iseqs_in_file", "iseqs", iseqs_in_file_},
                       {"iseq_words", "words", iseq_words_},
                       {"literal_length", "elements", literal_length_},
                       {"literal_evaluations", "times", evaluations_},
                       {"live_string_length", "bytes", live_strings_},
                       {"live_array_length", "elements", live_arrays_},
                       {"live_hash_size", "entries", live_hashes_}};
    return d;
  }

 private:
  static Distribution Sizes(const std::vector<SizeClass>& sizes) {
    Distribution distribution;
    for (const SizeClass& each : sizes) distribution.Add(each.size, each.count);
    return distribution;
  }

  Distribution string_length_, feature_length_, depth_, iseqs_in_file_, iseq_words_;
  Distribution literal_length_, evaluations_, live_strings_, live_arrays_, live_hashes_;
  std::uint64_t withheld_ = 0, load_paths_ = 0, folders_ = 0, features_changed_ = 0;
  std::array<std::uint64_t, 4> outcomes_{}, hows_{};
  std::uint64_t raised_ = 0, threads_ = 1, files_ = 0, evals_ = 0;
  std::array<std::uint64_t, 5> kinds_{};
  std::uint64_t symbol_names_ = 0, string_names_ = 0, iseq_ivars_ = 0;
  std::uint64_t static_symbols_ = 0, dynamic_symbols_ = 0, counted_ = 0, estimated_ = 0;
  std::uint64_t allocated_ = 0;
  std::map<std::uint32_t, std::uint64_t> open_;  // thread -> files being loaded
  std::vector<WorkloadDescription::Mark> marks_;
};

void AppendFigures(std::string& out, const std::vector<Figure>& figures) {
  std::size_t width = 0;
  for (const Figure& each : figures) width = std::max(width, each.name.size());
  for (const Figure& each : figures) {
    out += Concat("  ", each.name, std::string(width - each.name.size() + 2, ' '), each.value, " ",
                  each.unit, "\n");
  }
}

void AppendJsonFigures(std::string& out, const std::vector<Figure>& figures) {
  out += '{';
  for (const Figure& each : figures) {
    if (out.back() != '{') out += ',';
    out += Concat(JsonString(each.name), ":", each.value);
  }
  out += '}';
}

}  // namespace

void Distribution::Add(std::uint64_t size, std::uint64_t times) {
  count_ += times;
  total_ += size * times;
  if (times > 0) max_ = std::max(max_, size);
  buckets_[static_cast<std::size_t>(std::bit_width(size))] += times;
}

absl::StatusOr<WorkloadDescription> DescribeWorkload(const WorkloadSource& source) {
  absl::StatusOr<WorkloadReader> reader = WorkloadReader::Open(source);
  if (!reader.ok()) return reader.status();
  Collector collector;
  while (true) {
    const auto event = reader->Next();
    if (!event.ok()) return event.status();
    if (!event->has_value()) return collector.Describe(*reader);
    std::visit([&](const auto* each) { collector.On(*each, reader->strings()); }, **event);
  }
}

std::string TextOf(const WorkloadDescription& d) {
  std::string out = Concat("workload of ruby ", TerminalText(d.header.ruby), " on ",
                           TerminalText(d.header.platform),
                           d.header.text ? ", contents kept" : ", contents withheld", "\n\n");
  AppendFigures(out, d.figures);
  for (const auto& [name, unit, sizes] : d.distributions) {
    if (sizes.count() == 0) continue;
    const double mean = static_cast<double>(sizes.total() * 10 / sizes.count()) / 10;  // to a tenth
    out += Concat("\n", name, " (", unit, "): ", sizes.count(), ", mean ", mean, ", most ",
                  sizes.max(), "\n");
    for (std::size_t i = 0; i < Distribution::kBuckets; ++i) {
      const std::uint64_t n = sizes.in_bucket(i);
      if (n == 0) continue;
      const std::uint64_t first = Distribution::FirstOf(i), last = Distribution::LastOf(i);
      std::string range = Concat(first);
      if (last > first) range += Concat("-", last);
      const std::size_t bar = static_cast<std::size_t>(static_cast<double>(n) * 40 /
                                                       static_cast<double>(sizes.count()));
      out += Concat("  ", std::string(range.size() < 14 ? 14 - range.size() : 0, ' '), range, "  ",
                    n, bar > 0 ? "  " : "", std::string(bar, '#'), "\n");
    }
  }
  for (const auto& mark : d.marks) {
    out += Concat("\nmark ", TerminalText(mark.name), "\n");
    AppendFigures(out, mark.figures);
  }
  return out;
}

std::string JsonOf(const WorkloadDescription& d) {
  std::string out = Concat("{\"rubric_workload\":", WorkloadReader::kVersion,
                           ",\"ruby\":", JsonString(d.header.ruby),
                           ",\"platform\":", JsonString(d.header.platform),
                           ",\"text\":", d.header.text ? "true" : "false", ",\"counts\":");
  AppendJsonFigures(out, d.figures);
  out += ",\"distributions\":{";
  for (const auto& [name, unit, sizes] : d.distributions) {
    if (out.back() != '{') out += ',';
    out += Concat(JsonString(name), ":{\"unit\":", JsonString(unit), ",\"count\":", sizes.count(),
                  ",\"total\":", sizes.total(), ",\"max\":", sizes.max(), ",\"buckets\":[");
    for (std::size_t i = 0; i < Distribution::kBuckets; ++i) {
      if (sizes.in_bucket(i) == 0) continue;
      if (out.back() != '[') out += ',';
      out += Concat("[", Distribution::FirstOf(i), ",", Distribution::LastOf(i), ",",
                    sizes.in_bucket(i), "]");
    }
    out += "]}";
  }
  out += "},\"marks\":[";
  for (const auto& mark : d.marks) {
    if (out.back() != '[') out += ',';
    out += Concat("{\"name\":", JsonString(mark.name), ",\"figures\":");
    AppendJsonFigures(out, mark.figures);
    out += '}';
  }
  return out + "]}";
}

}  // namespace rubric
