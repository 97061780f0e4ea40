// SPDX-License-Identifier: MIT
#include <isserlis/formula/smooth_pairs.hpp>

#include <vector>

#include "formula/normal_pair.hpp"
#include "formula/pair_spot.hpp"
#include "formula/plane_rule.hpp"
#include "formula/unit_jets.hpp"

namespace isserlis {
namespace {

Interval half_of(Interval const& x) { return x / Interval(2L, x.bits()); }

Interval turn(unsigned bits) { return Interval(2L, bits) * pi(bits); }

/// u Phi(u) = E[u; x < u] over another normal x: the moment u v of four normal numbers over a quadrant.
PairMeans gelu_means(PairCovariance const& pair, unsigned bits) {
    Enclosed const uu = pair.uu + Enclosed(1);
    Enclosed const vv = pair.vv + Enclosed(1);
    NormalPair const p = normal_pair({.uu = uu, .uv = pair.uv, .vv = vv}, bits);
    Interval const one(1L, bits);
    Interval const two(2L, bits);
    Interval const square = p.uv * p.uv;
    Interval const inverses = one / p.uu + one / p.vv;
    Interval const top = pair.uu.enclose(bits) * pair.vv.enclose(bits) - square + square * inverses;
    Interval const open = rest_of_angle(p) / turn(bits);
    Interval const around = turn(bits) * p.root;
    return {.value = p.uv * open + top / around,
            .derivative = open + p.uv * (two * inverses - one + top / (p.root * p.root)) / around};
}

PairMeans erf_means(PairCovariance const& pair, unsigned bits) {
    Enclosed const product = (Enclosed(1) + Enclosed(2) * pair.uu) * (Enclosed(1) + Enclosed(2) * pair.vv);
    Enclosed const twice = Enclosed(2) * pair.uv;
    // 1 + 2 uu > 2 uu, so that the difference stays above 0: asin(s/p) = atan(s/sqrt(p^2 - s^2)).
    Interval const root = sqrt(Enclosed(product - twice * twice).enclose(bits));
    Interval const circle = pi(bits);
    return {.value = Interval(2L, bits) / circle * atan(twice.enclose(bits) / root),
            .derivative = Interval(4L, bits) / (circle * root)};
}

PairMeans sin_means(PairCovariance const& pair, unsigned bits) {
    Enclosed const half = (pair.uu + pair.vv) / Enclosed(2);
    Interval const near = exp(Enclosed(pair.uv - half).enclose(bits));
    Interval const far = exp(Enclosed(Enclosed(0) - pair.uv - half).enclose(bits));
    Interval const two(2L, bits);
    return {.value = (near - far) / two, .derivative = (near + far) / two};
}

PairMeans cos_means(PairCovariance const& pair, unsigned bits) {
    PairMeans const sine = sin_means(pair, bits);
    return {.value = sine.derivative, .derivative = sine.value};
}

/// scale (u above 0, alpha (e^u - 1) below).
PairMeans elu_means(SmoothUnit unit, PairCovariance const& pair, unsigned bits) {
    require_pair_variance(pair.uu, bits);
    require_pair_variance(pair.vv, bits);
    NormalPair const p = normal_pair(pair, bits);
    Interval const half(ratio(Integer(1), Integer(2)), bits);
    Interval const u = sqrt(p.uu);
    Interval const v = sqrt(p.vv);
    bool const opposite = mpfr_zero_p(p.root.upper()) != 0 && mpfr_sgn(p.uv.upper()) < 0;
    // P(u < 0, v < 0), and E e^u, E e^v, E e^(u + v) there: the distribution function at shifted places.
    Interval const open = opposite ? Interval(bits) : rest_of_angle(p) / turn(bits);
    auto const below = [&](Interval const& exponent, Interval const& h, Interval const& k, Interval const& triangles) {
        if (opposite) return Interval(bits);
        return exp(half_of(exponent)) * (half_of(normal_cdf(h) + normal_cdf(k)) - half + open + triangles);
    };
    Interval const zero(bits);
    Interval const height_u = p.root / u;
    Interval const height_v = p.root / v;
    Interval const of_u = below(p.uu, zero - u, zero - p.uv / v, owen_triangle(p.uv / v, height_v));
    Interval const of_v = below(p.vv, zero - v, zero - p.uv / u, owen_triangle(p.uv / u, height_u));
    Interval const end_u = (p.uu + p.uv) / u;
    Interval const end_v = (p.vv + p.uv) / v;
    Interval const of_both = below(p.uu + p.vv + p.uv + p.uv, zero - end_u, zero - end_v,
                                   owen_triangle(end_u, height_u) + owen_triangle(end_v, height_v));
    // E e^v over u > 0, v < 0, and the other way round.
    Interval const mixed_v = exp(half_of(p.vv)) * normal_cdf(zero - v) - of_v;
    Interval const mixed_u = exp(half_of(p.uu)) * normal_cdf(zero - u) - of_u;
    Interval const root_of_turn = sqrt(turn(bits));
    auto const ramp = [&](Interval const& deviation, Interval const& height, Interval const& mixed) {
        return deviation / root_of_turn * (exp(half_of(height * height)) * normal_cdf(zero - height) - half) +
               p.uv * mixed;
    };
    auto const [scale, alpha] = elu_constants(unit, bits);
    Interval const square = scale * scale;
    Interval const ramps = p.root / turn(bits) + open * p.uv;
    return {.value = square * (ramps + alpha * (ramp(u, height_u, mixed_v) + ramp(v, height_v, mixed_u)) +
                               alpha * alpha * (of_both - of_u - of_v + open)),
            .derivative = square * (open + alpha * (mixed_u + mixed_v) + alpha * alpha * of_both)};
}

/// On the real line the first three derivatives of a unit are at most these in modulus, and the unit at most 1 + |z|.
struct Slopes {
    Rational first;
    Rational second;
    Rational third;
};

Slopes slopes_of(SmoothUnit unit) {
    auto const part = [](long p, long q) { return ratio(Integer(p), Integer(q)); };
    switch (unit) {
        case SmoothUnit::tanh: return {.first = 1, .second = part(4, 5), .third = 2};
        case SmoothUnit::sigmoid: return {.first = part(1, 4), .second = part(1, 10), .third = part(1, 8)};
        case SmoothUnit::softplus: return {.first = 1, .second = part(1, 4), .third = part(1, 10)};
        default: return {.first = part(6, 5), .second = 1, .third = 1};  // silu
    }
}

/// At a pair of numbers in the enclosures, widened by Price's theorem: d/d uv E f(u) g(v) = E f'(u) g'(v) and
/// d/d uu E f(u) g(v) = E f''(u) g(v)/2, along a segment of covariances.
PairMeans plane_means(SmoothUnit unit, PairCovariance const& pair, unsigned bits) {
    PairSpot const spot = spot_of(pair, bits);
    auto const& [uu, vv, correlation, off] = spot;
    Interval const one(1L, bits);
    auto const here = plane_factor_means(
        unit, uu.at, correlation, vv.at,
        {{UnitFactor::value, UnitFactor::value}, {UnitFactor::first, UnitFactor::first}}, sum_precision(bits));
    Slopes const slopes = slopes_of(unit);
    Interval const first(slopes.first, bits);
    Interval const second(slopes.second, bits);
    Interval const third(slopes.third, bits);
    Interval const size_u = one + sqrt(uu.at + uu.off);
    Interval const size_v = one + sqrt(vv.at + vv.off);
    Interval const value = first * first * off + half_of(second * (uu.off * size_v + vv.off * size_u));
    Interval const derivative = second * second * off + half_of(third * first * (uu.off + vv.off));
    return {.value = widened(here[0], value), .derivative = widened(here[1], derivative)};
}

bool is_summed(SmoothUnit unit) { return unit != SmoothUnit::gelu && growth_of(unit).has_value(); }

}  // namespace

PairMeans smooth_pair_means(SmoothUnit unit, PairCovariance const& pair, unsigned bits) {
    switch (unit) {
        case SmoothUnit::gelu: return gelu_means(pair, bits);
        case SmoothUnit::elu:
        case SmoothUnit::selu: return elu_means(unit, pair, bits);
        case SmoothUnit::erf: return erf_means(pair, bits);
        case SmoothUnit::sin: return sin_means(pair, bits);
        case SmoothUnit::cos: return cos_means(pair, bits);
        case SmoothUnit::tanh:
        case SmoothUnit::sigmoid:
        case SmoothUnit::softplus:
        case SmoothUnit::silu: break;
    }
    return plane_means(unit, pair, bits);
}

PairMeans smooth_square_means(SmoothUnit unit, Enclosed const& variance, unsigned bits) {
    if (unit == SmoothUnit::elu || unit == SmoothUnit::selu) {
        UnitMoments const moments = unit_moments_within(unit, variance.enclose(bits), bits);
        return {.value = moments.second, .derivative = moments.derivative_second};
    }
    if (!is_summed(unit)) return smooth_pair_means(unit, {.uu = variance, .uv = variance, .vv = variance}, bits);
    // d/dq E f(z)^2 = E f'^2 + E f f''.
    Spot const spot = spot_of(variance, bits);
    UnitMoments const moments = unit_moments_within(unit, spot.at, bits);
    Slopes const slopes = slopes_of(unit);
    Interval const first(slopes.first, bits);
    Interval const second(slopes.second, bits);
    Interval const third(slopes.third, bits);
    Interval const size = Interval(1L, bits) + sqrt(spot.at + spot.off);
    return {.value = widened(moments.second, spot.off * (first * first + second * size)),
            .derivative = widened(moments.derivative_second, spot.off * (second * second + first * third))};
}

}  // namespace isserlis
