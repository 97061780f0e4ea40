// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/unit_moments.hpp>

#include <optional>

namespace isserlis {

/// Phi, the distribution function of a standard normal.
[[nodiscard]] Interval normal_cdf(Interval const& x);
[[nodiscard]] Interval normal_density(Interval const& x);

/// A unit and its derivative at one place.
struct UnitEnclosure {
    Interval value;
    Interval first;
};

/// Of tanh, sigmoid, softplus and silu at z, of which e^z is known.
[[nodiscard]] UnitEnclosure enclosed_unit(SmoothUnit unit, Interval const& z, Interval const& exponential);

/// |sigma|, |sigma|^2 and |sigma'|^2 are at most `factor` (1 + |x|)^degree at x + iy, |y| <= 1, where all of these units
/// are analytic: there |tanh|^2 <= tan(1)^2, |1 + e^-z| >= 1 and |Phi| <= 2. See docs/formulas/unit_moments.md.
struct UnitGrowth {
    long factor;
    unsigned degree;
};
/// None for units in closed form.
[[nodiscard]] std::optional<UnitGrowth> growth_of(SmoothUnit unit);

/// Half a strip in u, of which z = scale u stays within 1 of the real line; 4 for a scale that is small.
[[nodiscard]] Rational half_strip(double scale);

/// ELU and SELU: scale (z above 0, alpha (e^z - 1) below).
struct EluConstants {
    Interval scale;
    Interval alpha;
};
[[nodiscard]] EluConstants elu_constants(SmoothUnit unit, unsigned bits);

/// `unit_moments` at a variance that lies in an interval; what their limits of it are for is left to the caller.
[[nodiscard]] UnitMoments unit_moments_within(SmoothUnit unit, Interval const& variance, unsigned bits);

}  // namespace isserlis
