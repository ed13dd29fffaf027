// JsonFields: reads the fields of a parsed JSON object, with errors that name the path to each.
//
// USE        For the .cc files that parse a document of this folder (records, plans). Ask for each
//            known field once, then Unknown() for the rest. The first error sticks: later calls do
//            nothing, so a parser reads as a list of fields and checks status() at its end.
// VALIDITY   Refers to the json and the status given to it; both must outlive it.
// TESTED BY  parse_record_test.cc.

#ifndef RUBRIC_REPORTS_RESULTS_JSON_FIELDS_H_
#define RUBRIC_REPORTS_RESULTS_JSON_FIELDS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "nlohmann/json.hpp"
#include "reports/results/record.h"

namespace rubric {

// The ordered kind: order of parameters and axes matters.
using OrderedJson = nlohmann::ordered_json;

enum class Presence { kRequired, kOptional };

// The limits a document must keep before it is parsed at all.
struct JsonLimits {
  std::size_t bytes;
  std::size_t fields;  // colons outside strings, over the whole document
  int depth;
};

// `text` parsed, or an error that says where it stops being JSON.
absl::StatusOr<OrderedJson> ParseJson(std::string_view text, const JsonLimits& limits);

// "a number", "text"…, with the value itself where it is short.
std::string DescribeJson(const OrderedJson& value);

class JsonFields {
 public:
  // `path` is "" for the document itself, else "metrics." and the like.
  JsonFields(const OrderedJson& object, std::string path, absl::Status& status);

  // Each reads one field into `*out`, and leaves it alone where an optional field is absent.
  void Text(std::string_view name, std::string* out, Presence presence = Presence::kRequired);
  void Integer(std::string_view name, std::int64_t* out, Presence presence = Presence::kRequired);
  void Integer(std::string_view name, std::optional<std::int64_t>* out);
  // An integer that is not negative.
  void Count(std::string_view name, std::int64_t* out, Presence presence = Presence::kRequired);
  void Unsigned(std::string_view name, std::uint64_t* out, Presence presence = Presence::kRequired);
  void Unsigned(std::string_view name, std::optional<std::uint64_t>* out);
  void Number(std::string_view name, double* out);
  void Bool(std::string_view name, bool* out);
  void Bool(std::string_view name, std::optional<bool>* out);
  void Integers(std::string_view name, std::vector<std::int64_t>* out,
                Presence presence = Presence::kRequired);
  void Texts(std::string_view name, std::vector<std::string>* out,
             Presence presence = Presence::kRequired);
  void ParamMap(std::string_view name, Params* out, Presence presence = Presence::kRequired);
  void TextMap(std::string_view name, Choices* out, Presence presence = Presence::kRequired);

  // Calls `read` with the fields of the object at `name`.
  void Object(std::string_view name, Presence presence,
              const std::function<void(JsonFields&)>& read);
  // Calls `read` with the name and the fields of every member of the object at `name`.
  void EachMember(std::string_view name, Presence presence,
                  const std::function<void(const std::string&, JsonFields&)>& read);
  // Calls `read` with the fields of every element of the array of objects at `name`.
  void EachElement(std::string_view name, Presence presence,
                   const std::function<void(JsonFields&)>& read);

  // The fields not asked for so far, as JSON text.
  UnknownFields Unknown() const;

  // Records "PATH.name: message" unless there is an error already.
  void Fail(std::string_view name, std::string_view message);
  bool ok() const { return status_.ok(); }

 private:
  // The field's value; nullptr if it is absent (an error if required) or there was an error before.
  const OrderedJson* Get(std::string_view name, Presence presence);
  void FailKind(std::string_view name, std::string_view expected, const OrderedJson& found);

  const OrderedJson& object_;
  std::string path_;
  absl::Status& status_;
  std::set<std::string, std::less<>> asked_;
};

}  // namespace rubric

#endif  // RUBRIC_REPORTS_RESULTS_JSON_FIELDS_H_
