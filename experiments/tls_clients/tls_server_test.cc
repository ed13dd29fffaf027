#include "experiments/tls_clients/tls_server.h"

#include <openssl/bio.h>
#include <openssl/ssl.h>

#include <vector>

#include "core/memory/counters.h"
#include "gtest/gtest.h"

namespace rubric {
namespace {

AllocatorCounters Tls() { return TakeSnapshot()[Subsystem::kTls]; }

class TlsServerTest : public testing::Test {
 protected:
  TlsServerTest() : made_(TlsServer::Make()) {}
  void SetUp() override { ASSERT_TRUE(made_.ok()) << made_.status(); }

  TlsConnection Accept() {
    const auto connection = (*made_)->Accept();
    EXPECT_TRUE(connection.ok()) << connection.status();
    return connection.ok() ? *connection : TlsConnection{};
  }

  absl::StatusOr<std::unique_ptr<TlsServer>> made_;
};

TEST_F(TlsServerTest, AcceptsAConnectionThatIsOpenAndIdle) {
  const TlsConnection connection = Accept();
  ASSERT_NE(connection.ssl, nullptr);
  EXPECT_TRUE(IsOpen(connection.ssl));
  EXPECT_STREQ(SSL_get_version(connection.ssl), "TLSv1.3");
  EXPECT_EQ(SSL_is_server(connection.ssl), 1);
  char byte;
  const int read = SSL_read(connection.ssl, &byte, 1);
  EXPECT_EQ(SSL_get_error(connection.ssl, read), SSL_ERROR_WANT_READ);
  // The transport still leads to it: what is no TLS record is an error, not silence.
  EXPECT_EQ(BIO_write(connection.transport, "not a record", 12), 12);
  const int garbled = SSL_read(connection.ssl, &byte, 1);
  EXPECT_EQ(SSL_get_error(connection.ssl, garbled), SSL_ERROR_SSL);
  EXPECT_FALSE(IsOpen(connection.ssl));
  SSL_free(connection.ssl);
  BIO_free(connection.transport);
}

TEST_F(TlsServerTest, CountsAllThatAConnectionHoldsAndGetsItBack) {
  const AllocatorCounters before = Tls();
  for (const bool ssl_first : {true, false}) {
    const TlsConnection connection = Accept();
    const std::int64_t held = Tls().live_bytes - before.live_bytes;
    EXPECT_EQ(static_cast<std::int64_t>(TlsMemsize(connection.ssl)), held);
    // The pair's two buffers, and an SSL with its keys.
    EXPECT_GT(held, static_cast<std::int64_t>(2 * TlsServer::kBufferBytes + 1024));
    const DataType* ssl = SslSocketType();
    const DataType* io = TransportType();
    EXPECT_EQ(ssl->memsize(connection.ssl), TlsMemsize(connection.ssl));
    if (ssl_first) ssl->free(connection.ssl);
    io->free(connection.transport);
    if (!ssl_first) ssl->free(connection.ssl);
    EXPECT_EQ(Tls().live_bytes, before.live_bytes);
    EXPECT_EQ(Tls().malloc_calls - before.malloc_calls, Tls().free_calls - before.free_calls);
  }
}

TEST_F(TlsServerTest, EachConnectionAllocatesTheSame) {
  std::vector<TlsConnection> connections;
  std::vector<std::uint64_t> calls, bytes;
  for (int i = 0; i < 50; ++i) {
    const AllocatorCounters before = Tls();
    connections.push_back(Accept());
    calls.push_back(Tls().malloc_calls - before.malloc_calls);
    bytes.push_back(Tls().bytes_requested - before.bytes_requested);
  }
  EXPECT_EQ(calls, std::vector<std::uint64_t>(50, calls[0]));
  EXPECT_EQ(bytes, std::vector<std::uint64_t>(50, bytes[0]));
  for (const TlsConnection& connection : connections) {
    SSL_free(connection.ssl);
    BIO_free(connection.transport);
  }
}

TEST_F(TlsServerTest, ConnectionsOutliveTheirServer) {
  const TlsConnection connection = Accept();
  SslContextType()->free(made_->release());
  EXPECT_TRUE(IsOpen(connection.ssl));
  SSL_free(connection.ssl);
  BIO_free(connection.transport);
}

TEST_F(TlsServerTest, SlotsWithoutDataAreFreed) {
  for (const DataType* type : {SslContextType(), SslSocketType(), TransportType()}) {
    type->free(nullptr);
  }
  EXPECT_EQ(SslSocketType()->memsize(nullptr), 0u);
}

}  // namespace
}  // namespace rubric
