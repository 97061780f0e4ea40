// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/value.hpp>
#include <isserlis/ring/exp_quotient.hpp>

#include <string>

namespace isserlis {

/// A formula the way it is short: one fraction, or one summand for each eigenvalue at symbolic depth.
[[nodiscard]] Value tidy(RationalFunction const& x);
[[nodiscard]] Value tidy(ExpPolynomial const& x);
[[nodiscard]] Value tidy(ExpQuotient const& x);
[[nodiscard]] inline Value tidy(Surd const& x) { return x; }
/// What is too large to be merged is a sum of positive products.
[[nodiscard]] bool is_certainly_zero(RationalFunction const& x);
[[nodiscard]] inline bool is_certainly_zero(ExpPolynomial const& x) { return x.terms().empty(); }
[[nodiscard]] inline bool is_certainly_zero(ExpQuotient const& x) { return is_certainly_zero(x.numerator()); }
[[nodiscard]] inline bool is_certainly_zero(Surd const& x) { return x.is_zero(); }

/// sqrt(square) and factor/sqrt(square): one surd or formula when short, else certified digits, of which `form` says
/// what they are.
[[nodiscard]] Value root(Surd const& square, std::string const& form);
[[nodiscard]] Value root(RationalFunction const& square, std::string const& form);
[[nodiscard]] Value over_root(int factor, Surd const& square, std::string const& form);
[[nodiscard]] Value over_root(int factor, RationalFunction const& square, std::string const& form);
[[nodiscard]] inline Value root(ExpPolynomial const& square, std::string const& form) {
    return root(square.formula(), form);
}
[[nodiscard]] inline Value over_root(int factor, ExpPolynomial const& square, std::string const& form) {
    return over_root(factor, square.formula(), form);
}

/// Whether there are powers of a - sqrt(d) with the depth in the exponent: a sum of them is positive where one alone need
/// not be, so that no root is drawn from its parts.
[[nodiscard]] bool has_powers_of_roots(RationalFunction const& x);

}  // namespace isserlis
