#include "experiments/suite/suites.h"

#include "absl/status/status.h"
#include "absl/strings/str_join.h"
#include "reports/results/command_line.h"
#include "reports/results/concat.h"

namespace rubric {
namespace {

// A Rails production boot, recorded: experiments/workloads/README.md. Relative to the folder that
// every process runs in.
constexpr char kRailsBoot[] = "experiments/workloads/rails61-production-boot.features";

// Recorded programs, likewise.
constexpr char kRubyGemsBoot[] = "experiments/workloads/rubygems-boot.workload.gz";
constexpr char kRailsWorkload[] = "experiments/workloads/rails61-boot.workload.gz";

std::vector<SuiteCell> QuickCells() {
  return {
      // Loading: many generated features, and what a real application loads.
      {"require", {{"features", "10000"}, {"slashes", "7"}}, 0.25},
      {"require", {{"feature_list", kRailsBoot}}, 0.05},
      // Literals below and far above the embed limit, kept unwritten, and written to each time.
      {"array_literal", {}, 0.015},
      {"array_literal", {{"elements", "110"}}, 0.025},
      {"array_literal", {{"written", "100"}}, 0.015},
      // The table behind frozen strings, one operation at a time; enough names to be timed.
      {"intern", {{"op", "hit"}}, 0.08},
      {"intern", {{"op", "miss"}}, 0.08},
      {"intern", {{"op", "insert"}, {"size", "40000"}}, 0.03},
      {"intern", {{"op", "iterate"}}, 0.02},
      {"intern", {{"op", "sweep"}, {"size", "40000"}}, 0.03},
      // Every key in one bucket: fewer look-ups, because each is as long as the table.
      {"intern",
       {{"op", "hit"}, {"keys", "colliding"}, {"size", "500"}, {"lookups", "20000"}},
       0.03},
      // Ivars of objects that are not T_OBJECT, set in one order and in many.
      {"generic_ivars", {{"op", "set"}}, 0.06},
      {"generic_ivars", {{"op", "get"}}, 0.12},
      {"generic_ivars", {{"order", "rotated"}}, 0.06},
      // Collections while much lives that the program never touches.
      {"gc_tempfile", {{"reads", "20000"}, {"live", "10000"}}, 0.1},
      // What Marshal makes of generic ivars.
      {"marshal", {{"case", "dump_load_geniv"}, {"count", "10000"}}, 0.06},
      {"marshal", {{"case", "dump_load_time"}, {"count", "10000"}}, 0.09},
      // What a program did that was recorded.
      {"replay", {{"workload", kRubyGemsBoot}}, 0.06},
      // The same on real connections: few, since each takes a handshake.
      {"tls_clients", {{"clients", "200"}}, 0.3},
  };
}

std::vector<SuiteCell> StandardCells() {
  std::vector<SuiteCell> cells = QuickCells();
  for (const char* features : {"100", "1000", "30000"}) {
    cells.push_back({"require", {{"features", features}}, 0.3});
  }
  for (const char* elements : {"1", "3", "16", "1000"}) {
    cells.push_back({"array_literal", {{"elements", elements}}, 0.1});
  }
  for (const char* written : {"1", "10", "50"}) {
    cells.push_back({"array_literal", {{"written", written}}, 0.05});
  }
  for (const char* size : {"100", "1000", "30000", "100000"}) {
    for (const char* op : {"hit", "insert"}) {
      cells.push_back({"intern", {{"op", op}, {"size", size}}, 0.2});
    }
  }
  for (const char* length : {"4", "64", "256"}) {
    cells.push_back({"intern", {{"length", length}}, 0.2});
  }
  cells.push_back({"intern", {{"kind", "symbol"}}, 0.2});
  for (const char* ivars : {"1", "3", "6", "7", "20"}) {
    for (const char* op : {"set", "get"}) {
      cells.push_back({"generic_ivars", {{"op", op}, {"ivars", ivars}}, 0.2});
    }
  }
  for (const char* op : {"iterate", "remove"}) {
    cells.push_back({"generic_ivars", {{"op", op}}, 0.1});
  }
  cells.push_back({"generic_ivars", {{"type", "object"}}, 0.1});
  for (const char* live : {"0", "2500", "6600", "50000"}) {
    cells.push_back({"gc_tempfile", {{"live", live}}, 1.0});
  }
  for (const char* name : {"dump_flo", "dump_load_geniv", "dump_load_time"}) {
    cells.push_back({"marshal", {{"case", name}}, 0.6});
  }
  cells.push_back({"replay", {{"workload", kRailsWorkload}}, 0.6});
  cells.push_back({"tls_clients", {}, 14});
  cells.push_back({"tls_clients", {{"clients", "1000"}, {"library", "ruby31"}}, 1.4});
  return cells;
}

}  // namespace

const std::vector<Suite>& Suites() {
  static const auto* const suites = new std::vector<Suite>{
      {"quick", "the discussions' own experiments, at the size of the discussions", 7, false,
       QuickCells()},
      {"standard", "quick, and each parameter through its range, with massif", 10, true,
       StandardCells()},
  };
  return *suites;
}

SuiteCell WorkloadCell(const std::string& file) {
  return {"replay", {{"workload", file}}, kUnknownCellSeconds};
}

absl::StatusOr<const Suite*> FindSuite(std::string_view name) {
  std::vector<std::string> names;
  for (const Suite& suite : Suites()) {
    if (suite.name == name) return &suite;
    names.push_back(suite.name);
  }
  return absl::InvalidArgumentError(Concat("no suite '", name, "'.", DidYouMean(name, names),
                                           " There are: ", absl::StrJoin(names, ", ")));
}

}  // namespace rubric
