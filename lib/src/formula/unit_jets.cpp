// SPDX-License-Identifier: MIT
#include "formula/unit_jets.hpp"

#include <cmath>
#include <isserlis/error.hpp>

namespace isserlis {

Interval normal_cdf(Interval const& x) {
    unsigned const bits = x.bits();
    return erfc((Interval(0L, bits) - x) / sqrt(Interval(2L, bits))) / Interval(2L, bits);
}

Interval normal_density(Interval const& x) {
    unsigned const bits = x.bits();
    Interval const two(2L, bits);
    return exp(Interval(0L, bits) - x * x / two) / sqrt(two * pi(bits));
}

UnitEnclosure enclosed_unit(SmoothUnit unit, Interval const& z, Interval const& exponential) {
    Interval const one(1L, z.bits());
    if (unit == SmoothUnit::tanh) {
        Interval const value = one - Interval(2L, z.bits()) / (exponential * exponential + one);
        return {.value = value, .first = one - value * value};
    }
    Interval const above = one + exponential;
    Interval const closed = one / above;
    Interval const open = one - closed;
    switch (unit) {
        case SmoothUnit::sigmoid: return {.value = open, .first = open * closed};
        case SmoothUnit::softplus: return {.value = log(above), .first = open};
        case SmoothUnit::silu: return {.value = z * open, .first = open + z * open * closed};
        default: throw DomainError("enclosed_unit: a unit that is no function of e^z and z");
    }
}

std::optional<UnitGrowth> growth_of(SmoothUnit unit) {
    switch (unit) {
        case SmoothUnit::tanh: return UnitGrowth{.factor = 12, .degree = 0};
        case SmoothUnit::sigmoid: return UnitGrowth{.factor = 1, .degree = 0};
        case SmoothUnit::softplus:
        case SmoothUnit::silu: return UnitGrowth{.factor = 4, .degree = 2};
        case SmoothUnit::gelu: return UnitGrowth{.factor = 9, .degree = 2};
        case SmoothUnit::elu:
        case SmoothUnit::selu:
        case SmoothUnit::erf:
        case SmoothUnit::sin:
        case SmoothUnit::cos: break;
    }
    return std::nullopt;
}

Rational half_strip(double scale) {
    // A little less than the strip, since the scale is rounded.
    double const half = scale > 0.25 ? 1 / scale : 4;
    return ratio(Integer(static_cast<long>(std::floor(0.999 * 1024 * half))), Integer(1024));
}

}  // namespace isserlis
