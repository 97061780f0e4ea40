// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/smooth_pairs.hpp>

#include <array>
#include <cstddef>

namespace isserlis {

/// Where numbers of the pairs (x, x), (x, y) and (y, y) stand.
inline constexpr std::size_t pair_xx = 0;
inline constexpr std::size_t pair_xy = 1;
inline constexpr std::size_t pair_yy = 2;

using PairTriple = std::array<Interval, 3>;
using PairMatrix = std::array<PairTriple, 3>;

[[nodiscard]] PairTriple zero_pair_triple(unsigned bits);
[[nodiscard]] PairMatrix zero_pair_matrix(unsigned bits);

/// What a unit makes of a pair (u, v) that is jointly normal: u of variance a, v of b, of covariance c. Derivatives are by a, c
/// and b.
struct PairLayer {
    PairTriple squares;               ///< E sigma(u)^2, E sigma(u) sigma(v) and E sigma(v)^2
    PairMatrix spreads;               ///< covariances of these products
    PairTriple gated_squares;         ///< means of sigma'(u) sigma'(v) times them
    PairMatrix slopes;                ///< derivatives of the squares; that of the product by c is E sigma'(u) sigma'(v)
    std::array<PairMatrix, 3> bends;  ///< second ones
    PairMatrix derivative_bends;      ///< second derivatives of E sigma'(u) sigma'(v)
};

/// Of a smooth unit; derivatives but E sigma'(u) sigma'(v) are 0 where they are not asked for.
///
/// Law     (u, v) normal, mean 0.
/// Errors  those of smooth_pair_means, gelu and erf being limited too; DomainError for derivatives of elu and selu where the
///         correlation cannot be told from 1.
/// Source  docs/formulas/pair_correction.md
[[nodiscard]] PairLayer smooth_pair_layer(SmoothUnit unit, PairCovariance const& pair, bool with_derivatives,
                                          unsigned bits);

}  // namespace isserlis
