// For RAND_METHOD, which OpenSSL 3 deprecates: its providers cannot be given a generator of ours.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "experiments/tls_clients/tls_server.h"

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/memory/allocate.h"
#include "core/memory/counters.h"

namespace rubric {
namespace {

// Like OpenSSL's own functions, these give null for 0 bytes.
void* TlsMalloc(std::size_t bytes, const char*, int) {
  return bytes == 0 ? nullptr : Allocate(Subsystem::kTls, bytes);
}
void TlsFree(void* block, const char*, int) { Free(Subsystem::kTls, block); }
void* TlsRealloc(void* block, std::size_t bytes, const char*, int) {
  if (bytes > 0) return Reallocate(Subsystem::kTls, block, bytes);
  Free(Subsystem::kTls, block);
  return nullptr;
}

absl::Status Failure(const std::string& what) {
  const unsigned long code = ERR_get_error();  // NOLINT(runtime/int): OpenSSL's type
  char reason[256] = "no reason given";
  if (code != 0) ERR_error_string_n(code, reason, sizeof(reason));
  ERR_clear_error();
  return absl::InternalError(absl::StrCat("OpenSSL: ", what, ": ", reason));
}

// SplitMix64 (Steele, Lea, Flood, 2014), begun anew by each TlsServer. It keeps no secret, and none is
// to be kept: both ends of each connection are in this process.
std::uint64_t random_state = 0;

int PredictableBytes(unsigned char* out, int count) {
  for (int i = 0; i < count; ++i) {
    random_state += 0x9e3779b97f4a7c15;
    std::uint64_t z = random_state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    out[i] = static_cast<unsigned char>(z >> 56);
  }
  return 1;
}

bool MakeRandomPredictable() {
  static const RAND_METHOD method = {.seed = nullptr,
                                     .bytes = PredictableBytes,
                                     .cleanup = nullptr,
                                     .add = nullptr,
                                     .pseudorand = PredictableBytes,
                                     .status = [] { return 1; }};
  random_state = 0;
  return RAND_set_rand_method(&method) == 1;
}

// Must come before anything that makes OpenSSL allocate.
absl::Status CountOpenSslMemory() {
  static const bool installed = CRYPTO_set_mem_functions(TlsMalloc, TlsRealloc, TlsFree) == 1;
  if (!installed) {
    return absl::InternalError("OpenSSL had allocated before its memory could be counted");
  }
  // A configuration file would make figures depend on the machine.
  if (OPENSSL_init_ssl(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr) != 1 || !MakeRandomPredictable()) {
    return Failure("initializing");
  }
  return absl::OkStatus();
}

struct Deleter {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(X509* certificate) const { X509_free(certificate); }
  void operator()(SSL* ssl) const { SSL_free(ssl); }
  void operator()(BIO* bio) const { BIO_free(bio); }
};
template <typename T>
using Owned = std::unique_ptr<T, Deleter>;

// Self-signed, valid for ten years from a fixed date: no date has another length than another.
Owned<X509> MakeCertificate(EVP_PKEY* key) {
  constexpr const char* kNotBefore = "20200101000000Z";
  constexpr const char* kNotAfter = "20491231235959Z";
  constexpr std::uint8_t kName[] = "localhost";
  Owned<X509> certificate(X509_new());
  X509* x = certificate.get();
  if (x == nullptr) return nullptr;
  X509_NAME* name = X509_get_subject_name(x);
  const bool made = X509_set_version(x, 2) == 1 &&
                    ASN1_INTEGER_set(X509_get_serialNumber(x), 1) == 1 &&
                    ASN1_TIME_set_string_X509(X509_getm_notBefore(x), kNotBefore) == 1 &&
                    ASN1_TIME_set_string_X509(X509_getm_notAfter(x), kNotAfter) == 1 &&
                    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, kName, -1, -1, 0) == 1 &&
                    X509_set_issuer_name(x, name) == 1 && X509_set_pubkey(x, key) == 1 &&
                    X509_sign(x, key, nullptr) > 0;
  return made ? std::move(certificate) : nullptr;
}

// What is the same at both ends.
SSL_CTX* MakeContext(const SSL_METHOD* method) {
  SSL_CTX* context = SSL_CTX_new(method);
  if (context == nullptr) return nullptr;
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                SSL_MODE_RELEASE_BUFFERS);
  if (SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) != 1 ||
      SSL_CTX_set1_groups_list(context, "X25519") != 1) {
    SSL_CTX_free(context);
    return nullptr;
  }
  return context;
}

// Lets both ends work in turn until neither waits for the other. A flight longer than the BIO
// pair's buffers takes several turns; a handshake that is not over after so many never will be.
constexpr int kMaxTurns = 1000;

bool Waits(SSL* ssl, int result) {
  const int error = SSL_get_error(ssl, result);
  return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE;
}

absl::Status ShakeHands(SSL* client, SSL* server) {
  for (int turn = 0; turn < kMaxTurns; ++turn) {
    const int c = SSL_do_handshake(client);
    if (c != 1 && !Waits(client, c)) return Failure("the client's handshake");
    const int s = SSL_do_handshake(server);
    if (s != 1 && !Waits(server, s)) return Failure("the server's handshake");
    if (c == 1 && s == 1) return absl::OkStatus();
  }
  return absl::InternalError("OpenSSL: a handshake went on for ever");
}

