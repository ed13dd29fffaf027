// A program that keeps the contract of experiments/lab, or breaks it in a chosen way.
//
// What it is and how it behaves is a JSON object after the last "FAKE" in its own file: a test
// copies the program and appends one (fake_variants.h), so that every variant is another program,
// with another hash, as in a real build.
//
//   {"name": "interning=khash", "axes": {"interning": "khash"}, "build": {"mode": "opt", …},
//    "sleep_ms": 5, "trace": "FILE", "behaviour": {"array_literal --elements=110": "crash", …}}
//
// `behaviour` maps a cell's label, an experiment, "list" or "*" to what to do there; see
// Misbehave(). Each run that gets that far appends its arguments to the trace file.
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/personality.h>
#include <unistd.h>
#include <valgrind/callgrind.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "experiments/suite/suites.h"
#include "nlohmann/json.hpp"
#include "reports/results/names.h"
#include "reports/results/record.h"

namespace rubric {
namespace {

using Json = nlohmann::ordered_json;

Json Integer(const char* name, int value, int max) {
  return {{"name", name}, {"type", "int"}, {"default", value}, {"min", 0}, {"max", max}};
}
Json Choice(const char* name, const std::vector<std::string>& choices) {
  return {{"name", name}, {"type", "choice"}, {"default", choices[0]}, {"choices", choices}};
}

// A parameter that takes every value of [texts], whatever it means.
Json ParameterOf(const std::string& name, const std::vector<std::string>& texts) {
  const auto all = [&](const auto& is) { return std::all_of(texts.begin(), texts.end(), is); };
  if (all([](const std::string& text) {
        return text.find_first_not_of("0123456789") == std::string::npos;
      })) {
    return Integer(name.c_str(), 0, 1000000000);
  }
  if (all([](const std::string& text) { return text == "true" || text == "false"; })) {
    return {{"name", name}, {"type", "bool"}, {"default", false}};
  }
  if (all([](const std::string& text) { return text.find('/') != std::string::npos; })) {
    return {{"name", name}, {"type", "file"}, {"default", ""}};
  }
  std::vector<std::string> choices = {"usual"};
  choices.insert(choices.end(), texts.begin(), texts.end());
  return Choice(name.c_str(), choices);
}

// What the suites run besides the experiments that tests are about, as far as they say of it.
void AddTheRest(Json& experiments) {
  std::map<std::string, std::map<std::string, std::vector<std::string>>> rest;
  for (const Suite& suite : Suites()) {
    for (const SuiteCell& cell : suite.cells) {
      auto& params = rest[cell.experiment];
      for (const auto& [name, text] : cell.params) params[name].push_back(text);
    }
  }
  for (const Json& known : experiments) rest.erase(known["name"].get<std::string>());
  for (const auto& [name, params] : rest) {
    Json list = Json::array({Integer("any", 0, 1)});
    for (const auto& [param, texts] : params) list.push_back(ParameterOf(param, texts));
    experiments.push_back({{"name", name}, {"summary", "of the suites"}, {"params", list}});
  }
}

// Enough of the real experiments for every cell of the suites.
Json Experiments() {
  Json experiments = Json::array({
      {{"name", "require"},
       {"summary", "features provided and required again"},
       {"params",
        {Integer("features", 10000, 1000000),
         Integer("slashes", 7, 100),
         {{"name", "feature_list"}, {"type", "file"}, {"default", ""}}}}},
      {{"name", "array_literal"},
       {"summary", "a literal evaluated many times"},
       {"params",
        {Integer("elements", 4, 100000),
         Integer("written", 0, 100),
         {{"name", "keep"}, {"type", "bool"}, {"default", true}}}}},
      {{"name", "intern"},
       {"summary", "one operation on the table"},
       {"params",
        {Choice("op", {"hit", "miss", "insert", "iterate", "sweep"}),
         Choice("kind", {"fstring", "symbol"}), Integer("size", 4000, 10000000),
         Integer("length", 16, 100000), Choice("keys", {"plain", "colliding"}),
         Integer("lookups", 1000000, 1000000000)}}},
      {{"name", "generic_ivars"},
       {"summary", "ivars of objects that are not T_OBJECT"},
       {"params",
        {Choice("type", {"string", "time", "data", "float", "object"}), Integer("ivars", 10, 10000),
         Choice("op", {"set", "get", "iterate", "remove"}), Choice("order", {"same", "rotated"})}}},
  });
  AddTheRest(experiments);
  return experiments;
}

Json ReadTrailer() {
  // Through the link's text: valgrind answers readlink() for the program that it runs, open() not.
  char path[4096] = "";
  if (readlink("/proc/self/exe", path, sizeof(path) - 1) < 0) std::exit(2);
  std::ifstream self(path, std::ios::binary);
  std::stringstream bytes;
  bytes << self.rdbuf();
  const std::string text = bytes.str();
  const std::size_t at = text.rfind("FAKE{");
  const Json json =
      at == std::string::npos ? Json() : Json::parse(text.substr(at + 4), nullptr, false);
  if (!json.is_object()) {
    std::cerr << "fake_lab: no trailer\n";
    std::exit(2);
  }
  return json;
}

// Starts a process that outlives this one, in the same process group or in a session of its own. It
// would write to the trace after a while.
void LeaveProcessBehind(bool own_session, const std::string& trace) {
  if (fork() != 0) return;
  if (own_session) setsid();
  signal(SIGTERM, SIG_IGN);
  std::this_thread::sleep_for(std::chrono::seconds(2));
  std::ofstream(trace, std::ios::app) << "orphan\n";
  _exit(0);
}

// Does what [behaviour] says, and returns if the run goes on after it.
void Misbehave(const std::string& behaviour, const std::string& trace) {
  if (behaviour == "crash") {
    std::cerr << "first line\nabout to crash\n";
    raise(SIGSEGV);
  }
  if (behaviour == "abort") std::abort();
  if (behaviour == "exit_1") std::exit(1);
  if (behaviour == "disk_full") {
    std::cerr << "lab: /scratch/malloc.log: could not be written: " << strerror(ENOSPC) << "\n";
    std::exit(2);
  }
  if (behaviour == "hang" || behaviour == "hang_ignoring_sigterm") {
    if (behaviour != "hang") signal(SIGTERM, SIG_IGN);
    std::cerr << "about to hang" << std::endl;
    for (;;) pause();
  }
  if (behaviour == "garbage") {
    std::cout << "\xff\x01 not a record\n";
    std::exit(0);
  }
  if (behaviour == "silent") std::exit(0);
  if (behaviour == "silent_wrong_result") std::exit(3);
  if (behaviour == "flood_output") {
    const std::string block(1 << 20, 'x');
    for (;;) std::cout << block << std::flush;
  }
  if (behaviour == "flood_errors") {
    const std::string line(1000, 'e');
    for (int i = 0; i < 20'000; ++i) std::cerr << line << '\n';
    std::cerr << "the last line\n";
    std::exit(1);
  }
  if (behaviour == "orphan") LeaveProcessBehind(false, trace);
  if (behaviour == "orphan_session") LeaveProcessBehind(true, trace);
}

ParamValue ValueOf(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  return value.get<std::string>();
}

struct Arguments {
  std::string experiment;
  Params params;
  Params defaults;
  std::uint64_t hash_seed = 7;
  std::string malloc_log;
};

int Usage(const std::string& message) {
  std::cerr << "error: " << message << "\n";
  return 2;
}

int Parse(int argc, char** argv, Arguments& out) {
  if (argc < 3) return Usage("which experiment?");
  out.experiment = argv[2];
  for (const Json& experiment : Experiments()) {
    if (experiment["name"] != out.experiment) continue;
    for (const Json& param : experiment["params"]) {
      out.params.emplace_back(param["name"], ValueOf(param["default"]));
    }
  }
  out.defaults = out.params;
  for (int i = 3; i < argc; ++i) {
    const std::string word = argv[i];
    const std::size_t equals = word.find('=');
    if (word == "--json") continue;
    if (word.rfind("--", 0) != 0 || equals == std::string::npos) return Usage(word);
    const std::string name = word.substr(2, equals - 2);
    const std::string text = word.substr(equals + 1);
    if (name == "hash_seed") {
      out.hash_seed = std::stoull(text);
    } else if (name == "malloc_log") {
      out.malloc_log = text;
    } else {
      bool known = false;
      for (auto& [param, value] : out.params) {
        if (param != name) continue;
        known = true;
        if (std::holds_alternative<bool>(value)) value = text == "true";
        if (std::holds_alternative<std::int64_t>(value)) value = std::int64_t{std::stoll(text)};
        if (std::holds_alternative<std::string>(value)) value = text;
      }
      if (!known) return Usage("no parameter " + name);
    }
  }
  return 0;
}

// Figures that depend on the cell and the variant alone.
void Fill(const Json& trailer, const Arguments& arguments, Record& record) {
  record.experiment = arguments.experiment;
  record.params = arguments.params;
  for (const auto& [axis, backend] : trailer["axes"].items()) {
    record.variant.emplace_back(axis, backend);
  }
  record.variant_name = trailer["name"];
  record.build.compiler = trailer["build"].value("compiler", "g++ 12.2.0");
  record.build.mode = trailer["build"].value("mode", "opt");
  record.build.sanitizer = trailer["build"].value("sanitizer", "");
  record.build.allocator = "glibc";
  record.machine = {"a fake cpu", 2, "Linux", "glibc", {}};
  record.run.hash_seed = arguments.hash_seed;
  record.run.aslr = (personality(0xffffffff) & ADDR_NO_RANDOMIZE) != 0 ? "off" : "on";
  cpu_set_t cores;
  CPU_ZERO(&cores);
  sched_getaffinity(0, sizeof(cores), &cores);
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &cores)) record.run.cpu_affinity.push_back(core);
  }
  const double calls = 1000 + 10 * static_cast<double>(record.variant_name.size());
  record.metrics.emplace_back("malloc_calls", Metric{calls, "calls", true});
  record.metrics.emplace_back("bytes_requested", Metric{calls * 32, "bytes", true});
  record.metrics.emplace_back("peak_bytes", Metric{calls * 48, "bytes", true});
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  const double noise = static_cast<double>(now.count() % 1000) * 1e-6;
  record.metrics.emplace_back("wall_s", Metric{0.01 + noise, "s", false});
  record.metrics.emplace_back("cpu_s", Metric{0.01 + noise, "s", false});
  record.subsystems.emplace_back("interning", SubsystemUse{1000, 0, 32000, 48000, 48000, 48000});
  if (!arguments.malloc_log.empty()) {
    std::ofstream(arguments.malloc_log) << "a log\n";
    record.live_bytes = LiveBytesCurve{{1, 500, 1000}, {48, 24000, 48000}, 1000};
  }
}

