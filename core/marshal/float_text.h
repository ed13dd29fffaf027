// Floats as Marshal writes them: the shortest digits that read back as the same double.
//
// USE        FloatText(d, buffer) and ParseFloatText(text).
// COST       One std::to_chars or std::from_chars, no allocation.
// INVARIANTS ParseFloatText(FloatText(d)) is d, bit for bit, but for the bits of a NaN.
// SOURCE     Ruby's marshal.rdoc: text with up to 17 digits, and inf, -inf, nan. An exponent stands
//            where the point would lie beyond the digits or more than three zeros before them.
// TESTED BY  float_text_test.cc; ruby_exchange_test.cc against ruby.
#ifndef RUBRIC_CORE_MARSHAL_FLOAT_TEXT_H_
#define RUBRIC_CORE_MARSHAL_FLOAT_TEXT_H_

#include <array>
#include <optional>
#include <string_view>

namespace rubric {

using FloatTextBuffer = std::array<char, 40>;

// The text of `d`, in `buffer`.
std::string_view FloatText(double d, FloatTextBuffer& buffer);

// The number, or nothing where all of `text` is not one that a double holds.
std::optional<double> ParseFloatText(std::string_view text);

}  // namespace rubric

#endif  // RUBRIC_CORE_MARSHAL_FLOAT_TEXT_H_
