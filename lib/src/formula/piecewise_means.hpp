// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/smooth_pairs.hpp>

#include <vector>

#include "formula/unit_factors.hpp"

namespace isserlis {

/// E F(u) G(v) of factors of elu or selu: powers above 0, exponentials below, and in derivatives from the second on delta(z)
/// and its derivatives.
///
/// Law     (u, v) normal, mean 0.
/// Shape   one entry for each pair of factors.
/// Errors  DomainError where derivatives from the second on are asked for and the correlation cannot be told from 1;
///         UnsupportedError for a variance above most_pair_variance.
/// Source  docs/formulas/pair_correction.md
[[nodiscard]] std::vector<Interval> piecewise_factor_means(SmoothUnit unit, PairCovariance const& pair,
                                                           std::vector<FactorPair> const& pairs, unsigned bits);

}  // namespace isserlis
