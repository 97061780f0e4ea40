// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/unit_moments.hpp>

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace isserlis {

/// What of a unit stands in means over a pair: sigma and five derivatives, and products of sigma and sigma'.
enum class UnitFactor : std::size_t {
    value,
    first,
    second,
    third,
    fourth,
    fifth,
    square,
    cube,
    value_first,
    square_first
};
inline constexpr std::size_t unit_factor_count = 10;

/// A factor of u, and one of v.
using FactorPair = std::pair<UnitFactor, UnitFactor>;

[[nodiscard]] constexpr std::size_t place_of(UnitFactor factor) { return static_cast<std::size_t>(factor); }
/// That derivative of sigma, up to the fifth.
[[nodiscard]] constexpr UnitFactor derivative_factor(std::size_t order) { return static_cast<UnitFactor>(order); }

/// Is it sigma or sigma'?
[[nodiscard]] constexpr bool is_plain(UnitFactor factor) { return factor <= UnitFactor::first; }

/// |factor| <= size (1 + |x|)^degree at x + iy, |y| <= 1.
struct FactorGrowth {
    long size;
    unsigned degree;
};

/// Of tanh, sigmoid, softplus, silu, gelu and erf. Source  docs/formulas/pair_correction.md
[[nodiscard]] FactorGrowth growth_of(SmoothUnit unit, UnitFactor factor);

/// What all factors of these units are polynomials of, at one place.
class UnitPlace {
public:
    UnitPlace(SmoothUnit unit, Interval const& z);
    /// At -z.
    [[nodiscard]] UnitPlace reflected() const;
    /// sigma and sigma' alone, or all of them, by `place_of`.
    [[nodiscard]] std::vector<Interval> factors(bool plain) const;

private:
    [[nodiscard]] Interval of(long x) const { return {x, z_.bits()}; }
    /// sigma and its derivatives up to this order.
    [[nodiscard]] std::vector<Interval> derivatives(std::size_t order) const;
    [[nodiscard]] std::vector<Interval> of_logistic(std::size_t order) const;

    SmoothUnit unit_;
    Interval z_;
    Interval main_;   ///< tanh, the logistic function, Phi or erf
    Interval other_;  ///< softplus: itself; gelu: phi; erf: its derivative
};

}  // namespace isserlis
