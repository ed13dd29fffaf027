// TlsServer: real OpenSSL server connections, handshake and all, without a network.
//
// USE        One TlsServer a process is enough. Accept() plays both ends of one connection: a client
//            SSL object that is freed before Accept returns, and the server's, which the caller owns
//            from then on, with the transport that it reads from and writes to. The three DataTypes
//            let T_DATA slots own what Ruby's SSLContext, SSLSocket and TCPSocket would.
// LAYOUT     The transport is one end of a BIO pair, kBufferBytes a direction; the other end belongs
//            to the server's SSL. A Ruby process has a socket there, whose buffers are the kernel's.
// COST       Accept: some 0.5 ms, nearly all of it key exchange and signature; about 9 KiB stay.
// INVARIANTS (1) Everything that OpenSSL allocates from the first Make() on is counted as
//                Subsystem::kTls.
//            (2) Two runs of a program allocate and compute the same: random numbers come from a
//                generator with a fixed start; TLS 1.3 with X25519 and an Ed25519 certificate, whose
//                keys and signatures have one length (those of ECDSA, and the numbers within RSA,
//                do not); no session tickets, of which an idle connection keeps nothing; no
//                configuration file; and one connection made and dropped in advance, for what
//                OpenSSL makes at first need.
//            (3) Each accepted connection has carried one byte each way.
// ERRORS     Internal, with OpenSSL's own reason.
// SOURCE     Modes and defaults are those of Ruby's openssl library: idle connections hold no record
//            buffers (SSL_MODE_RELEASE_BUFFERS).
// TESTED BY  tls_server_test.cc.
#ifndef RUBRIC_EXPERIMENTS_TLS_CLIENTS_TLS_SERVER_H_
#define RUBRIC_EXPERIMENTS_TLS_CLIENTS_TLS_SERVER_H_

#include <cstddef>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/object/layout.h"

// OpenSSL's own, which it calls SSL, BIO and SSL_CTX: its headers are too long to be parsed once a
// variant.
struct ssl_st;
struct bio_st;
struct ssl_ctx_st;

namespace rubric {

// The caller owns both: SSL_free, BIO_free, in either order.
struct TlsConnection {
  ssl_st* ssl;
  bio_st* transport;
};

class TlsServer {
 public:
  static constexpr std::size_t kBufferBytes = 512;

  static absl::StatusOr<std::unique_ptr<TlsServer>> Make();
  ~TlsServer();
  TlsServer(const TlsServer&) = delete;
  TlsServer& operator=(const TlsServer&) = delete;

  absl::StatusOr<TlsConnection> Accept();

 private:
  TlsServer() = default;

  // Connections that live on keep what they need of these.
  ssl_ctx_st* server_ = nullptr;
  ssl_ctx_st* client_ = nullptr;
};

// Bytes that OpenSSL held for the connection when its handshake was over, its transport included.
std::size_t TlsMemsize(const ssl_st* ssl);

// Whether the connection can still carry data.
bool IsOpen(const ssl_st* ssl);

// What a slot's `data` is: a TlsServer, an SSL, a BIO. Null data is allowed.
const DataType* SslContextType();
const DataType* SslSocketType();
const DataType* TransportType();

}  // namespace rubric

#endif  // RUBRIC_EXPERIMENTS_TLS_CLIENTS_TLS_SERVER_H_
