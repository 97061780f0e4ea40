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

}  // namespace isserlis
