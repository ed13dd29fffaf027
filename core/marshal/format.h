// Marshal format 4.8: its type bytes and its numbers.
//
// LAYOUT     A dump is bytes 4 and 8, then one value: a type byte and what the type has.
//              0 T F                nil, true, false
//              i LONG               an integer of 31 bits
//              l SIGN LONG BYTES    a bigger one: '+' or '-', 16-bit words, magnitude
//              f BYTES              a Float's text
//              : BYTES              a symbol; ; LONG the n-th one of this dump again
//              " BYTES              a String
//              [ LONG values        an Array
//              { LONG pairs         a Hash; } has its default after the pairs
//              o SYMBOL IVARS       an object of that class
//              c BYTES              a class, by its name
//              u SYMBOL BYTES       what the class's _dump gave
//              U SYMBOL value       what the object's marshal_dump gave
//              C SYMBOL value       a String, Array or Hash of a subclass
//              I value IVARS        a value that is no 'o', and its ivars
//              @ LONG               the n-th object of this dump again
//            BYTES is LONG and so many bytes; IVARS is LONG and so many pairs of SYMBOL and value.
//            LONG: a byte 0, or n + 5 for 1 to 122, or n - 5 for -1 to -123; else the number of
//            little-endian bytes that follow, 1 to 4, negative for a negative number.
//            A String's or symbol's encoding is an ivar: E true is UTF-8, E false is US-ASCII.
// SOURCE     Ruby's documentation, doc/marshal.rdoc; what ruby 3.1 writes and reads.
#ifndef RUBRIC_CORE_MARSHAL_FORMAT_H_
#define RUBRIC_CORE_MARSHAL_FORMAT_H_

#include <cstdint>
#include <string_view>

namespace rubric {

inline constexpr char kMarshalMajor = 4;
inline constexpr char kMarshalMinor = 8;

// Integers that are written as 'i'.
inline constexpr std::int64_t kMarshalFixnumMax = (std::int64_t{1} << 30) - 1;
inline constexpr std::int64_t kMarshalFixnumMin = -(std::int64_t{1} << 30);

// Names of ivars that are not ivars: an encoding, and a Hash of keyword arguments.
inline constexpr std::string_view kEncodingIvar = "E";
inline constexpr std::string_view kEncodingNameIvar = "encoding";
inline constexpr std::string_view kKeywordsIvar = "K";

// Values may lie in each other so deep by default. No machine stack is used for it.
inline constexpr std::size_t kMarshalMaxDepth = 100'000;

inline bool IsAscii(std::string_view bytes) {
  for (const char c : bytes) {
    if (static_cast<unsigned char>(c) >= 0x80) return false;
  }
  return true;
}

// LONG's bytes, at most 5, of -2^31 <= n < 2^31.
class MarshalLong {
 public:
  explicit MarshalLong(std::int64_t n) {
    if (n == 0 || (n > 0 && n < 123) || (n < 0 && n > -124)) {
      bytes_[0] = static_cast<char>(n == 0 ? 0 : n > 0 ? n + 5 : n - 5);
      return;
    }
    const std::int64_t last = n < 0 ? -1 : 0;  // what is left when all bytes are written
    while (n != last) {
      bytes_[size_++] = static_cast<char>(n & 0xff);
      n >>= 8;
    }
    bytes_[0] =
        static_cast<char>(last < 0 ? 1 - static_cast<int>(size_) : static_cast<int>(size_) - 1);
  }
  std::string_view bytes() const { return {bytes_, size_}; }

 private:
  char bytes_[9];
  std::size_t size_ = 1;
};

}  // namespace rubric

#endif  // RUBRIC_CORE_MARSHAL_FORMAT_H_
