// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/smooth_pairs.hpp>

#include <vector>

#include "formula/unit_factors.hpp"

namespace isserlis {

/// E F(u) G(v) of factors of sin or cos, which are sums of sin(k u + j pi/2).
///
/// Law     (u, v) normal, mean 0.
/// Shape   one entry for each pair of factors.
/// Source  docs/formulas/pair_correction.md
[[nodiscard]] std::vector<Interval> wave_factor_means(SmoothUnit unit, PairCovariance const& pair,
                                                      std::vector<FactorPair> const& pairs, unsigned bits);

}  // namespace isserlis
