// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/rational.hpp>

#include <optional>
#include <string_view>

namespace isserlis {

/// [+-]digits[.digits][e[+-]digits], digits possible on one side of the point alone, or [+-]digits/digits; exactly.
/// Nothing for any other text.
/// Errors  UnsupportedError for an exponent beyond 10000.
[[nodiscard]] std::optional<Rational> exact_number(std::string_view text);

/// Takes the character off the front, if it is there.
bool take(std::string_view& text, char c);

}  // namespace isserlis
