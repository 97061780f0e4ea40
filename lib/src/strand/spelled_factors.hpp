// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "strand/depth_factors.hpp"

namespace isserlis {

/// Errors  UnsupportedError for entries of such degrees, in so many symbols, that powers of T fill pages.
void require_short(PolynomialRows const& rows);

/// `depth_factors`, of a least polynomial that is mostly of this degree. Room for coefficients of `times` the degree of the
/// entries, or of twice as much, tells from others what has no such coefficients.
///
/// Method  large integers are put for the symbols, so that a coefficient's digits spell it as a polynomial; the least
///         polynomial comes from v T^K u for a vector u by the Berlekamp-Massey algorithm modulo a large prime.
/// Errors  UnsupportedError when a factor is of degree 3 or more, or its coefficients are not polynomials.
[[nodiscard]] std::vector<DepthFactor> spelled_factors(PolynomialRows const& rows, std::vector<Polynomial> const& v,
                                                       std::size_t degree, std::uint64_t times = 1);

}  // namespace isserlis
