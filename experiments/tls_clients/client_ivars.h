// ClientIvars: which ivars Ruby's openssl library sets on an SSLSocket that a server has accepted and
// written to, in which order, and what each holds.
//
// SOURCE     ruby22: ext/openssl of Ruby 2.2, what #11170 was measured with (ossl_ssl_initialize,
//            Buffering#initialize, ossl_start_ssl, Buffering#do_write). ruby31: what
//            `instance_variables` of such a socket says under the installed Ruby 3.1.
// TESTED BY  client_ivars_test.cc, against the installed Ruby.
#ifndef RUBRIC_EXPERIMENTS_TLS_CLIENTS_CLIENT_IVARS_H_
#define RUBRIC_EXPERIMENTS_TLS_CLIENTS_CLIENT_IVARS_H_

#include <span>
#include <string_view>

namespace rubric {

enum class ClientIvarKind {
  kIo,       // the socket underneath, one a client
  kContext,  // one for all
  kBuffer,   // a String of its own, empty while nothing waits
  kTrue,
  kFalse,
  kNil,
};

struct ClientIvar {
  std::string_view name;
  ClientIvarKind kind;
};

// REQUIRES: `library` is "ruby22" or "ruby31".
std::span<const ClientIvar> ClientIvars(std::string_view library);

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_TLS_CLIENTS_CLIENT_IVARS_H_
