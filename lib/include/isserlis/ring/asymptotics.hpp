// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/exp_polynomial.hpp>
#include <isserlis/ring/rational_function.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace isserlis {

/// sum over k of coefficients[k] n^((leading - k)/root), up to an error of the next order; coefficients do not contain n.
struct PowerSeries {
    long leading = 0;
    std::vector<RationalFunction> coefficients;
    long root = 1;  ///< 2 of a formula with square roots of n

    [[nodiscard]] Rational power(std::size_t k) const { return ratio(leading - static_cast<long>(k), root); }
};

/// The expansion of a formula as n goes to infinity with every other symbol held fixed, the depth included: the leading
/// term and `order` terms beyond it.
/// Errors  UnsupportedError for other roots of n than square roots, a power of n with the depth in its exponent, or n
///         itself in an exponent, where `exponential_series` serves.
[[nodiscard]] PowerSeries series_at_infinity(ExpPolynomial const& x, std::string const& n, std::size_t order);

struct LeadingTerm {
    RationalFunction value;
    bool in_depth = false;  ///< whether the depth was taken to infinity too, after n
};

/// The leading term as n and then the depth go to infinity: coefficient * n^a * depth^b. The depth stays as it is when
/// it is empty, or when the value grows exponentially with it.
/// Errors  as above.
[[nodiscard]] LeadingTerm leading_term(ExpPolynomial const& x, std::string const& n, std::string const& depth);
/// The same of a series in 1/n that has its first coefficient, or none for 0.
[[nodiscard]] LeadingTerm leading_term(PowerSeries const& series, std::string const& n, std::string const& depth);

}  // namespace isserlis
