#include "experiments/tls_clients/client_ivars.h"

#include "core/base/check.h"

namespace rubric {
namespace {

using enum ClientIvarKind;

constexpr ClientIvar kRuby22[] = {
    {"@io", kIo},        {"@context", kContext},    {"@sync_close", kTrue},
    {"@hostname", kNil}, {"@eof", kFalse},          {"@rbuffer", kBuffer},
    {"@sync", kTrue},    {"@callback_state", kNil}, {"@wbuffer", kBuffer},
};

constexpr ClientIvar kRuby31[] = {
    {"@context", kContext}, {"@io", kIo},           {"@eof", kFalse},      {"@rbuffer", kBuffer},
    {"@sync", kTrue},       {"@sync_close", kTrue}, {"@wbuffer", kBuffer},
};

}  // namespace

std::span<const ClientIvar> ClientIvars(std::string_view library) {
  RUBRIC_CHECK(library == "ruby22" || library == "ruby31", "no such library");
  return library == "ruby22" ? std::span<const ClientIvar>(kRuby22)
                             : std::span<const ClientIvar>(kRuby31);
}

}  // namespace rubric
