// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/parse.hpp>
#include <set>
#include <string>

namespace isserlis {

/// An expression as C++ over doubles.
///
/// Powers with symbols in the exponent are gathered first: (n + 5)^L*(n + 9)^L/n^(2*L - 2) becomes
/// pow((n + 5) * (n + 9) / n^2, L) * n^2, whose parts stay within double at any depth at which the value does. Sums of
/// such powers are written relative to one of their terms.
[[nodiscard]] std::string cpp_code(Expression const& e);

/// The same over a type of numbers: no operation is left to doubles, and literals have all their digits. Where a power has
/// a base that can be 0, as n - 1 can, and a symbol of `zeros`, nothing is divided by it.
[[nodiscard]] std::string cpp_code(Expression const& e, std::string const& type, std::set<std::string> const& zeros);

/// Is it a constant and multiples of symbols? Then doubles of whole numbers tell whether it is 0.
[[nodiscard]] bool is_linear(Expression const& e);

/// Do doubles keep their digits, whatever positive values up to 1e8 the symbols have? So where positive numbers are
/// added, multiplied and divided, and no power grows with a symbol.
[[nodiscard]] bool plain_doubles_do(Expression const& e);

}  // namespace isserlis
