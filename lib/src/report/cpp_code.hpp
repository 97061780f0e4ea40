// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/parse.hpp>
#include <string>

namespace isserlis {

/// An expression as C++ over doubles.
///
/// Powers with symbols in the exponent are gathered first: (n + 5)^L*(n + 9)^L/n^(2*L - 2) becomes
/// pow((n + 5) * (n + 9) / n^2, L) * n^2, whose parts stay within double at any depth at which the value does. Sums of
/// such powers are written relative to one of their terms.
[[nodiscard]] std::string cpp_code(Expression const& e);

/// The same over a type of numbers: no operation is left to doubles, and literals have all their digits.
[[nodiscard]] std::string cpp_code(Expression const& e, std::string const& type);

/// Do doubles keep their digits, whatever positive values up to 1e8 the symbols have? So where positive numbers are
/// added, multiplied and divided, and no power grows with a symbol.
[[nodiscard]] bool plain_doubles_do(Expression const& e);

}  // namespace isserlis
