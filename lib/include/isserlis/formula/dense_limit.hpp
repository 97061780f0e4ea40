// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/interval.hpp>

#include <cstdint>

namespace isserlis {

/// Limits, as the depth L of a dense network goes to infinity, of E X^2/(E X)^2.
///
/// Law     Gaussian ReLU layers of one width n, gates at the output, variances 2 alpha/(n l) of W^l: He scaling.
/// Shape   n >= 1, alpha > 0; layer k >= 1 stays where it is.
/// Units   pure numbers; enclosures.
/// Errors  none.
/// Source  docs/formulas/dense_limit.md; the products of [Residual 2019, eq. (120)], corrected

/// Of X = |y^L|^2: |Gamma(alpha)/Gamma(alpha + i alpha r)|^2, r = sqrt(5/n); sinh(pi r)/(pi r) at alpha = 1.
[[nodiscard]] Interval dense_output_limit(Integer const& width, Surd const& alpha, unsigned bits);

/// Of X = ||J^k||^2, k fixed.
[[nodiscard]] Interval dense_jacobian_limit(Integer const& width, Surd const& alpha, std::uint64_t k, unsigned bits);

/// Of X = ||J^L||^2, the last layer.
[[nodiscard]] Interval dense_last_jacobian_limit(Integer const& width, Surd const& alpha, unsigned bits);

}  // namespace isserlis
