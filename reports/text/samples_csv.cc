#include "reports/text/samples_csv.h"

#include "reports/results/concat.h"
#include "reports/results/json_text.h"
#include "reports/results/names.h"
#include "reports/text/escape.h"

namespace rubric {

std::string SamplesCsv(const Comparison& comparison) {
  std::string out = "experiment,params,variant,pass,round,metric,value,unit,exact\n";
  for (const Sample& sample : comparison.samples) {
    // Without the dashes of flags, which a spreadsheet would take for the start of a formula.
    std::string words;
    for (const auto& [name, value] : sample.params) {
      words += Concat(words.empty() ? "" : " ", name, "=", ShellWord(ParamText(value)));
    }
    const std::string start =
        Concat(CsvField(sample.experiment), ",", CsvField(words), ",", CsvField(sample.variant),
               ",", CsvField(sample.pass), ",", sample.round ? Concat(*sample.round) : "", ",");
    for (const auto& [name, metric] : sample.metrics) {
      out += Concat(start, CsvField(name), ",", JsonNumber(metric.value), ",",
                    CsvField(metric.unit), ",", metric.exact ? "true" : "false", "\n");
    }
  }
  return out;
}

}  // namespace rubric
