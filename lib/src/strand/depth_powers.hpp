// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/exp_polynomial.hpp>
#include <isserlis/ring/exponent.hpp>
#include <isserlis/ring/polynomial.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace isserlis {

/// Sparse rows of a square matrix.
using PolynomialRows = std::vector<std::vector<std::pair<unsigned, Polynomial>>>;

/// The eigenvalues of T, with their multiplicities, that the row vector v T^K is made of: the roots of the least
/// polynomial that v T^K satisfies. Candidates only: the caller proves them by v (T - l_0) (T - l_1) .. = 0.
///
/// Method  large integers are put for the symbols, so that a root's digits spell the eigenvalue; the least polynomial
///         comes from v T^K u for a vector u by the Berlekamp-Massey algorithm modulo a large prime.
/// Errors  UnsupportedError when the polynomial does not split into eigenvalues that are polynomials.
[[nodiscard]] std::vector<Polynomial> depth_eigenvalues(PolynomialRows const& rows, std::vector<Polynomial> const& v);

/// The divided difference of x^K at the eigenvalues 0 .. j, over denominator^K, as a formula in K: exact for every
/// K >= 0 if no eigenvalue is 0, else from K = (how often 0 occurs) on.
[[nodiscard]] std::vector<ExpPolynomial::Term> divided_difference(std::vector<Polynomial> const& eigenvalues,
                                                                  std::size_t j, Polynomial const& denominator,
                                                                  Exponent const& count);

}  // namespace isserlis
