#include "reports/results/json_fields.h"

#include <utility>

#include "reports/results/concat.h"

namespace rubric {
namespace {

// Brackets and colons outside strings, counted before the parser builds anything from them.
absl::Status CheckLimits(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.bytes) {
    return absl::InvalidArgumentError(
        Concat("expected at most ", limits.bytes, " bytes of JSON, found ", text.size()));
  }
  std::size_t fields = 0;
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        in_string = false;
      }
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (++depth > limits.depth) {
        return absl::InvalidArgumentError(
            Concat("expected JSON nested at most ", limits.depth, " deep"));
      }
    } else if (c == '}' || c == ']') {
      --depth;
    } else if (c == ':' && ++fields > limits.fields) {
      return absl::InvalidArgumentError(
          Concat("expected at most ", limits.fields, " fields in one document"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<OrderedJson> ParseJson(std::string_view text, const JsonLimits& limits) {
  if (absl::Status status = CheckLimits(text, limits); !status.ok()) return status;
  try {
    return OrderedJson::parse(text);
  } catch (const OrderedJson::parse_error& error) {
    return absl::InvalidArgumentError(
        Concat("expected JSON, found something else at byte ", error.byte));
  } catch (const OrderedJson::exception&) {  // a number out of range
    return absl::InvalidArgumentError("expected JSON, found a number that is out of range");
  }
}

std::string DescribeJson(const OrderedJson& value) {
  constexpr std::size_t kShown = 40;
  std::string text = value.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
  if (text.size() > kShown)
    return Concat(value.is_string() ? "a long " : "a large ", value.type_name());
  return text;
}

JsonFields::JsonFields(const OrderedJson& object, std::string path, absl::Status& status)
    : object_(object), path_(std::move(path)), status_(status) {
  if (status_.ok() && !object_.is_object()) {
    const std::string where =
        path_.empty() ? "the document" : path_.substr(0, path_.size() - 1);  // without the dot
    status_ = absl::InvalidArgumentError(
        Concat(where, ": expected an object, found ", DescribeJson(object_)));
  }
}

void JsonFields::Fail(std::string_view name, std::string_view message) {
  if (status_.ok()) status_ = absl::InvalidArgumentError(Concat(path_, name, ": ", message));
}

void JsonFields::FailKind(std::string_view name, std::string_view expected,
                          const OrderedJson& found) {
  Fail(name, Concat("expected ", expected, ", found ", DescribeJson(found)));
}

const OrderedJson* JsonFields::Get(std::string_view name, Presence presence) {
  if (!ok()) return nullptr;
  asked_.emplace(name);
  const auto found = object_.find(std::string(name));
  if (found != object_.end()) return &*found;
  if (presence == Presence::kRequired) Fail(name, "expected this field, found none");
  return nullptr;
}

void JsonFields::Text(std::string_view name, std::string* out, Presence presence) {
  const OrderedJson* value = Get(name, presence);
  if (value == nullptr) return;
  if (!value->is_string()) return FailKind(name, "text", *value);
  *out = value->get<std::string>();
}

void JsonFields::Integer(std::string_view name, std::int64_t* out, Presence presence) {
  const OrderedJson* value = Get(name, presence);
  if (value == nullptr) return;
  const bool fits = value->is_number_integer() &&
                    !(value->is_number_unsigned() && value->get<std::uint64_t>() > INT64_MAX);
  if (!fits) return FailKind(name, "an integer below 2^63", *value);
  *out = value->get<std::int64_t>();
}

void JsonFields::Integer(std::string_view name, std::optional<std::int64_t>* out) {
  if (Get(name, Presence::kOptional) != nullptr) Integer(name, &out->emplace());
}

void JsonFields::Count(std::string_view name, std::int64_t* out, Presence presence) {
  Integer(name, out, presence);
  if (*out < 0) Fail(name, Concat("expected 0 or more, found ", *out));
}

void JsonFields::Unsigned(std::string_view name, std::uint64_t* out, Presence presence) {
  const OrderedJson* value = Get(name, presence);
  if (value == nullptr) return;
  if (!value->is_number_unsigned()) {
    return FailKind(name, "an integer from 0 to 2^64 - 1", *value);
  }
  *out = value->get<std::uint64_t>();
}

void JsonFields::Unsigned(std::string_view name, std::optional<std::uint64_t>* out) {
  if (Get(name, Presence::kOptional) != nullptr) Unsigned(name, &out->emplace());
}

void JsonFields::Number(std::string_view name, double* out) {
  const OrderedJson* value = Get(name, Presence::kRequired);
  if (value == nullptr) return;
  if (!value->is_number()) return FailKind(name, "a number", *value);
  *out = value->get<double>();
}

void JsonFields::Bool(std::string_view name, bool* out) {
  const OrderedJson* value = Get(name, Presence::kRequired);
  if (value == nullptr) return;
  if (!value->is_boolean()) return FailKind(name, "true or false", *value);
  *out = value->get<bool>();
}

void JsonFields::Bool(std::string_view name, std::optional<bool>* out) {
  if (Get(name, Presence::kOptional) != nullptr) Bool(name, &out->emplace());
}

void JsonFields::Integers(std::string_view name, std::vector<std::int64_t>* out,
                          Presence presence) {
  const OrderedJson* value = Get(name, presence);
  if (value == nullptr) return;
  if (!value->is_array()) return FailKind(name, "an array of integers", *value);
  out->reserve(value->size());
  for (const OrderedJson& element : *value) {
    const bool fits = element.is_number_integer() &&
                      !(element.is_number_unsigned() && element.get<std::uint64_t>() > INT64_MAX);
    if (!fits) return FailKind(name, "an array of integers below 2^63", element);
    out->push_back(element.get<std::int64_t>());
  }
}

void JsonFields::Texts(std::string_view name, std::vector<std::string>* out, Presence presence) {
  const OrderedJson* value = Get(name, presence);
  if (value == nullptr) return;
  if (!value->is_array()) return FailKind(name, "an array of text", *value);
  for (const OrderedJson& element : *value) {
    if (!element.is_string()) return FailKind(name, "an array of text", element);
    out->push_back(element.get<std::string>());
  }
}

void JsonFields::ParamMap(std::string_view name, Params* out, Presence presence) {
  const OrderedJson* value = Get(name, presence);
  if (value == nullptr) return;
  if (!value->is_object()) return FailKind(name, "an object of parameters", *value);
  for (const auto& [key, param] : value->items()) {
    if (param.is_boolean()) {
      out->emplace_back(key, param.get<bool>());
    } else if (param.is_string()) {
      out->emplace_back(key, param.get<std::string>());
    } else if (param.is_number_float()) {
      out->emplace_back(key, param.get<double>());
    } else if (param.is_number_integer() &&
               !(param.is_number_unsigned() && param.get<std::uint64_t>() > INT64_MAX)) {
      out->emplace_back(key, param.get<std::int64_t>());
    } else {
      return FailKind(Concat(name, ".", key), "a boolean, a number or text", param);
    }
  }
}

void JsonFields::TextMap(std::string_view name, Choices* out, Presence presence) {
  const OrderedJson* value = Get(name, presence);
  if (value == nullptr) return;
  if (!value->is_object()) return FailKind(name, "an object of text", *value);
  for (const auto& [key, text] : value->items()) {
    if (!text.is_string()) return FailKind(Concat(name, ".", key), "text", text);
    out->emplace_back(key, text.get<std::string>());
  }
}

void JsonFields::Object(std::string_view name, Presence presence,
                        const std::function<void(JsonFields&)>& read) {
  const OrderedJson* value = Get(name, presence);
  if (value == nullptr) return;
  JsonFields fields(*value, Concat(path_, name, "."), status_);
  if (ok()) read(fields);
}

void JsonFields::EachMember(std::string_view name, Presence presence,
                            const std::function<void(const std::string&, JsonFields&)>& read) {
  Object(name, presence, [&](JsonFields& members) {
    for (const auto& [key, value] : members.object_.items()) {
      JsonFields fields(value, Concat(members.path_, key, "."), status_);
      if (!ok()) return;
      read(key, fields);
    }
  });
}

void JsonFields::EachElement(std::string_view name, Presence presence,
                             const std::function<void(JsonFields&)>& read) {
  const OrderedJson* value = Get(name, presence);
  if (value == nullptr) return;
  if (!value->is_array()) return FailKind(name, "an array of objects", *value);
  std::size_t index = 0;
  for (const OrderedJson& element : *value) {
    JsonFields fields(element, Concat(path_, name, "[", index++, "]."), status_);
    if (!ok()) return;
    read(fields);
  }
}

UnknownFields JsonFields::Unknown() const {
  UnknownFields unknown;
  if (!ok()) return unknown;
  for (const auto& [key, value] : object_.items()) {
    if (asked_.contains(key)) continue;
    unknown.emplace_back(key, value.dump(-1, ' ', false, OrderedJson::error_handler_t::replace));
  }
  return unknown;
}

}  // namespace rubric
