// The tls_clients experiment: see README.md. A header, since it is compiled into the one file of
// each variant (experiments/lab/variant_main.cc); what knows no variant is in tls_server.cc.
#ifndef RUBRIC_EXPERIMENTS_TLS_CLIENTS_TLS_CLIENTS_H_
#define RUBRIC_EXPERIMENTS_TLS_CLIENTS_TLS_CLIENTS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/object/array.h"
#include "core/object/array_mutation.h"
#include "core/object/object_space.h"
#include "experiments/harness/experiment.h"
#include "experiments/harness/run_on_vm.h"
#include "experiments/tls_clients/client_ivars.h"
#include "experiments/tls_clients/tls_server.h"

namespace rubric {
namespace tls_clients_experiment {

struct NamedIvar {
  Id id;
  ClientIvarKind kind;
};

struct Setting {
  Vm& vm;
  TlsServer& server;
  RData* context;
  RClass* socket_class;  // of the connections
  RClass* io_class;      // of what they read from
  std::vector<NamedIvar> ivars;
  std::vector<Id> io_ivars;
};

inline Value IvarValue(const Setting& s, ClientIvarKind kind, RData* io) {
  switch (kind) {
    case ClientIvarKind::kIo:
      return Value(io);
    case ClientIvarKind::kContext:
      return Value(s.context);
    case ClientIvarKind::kBuffer:
      return Value(s.vm.NewString("", Encoding::kBinary));
    case ClientIvarKind::kTrue:
      return Value::True();
    case ClientIvarKind::kFalse:
      return Value::False();
    case ClientIvarKind::kNil:
      break;
  }
  return Value::Nil();
}

// One client, as a server's accept loop makes it, with `clients` keeping it alive.
inline absl::Status AcceptClient(const Setting& s, RArray* clients) {
  HandleScope scope(s.vm.roots());
  RData* io = scope.Keep(NewData(s.vm.heap(), s.io_class, TransportType(), nullptr));
  RData* socket = scope.Keep(NewData(s.vm.heap(), s.socket_class, SslSocketType(), nullptr));
  Push(s.vm.heap(), clients, Value(socket));
  const absl::StatusOr<TlsConnection> connection = s.server.Accept();
  if (!connection.ok()) return WrongResult(std::string(connection.status().message()));
  io->data = connection->transport;
  socket->data = connection->ssl;
  for (const NamedIvar& ivar : s.ivars) {
    s.vm.IvarSet(socket, ivar.id, IvarValue(s, ivar.kind, io));
  }
  for (const Id id : s.io_ivars) s.vm.IvarSet(io, id, Value(socket));
  return absl::OkStatus();
}

inline bool IsRight(const Setting& s, const RData* socket, const NamedIvar& ivar) {
  const auto value = s.vm.IvarGet(socket, ivar.id);
  if (!value.has_value()) return false;
  switch (ivar.kind) {
    case ClientIvarKind::kIo: {
      if (!IsType(*value, Type::kData)) return false;
      const RData* io = As<RData>(*value);
      if (io->data_type != TransportType() || io->data == nullptr) return false;
      for (const Id id : s.io_ivars) {
        if (s.vm.IvarGet(io, id) != Value(const_cast<RData*>(socket))) return false;
      }
      return true;
    }
    case ClientIvarKind::kBuffer:
      return IsType(*value, Type::kString) && As<RString>(*value)->length() == 0;
    default:
      return *value == IvarValue(s, ivar.kind, nullptr);
  }
}

inline absl::Status Check(const Setting& s, const RArray* clients, std::size_t count) {
  if (clients->length() != count) return WrongResult("not every client is there");
  for (std::size_t i = 0; i < count; ++i) {
    const RData* socket = As<RData>(clients->elements()[i]);
    if (!IsOpen(static_cast<const ssl_st*>(socket->data))) {
      return WrongResult(absl::StrCat("the connection of client ", i, " is not open"));
    }
    if (s.vm.IvarCount(socket) != s.ivars.size()) {
      return WrongResult(absl::StrCat("client ", i, " has ", s.vm.IvarCount(socket),
                                      " ivars, expected ", s.ivars.size()));
    }
    for (std::size_t n = 0; n < s.ivars.size(); ++n) {
      if (!IsRight(s, socket, s.ivars[n])) {
        return WrongResult(absl::StrCat("ivar ", n, " of client ", i, " is not what was set"));
      }
    }
  }
  return absl::OkStatus();
}

inline absl::Status Run(Vm& vm, const ParameterValues& parameters, Measurement& measurement) {
  absl::StatusOr<std::unique_ptr<TlsServer>> server = TlsServer::Make();
  if (!server.ok()) return server.status();
  HandleScope scope(vm.roots());
  const auto count = static_cast<std::size_t>(parameters.Int("clients"));
  RArray* clients = scope.Keep(vm.NewArray(count));
  RClass* context_class = vm.DefineClass("OpenSSL::SSL::SSLContext");
  RData* context = scope.Keep(NewData(vm.heap(), context_class, SslContextType(), nullptr));
  context->data = server->release();
  Setting s{vm,
            *static_cast<TlsServer*>(context->data),
            context,
            vm.DefineClass("OpenSSL::SSL::SSLSocket"),
            vm.DefineClass("TCPSocket"),
            {},
            {}};
  const auto id = [&vm](const std::string& name) {
    return vm.names().IdOf(vm.names().Intern(name));
  };
  for (const ClientIvar& ivar : ClientIvars(parameters.Text("library"))) {
    if (std::cmp_equal(s.ivars.size(), parameters.Int("max_ivars"))) break;
    s.ivars.push_back({id(std::string(ivar.name)), ivar.kind});
  }
  for (std::int64_t n = 0; n < parameters.Int("io_ivars"); ++n) {
    s.io_ivars.push_back(id(absl::StrCat("@application", n)));
  }

  measurement.Start();
  for (std::size_t i = 0; i < count; ++i) {
    if (const absl::Status status = AcceptClient(s, clients); !status.ok()) {
      measurement.Stop();
      return status;
    }
  }
  measurement.Stop();
  measurement.Note("ivars_bytes", static_cast<double>(vm.generic_ivars().memory_use().total()),
                   "bytes");
  return Check(s, clients, count);
}

}  // namespace tls_clients_experiment

inline const Experiment& TlsClientsExperiment() {
  static const auto* experiment = new Experiment{
      .name = "tls_clients",
      .summary =
          "T_DATA objects that own real OpenSSL connections, with the ivars Ruby sets on them",
      .parameters = {Parameter::Int("clients", 9992, 0, 1'000'000, "clients",
                                    "how many connections are accepted and kept"),
                     Parameter::Choice("library", {"ruby22", "ruby31"},
                                       "whose openssl sets the ivars: Ruby 2.2's 9, or 3.1's 7"),
                     Parameter::Int("max_ivars", 9, 2, 9, "ivars",
                                    "only the first so many of them are set"),
                     Parameter::Int("io_ivars", 0, 0, 1000, "ivars",
                                    "how many the application sets on each client's own IO")},
      .run = RunOnVm<tls_clients_experiment::Run>};
  return *experiment;
}

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_TLS_CLIENTS_TLS_CLIENTS_H_
