// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/exp_polynomial.hpp>
#include <isserlis/ring/exponent.hpp>
#include <isserlis/ring/polynomial.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include "strand/depth_factors.hpp"

namespace isserlis {

/// a + b sqrt(d) over the discriminant d of a factor; b is 0 for a factor of degree 1.
struct Quadratic {
    RationalFunction a;
    RationalFunction b;
};

/// x^K in the mixed basis 1, q_0, q_0 q_1, .. of products of factors: the digit of q_0 .. q_(j-1) is
/// constant + slope x, where a factor q_j of degree 1 has no slope. Both are sums over the roots r of coefficient r^K;
/// a coefficient is a polynomial in K, and stands at the place of the root's factor among the distinct ones.
struct DepthDigit {
    std::vector<Quadratic> constant;
    std::vector<Quadratic> slope;
};

/// Powers x^K, K a depth in symbols, modulo a product of factors; exact for every K >= 0 if no root is 0, else from
/// K = (how often 0 occurs) on.
class DepthPowers {
public:
    DepthPowers(std::vector<DepthFactor> factors, Exponent count);

    [[nodiscard]] std::vector<DepthFactor> const& factors() const { return factors_; }
    [[nodiscard]] std::vector<DepthFactor> const& distinct() const { return distinct_; }
    [[nodiscard]] Exponent const& count() const { return count_; }
    /// The sum of coefficient (root / denominator)^K over the roots of the distinct factor at a place. One of degree 2
    /// puts the root of its discriminant into the formula.
    [[nodiscard]] std::vector<ExpPolynomial::Term> terms(std::size_t place, Quadratic const& coefficient,
                                                         Polynomial const& denominator) const;

private:
    std::vector<DepthFactor> factors_;
    std::vector<DepthFactor> distinct_;
    Exponent count_;
};

/// The digits of x^K, one after the other: each takes one division of a power series per root further.
///
/// Method  the sum of the residues of x^K / (q_0 .. q_j), a divided difference, at the roots, for the slope and for
///         degree 1; of x^K (x - trace_j) / (q_0 .. q_j) for the constant beside a slope.
class DepthDigits {
public:
    explicit DepthDigits(DepthPowers const& powers);
    ~DepthDigits();

    /// The digit of q_0 .. q_(j-1), j = 0, 1, ..; there are as many as factors.
    [[nodiscard]] DepthDigit next();

private:
    struct Residue;

    DepthPowers const& powers_;
    std::size_t next_ = 0;
    std::vector<Residue> residues_;
};

/// The roots of a factor over the denominator.
[[nodiscard]] std::vector<RationalFunction> roots(DepthFactor const& factor, Polynomial const& denominator);

}  // namespace isserlis