int Run(const Json& trailer, int argc, char** argv) {
  Arguments arguments;
  const int usage = Parse(argc, argv, arguments);
  if (usage != 0) return usage;
  if (arguments.params.empty()) return Usage("no experiment " + arguments.experiment);
  const std::string trace = trailer.value("trace", "");
  if (!trace.empty()) {
    // One write, so that lines of several processes cannot mix.
    std::string line = trailer["name"];
    for (int i = 2; i < argc; ++i) line += std::string(" ") + argv[i];
    line += '\n';
    const int fd = open(trace.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (write(fd, line.data(), line.size()) < 0) return 4;
    close(fd);
  }
  const std::string label = CellLabel(arguments.experiment, arguments.params, arguments.defaults);
  std::string behaviour;
  for (const std::string& key : {std::string("*"), arguments.experiment, label}) {
    if (trailer["behaviour"].contains(key)) behaviour = trailer["behaviour"][key];
  }
  if (behaviour == "disk_full" && arguments.malloc_log.empty()) behaviour.clear();
  Misbehave(behaviour, trace);
  std::this_thread::sleep_for(std::chrono::milliseconds(trailer.value("sleep_ms", 0)));

  CALLGRIND_TOGGLE_COLLECT;
  volatile int sum = 0;
  for (int i = 0; i < 1000; ++i) sum = sum + i;
  CALLGRIND_TOGGLE_COLLECT;

  Record record;
  Fill(trailer, arguments, record);
  if (behaviour == "wrong_result") {
    record.status = RecordStatus::kWrongResult;
    record.reason = "expected 4 elements, found 5";
  }
  if (behaviour == "unsteady") record.metrics[0].second.value += getpid();
  if (behaviour == "other_backend") {
    record.variant[0].second = "swiss";
    record.variant_name = "another";
  }
  if (behaviour == "other_params") record.params.pop_back();
  if (behaviour == "no_curve") record.live_bytes.reset();
  std::cout << ToJsonLine(record) << "\n";
  if (behaviour == "two_records") std::cout << ToJsonLine(record) << "\n";
  return record.status == RecordStatus::kOk ? 0 : 3;
}

int Main(int argc, char** argv) {
  const Json trailer = ReadTrailer();
  const std::string command = argc > 1 ? argv[1] : "";
  if (command == "list") {
    Misbehave(trailer["behaviour"].value("list", ""), "");
    std::cout << Json({{"variant", trailer["axes"]},
                       {"variant_name", trailer["name"]},
                       {"experiments", Experiments()}})
                     .dump()
              << "\n";
    return 0;
  }
  if (command == "variant") {
    std::cout << Json({{"variant", trailer["axes"]},
                       {"variant_name", trailer["name"]},
                       {"build", trailer["build"]},
                       {"machine", {{"cpu", "a fake cpu"}, {"cores", 2}}}})
                     .dump()
              << "\n";
    return 0;
  }
  if (command == "run") return Run(trailer, argc, argv);
  return Usage("no command " + command);
}

}  // namespace
}  // namespace rubric

int main(int argc, char** argv) { return rubric::Main(argc, argv); }
