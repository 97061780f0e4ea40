// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/interval.hpp>

#include <cstdint>

namespace isserlis {

/// Limits, as the depth L of a dense network goes to infinity, of E X^2/(E X)^2.
///
/// Law     Gaussian ReLU layers of one width n, gates at the output, variances 2/(n l) of W^l: He scaling, alpha = 1.
/// Shape   n >= 1; layer k >= 1 stays where it is.
/// Units   pure numbers; enclosures.
/// Errors  none.
/// Source  docs/formulas/dense_limit.md; the products of [Residual 2019, eq. (120)], corrected

/// Of X = |y^L|^2: sinh(pi r)/(pi r), r = sqrt(5/n).
[[nodiscard]] Interval dense_output_limit(Integer const& width, unsigned bits);

/// Of X = ||J^k||^2, k fixed.
[[nodiscard]] Interval dense_jacobian_limit(Integer const& width, std::uint64_t k, unsigned bits);

/// Of X = ||J^L||^2, the last layer.
[[nodiscard]] Interval dense_last_jacobian_limit(Integer const& width, unsigned bits);

}  // namespace isserlis
