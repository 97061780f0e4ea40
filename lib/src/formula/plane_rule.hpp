// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/unit_moments.hpp>

#include <vector>

#include "formula/unit_factors.hpp"

namespace isserlis {

/// E F(u) G(v) of factors of tanh, sigmoid, softplus, silu, gelu and erf over a normal pair of these variances and this
/// correlation, which are numbers up to their rounding.
///
/// Law     (u, v) normal, mean 0: sums over a lattice of the plane in integers, with their error.
/// Shape   one entry for each pair of factors, whose degrees add up to at most 4.
/// Errors  none; `wanted` are the bits behind the point that the enclosures aim at.
/// Source  docs/formulas/smooth_pairs.md; the trapezoidal rule with the bound of [Trefethen 2014, Thm 5.1]
[[nodiscard]] std::vector<Interval> plane_factor_means(SmoothUnit unit, Interval const& uu, Interval const& correlation,
                                                       Interval const& vv, std::vector<FactorPair> const& pairs,
                                                       unsigned wanted);

}  // namespace isserlis
