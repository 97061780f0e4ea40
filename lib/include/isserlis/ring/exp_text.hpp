// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/rational_function.hpp>

#include <string>
#include <vector>

namespace isserlis {

/// SymPy text of coefficient * exp(rate) without idle parts: "exp(5*b)", "3/2*exp(b)", "(n + 5)*exp(b)", "n".
[[nodiscard]] std::string exponential_text(RationalFunction const& coefficient, RationalFunction const& rate);

/// The sum of texts: "a + b - c"; "0" for none.
[[nodiscard]] std::string sum_text(std::vector<std::string> const& terms);

/// The text as a factor: in brackets if it is a sum.
[[nodiscard]] std::string factor_text(std::string const& text);

}  // namespace isserlis
