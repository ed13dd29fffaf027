// Holds the ivars of ruby31 against those of a socket that the installed Ruby has accepted.
#include "experiments/tls_clients/client_ivars.h"

#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "gtest/gtest.h"

namespace rubric {
namespace {

constexpr char kScript[] = R"(
require "openssl"
require "socket"
key = OpenSSL::PKey::EC.generate("prime256v1")
certificate = OpenSSL::X509::Certificate.new
certificate.subject = certificate.issuer = OpenSSL::X509::Name.parse("/CN=localhost")
certificate.public_key = key
certificate.not_before = Time.now - 60
certificate.not_after = Time.now + 3600
certificate.sign(key, "SHA256")
context = OpenSSL::SSL::SSLContext.new
context.cert = certificate
context.key = key
UNIXServer.open(ARGV[0]) do |listener|
  client = Thread.new do
    ssl = OpenSSL::SSL::SSLSocket.new(UNIXSocket.new(ARGV[0]))
    ssl.connect
    ssl.write("x")
    ssl.read(1)
  end
  socket = OpenSSL::SSL::SSLServer.new(listener, context).accept
  socket.read(1)
  socket.write("x")
  client.value
  socket.instance_variables.each do |name|
    value = socket.instance_variable_get(name)
    kind = case value
           when nil, true, false then value.inspect
           when String then value.empty? ? "buffer" : "filled buffer"
           when IO then "io"
           when OpenSSL::SSL::SSLContext then "context"
           else value.class.name
           end
    puts "#{name} #{kind}"
  end
end
)";

std::string KindName(ClientIvarKind kind) {
  switch (kind) {
    case ClientIvarKind::kIo:
      return "io";
    case ClientIvarKind::kContext:
      return "context";
    case ClientIvarKind::kBuffer:
      return "buffer";
    case ClientIvarKind::kTrue:
      return "true";
    case ClientIvarKind::kFalse:
      return "false";
    case ClientIvarKind::kNil:
      return "nil";
  }
  return "";
}

std::string OutputOf(const std::string& command) {
  std::string output;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return output;
  for (int c; (c = std::fgetc(pipe)) != EOF;) output.push_back(static_cast<char>(c));
  return pclose(pipe) == 0 ? output : "failed: " + command;
}

TEST(ClientIvarsTest, Ruby31SetsTheseInThisOrder) {
  if (OutputOf("ruby -e 'print RUBY_VERSION[0, 3]'") != "3.1") {
    GTEST_SKIP() << "the installed Ruby is not 3.1";
  }
  const std::string script = testing::TempDir() + "/accepted.rb";
  std::ofstream(script) << kScript;
  // A socket's path may have no more than 108 bytes, which a test's folder may exceed.
  const std::string output = OutputOf("d=$(mktemp -d) && ruby --disable-gems " + script +
                                      " $d/s; rc=$?; rm -r $d; exit $rc");
  std::string expected;
  for (const ClientIvar& ivar : ClientIvars("ruby31")) {
    expected += std::string(ivar.name) + " " + KindName(ivar.kind) + "\n";
  }
  EXPECT_EQ(output, expected);
}

TEST(ClientIvarsTest, EachNameOnceAndTheSocketAmongTheFirstTwo) {
  for (const char* library : {"ruby22", "ruby31"}) {
    const auto ivars = ClientIvars(library);
    std::set<std::string_view> names;
    for (const ClientIvar& ivar : ivars) EXPECT_TRUE(names.insert(ivar.name).second) << ivar.name;
    // --max_ivars=2 keeps it alive.
    EXPECT_TRUE(ivars[0].kind == ClientIvarKind::kIo || ivars[1].kind == ClientIvarKind::kIo);
  }
  EXPECT_EQ(ClientIvars("ruby22").size(), 9u);
}

}  // namespace
}  // namespace rubric
