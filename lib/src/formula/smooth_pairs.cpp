// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/formula/smooth_pairs.hpp>
#include <numbers>
#include <vector>

#include "formula/unit_jets.hpp"

namespace isserlis {
namespace {

/// Its upper end is at least every |t| of x.
Interval magnitude(Interval const& x) { return sqrt(positive_part(x * x)); }

/// One number of x.
Interval lower_end(Interval const& x) {
    Rational end;
    mpfr_get_q(end.backend().data(), x.lower());
    return {end, x.bits()};
}

/// Sums over the plane take too long beyond, and e^(uu/2) takes its digits from ELU.
void check_variance(Enclosed const& variance, unsigned bits) {
    Interval const within = variance.enclose(bits);
    if (mpfr_sgn(within.lower()) <= 0) throw DomainError("smooth_pair_means: a variance is not positive", "pair");
    if (mpfr_cmp_si(within.lower(), most_pair_variance) > 0)
        throw UnsupportedError(
            "a layer of variance " + std::to_string(mpfr_get_d(within.lower(), MPFR_RNDN)) +
                "; means over a pair of tanh, sigmoid, softplus, silu, elu and selu units are served "
                "up to " +
                std::to_string(most_pair_variance),
            "weight_variance");
}

Interval half_of(Interval const& x) { return x / Interval(2L, x.bits()); }

/// A pair whose root uu vv - uv^2 is known to be at least 0.
struct Pair {
    Interval uu;
    Interval uv;
    Interval vv;
    Interval root;  ///< sqrt(uu vv - uv^2)
    [[nodiscard]] unsigned bits() const { return uu.bits(); }
};

Pair enclosed_pair(PairCovariance const& pair, unsigned bits) {
    Interval const square = Enclosed(pair.uu * pair.vv - pair.uv * pair.uv).enclose(bits);
    return {.uu = pair.uu.enclose(bits),
            .uv = pair.uv.enclose(bits),
            .vv = pair.vv.enclose(bits),
            .root = sqrt(positive_part(square))};
}

/// pi minus the angle of two numbers of this covariance: tan(angle/2) = root/(|u||v| + uv), and that of the rest with a
/// minus.
Interval rest_of_angle(Pair const& p) {
    unsigned const bits = p.bits();
    Interval const lengths = sqrt(p.uu * p.vv);
    Interval const two(2L, bits);
    if (mpfr_sgn(p.uv.upper()) < 0) return two * atan(p.root / (lengths - p.uv));
    return pi(bits) - two * atan(p.root / (lengths + p.uv));
}

Interval turn(unsigned bits) { return Interval(2L, bits) * pi(bits); }

/// u Phi(u) = E[u; x < u] over another normal x: the moment u v of four normal numbers over a quadrant.
PairMeans gelu_means(PairCovariance const& pair, unsigned bits) {
    Enclosed const uu = pair.uu + Enclosed(1);
    Enclosed const vv = pair.vv + Enclosed(1);
    Pair const p = enclosed_pair({.uu = uu, .uv = pair.uv, .vv = vv}, bits);
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

/// The Gaussian measure of the triangle (0, 0), (h, 0), (h, w), odd in h and in w: 1/(2 pi) times
/// sum_j (-1)^j a^(2j+1)/(2j+1) P(a Poisson number of mean h^2/2 exceeds j), a = w/h, here |a| <= 1.1.
Interval flat_triangle(Interval const& h, Interval const& w) {
    unsigned const bits = h.bits();
    Interval const mean = half_of(h * h);
    double const size = mpfr_get_d(mean.upper(), MPFR_RNDU);
    Interval const tangent = w / h;
    Interval const square = tangent * tangent;
    Interval weight = exp(Interval(0L, bits) - mean);  // of the Poisson number j
    Interval above = Interval(1L, bits) - weight;      // P(> j)
    Interval power = tangent;
    Interval sum(bits);
    for (long j = 0;; ++j) {
        Interval const term = power * above / Interval(2 * j + 1, bits);
        sum = j % 2 == 0 ? sum + term : sum - term;
        weight = weight * mean / Interval(j + 1, bits);
        power = power * square;
        // From mean/(j + 2) < 1/2 on what is left out is less than a geometric series of ratio 1.21/2.
        if (static_cast<double>(j) > 2 * size && mpfr_get_exp(weight.upper()) < -static_cast<long>(bits))
            return widened(sum, Interval(4L, bits) * weight * magnitude(power)) / turn(bits);
        above = positive_part(above - weight);
    }
}

Interval triangle(Interval const& h, Interval const& w) {
    unsigned const bits = h.bits();
    auto const is_flat = [&](Interval const& side, Interval const& other, Rational const& slope) {
        if (side.contains_zero()) return false;
        Interval const room = Interval(slope, bits) * sqrt(side * side) - magnitude(other);
        return mpfr_sgn(room.lower()) >= 0;
    };
    if (is_flat(h, w, 1)) return flat_triangle(h, w);
    Interval const half(ratio(Integer(1), Integer(2)), bits);
    // The rectangle is both triangles.
    if (is_flat(w, h, ratio(Integer(11), Integer(10))))
        return (normal_cdf(h) - half) * (normal_cdf(w) - half) - flat_triangle(w, h);
    // Less than its area times the density at 0.
    return widened(Interval(bits), magnitude(h) * magnitude(w));
}

/// scale (u above 0, alpha (e^u - 1) below).
PairMeans elu_means(SmoothUnit unit, PairCovariance const& pair, unsigned bits) {
    check_variance(pair.uu, bits);
    check_variance(pair.vv, bits);
    Pair const p = enclosed_pair(pair, bits);
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
    Interval const of_u = below(p.uu, zero - u, zero - p.uv / v, triangle(p.uv / v, height_v));
    Interval const of_v = below(p.vv, zero - v, zero - p.uv / u, triangle(p.uv / u, height_u));
    Interval const end_u = (p.uu + p.uv) / u;
    Interval const end_v = (p.vv + p.uv) / v;
    Interval const of_both = below(p.uu + p.vv + p.uv + p.uv, zero - end_u, zero - end_v,
                                   triangle(end_u, height_u) + triangle(end_v, height_v));
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

/// What is left of the precision for the error of the sum: callers leave room for what cancels.
unsigned sum_precision(unsigned bits) { return std::max(bits > 112 ? bits - 112 : 0U, bits / 3); }

/// The trapezoidal rule over the plane of two standard normal numbers p and q,
/// u = sqrt(uu) (cos p + sin q), v = sqrt(vv) (cos p - sin q), cos^2 = (1 + r)/2 of the correlation r.
class PlaneRule {
public:
    /// uu, vv and the correlation are numbers up to their rounding.
    PlaneRule(SmoothUnit unit, Interval const& uu, Interval const& correlation, Interval const& vv, unsigned wanted)
        : unit_(unit), bits_(uu.bits()), growth_(*growth_of(unit)), u_(sqrt(uu)), v_(sqrt(vv)) {
        Interval const one(1L, bits_);
        cos_ = sqrt(positive_part(half_of(one + correlation)));
        sin_ = sqrt(positive_part(half_of(one - correlation)));
        largest_ = mpfr_greater_p(u_.upper(), v_.upper()) != 0 ? u_ : v_;
        double const deviation = mpfr_get_d(largest_.upper(), MPFR_RNDU);
        double const nats =
            wanted * std::log(2.0) + std::log(16.0 * static_cast<double>(growth_.factor)) + 2 * std::log1p(deviation);
        p_ = axis(deviation * mpfr_get_d(cos_.upper(), MPFR_RNDU), nats);
        q_ = axis(deviation * mpfr_get_d(sin_.upper(), MPFR_RNDU), nats);
        last_ = static_cast<long>(std::ceil(std::sqrt(2 * nats))) + 2;
    }

    [[nodiscard]] PairMeans operator()() const {
        std::vector<Step> const along = steps(p_, cos_);
        std::vector<Step> const across = steps(q_, sin_);
        bool const even = mpfr_equal_p(u_.lower(), v_.lower()) != 0 && mpfr_equal_p(u_.upper(), v_.upper()) != 0;
        Interval value(bits_);
        Interval derivative(bits_);
        Interval rows(bits_);  // the rule's own sum of (1 + |p|)^2
        Interval const one(1L, bits_);
        for (auto const& p : along) {
            Interval of_value(bits_);
            Interval of_derivative(bits_);
            for (auto const& q : across) {
                // u and v change places with the sign of q.
                if (even && q.k < 0) continue;
                Interval const weight = even && q.k > 0 ? q.weight + q.weight : q.weight;
                auto const a = enclosed_unit(unit_, p.u + q.u, p.exp_u * q.exp_u);
                auto const b = enclosed_unit(unit_, p.v - q.v, p.exp_v / q.exp_v);
                add_product(of_value, weight, a.value * b.value);
                add_product(of_derivative, weight, a.first * b.first);
            }
            add_product(value, p.weight, of_value);
            add_product(derivative, p.weight, of_derivative);
            Interval const size = one + magnitude(p.place);
            add_product(rows, p.weight, size * size);
        }
        Interval const radius = error(rows);
        return {.value = widened(value, radius), .derivative = widened(derivative, radius)};
    }

private:
    struct Axis {
        Rational half = 0;  ///< half a strip of it, in which u and v stay within 1 of the real line
        long per_unit = 0;
    };
    struct Step {
        long k;
        Interval place;
        Interval weight;  ///< density and step
        Interval u;
        Interval v;
        Interval exp_u;
        Interval exp_v;
    };

    static Axis axis(double scale, double nats) {
        Axis out{.half = half_strip(scale)};
        double const half = out.half.convert_to<double>();
        out.per_unit = static_cast<long>(std::ceil((nats + half * half / 2) / (2 * std::numbers::pi * half))) + 1;
        return out;
    }

    [[nodiscard]] std::vector<Step> steps(Axis const& axis, Interval const& share) const {
        std::vector<Step> out;
        Interval const per_unit(axis.per_unit, bits_);
        for (long k = -last_ * axis.per_unit; k <= last_ * axis.per_unit; ++k) {
            Interval const place(ratio(Integer(k), Integer(axis.per_unit)), bits_);
            Interval const u = u_ * share * place;
            Interval const v = v_ * share * place;
            out.push_back({.k = k,
                           .place = place,
                           .weight = normal_density(place) / per_unit,
                           .u = u,
                           .v = v,
                           .exp_u = exp(u),
                           .exp_v = exp(v)});
        }
        return out;
    }

    /// Of the rule over one axis, for a function of at most (1 + |x|)^2 at x + iy: 2 M/(e^(2 pi a/h) - 1) with
    /// E (1 + |x|)^2 <= 4, and both tails, where (1 + x)^2 <= 4 x^2.
    [[nodiscard]] Interval axis_error(Axis const& axis) const {
        Interval const one(1L, bits_);
        Interval const two(2L, bits_);
        Interval const eight(8L, bits_);
        Interval const half(axis.half, bits_);
        Interval const strip =
            eight * exp(half_of(half * half)) / (exp(turn(bits_) * half * Interval(axis.per_unit, bits_)) - one);
        Interval const end(last_, bits_);
        return strip + eight * end * normal_density(end) / (one - two / (end * end));
    }

    /// |sigma(u) sigma(v)| <= factor (1 + deviation)^2 (1 + |p|)^2 (1 + |q|)^2.
    [[nodiscard]] Interval error(Interval const& rows) const {
        Interval const size = Interval(1L, bits_) + largest_;
        Interval const bound = Interval(growth_.factor, bits_) * size * size;
        return bound * (Interval(4L, bits_) * axis_error(p_) + magnitude(rows) * axis_error(q_));
    }

    SmoothUnit unit_;
    unsigned bits_;
    UnitGrowth growth_;
    Interval u_;
    Interval v_;
    Interval cos_{2U};
    Interval sin_{2U};
    Interval largest_{2U};
    Axis p_;
    Axis q_;
    long last_ = 0;
};

Interval distance(Interval const& x, Interval const& from) { return magnitude(x - from); }

/// A variance as one number, and how far from it the true one may be.
struct Spot {
    Interval at;
    Interval off;
};

Spot spot_of(Enclosed const& variance, unsigned bits) {
    check_variance(variance, bits);
    Interval const within = variance.enclose(bits);
    Interval const at = lower_end(within);
    return {.at = at, .off = distance(within, at)};
}

/// At a pair of numbers in the enclosures, widened by Price's theorem: d/d uv E f(u) g(v) = E f'(u) g'(v) and
/// d/d uu E f(u) g(v) = E f''(u) g(v)/2, along a segment of covariances.
PairMeans plane_means(SmoothUnit unit, PairCovariance const& pair, unsigned bits) {
    Spot const uu = spot_of(pair.uu, bits);
    Spot const vv = spot_of(pair.vv, bits);
    Interval const within = pair.uv.enclose(bits);
    Interval const lengths = sqrt(uu.at * vv.at);
    Interval const one(1L, bits);
    Interval uv = lower_end(within);
    Interval correlation = uv / lengths;
    if (mpfr_cmp_si(correlation.upper(), 1) >= 0) {
        uv = lengths;
        correlation = one;
    } else if (mpfr_cmp_si(correlation.lower(), -1) <= 0) {
        uv = Interval(0L, bits) - lengths;
        correlation = Interval(0L, bits) - one;
    }
    Interval const off = distance(within, uv);
    PairMeans const here = PlaneRule(unit, uu.at, correlation, vv.at, sum_precision(bits))();
    Slopes const slopes = slopes_of(unit);
    Interval const first(slopes.first, bits);
    Interval const second(slopes.second, bits);
    Interval const third(slopes.third, bits);
    Interval const size_u = one + sqrt(uu.at + uu.off);
    Interval const size_v = one + sqrt(vv.at + vv.off);
    Interval const value = first * first * off + half_of(second * (uu.off * size_v + vv.off * size_u));
    Interval const derivative = second * second * off + half_of(third * first * (uu.off + vv.off));
    return {.value = widened(here.value.enclose(bits), value),
            .derivative = widened(here.derivative.enclose(bits), derivative)};
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
