// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/polynomial.hpp>

#include <optional>
#include <utility>
#include <vector>

namespace isserlis {

/// Sparse rows of a square matrix.
using PolynomialRows = std::vector<std::vector<std::pair<unsigned, Polynomial>>>;

/// A monic factor that does not split: x - trace, or x^2 - trace x + product.
struct DepthFactor {
    Polynomial trace;
    std::optional<Polynomial> product;

    friend bool operator==(DepthFactor const& a, DepthFactor const& b) {
        return a.trace == b.trace && a.product == b.product;
    }
};

/// The factors, with their multiplicities, of the least polynomial that the row vector v T^K satisfies. Candidates
/// only: the caller proves them by v q_0(T) q_1(T) .. = 0.
///
/// Method  modulo a prime of one word, with numbers for the symbols, v T^K u for a vector u has its least polynomial by
///         the Berlekamp-Massey algorithm. Its factors are among those of the blocks, states that lead to each other:
///         the entry of a state of its own, `spelled_factors` of more. How often each divides it is their multiplicity.
/// Errors  UnsupportedError when a factor is of degree 3 or more, or its coefficients are not polynomials.
[[nodiscard]] std::vector<DepthFactor> depth_factors(PolynomialRows const& rows, std::vector<Polynomial> const& v);

}  // namespace isserlis
