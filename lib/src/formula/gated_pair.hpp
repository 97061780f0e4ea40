// SPDX-License-Identifier: MIT
#pragma once
#include "formula/pair_layer.hpp"

namespace isserlis {

/// A leaky unit, of this slope below 0 and 1 above, at a pair (u, v) that is jointly normal: u of variance a, v of b, of
/// covariance c. Derivatives are by a, c and b.
///
/// Errors  DomainError where the correlation cannot be told from 1.
/// Source  docs/formulas/pair_correction.md
class GatedPair {
public:
    GatedPair(Interval slope, PairCovariance const& pair, unsigned bits);

    /// Covariances of sigma(u)^2, sigma(u) sigma(v) and sigma(v)^2.
    [[nodiscard]] PairMatrix spreads() const;
    /// Derivatives of E sigma(u) sigma(v); that by c is E sigma'(u) sigma'(v).
    [[nodiscard]] PairTriple slopes() const;
    /// Second ones; the row of c has the derivatives of E sigma'(u) sigma'(v).
    [[nodiscard]] PairMatrix bends() const;
    /// Second derivatives of E sigma'(u) sigma'(v).
    [[nodiscard]] PairMatrix derivative_bends() const;
    /// Means of sigma'(u) sigma'(v) times sigma(u)^2, sigma(u) sigma(v) and sigma(v)^2.
    [[nodiscard]] PairTriple gated_squares() const;
    /// E sigma(u)^2, E sigma(u) sigma(v) and E sigma(v)^2.
    [[nodiscard]] PairTriple squares() const;
    /// E sigma(z)^2/E z^2.
    [[nodiscard]] Interval square_factor() const;
    /// All of them.
    [[nodiscard]] PairLayer layer() const;

private:
    [[nodiscard]] Interval of(long x) const { return {x, bits_}; }
    [[nodiscard]] Interval bent() const { return (of(1) - s_) * (of(1) - s_); }
    [[nodiscard]] Interval both_squares() const;
    [[nodiscard]] Interval cube(Interval const& a, Interval const& b) const;
    [[nodiscard]] Interval gated_square(Interval const& a, Interval const& b) const;

    unsigned bits_;
    Interval s_, a_, c_, b_;
    Interval open_, apart_;  ///< the probability (pi - t)/(2 pi) that u and v are positive, and t/(2 pi)
    Interval two_pi_;
    Interval r_;
};

}  // namespace isserlis