absl::Status SendByte(SSL* from, SSL* to, char byte) {
  char received = 0;
  bool sent = false;
  for (int turn = 0; turn < kMaxTurns; ++turn) {
    if (!sent) {
      const int w = SSL_write(from, &byte, 1);
      if (w != 1 && !Waits(from, w)) return Failure("writing a byte");
      sent = w == 1;
    }
    const int r = SSL_read(to, &received, 1);
    if (r == 1) break;
    if (!Waits(to, r)) return Failure("reading a byte");
  }
  if (received != byte) return absl::InternalError("OpenSSL: a byte did not arrive as sent");
  return absl::OkStatus();
}

std::int64_t LiveTlsBytes() { return TakeSnapshot()[Subsystem::kTls].live_bytes; }

}  // namespace

absl::StatusOr<std::unique_ptr<TlsServer>> TlsServer::Make() {
  if (const absl::Status status = CountOpenSslMemory(); !status.ok()) return status;
  Owned<EVP_PKEY> key(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"));
  if (key == nullptr) return Failure("making a key");
  const Owned<X509> certificate = MakeCertificate(key.get());
  if (certificate == nullptr) return Failure("making a certificate");

  std::unique_ptr<TlsServer> server(new TlsServer);
  server->server_ = MakeContext(TLS_server_method());
  server->client_ = MakeContext(TLS_client_method());
  if (server->server_ == nullptr || server->client_ == nullptr ||
      SSL_CTX_use_certificate(server->server_, certificate.get()) != 1 ||
      SSL_CTX_use_PrivateKey(server->server_, key.get()) != 1 ||
      SSL_CTX_set_num_tickets(server->server_, 0) != 1) {
    return Failure("making a context");
  }
  SSL_CTX_set_verify(server->client_, SSL_VERIFY_NONE, nullptr);  // nobody has signed it

  const absl::StatusOr<TlsConnection> first = server->Accept();
  if (!first.ok()) return first.status();
  SSL_free(first->ssl);
  BIO_free(first->transport);
  return server;
}

TlsServer::~TlsServer() {
  SSL_CTX_free(server_);
  SSL_CTX_free(client_);
}

absl::StatusOr<TlsConnection> TlsServer::Accept() {
  const std::int64_t before = LiveTlsBytes();
  Owned<SSL> server(SSL_new(server_));
  Owned<SSL> client(SSL_new(client_));
  BIO* inner = nullptr;
  BIO* outer = nullptr;
  if (server == nullptr || client == nullptr ||
      BIO_new_bio_pair(&inner, kBufferBytes, &outer, kBufferBytes) != 1) {
    return Failure("making a connection");
  }
  SSL_set_bio(server.get(), inner, inner);
  const Owned<BIO> transport_of_client(outer);
  BIO_up_ref(outer);
  SSL_set_bio(client.get(), outer, outer);
  SSL_set_accept_state(server.get());
  SSL_set_connect_state(client.get());
  if (SSL_set_app_data(server.get(), nullptr) != 1) return Failure("making a connection");

  if (const absl::Status status = ShakeHands(client.get(), server.get()); !status.ok()) {
    return status;
  }
  for (const auto& [from, to] :
       {std::pair(client.get(), server.get()), std::pair(server.get(), client.get())}) {
    if (const absl::Status status = SendByte(from, to, 'x'); !status.ok()) return status;
  }

  // The client is gone, without a farewell: the server sees a connection that says nothing.
  SSL_set_quiet_shutdown(client.get(), 1);
  client.reset();
  const auto held = static_cast<std::uintptr_t>(LiveTlsBytes() - before);
  SSL_set_app_data(server.get(), reinterpret_cast<void*>(held));
  BIO_up_ref(outer);  // the caller's
  return TlsConnection{server.release(), outer};
}

std::size_t TlsMemsize(const SSL* ssl) {
  return static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(SSL_get_app_data(ssl)));
}

bool IsOpen(const SSL* ssl) {
  return SSL_is_init_finished(ssl) == 1 && SSL_get_shutdown(ssl) == 0 &&
         SSL_version(ssl) == TLS1_3_VERSION;
}

const DataType* SslContextType() {
  static const DataType type = {.name = "OpenSSL/SSL/CTX",
                                .mark = nullptr,
                                .free = [](void* data) { delete static_cast<TlsServer*>(data); },
                                .memsize = nullptr};
  return &type;
}

const DataType* SslSocketType() {
  static const DataType type = {
      .name = "OpenSSL/SSL",
      .mark = nullptr,
      .free = [](void* data) { SSL_free(static_cast<SSL*>(data)); },
      .memsize =
          [](const void* data) {
            return data == nullptr ? 0 : TlsMemsize(static_cast<const SSL*>(data));
          }};
  return &type;
}

const DataType* TransportType() {
  static const DataType type = {.name = "io",
                                .mark = nullptr,
                                .free = [](void* data) { BIO_free(static_cast<BIO*>(data)); },
                                .memsize = nullptr};  // TlsMemsize includes it
  return &type;
}

}  // namespace rubric
