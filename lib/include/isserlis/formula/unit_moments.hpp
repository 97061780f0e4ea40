// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/interval.hpp>

namespace isserlis {

/// The units that are not positively homogeneous.
enum class SmoothUnit { tanh, sigmoid, softplus, silu, gelu, elu, selu, erf, sin, cos };

/// Is sigma(-z) = -sigma(z)?
[[nodiscard]] bool is_odd(SmoothUnit unit);

/// Means over z = sqrt(q) u, u a standard normal.
struct UnitMoments {
    Interval mean;               ///< E sigma(z)
    Interval second;             ///< E sigma(z)^2
    Interval derivative_second;  ///< E sigma'(z)^2
};

inline constexpr double least_unit_variance = 1e-6;
inline constexpr double most_unit_variance = 1e4;

/// Enclosures of what a unit does to a normal pre-activation of mean 0 and variance q.
///
/// Law     z normal: exact of the first layer with Gaussian weights, of deeper ones in the limit of infinite width.
/// Shape   elu is e^z - 1 below 0; selu has the constants for which mean and variance (0, 1) are a fixed point; gelu is
///         z Phi(z), silu z/(1 + e^-z).
/// Units   those of z.
/// Errors  DomainError for q outside least_unit_variance .. most_unit_variance.
/// Source  docs/formulas/unit_moments.md; closed forms for elu, selu, erf, sin and cos, else the trapezoidal rule with the
///         bound of [Trefethen 2014, Thm 5.1]
[[nodiscard]] UnitMoments unit_moments(SmoothUnit unit, Rational const& variance, unsigned bits);

}  // namespace isserlis
